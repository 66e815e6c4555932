#!/usr/bin/env bash
# Fuzzes every reader of untrusted bytes, one target after another, over corpora that are kept between campaigns.
#
#   scripts/fuzz.sh --minutes 30            all targets together, each its share
#   scripts/fuzz.sh --minutes 5 npy pickle  these targets
#   scripts/fuzz.sh --list                  the targets
#
# Corpora, findings and numbers.tsv (a line per target and campaign: date, target, executions, seconds, edges covered,
# findings) lie in GSAN_FUZZ_CORPORA (default build/fuzz-corpora). Exit code 1 when something was found: add the
# input to tests/fuzz/regressions/TARGET with the mend.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=10 list=false names=()
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) minutes=${2:?"--minutes needs a number"}; shift ;;
    --list) list=true ;;
    -h | --help) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 0 ;;
    -*) echo "fuzz.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done

command -v clang++-14 >/dev/null || { echo "fuzz.sh: clang 14 is needed: apt-get install clang-14 libclang-rt-14-dev" >&2; exit 2; }
mkdir -p build
cmake --preset fuzz >build/fuzz-configure.log 2>&1 || { cat build/fuzz-configure.log; exit 1; }
cmake --build --preset fuzz -j "${GSAN_FUZZ_JOBS:-1}" --target gsan_fuzz >build/fuzz-build.log 2>&1 || { tail -40 build/fuzz-build.log; exit 1; }
program=build/fuzz/bin/gsan_fuzz

known=$(GSAN_FUZZ_TARGET=none "$program" 2>&1 | sed -n 's/^GSAN_FUZZ_TARGET must name a target: //p' || true)
$list && { echo "$known" | tr ' ' '\n'; exit 0; }
[ ${#names[@]} -gt 0 ] || read -ra names <<<"$known"
for name in "${names[@]}"; do
  [[ " $known " == *" $name "* ]] || { echo "fuzz.sh: no target '$name'; known are: $known" >&2; exit 2; }
done

corpora=${GSAN_FUZZ_CORPORA:-build/fuzz-corpora}
seconds=$((minutes * 60 / ${#names[@]}))
[ "$seconds" -gt 0 ] || seconds=1
mkdir -p "$corpora"
python3 tests/fuzz/seeds.py "$corpora/seeds"

# of LOG NAME: a number of libFuzzer's final statistics
of() { sed -n "s/^stat::$2: *//p" "$1" | tail -1; }

found=0
printf '%-14s %12s %8s %8s %9s\n' target executions seconds edges findings
for name in "${names[@]}"; do
  corpus=$corpora/corpus/$name findings=$corpora/findings/$name log=$corpora/$name.log
  mkdir -p "$corpus" "$findings" "$corpora/seeds/$name"
  extra=()
  [ ! -d "tests/fuzz/regressions/$name" ] || extra=("tests/fuzz/regressions/$name")
  start=$SECONDS
  GSAN_FUZZ_TARGET=$name nice -n 19 "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
    -max_len=4096 -print_final_stats=1 -artifact_prefix="$findings/" "$corpus" "$corpora/seeds/$name" "${extra[@]}" >"$log" 2>&1 || true
  count=$(find "$findings" -type f | wc -l)
  found=$((found + count))
  edges=$(grep -oE 'cov: [0-9]+' "$log" | tail -1 | tr -dc 0-9)
  executed=$(of "$log" number_of_executed_units)
  printf '%-14s %12s %8s %8s %9s\n' "$name" "${executed:-0}" $((SECONDS - start)) "${edges:-0}" "$count"
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "$name" "${executed:-0}" $((SECONDS - start)) "${edges:-0}" "$count" >>"$corpora/numbers.tsv"
done
echo "Executions of all campaigns so far:"
awk -F'\t' '{ sum[$2] += $3 } END { for (name in sum) printf "%-14s %12d\n", name, sum[name] }' "$corpora/numbers.tsv" | sort
[ "$found" -eq 0 ] || { echo "fuzz.sh: $found findings lie in $corpora/findings" >&2; exit 1; }
