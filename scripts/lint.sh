#!/usr/bin/env bash
# Checks the formatting (clang-format 14) and common mistakes (clang-tidy) of what changed.
#
#   scripts/lint.sh                 files that differ from the last merge base known to this clone
#   scripts/lint.sh --all           every file
#   scripts/lint.sh --format-only   without clang-tidy
#   scripts/lint.sh --fix           formats the files in place instead of complaining
#
# clang-tidy reads build/release/compile_commands.json. On changed files it makes the quick checks below and stops
# after GSAN_TIDY_SECONDS (default 180), naming the files that it left out; with --all it makes every check of
# .clang-tidy on every file, which takes hours.
set -euo pipefail
cd "$(dirname "$0")/.."

all=false format_only=false fix=false
for word in "$@"; do
  case $word in
    --all) all=true ;;
    --format-only) format_only=true ;;
    --fix) fix=true ;;
    -h | --help) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 0 ;;
    *) echo "lint.sh: unknown option '$word' (try --help)" >&2; exit 2 ;;
  esac
done

# tool NAME: version 14 of it, since versions disagree about formatting.
tool() {
  local name
  for name in "$1-14" "$1"; do
    command -v "$name" >/dev/null && "$name" --version | grep -q 'version 14\.' && { echo "$name"; return; }
  done
  echo "lint.sh: $1 14 is needed: apt-get install $1-14" >&2
  return 1
}

# What changes are compared with: where this branch left origin/main, else the commit before; nothing where neither is known.
base() {
  local head fork
  head=$(git rev-parse HEAD)
  fork=$(git merge-base HEAD origin/main 2>/dev/null || true)
  if [ -n "$fork" ] && [ "$fork" != "$head" ]; then echo "$fork"; else git rev-parse --verify --quiet HEAD~1 || true; fi
}

sources() {
  local from=
  $all || from=$(base)
  if [ -z "$from" ]; then
    git ls-files '*.cpp' '*.h'
  else
    git diff --name-only --diff-filter=d "$from" -- '*.cpp' '*.h'
  fi
  git ls-files --others --exclude-standard '*.cpp' '*.h'
}

check_format() {
  local format
  format=$(tool clang-format)
  if $fix; then
    "$format" -i "${files[@]}"
  else
    "$format" --dry-run -Werror "${files[@]}" ||
      { echo "lint.sh: run  scripts/lint.sh --fix  (version 14 of clang-format)" >&2; return 1; }
  fi
  echo "== Formatting: ${#files[@]} files"
}

# clang reads no precompiled header of GCC's, and knows fewer warnings: the same commands without these. A group of
# sources that is compiled as one (GSAN_UNITY) has a command per source here.
write_compile_commands() {
  mkdir -p build/lint
  python3 - build/release/compile_commands.json build/lint/compile_commands.json <<'PYTHON'
import json, re, sys
commands = []
for entry in json.load(open(sys.argv[1])):
    text = re.sub(r"-include \S*cmake_pch\.hxx", "-include torch/types.h", entry["command"])
    text = re.sub(r" -(fpch-preprocess|Winvalid-pch|Werror|Wno-restrict|Wno-stringop-overflow|Wno-subobject-linkage)\b", "", text)
    grouped = re.findall(r'^#include "(.*)"$', open(entry["file"]).read(), re.MULTILINE) if "/Unity/" in entry["file"] else []
    for file in grouped or [entry["file"]]:
        command = text.replace(entry["file"], file)
        commands.append({"directory": entry["directory"], "file": file, "command": command})
json.dump(commands, open(sys.argv[2], "w"))
PYTHON
}

# Without data flow through every path: seconds a file, most of them for the headers of torch.
quick_checks='-*,bugprone-assert-side-effect,bugprone-dangling-handle,bugprone-sizeof-expression,
bugprone-suspicious-semicolon,bugprone-undelegated-constructor,bugprone-unused-raii,bugprone-use-after-move,
modernize-use-nullptr,modernize-use-override,performance-for-range-copy,performance-move-const-arg,
readability-container-size-empty,readability-identifier-naming'

check_tidy() {
  local tidy file status looked=0 began=$SECONDS failed=false
  local seconds=${GSAN_TIDY_SECONDS:-180}
  local left=() options=(-p build/lint --quiet --warnings-as-errors='*')
  if $all; then seconds=1000000; else options+=(--checks="${quick_checks//$'\n'/}"); fi
  [ -e build/release/compile_commands.json ] ||
    { echo "lint.sh: build/release/compile_commands.json is missing: cmake --preset release" >&2; return 1; }
  tidy=$(tool clang-tidy)
  write_compile_commands
  for file in "${files[@]}"; do
    [[ $file == *.cpp ]] && grep -qF "\"$PWD/$file\"" build/lint/compile_commands.json || continue
    if [ $((SECONDS - began)) -ge "$seconds" ]; then left+=("$file"); continue; fi
    status=0
    timeout $((seconds - SECONDS + began)) "$tidy" "${options[@]}" "$file" 2>build/lint/errors || status=$?
    if [ $status = 124 ]; then left+=("$file"); continue; fi
    looked=$((looked + 1))
    [ $status = 0 ] || { cat build/lint/errors; failed=true; }
  done
  echo "== clang-tidy: $looked files in $((SECONDS - began)) s"
  [ ${#left[@]} -eq 0 ] || printf '== clang-tidy left out: %s\n' "${left[*]}"
  ! $failed
}

mapfile -t files < <(sources | sort -u)
if [ ${#files[@]} -eq 0 ]; then echo "== No C++ file differs"; exit 0; fi
check_format
$format_only || $fix || check_tidy
