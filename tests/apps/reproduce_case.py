"""Small tables of own data for the tests of gsan reproduce."""
import json

from training_case import TrainingCase

RUN_FAILED = 8


class ReproduceCase(TrainingCase):
    """Two rows, a rule and a quoted row on walks around a hole; a table of folds beside it."""

    def setUp(self):
        super().setUp()
        self.experiments = self.folder / "experiments"
        self.experiments.mkdir()
        self.results = self.experiments / "results"
        self.data = self.own_data()
        self.config(epochs=2)
        self.tables()

    def config(self, epochs):
        (self.experiments / "walks.yaml").write_text(f"""
task: trajectory
data: {{name: walks, path: {self.data}}}
trajectory: {{batch_size: 8}}
model: {{name: san, hidden_channels: 4, n_layers: 1}}
train: {{epochs: {epochs}}}
""")

    def tables(self, seeds=2, rows=()):
        plan = {"says": "Small.", "seeds": seeds,
                "columns": [{"name": "ring", "paper": "ocean_drifters", "file": "walks"}],
                "blocks": [{"paper": "/trajectory/rows"}],
                "rows": [{"name": "GSAN", "paper": "GSAN", "config": "{file}.yaml"},
                         {"name": "SCNN", "paper": "SCNN", "config": "{file}.yaml", "set": ["model.name=scnn"]},
                         {"name": "SAT", "paper": "SAT"},
                         {"name": "regression", "rule": "logistic regression on x", "config": "{file}.yaml"},
                         {"name": "majority", "rule": "majority class", "config": "{file}.yaml"}, *rows]}
        folds = {"says": "Folds.", "seeds": 2, "over": {"split.fold": [0, 1]}, "set": ["split.folds=2"],
                 "curve": "validation.accuracy", "columns": [{"name": "ring", "file": "walks"}], "blocks": [{}],
                 "rows": [{"name": "SAN", "config": "{file}.yaml", "set": ["train.epochs=3"]}]}
        tables = {name: {"title": name, "metric": "accuracy, %", "strict": one, "published": one}
                  for name, one in (("walks", plan), ("folds", folds))}
        targets = [{"says": "easy", "table": "walks", "protocol": "strict", "rows": ["GSAN"], "at_least": {"ring": 0}},
                   {"says": "hard", "table": "walks", "protocol": "strict", "rows": ["GSAN"], "at_least": {"ring": 101}},
                   {"says": "rule", "table": "walks", "protocol": "strict", "rows": ["GSAN"], "above": ["majority"]},
                   # SAT is printed and quoted: its number holds for the other row.
                   {"says": "printed", "table": "walks", "protocol": "strict", "rows": ["SAT", "regression"],
                    "at_least": "printed"}]
        same_work = ["seed", "split.fold", "train.epochs"]
        (self.experiments / "tables.json").write_text(
            json.dumps({"tables": tables, "targets": targets, "same_work": same_work}))

    def arguments(self, *more, table="walks"):
        """--results: a binary of a changed tree records nowhere else."""
        return ["reproduce", table, "--experiments", self.experiments, "--results", self.results, "--jobs", 1,
                "--threads", 1, "--quiet", *more]

    def reproduce(self, *more, table="walks", code=0):
        return self.report(*self.arguments(*more, table=table), code=code)

    def cells(self, report):
        return {row["name"]: row["cells"][0] for row in report["tables"][0]["blocks"][0]["rows"]}

    def records(self, table="walks"):
        """Lines of a table."""
        path = self.results / f"{table}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def record(self, seed=0, table="walks", model="san", **wanted):
        found, = [one for one in self.records(table) if one["seed"] == seed and one.get("model") == model
                  and all(one.get(key) == value for key, value in wanted.items())]
        return found

    def rewrite(self, change, table="walks"):
        """`change(record)` gives the record that takes the place of each; None: the line goes."""
        kept = [change(dict(record)) for record in self.records(table)]
        (self.results / f"{table}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in kept if one is not None))

    def remove(self, seed, table="walks", model="san", **wanted):
        gone = self.record(seed, table, model, **wanted)
        self.rewrite(lambda record: None if record == gone else record, table)

    def wait_for_record(self, process, table="walks"):
        self.wait_for(self.results / f"{table}.jsonl", process)
