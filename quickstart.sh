#!/usr/bin/env bash
# Installs what is missing, builds gsan and trains GSAN to tell two kinds of walks around islands apart, with and without
# its harmonic term.
#
#   ./quickstart.sh            everything; the runs are left in build/quickstart
#   ./quickstart.sh --python   the Python package instead: into .venv, then the same training in Python
#   ./quickstart.sh --help
#
# Environment: GSAN_TORCH=/path/to/site-packages/torch, GSAN_JOBS=number of compilers.
set -euo pipefail
case "${1:-}" in
  -h | --help) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 0 ;;
  '' | --python) ;;
  *) echo "quickstart.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
esac
source "$(dirname "$0")/scripts/setup.sh"

install_packages
find_or_install_torch
if [ "${1:-}" = --python ]; then
  install_python_package
  say "python examples/python/train_islands.py"
  (cd /tmp && "$root/.venv/bin/python3" "$root/examples/python/train_islands.py")
  say "Done. Activate it with  source .venv/bin/activate  and  import gsan; read docs/python.md next"
  exit 0
fi
build quick "five to eight minutes"

gsan() {
  say "gsan $*"
  "$root/build/release/bin/gsan" "$@"
}
cd "$root"
runs=build/quickstart
rm -rf "$runs/islands" "$runs/no-harmonic"  # of an earlier quick start
gsan train trajectory --output "$runs/islands"
gsan train trajectory model.harmonic=none --output "$runs/no-harmonic"
say "Around both islands the same way? Accuracy on walks that no model has seen"
accuracy() {  # the first number of the line that begins with these words, in the report of a run
  grep -m 1 "^$2 " "$runs/$1/report.txt" | grep -oE '[0-9.]+' | head -n 1
}
printf '   %-48s %6s\n' "GSAN" "$(accuracy islands gsan)" "GSAN without its harmonic term" "$(accuracy no-harmonic gsan)" \
  "logistic regression on the edges" "$(accuracy islands 'logistic regression on x')"
gsan report "$runs/islands" "$runs/no-harmonic" --output "$runs/report.html"
say "Done. Look at the report in a browser: $root/$runs/report.html"
say "The command is build/release/bin/gsan; try: build/release/bin/gsan --help"
