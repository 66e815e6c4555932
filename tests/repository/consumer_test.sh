#!/usr/bin/env bash
# Installs the build into a scratch folder, then builds and runs a program outside the
# tree that finds it with find_package(gsan).   usage: consumer_test.sh BUILD CONSUMER
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$1" --prefix "$scratch/prefix" >"$scratch/install.log" || { cat "$scratch/install.log"; exit 1; }
cp -r "$2" "$scratch/source"
cmake -G Ninja -S "$scratch/source" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build "$scratch/build"
"$scratch/build/consumer"
"$scratch/prefix/bin/gsan" --version
