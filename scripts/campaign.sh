#!/usr/bin/env bash
# Measures cells of the paper's tables on a machine with a GPU that has neither network nor repository.
#
#   scripts/campaign.sh pack DATA       here, with everything committed: data, commit and checksums of the source into build/carry
#   scripts/campaign.sh run SECONDS     there, in a copy of the source with build/carry: builds the command, measures for so long, cheapest first,
#                                       and leaves records.tar.gz in $OUT (default build/campaign). The same call goes on where it stopped
#   scripts/merge_records.py FILE       here: adds the records to experiments/results, and the trials of experiments/tune.py
#
# A chain of runs on the processor and one on the GPU work side by side; each has records of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
carry=build/carry state=build/campaign build=build/gpu

pack() {
  local data=${1:?"campaign.sh: pack needs the folder of the public data (gsan data fetch)"}
  [ -z "$(git status --porcelain --untracked-files=no)" ] || { echo "campaign.sh: the tree has changes: commit them, records name their commit" >&2; exit 1; }
  rm -rf "$carry"
  mkdir -p "$carry/data"
  cp -r "$data"/{citation,ocean,tu} "$carry/data/"
  chmod -R u+w "$carry/data"
  git rev-parse HEAD >"$carry/revision"
  # Without what tuning writes there: it is merged and committed together with the records, which hold the hash of their settings.
  git ls-files -z -- . ':!experiments/strict/tuned' ':!experiments/searches' | xargs -0 sha256sum >"$carry/sha256"
  du -sh "$carry"
}

# The command of exactly the commit that was packed.
compile() {
  local revision
  revision=$(cat "$carry/revision")
  sha256sum --check --quiet --strict "$carry/sha256" || { echo "campaign.sh: the source is not that of $revision" >&2; exit 1; }
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGSAN_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=90 -DGSAN_TESTS=ON -DGSAN_PYTHON=ON \
    -DGSAN_UNITY=ON -DGSAN_BENCHMARKS=OFF -DGSAN_REVISION="$revision" >"$state/configure.log" 2>&1 || { tail -n 30 "$state/configure.log"; exit 1; }
  # The copy may lie in a repository at another commit: what was verified above is the revision, not what git says of it.
  GIT_DIR=/dev/null cmake --build "$build" -j "$(nproc)" --target gsan_command >"$state/build.log" 2>&1 || { tail -n 30 "$state/build.log"; exit 1; }
}

# measure NAME JOBS DEVICE TABLE PROTOCOL OPTIONS…: what is missing of these cells, as long as there is time.
measure() {
  local name=$1 jobs=$2 device=$3 table=$4 protocol=$5 left=$((until - SECONDS))
  shift 5
  [ $left -gt 5 ] || return 0
  echo "$name: $table $protocol $*, $left s left"
  timeout --signal=INT --kill-after=20 $((left + 15)) "$build/bin/gsan" reproduce "$table" --protocol "$protocol" --results "$state/$name" --work "$state/$name-runs" \
    --jobs "$jobs" --threads 1 --device "$device" --budget "$(awk "BEGIN {print $left / 60}")" --quiet --format json "$@" 2>&1 >"$state/$name.json" | tail -n 3 || true
}

# Half of the time at most goes to the trials that strict rows of graphs lack; then one seed of the rows that have them.
strict_graphs() {
  local gpu=(gpu "$1" cuda) left=$((until - SECONDS)) column rows
  [ $left -gt 60 ] || return 0
  timeout --signal=INT --kill-after=60 $((left / 2 + 60)) python3 experiments/tune.py --gsan "$build/bin/gsan" --tables graph-classification --device cuda \
    --jobs "$1" --minutes "$(awk "BEGIN {print $left / 120}")" --sweeps "$state/sweeps" || true
  while IFS=$'\t' read -r column rows; do
    measure "${gpu[@]}" graph-classification strict --seeds 1 --columns "$column" --rows "$rows" </dev/null
  done < <(python3 experiments/tune.py --tables graph-classification --list)
}

# What is missing of these tables: one seed of every cell before the others. Captured steps gain little where a run lasts seconds.
on_cpu() {
  local cpu=(cpu "$1" cpu) table
  for table in trajectory simplex-prediction; do measure "${cpu[@]}" $table published --seeds 1; done
  for table in trajectory imputation simplex-prediction; do measure "${cpu[@]}" $table strict; done
  for table in trajectory simplex-prediction; do measure "${cpu[@]}" $table published; done
}

on_gpu() {
  local gpu=(gpu "$1" cuda) tables="imputation graph-classification ablation-attention ablation-sharing ablation-hyperparameters" table
  strict_graphs "$1"
  for table in $tables; do measure "${gpu[@]}" "$table" published --seeds 1; done
  for table in $tables; do measure "${gpu[@]}" "$table" published; done
  measure "${gpu[@]}" graph-classification strict
}

run() {
  until=$((SECONDS + ${1:?"campaign.sh: run needs the seconds that it may take"} - 35))
  mkdir -p "$state"
  compile
  echo "built after $SECONDS s"
  export GSAN_DATA=$PWD/$carry/data CUBLAS_WORKSPACE_CONFIG=:4096:8
  for name in cpu gpu; do [ -d "$state/$name" ] || cp -r experiments/results "$state/$name"; done
  # Kernels of several processes at once, where the driver's service for it is there.
  command -v nvidia-cuda-mps-control >/dev/null && CUDA_MPS_PIPE_DIRECTORY=/tmp/gsan-mps nvidia-cuda-mps-control -d 2>/dev/null && export CUDA_MPS_PIPE_DIRECTORY=/tmp/gsan-mps
  local gpu_jobs=$(($(nproc) * 3 / 4))  # the kernels of a step are small: 12 processes train on an H200 some three times as fast as one
  on_gpu $gpu_jobs &
  on_cpu $(($(nproc) - gpu_jobs))
  wait
  if [ -n "${CUDA_MPS_PIPE_DIRECTORY:-}" ]; then echo quit | nvidia-cuda-mps-control || true; fi
  local file table
  rm -rf "$state/new"
  for name in cpu gpu; do
    mkdir -p "$state/new/$name"
    for file in "$state/$name"/*.jsonl; do
      table=$(basename "$file")
      grep -vxFf "experiments/results/$table" "$file" >"$state/new/$name/$table" || true
    done
    echo "$name: $(cat "$state/new/$name"/*.jsonl | wc -l) new records"
  done
  mkdir -p "$state/new/trials"
  cp experiments/searches/strict_graph-classification.csv "$state/new/trials" 2>/dev/null || true
  tar -C "$state/new" -czf "${OUT:-$state}/records.tar.gz" cpu gpu trials
}

case ${1:-} in
  pack | run) "$@" ;;
  *) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 2 ;;
esac
