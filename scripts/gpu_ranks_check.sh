#!/usr/bin/env bash
# Proves on a machine with one GPU that several ranks on it, by Gloo, train the bits of one, and that NCCL refuses them by a sentence.
#
#   scripts/gpu_ranks_check.sh --carry     before, on a machine with libgloo-dev: copies Gloo's headers into build/carried
#   scripts/gpu_ranks_check.sh             on the machine with the GPU: builds build/gpu and checks (a few minutes)
#
#   GSAN_JOBS=N         compile jobs (default: one per core)
#
# The torch packages of PyPI have Gloo inside, but not its headers: they are taken from build/carried/gloo where the machine has none.
set -euo pipefail
cd "$(dirname "$0")/.."
carried=$PWD/build/carried

if [ "${1:-}" = --carry ]; then
  mkdir -p "$carried"
  cp -rL /usr/include/gloo "$carried/"
  du -sh "$carried/gloo"
  exit 0
fi

build=build/gpu
gloo=()
[ -e /usr/include/gloo/context.h ] || gloo=(-DGSAN_GLOO_INCLUDE="$carried")
architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGSAN_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES="$architecture" \
  -DGSAN_TESTS=ON -DGSAN_UNITY=ON -DGSAN_BENCHMARKS=OFF "${gloo[@]}" >/dev/null
cmake --build "$build" -j "${GSAN_JOBS:-$(nproc)}" --target gsan_command ranks_tests
gsan=$PWD/$build/bin/gsan
"$gsan" --version
"$build/bin/ranks_tests" --gtest_brief=1

runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
export CUBLAS_WORKSPACE_CONFIG=:4096:8
# train RANKS NAME WORDS…: five epochs on the GPU.
train() {
  local ranks=$1 name=$2
  shift 2
  "$gsan" train "$@" --device cuda --processes "$ranks" --threads 2 --quiet train.epochs=5 --output "$runs/$name-$ranks" >/dev/null
}
own=examples/own-data
failed=0
check() {
  local name=$1
  shift
  for ranks in 1 2 4; do train "$ranks" "$name" "$@"; done
  for ranks in 2 4; do
    for file in metrics.jsonl checkpoints/best.safetensors checkpoints/last.safetensors; do
      cmp "$runs/$name-1/$file" "$runs/$name-$ranks/$file" || failed=1
    done
  done
  echo "$name: compared 1, 2 and 4 ranks on one GPU"
}
check trajectory trajectory
check graphs graph-classification --data "$own/graph-classification"
check graphs-mpsn graph-classification --data "$own/graph-classification" --model mpsn
check graphs-facets graph-classification --data "$own/graph-classification" --model facets

echo "NCCL with two ranks on one GPU:"
if "$gsan" train trajectory --device cuda --processes 2 --backend nccl --quiet --output "$runs/nccl" >/dev/null 2>"$runs/nccl.txt"; then
  echo "  was not refused"
  failed=1
fi
cat "$runs/nccl.txt"
grep -qE "which NCCL does not allow|has no NCCL" "$runs/nccl.txt" || failed=1
[ $failed = 0 ] && echo "all equal" || { echo "FAILED"; exit 1; }
