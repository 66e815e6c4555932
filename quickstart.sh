#!/usr/bin/env bash
# Installs what is missing, builds gsan and trains GSAN to tell two kinds of walks around holes apart.
#
#   ./quickstart.sh            everything; the run is left in build/quickstart/flow
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
  say "python examples/python/train_flow.py"
  (cd /tmp && "$root/.venv/bin/python3" "$root/examples/python/train_flow.py")
  say "Done. Activate it with  source .venv/bin/activate  and  import gsan; read docs/python.md next"
  exit 0
fi
build quick "five minutes"

gsan() {
  say "gsan $*"
  "$root/build/release/bin/gsan" "$@"
}
cd "$root"
run=build/quickstart/flow
rm -rf "$run"  # of an earlier quick start
gsan train trajectory --data flow --output "$run"
gsan eval "$run"
gsan predict "$run" --output "$run/predictions.csv"
say "head -n 4 $run/predictions.csv"
head -n 4 "$run/predictions.csv"
say "Done. The command is build/release/bin/gsan; the run is in $run; try: build/release/bin/gsan --help"
