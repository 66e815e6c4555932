#!/usr/bin/env bash
# Fuzzes every reader of untrusted bytes, over corpora that are kept between campaigns (tests/fuzz/campaign.py).
#
#   scripts/fuzz.sh --minutes 30            all targets, time shared so that none starves
#   scripts/fuzz.sh --minutes 5 npy pickle  these targets
#   scripts/fuzz.sh --jobs 4 ...            on so many cores; else on one
#   scripts/fuzz.sh --portable FOLDER       makes a folder for a machine without clang (some 80 MB): there,
#                                           FOLDER/run.sh --seconds 540 --jobs 16 --output RESULTS
#   scripts/fuzz.sh --keep                  corpora become tests/fuzz/corpus, from which campaigns start
#   scripts/fuzz.sh --list                  the targets
#
# Corpora and findings lie in GSAN_FUZZ_CORPORA (default build/fuzz-corpora), numbers in tests/fuzz/record.json; results
# of another machine are added by  tests/fuzz/records.py add RESULTS/record.json  and  take RESULTS/corpus . Exit code 1
# when something was found: add the input to tests/fuzz/regressions/TARGET with the mend.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=10 jobs=1 portable="" keep=false words=()
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) minutes=${2:?"--minutes needs a number"}; shift ;;
    --jobs) jobs=${2:?"--jobs needs a number"}; shift ;;
    --portable) portable=${2:?"--portable needs a folder"}; shift ;;
    --keep) keep=true ;;
    --list) words+=(--list) ;;
    -h | --help) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 0 ;;
    -*) echo "fuzz.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
    *) words+=("$1") ;;
  esac
  shift
done

corpora=${GSAN_FUZZ_CORPORA:-build/fuzz-corpora}
records=(env PYTHONDONTWRITEBYTECODE=1 python3 tests/fuzz/records.py)
$keep && { "${records[@]}" keep "$corpora/corpus"; exit 0; }

command -v clang++-14 >/dev/null || { echo "fuzz.sh: clang 14 is needed: apt-get install clang-14 libclang-rt-14-dev" >&2; exit 2; }
mkdir -p build
build() {
  cmake --preset "$1" >"build/$1-configure.log" 2>&1 || { cat "build/$1-configure.log"; exit 1; }
  cmake --build --preset "$1" -j "${GSAN_FUZZ_JOBS:-1}" --target gsan_fuzz >"build/$1-build.log" 2>&1 || { tail -40 "build/$1-build.log"; exit 1; }
}
build fuzz
build fuzz-light
program=build/fuzz/bin/gsan_fuzz light=build/fuzz-light/bin/gsan_fuzz
revision=$(git describe --always --dirty 2>/dev/null || true)

# The libraries that a program needs and a machine may lack: all but those of the C library itself.
libraries_of() {
  ldd "$1" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv)\.so'
}

# The program $1 and its libraries in the folder $2.
make_portable() {
  mkdir -p "$2/lib"
  strip --strip-debug -o "$2/gsan_fuzz" "$1"
  for library in $(libraries_of "$1"); do strip --strip-debug -o "$2/lib/$(basename "$library")" "$library"; done
}

if [ -n "$portable" ]; then
  rm -rf "$portable"
  make_portable "$program" "$portable/sanitized"
  make_portable "$light" "$portable/light"
  cp -r tests/fuzz/{regressions,corpus,campaign.py,records.py} "$portable"
  PYTHONDONTWRITEBYTECODE=1 python3 tests/fuzz/seeds.py "$portable/seeds"
  cat >"$portable/run.sh" <<END
#!/bin/sh
# run.sh --seconds N --jobs N --output RESULTS [TARGET …]: a campaign with what lies here (campaign.py).
here=\$(cd "\$(dirname "\$0")" && pwd)
[ -d "\$here/corpora/corpus" ] || python3 "\$here/records.py" unpack "\$here/corpora/corpus"
exec python3 "\$here/campaign.py" --program "\$here/sanitized/gsan_fuzz" --light "\$here/light/gsan_fuzz" --corpora "\$here/corpora" \\
  --inputs "\$here/seeds" "\$here/regressions" --revision "$revision" "\$@"
END
  chmod +x "$portable/run.sh"
  du -sh "$portable"
  exit 0
fi

[ -d "$corpora/corpus" ] || "${records[@]}" unpack "$corpora/corpus"
PYTHONDONTWRITEBYTECODE=1 python3 tests/fuzz/seeds.py "$corpora/seeds"
exec env PYTHONDONTWRITEBYTECODE=1 python3 tests/fuzz/campaign.py --program "$program" --light "$light" --corpora "$corpora" \
  --inputs "$corpora/seeds" tests/fuzz/regressions --seconds $((minutes * 60)) --jobs "$jobs" \
  --record tests/fuzz/record.json --revision "$revision" "${words[@]}"
