#!/usr/bin/env bash
# Installs what is missing, builds gsan and runs every test.
#
#   ./test.sh                  everything
#   ./test.sh -R hodge         arguments go to ctest
#
# Environment: GSAN_TORCH=/path/to/site-packages/torch, GSAN_JOBS=number of compilers.
set -euo pipefail
case "${1:-}" in
  -h | --help) sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'; exit 0 ;;
esac
source "$(dirname "$0")/scripts/setup.sh"

install_packages "${debian_test_packages[@]}"
find_or_install_torch
install_test_packages
install_browser_packages
build release "a quarter of an hour"
ctest --preset release -j "$jobs" "$@"
