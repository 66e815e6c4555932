#!/usr/bin/env bash
# Proves gsan on a machine with a GPU, in one call of a few minutes: builds it for this GPU into build/gpu, tests it there,
# watches its kernels with compute-sanitizer, compares 100 repetitions bit for bit, and measures it beside its peers.
#
#   scripts/gpu_check.sh            everything
#   scripts/gpu_check.sh --quick    without benchmarks
#   scripts/gpu_check.sh --bench    benchmarks alone, of what is built
#
#   TURBO_GNN=FOLDER    a checkout of turbo-gnn, built: measured, too
#   GSAN_DATA=FOLDER    public datasets (gsan data fetch): training steps on them are measured, too
#   BENSON=FILE         a complex with hubs, as NAME-nverts.txt of Benson's datasets: attention on it is measured, too
#   GSAN_JOBS=N         compile jobs (default: one per core)
#
# A part that fails does not keep the others from running. Logs: build/gpu/check/PART.log; numbers: build/gpu/peers.json and
# build/gpu/check/*.json. Exits with 1 where a part failed, and names it.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

checks=true benchmarks=true
for word in "$@"; do
  case $word in
    --quick) benchmarks=false ;;
    --bench) checks=false ;;
    -h | --help) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 0 ;;
    *) echo "gpu_check.sh: unknown option '$word' (try --help)" >&2; exit 2 ;;
  esac
done

command -v nvidia-smi >/dev/null || { echo "gpu_check.sh: nvidia-smi is missing: this machine has no NVIDIA driver" >&2; exit 1; }
build=build/gpu logs=build/gpu/check
mkdir -p "$logs"
jobs=${GSAN_JOBS:-$(nproc)}
export CUBLAS_WORKSPACE_CONFIG=${CUBLAS_WORKSPACE_CONFIG:-:4096:8} PYTHONDONTWRITEBYTECODE=1
began=$SECONDS failed=() passed=() running=
trap '[ -z "$running" ] || kill "$running"; exit 130' INT TERM  # timeout ends what it runs

stamp() { printf '%d:%02d' $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)); }

# part NAME SECONDS COMMAND…: the command, at most so long; its output goes to the log, and its end is shown where it fails.
part() {
  local name=$1 limit=$2 status=0
  shift 2
  printf '== %s  %s\n' "$(stamp)" "$name"
  timeout --kill-after=10 "$limit" "$@" >"$logs/$name.log" 2>&1 &
  running=$!
  wait $running || status=$?
  if [ $status = 0 ]; then
    passed+=("$name")
    return 0
  fi
  [ $status != 124 ] || echo "gpu_check.sh: stopped after $limit s" >>"$logs/$name.log"
  failed+=("$name")
  tail -n 40 "$logs/$name.log"
  printf '== %s  %s FAILED (status %d, %s)\n' "$(stamp)" "$name" "$status" "$logs/$name.log"
  return 1
}

