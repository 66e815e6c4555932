#!/usr/bin/env bash
# Sanitizers over the parts with torch; CI runs them over those without (.ci/run). Half an hour and more on two cores:
# for a night, or a machine with many.
#
#   scripts/sanitize.sh                     both of the following
#   scripts/sanitize.sh address [FOLDER…]   address and undefined behaviour: tests of ops, hodge, nn, models, train; every reader
#   scripts/sanitize.sh threads [FOLDER…]   data races: tests of ops and nn, with std::thread in the place of OpenMP's threads
#
# torch itself is not instrumented: reads and writes inside its kernels are not seen, what it hands out and takes back is.
# Environment: GSAN_JOBS, the number of compilers. Exit code 1 where a test failed or a sanitizer has found something.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  -h | --help) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 0 ;;
esac

suppressions=$PWD/tests/sanitizers
# torch's libraries and OpenMP's threads stay until the end; the same symbol may be in several of them.
export ASAN_OPTIONS="detect_odr_violation=0:detect_stack_use_after_return=1:allocator_may_return_null=1"
export LSAN_OPTIONS="suppressions=$suppressions/leaks.supp:print_suppressions=0"
export UBSAN_OPTIONS="print_stacktrace=1"
export TSAN_OPTIONS="suppressions=$suppressions/threads.supp:ignore_noninstrumented_modules=1:halt_on_error=0"

# checked PRESET FOLDER…: builds the tests of these folders and runs them.
checked() {
  local preset=$1 folder targets=()
  shift
  for folder in "$@"; do targets+=("${folder}_tests"); done
  [[ " $* " != *" train "* ]] || targets+=(fuzz_replay)  # every reader, on seeds and regressions
  mkdir -p build
  cmake --preset "$preset" >"build/$preset-configure.log" 2>&1 || { cat "build/$preset-configure.log"; return 1; }
  cmake --build --preset "$preset" -j "${GSAN_JOBS:-$(nproc)}" --target "${targets[@]}" || return 1
  ctest --preset "$preset" -R "^($(IFS='|'; echo "${targets[*]/fuzz_replay/fuzz_regressions}"))\$"
}

what=${1:-both}
[ $# -eq 0 ] || shift
folders=("$@")
[ $# -gt 0 ] || { [ "$what" = threads ] && folders=(ops nn) || folders=(ops hodge nn models train); }
case $what in
  address) checked asan-torch "${folders[@]}" ;;
  threads) checked tsan-torch "${folders[@]}" ;;
  both) checked asan-torch "${folders[@]}" && checked tsan-torch ops nn ;;
  *) echo "sanitize.sh: address or threads, got '$what' (try --help)" >&2; exit 2 ;;
esac
