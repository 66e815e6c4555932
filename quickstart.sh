#!/usr/bin/env bash
# Installs what is missing, builds gsan and shows it at work on a plane with two holes.
#
#   ./quickstart.sh            everything
#   ./quickstart.sh --help
#
# Environment: GSAN_TORCH=/path/to/site-packages/torch, GSAN_JOBS=number of compilers.
set -euo pipefail
case "${1:-}" in
  -h | --help) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 0 ;;
  '') ;;
  *) echo "quickstart.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
esac
source "$(dirname "$0")/scripts/setup.sh"

install_packages
find_or_install_torch
build release

gsan="$root/build/release/bin/gsan"
say "gsan inspect --example annulus"
"$gsan" inspect --example annulus
say "gsan decompose --example annulus --output build/annulus"
"$gsan" decompose --example annulus --output "$root/build/annulus"
say "Done. The command is $gsan; try: $gsan --help"