# The architecture of the first GPU as CMake calls it: 90 for compute capability 9.0.
architecture() { nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. '; }

configure() {
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGSAN_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES="$(architecture)" \
    -DGSAN_TESTS=ON -DGSAN_PYTHON=ON -DGSAN_UNITY=ON -DGSAN_BENCHMARKS=OFF
}

compile() {
  cmake --build "$build" -j "$jobs" --target gsan_command gsan_python ops_tests hodge_tests nn_tests models_tests \
    train_tests command_tests
}

# The interpreter that the package was built for.
python() { "$(sed -n 's/^GSAN_PYTHON_EXECUTABLE:INTERNAL=//p' "$build/CMakeCache.txt")" "$@"; }

cpp_tests() {
  ctest --test-dir "$build" --output-on-failure -j 4 -R '^(ops|hodge|nn|models|train|command)_tests$'
}

# Golden cases, modules and batches, on the CPU and on the GPU.
python_tests() {
  PYTHONPATH=$build/python GSAN_BINARY=$build/bin/gsan python -m pytest -q -rs -p no:cacheprovider \
    tests/python/{golden,module,data,ops}_test.py
}

command_on_gpu() {
  "$build/bin/gsan" check --example torus --device cuda && "$build/bin/gsan" bench memory --edges 10000 --device cuda
}

# chosen FILTER: runs the cases of ops_tests, and fails where there are none.
chosen() {
  local filter=$1 output
  shift
  output=$("$@" "$build/bin/ops_tests" --gtest_filter="$filter" 2>&1) || { printf '%s\n' "$output"; return 1; }
  printf '%s\n' "$output"
  ! grep -q 'PASSED  \] 0 tests' <<<"$output" || { echo "no test of ops_tests is called $filter"; return 1; }
}

# Every task that has an example, on the GPU: a short run, resumed on the CPU and evaluated on the GPU; one in bfloat16, and
# one without captured steps.
tasks() {
  local task folder=$logs/runs status=0 gsan=$build/bin/gsan
  rm -rf "$folder"
  for task in trajectory imputation simplex-prediction simplex-classification simplex-regression graph-classification \
    graph-regression; do
    echo "== $task"
    "$gsan" train "$task" --data "examples/own-data/$task" train.epochs=3 --device cuda --output "$folder/$task" &&
      "$gsan" eval "$folder/$task" --device cuda && "$gsan" eval "$folder/$task" --device cpu || status=1
  done
  "$gsan" train trajectory train.epochs=2 --device cuda --output "$folder/islands" &&
    "$gsan" train trajectory train.epochs=2 train.precision=bf16 --device cuda --output "$folder/bf16" &&
    "$gsan" train graph-classification --data examples/own-data/graph-classification train.epochs=3 train.capture=false \
      --device cuda --output "$folder/eager" || status=1
  return $status
}

# Every tensor in an allocation of its own: a read beyond it is seen.
sanitize() {
  command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is missing: it is part of the CUDA toolkit"; return 1; }
  PYTORCH_NO_CUDA_MEMORY_CACHING=1 chosen 'CudaSmall*' compute-sanitizer --tool "$1" --error-exitcode 1 --print-limit 10
}

peers() {
  PYTHONPATH=$build/python python -W ignore benchmarks/peers/compare.py --device cuda --repeats 20 --seconds 0.2 \
    --output "$logs/peers" ${TURBO_GNN:+--turbo-gnn "$TURBO_GNN"}
  local status=$?
  cp "$logs/peers/compare.json" "$build/peers.json"
  return $status
}

# bench NAME ARGUMENTS…: the report as text, and as NAME.json.
bench() {
  local name=$1
  shift
  "$build/bin/gsan" bench "$@" --device cuda --json --output "$logs/$name.json" &&
    python -c 'import json, sys
for case in json.load(open(sys.argv[1]))["cases"]:
    print("%-70s %9.3f ms %8.1f GB/s %5.0f %% of copy %8.0f MiB" % (case["name"], case["milliseconds"],
          case["bytes_per_second"] / 1e9, case["percent_of_bound"], case["device_peak_bytes"] / 2**20))' "$logs/$name.json"
}

own_cases() {
  local order status=0
  for order in random morton; do
    python benchmarks/delaunay_complex.py 333000 "$logs/delaunay-333000-$order.simplices" --order $order || return 1
    for precision in float32 bf16; do
      bench "attention-$order-$precision" attention --complex "$logs/delaunay-333000-$order.simplices" --seconds 0.1 \
        --repeats 20 --precision $precision || status=1
    done
  done
  python benchmarks/delaunay_complex.py 100000 "$logs/delaunay-100000.simplices" --order morton || return 1
  bench layer layer --complex "$logs/delaunay-100000.simplices" --seconds 0.1 --repeats 10 || status=1
  bench train train --seconds 0.5 --repeats 5 || status=1
  if [ -n "${BENSON:-}" ]; then
    bench hubs attention --complex "$BENSON" --format benson --max-order 2 --seconds 0.5 --repeats 5 || status=1
    bench hubs-layer layer --complex "$BENSON" --format benson --max-order 3 --width 16 --seconds 0.3 --repeats 3 \
      --filter gsan/F16 || status=1
  fi
  return $status
}

summary() {
  printf '== %s  passed: %s\n' "$(stamp)" "${passed[*]:-nothing}"
  [ ${#failed[@]} = 0 ] && return 0
  printf '== %s  FAILED: %s\n' "$(stamp)" "${failed[*]}"
  return 1
}

export -f configure architecture compile python cpp_tests python_tests command_on_gpu tasks chosen sanitize peers bench own_cases
export build logs jobs
nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total --format=csv,noheader

# What a shell function runs in: `timeout` ends programs only.
run() { part "$1" "$2" bash -c "set -uo pipefail; $3"; }

if $checks; then
  run configure 60 configure
  if run build 330 compile; then
    run tests 150 cpp_tests
    run bits 60 "chosen '*CudaRepeatsItsBits*' env"
    run python 120 python_tests
    run command 60 command_on_gpu
    run tasks 90 tasks
    run memcheck 120 'sanitize memcheck'
    run racecheck 120 'sanitize racecheck'
  fi
fi
if $benchmarks; then
  if [ -x "$build/bin/gsan" ]; then
    run peers 240 peers && tail -n 60 "$logs/peers.log"
    run own 180 own_cases && cat "$logs/own.log"
  else
    echo "gpu_check.sh: $build/bin/gsan is not there: run scripts/gpu_check.sh first" >&2
    failed+=(benchmarks)
  fi
fi
summary
