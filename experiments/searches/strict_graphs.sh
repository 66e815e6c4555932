#!/bin/bash
# Table III, strict, GSAN on PROTEINS: eight settings, then four that join the best of them with what else had helped, ranked by the loss on the validation parts of the first five folds of seed 100, which
# no table uses; the last epoch, so that nothing is chosen within a run. The outer folds are not read for the ranking.
#   GSAN_DATA=/data experiments/searches/strict_graphs.sh build/release/bin/gsan FOLDER
set -e
gsan=$1 folder=$2
common="graph-classification --protocol strict --data proteins --model gsan --quiet --threads 1 --seed 100
  --grid split.fold=0,1,2,3,4 graph-classification.choose_by=loss train.choose=last train.schedule.kind=cosine
  model.incidence=unsigned model.attention_dropout=0 model.activation=tanh model.n_layers=1 model.identity=true
  model.standardize=standard model.readout.inputs=true model.readout.batch_norm=true"
trials=(
  "train.epochs=60 model.dropout=0.2 train.optimizer.weight_decay=0.001"
  "train.epochs=30 model.dropout=0.2 train.optimizer.weight_decay=0.001"
  "train.epochs=60 model.dropout=0.5 train.optimizer.weight_decay=0.01"
  "train.epochs=60 model.dropout=0.2 train.optimizer.weight_decay=0.001 model.length=1"
  "train.epochs=60 model.dropout=0.2 train.optimizer.weight_decay=0.001 model.readout.inputs=false"
  "train.epochs=60 model.dropout=0.2 train.optimizer.weight_decay=0.001 model.readout.pooling=mean"
  "train.epochs=60 model.dropout=0.2 train.optimizer.weight_decay=0.001 graph-classification.structure=all"
  "train.epochs=30 model.dropout=0.2 train.optimizer.weight_decay=0.01 model.hidden_channels=8 train.optimizer.learning_rate=0.003"
  "train.epochs=30 model.dropout=0.2 train.optimizer.weight_decay=0.001 model.length=1"
  "train.epochs=60 model.dropout=0.2 train.optimizer.weight_decay=0.001 model.length=1 graph-classification.structure=all"
  "train.epochs=60 model.dropout=0.2 train.optimizer.weight_decay=0.001 model.length=1 model.readout.inputs=false"
  "train.epochs=30 model.dropout=0.2 train.optimizer.weight_decay=0.001 model.length=1 graph-classification.structure=all"
)
mkdir -p "$folder"
for number in "${!trials[@]}"; do
  # shellcheck disable=SC2086
  "$gsan" sweep $common --jobs "${JOBS:-2}" ${trials[number]} --output "$folder/setting-$number" > "$folder/setting-$number.txt"
done
python3 - "$folder" "${trials[@]}" <<'EOF'
import csv, pathlib, sys
folder, trials = pathlib.Path(sys.argv[1]), sys.argv[2:]
with open(folder / "settings.csv", "w", newline="") as file:
    out = csv.writer(file)
    out.writerow(["setting", "folds", "validation loss"])
    for number, setting in enumerate(trials):
        with open(folder / f"setting-{number}" / "ranking.csv") as ranking:
            rows = list(csv.DictReader(ranking))
        losses = [float(row[next(name for name in row if name.startswith("validation"))]) for row in rows]
        out.writerow([setting, len(losses), round(sum(losses) / len(losses), 4)])
print((folder / "settings.csv").read_text())
EOF
