"""What the flaws of the published protocols do, measured by rules on the same data with and without each flaw.

    python experiments/flaws.py [--splits 20] [--output experiments/results/flaws.json]

Needs the Python package gsan and the public data (gsan data fetch citation ocean). Masks and splits are those of the tasks, seed by
seed. docs/results-method.md shows the numbers.
"""
import argparse
import datetime
import itertools
import json
import pathlib
import statistics
import subprocess

import numpy as np
import torch

import gsan

ROOT = pathlib.Path(__file__).resolve().parents[1]
ORDERS = range(6)
CITATIONS_OF_A_POSITIVE = 7


class Lines:
    """Lines of measurements under common columns."""

    def __init__(self, over, columns):
        self.block = {"over": over, "columns": list(columns), "rows": []}

    def add(self, says, cells):
        self.block["rows"].append({"says": says, "cells": [self.cell(values) for values in cells]})

    @staticmethod
    def cell(values):
        if not values:
            return None
        sd = statistics.stdev(values) if len(values) > 1 else 0.0
        return {"mean": round(statistics.fmean(values), 6), "sd": round(sd, 6), "n": len(values)}


# --- imputation

def within(found, truth, rows):
    """Per cent of the rows within 5 % of the truth."""
    return 100 * float(np.mean(np.abs(found[rows] - truth[rows]) <= 0.05 * np.abs(truth[rows])))


