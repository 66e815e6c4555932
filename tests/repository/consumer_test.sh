#!/usr/bin/env bash
# Installs the build into a scratch folder, then builds and runs a program outside the
# tree that finds it with find_package(gsan): with the compiler, and with one that brings
# a static libstdc++ alone.   usage: consumer_test.sh BUILD CONSUMER COMPILER
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$1" --prefix "$scratch/prefix" >"$scratch/install.log" || { cat "$scratch/install.log"; exit 1; }
cp -r "$2" "$scratch/source"
! find "$scratch/prefix/include" -name detail | grep . || { echo "private headers are installed"; exit 1; }

# build_with COMPILER NAME
build_with() {
  cmake -G Ninja -S "$scratch/source" -B "$scratch/$2" -DCMAKE_CXX_COMPILER="$1" \
    -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Release
  cmake --build "$scratch/$2"
  "$scratch/$2/consumer"
}
build_with "$3" shared

# A program with streams of its own beside those of torch's libstdc++.so.6 would crash, soon or late.
if "$3" --version | grep -q 'Free Software Foundation' && [ "$("$3" -print-file-name=libstdc++.a)" != libstdc++.a ]; then
  cat >"$scratch/static-c++" <<WRAPPER
#!/bin/sh
case "\$*" in *-print-file-name=libstdc++.so) echo libstdc++.so; exit ;; esac
exec "$3" -static-libstdc++ "\$@"
WRAPPER
  chmod +x "$scratch/static-c++"
  build_with "$scratch/static-c++" static
  ! nm --defined-only "$scratch/static/consumer" | grep ' _ZNSt6localeC1Ev$' ||
    { echo "the consumer holds a C++ library of its own"; exit 1; }
fi
"$scratch/prefix/bin/gsan" --version