def lower_median(values):
    return float(np.sort(values)[(len(values) - 1) // 2])


def neighbour_mode(neighbours, values, known):
    """The most frequent known value of the neighbours, of several the smallest; without any the median of the known."""
    found = np.full(len(values), lower_median(values[known]))
    for i, of in enumerate(neighbours):
        seen = values[[j for j in of if known[j]]]
        if len(seen):
            candidates, votes = np.unique(seen, return_counts=True)
            found[i] = candidates[np.argmax(votes)]
    return found


def upper_neighbours(complex, k):
    """Of every k-simplex the others of its cofaces, once for each coface."""
    lists = [[] for _ in range(len(complex.simplices(k)))]
    faces = complex.faces(k + 1)
    for coface in faces:
        for i, j in itertools.permutations(coface.tolist(), 2):
            lists[i].append(j)
    return lists


def imputation(masks):
    lines = Lines(f"{masks} masks", [f"order {k}" for k in ORDERS])
    own, moved = (gsan.datasets.citation(max_order=max(ORDERS) + 1, by_position=flag) for flag in (False, True))
    truths = [own.values[k].numpy() for k in ORDERS]
    permuted = [moved.values[k].numpy() for k in ORDERS]
    neighbours = [upper_neighbours(own.complex, k) for k in ORDERS]
    for percent in (10, 50):
        numbers = {name: [[] for _ in ORDERS] for name in ("copy", "copy missing", "moved", "own", "all")}
        for k, seed in itertools.product(ORDERS, range(masks)):
            task = gsan.tasks.Task("imputation", protocol="published", seed=seed,
                                   imputation={"order": k, "missing": percent})
            missing = np.array(task.parts["missing"])
            known = np.ones(len(truths[k]), bool)
            known[missing] = False
            copy = np.where(known, permuted[k], lower_median(permuted[k]))
            by_mode = neighbour_mode(neighbours[k], truths[k], known)
            repaired = np.where(known, truths[k], by_mode)
            everything = np.arange(len(known))
            for name, value in (("copy", within(copy, permuted[k], everything)),
                                ("copy missing", within(copy, permuted[k], missing)),
                                ("moved", within(neighbour_mode(neighbours[k], permuted[k], known), permuted[k], missing)),
                                ("own", within(by_mode, truths[k], missing)),
                                ("all", within(repaired, truths[k], everything))):
                numbers[name][k].append(value)
        of = f"missing {percent} %: "
        lines.add(of + "copy of the damaged input, counted over all values (the published metric)", numbers["copy"])
        lines.add(of + "the same, counted on the missing values alone", numbers["copy missing"])
        lines.add(of + "neighbour mode, values by position, on the missing values", numbers["moved"])
        lines.add(of + "neighbour mode, values by their authors, on the missing values", numbers["own"])
        lines.add(of + "the same answers and the known values, counted over all values", numbers["all"])
    lines.add("simplices whose value by position happens to be their own",
              [[100 * float(np.mean(truths[k] == permuted[k]))] for k in ORDERS])
    return lines.block


# --- simplex prediction

def auc(scores, labels):
    """Area under the curve in per cent, ties counted half; None where one class is missing."""
    positive, negative = scores[labels], scores[~labels]
    if not len(positive) or not len(negative):
        return None
    ranks = np.sort(negative)
    below = np.searchsorted(ranks, positive, "left") + np.searchsorted(ranks, positive, "right")
    return 100 * float(np.mean(below)) / (2 * len(negative))


class Candidates:
    """All k-simplices, positive above the threshold; tuples(j) are their faces of order j."""

    def __init__(self, data, k):
        self.k, self.complex = k, data.complex
        self.values = [data.values[j].numpy() for j in range(k + 1)]
        self.labels = self.values[k] > CITATIONS_OF_A_POSITIVE
        self.simplices = np.asarray(data.complex.simplices(k))

    def tuples(self, j):
        choices = list(itertools.combinations(range(self.k + 1), j + 1))
        rows = [self.complex.find(self.simplices[:, list(choice)]) for choice in choices]
        return np.stack(rows, axis=1)

    def edge_counts(self, simplices):
        """How many of these simplices lie at each edge."""
        return np.bincount(self.tuples(1)[simplices].ravel(), minlength=len(self.values[1]))

    def coface_count(self, message, rows, count_itself=False):
        counts = self.edge_counts(np.asarray(message, int))[self.tuples(1)[rows]].sum(1)
        own = np.isin(rows, message)
        return counts if count_itself else counts - own * self.tuples(1).shape[1]


def simplex_prediction(splits):
    lines = Lines(f"{splits} splits", ["2-simplex", "3-simplex"])
    data = {flag: gsan.datasets.citation(max_order=3, by_position=flag) for flag in (False, True)}
    says = ["by position, random split: harmonic mean of the faces (2-simplex: edges, 3-simplex: triangles)",
            "by position, random split: minimum of the same faces",
            "by position, random split: count of positives to train on at the candidate's edges, no leak",
            "by position, random split: the same count in the complex of the leak, the positive test simplices",
            "by authors, random split: harmonic mean of the edges",
            "by authors, random split: minimum of the edges",
            "by authors, random split: count of message cofaces at the edges",
            "by authors, split by paper, counts with held-out papers: minimum of the edges",
            "by authors, split by paper, counts without held-out papers: harmonic mean of the edges",
            "by authors, split by paper, counts without held-out papers: minimum of the edges",
            "by authors, split by paper: count of message cofaces at the edges"]
    cells = {text: ([], []) for text in says}
    for k, seed in itertools.product((2, 3), range(splits)):
        moved, own = Candidates(data[True], k), Candidates(data[False], k)

        def task(protocol, **options):
            return gsan.tasks.Task("simplex-prediction", protocol=protocol, seed=seed,
                                   simplex_prediction={"order": k, **options})

        def parts(of):
            return {name: np.array(items, int) for name, items in of.parts.items()}

        def add(text, scores, candidates, rows):
            value = auc(np.asarray(scores, float), candidates.labels[rows])
            if value is not None:
                cells[text][k - 2].append(value)

        split = parts(task("published"))
        test = split["test"]
        faces = moved.values[k - 1][moved.tuples(k - 1)[test]]
        add(says[0], faces.shape[1] / (1 / faces).sum(1), moved, test)
        add(says[1], faces.min(1), moved, test)
        add(says[2], moved.coface_count(split["message"], test), moved, test)
        add(says[3], moved.coface_count(test[moved.labels[test]], test, count_itself=True), moved, test)
        split = parts(task("strict", split="random", features="counts"))
        test = split["test"]
        edges = own.values[1][own.tuples(1)[test]]
        add(says[4], edges.shape[1] / (1 / edges).sum(1), own, test)
        add(says[5], edges.min(1), own, test)
        add(says[6], own.coface_count(split["message"], test), own, test)
        strict = task("strict")  # by paper, counts without held-out papers, the head on edges
        split, batch = parts(strict), next(strict.batches("test"))
        test = split["test"]
        edges = batch.x[1].double().numpy()[batch.tuples.numpy(), 0]
        add(says[7], own.values[1][own.tuples(1)[test]].min(1), own, test)
        with np.errstate(divide="ignore"):
            add(says[8], edges.shape[1] / (1 / edges).sum(1), own, test)
        add(says[9], edges.min(1), own, test)
        add(says[10], own.coface_count(split["message"], test), own, test)
    for text in says:
        lines.add(text, cells[text])
    return lines.block


# --- trajectories

def logistic_accuracy(x, labels, parts, C):
    """Test accuracy of the minimum of |w|^2 / 2 + C sum of losses, in per cent."""
    w = torch.zeros(x.shape[1] + 1, dtype=torch.float64, requires_grad=True)
    train, test = torch.tensor(parts["train"]), torch.tensor(parts["test"])
    optimizer = torch.optim.LBFGS([w], max_iter=2000, tolerance_grad=1e-9, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        logits = x[train] @ w[:-1] + w[-1]
        value = w[:-1].square().sum() / 2 + C * torch.nn.functional.binary_cross_entropy_with_logits(
            logits, labels[train].double(), reduction="sum")
        value.backward()
        return value

    optimizer.step(loss)
    found = (x[test] @ w[:-1] + w[-1]) > 0
    return 100 * float((found == labels[test].bool()).double().mean())


def trajectory(splits):
    lines = Lines(f"{splits} splits (ocean), one plane (flow)", ["synthetic flow", "ocean drifters"])
    names = ("plain", "harmonic", "turned together", "destroyed")
    cells = {name: ([], []) for name in names}
    for column, (data, count) in enumerate(((gsan.datasets.flow(), 1), (gsan.datasets.ocean(), splits))):
        x = data.signals.double().flatten(1)
        spectrum = data.complex.spectrum(data.order)
        basis = spectrum.vectors[:, spectrum.parts == "harmonic"].double()
        for seed in range(count):
            parts = gsan.tasks.Task("trajectory", protocol="published", seed=seed, data={"name": data.name}).parts
            coins = 1 - 2 * torch.randint(0, 2, (x.shape[1],), generator=torch.Generator().manual_seed(seed)).double()
            for name, features, C in (("plain", x, 1), ("harmonic", x @ basis, 100),
                                      ("turned together", (x * coins) @ (coins[:, None] * basis), 100),
                                      ("destroyed", (x * coins) @ basis, 100)):
                cells[name][column].append(logistic_accuracy(features, data.labels, parts, C))
    lines.add("logistic regression on x", cells["plain"])
    lines.add("logistic regression on the harmonic coordinates of x", cells["harmonic"])
    lines.add("the same after a random orientation of x and of the complex", cells["turned together"])
    lines.add("the same after a random orientation of x alone", cells["destroyed"])
    return lines.block


def text_of(measured):
    """JSON with a line a row, so that a changed number is a changed line."""
    text = json.dumps(measured)
    for before, after in (('"imputation"', "\n "), ('"simplex-prediction"', "\n "), ('"trajectory"', "\n "), ('{"says"', "\n  ")):
        text = text.replace(before, after + before)
    return text + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=20, help="splits of each number (masks: at most 10)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "experiments/results/flaws.json")
    words = parser.parse_args()
    commit = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=40"], cwd=ROOT, text=True,
                            capture_output=True).stdout.strip()
    measured = {"commit": commit, "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "imputation": imputation(min(words.splits, 10)), "simplex-prediction": simplex_prediction(words.splits),
                "trajectory": trajectory(words.splits)}
    words.output.write_text(text_of(measured))


if __name__ == "__main__":
    main()
