# Sourced by quickstart.sh and test.sh: brings a machine to the point where `gsan` is
# built. Every step looks first and does nothing when there is nothing to do.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${GSAN_JOBS:-$(nproc)}

began=$SECONDS
# say WORDS: what happens next, after how many minutes and seconds.
say() { printf '== %d:%02d  %s\n' $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)) "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# What the build needs, as Debian names it.
debian_packages=(cmake ninja-build g++ ccache mold
  libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libqhull-dev libhdf5-dev libgudhi-dev libboost-dev
  libcurl4-openssl-dev zlib1g-dev libgloo-dev ca-certificates)
# What the tests need besides.
debian_test_packages=(openssl libgtest-dev libbenchmark-dev librapidcheck-dev)

# missing_debian_packages NAME…
missing_debian_packages() {
  local name
  for name in "$@"; do
    # A compiler or CMake of another origin is as good as Debian's.
    case $name in
      cmake) command -v cmake >/dev/null && continue ;;
      ninja-build) command -v ninja >/dev/null && continue ;;
      g++) command -v c++ >/dev/null && continue ;;
    esac
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || echo "$name"
  done
  # Debian splits venv and headers from Python.
  python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
  python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
    echo python3-dev
}

# What scripts/lint.sh needs besides; only CI installs them.
lint_packages=(clang-format-14 clang-tidy-14)

# What the tests in a browser need; test.sh installs them where it can.
browser_packages=(chromium chromium-driver python3-selenium)

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# install_packages [NAME…]: what the build needs, and these.
install_packages() {
  local wanted=("${debian_packages[@]}" "$@") missing
  command -v python3 >/dev/null || die "python3 is needed: install it first"
  if ! command -v apt-get >/dev/null; then
    say "This is not a Debian system; these packages (Debian's names) must be there: ${wanted[*]}"
    command -v cmake >/dev/null && command -v ninja >/dev/null || die "cmake and ninja are missing"
    return
  fi
  mapfile -t missing < <(missing_debian_packages "${wanted[@]}")
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    die "please install as root: apt-get install ${missing[*]}"
  say "Installing Debian packages (half a minute): ${missing[*]}"
  as_root apt-get update -qq || say "apt-get update complained; going on with the package lists at hand"
  LC_ALL=C apt-get install --assume-no --no-install-recommends "${missing[@]}" 2>/dev/null |
    grep -E '^(Need to get|After this)' || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# For scripts/lint.sh, where apt-get can install them; elsewhere lint.sh says what is missing.
install_lint_packages() {
  local name missing=()
  for name in "${lint_packages[@]}"; do
    command -v "$name" >/dev/null || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null || return 0
  as_root apt-get update -qq || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# For tests/browser, where apt-get can install them; elsewhere those tests are skipped and say so.
install_browser_packages() {
  local name missing=()
  for name in "${browser_packages[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null || { [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; }; then
    say "The tests in a browser will be skipped: ${missing[*]} cannot be installed here"
    return 0
  fi
  say "Installing ${missing[*]} for the tests in a browser (about 300 MB on disk)"
  as_root apt-get update -qq || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    say "apt-get could not: the tests in a browser will be skipped"
}

has_torch() { "$1" -c 'import importlib.util as u, sys; sys.exit(u.find_spec("torch") is None)' 2>/dev/null; }

find_or_install_torch() {
  if [ -n "${GSAN_TORCH:-}" ]; then
    [ -e "$GSAN_TORCH/lib/libtorch_cpu.so" ] ||
      die "GSAN_TORCH=$GSAN_TORCH holds no lib/libtorch_cpu.so; it must name a .../site-packages/torch folder"
    return
  fi
  has_torch python3 && return
  if [ ! -x "$root/.venv/bin/python3" ]; then
    python3 -m venv "$root/.venv"
  fi
  has_torch "$root/.venv/bin/python3" && return
  say "No torch found. Installing $(grep '^torch' "$root/requirements.txt") from PyPI into .venv:"
  say "about 3 GB to download, 5.3 GB on disk, two minutes (set GSAN_TORCH to use one that you have)"
  local quiet=(--quiet)
  [ ! -t 1 ] || quiet=()  # pip's own progress bar
  pip_install "${quiet[@]}" requirements.lock
}

# pip_install [OPTION…] LOCK: into .venv, exactly the files whose SHA-256 the lock lists. It was made for Linux and one version of
# Python; GSAN_UNLOCKED=1 installs the versions of requirements.txt without hashes elsewhere.
pip_install() {
  local lock=${*: -1} options=("${@:1:$#-1}")
  if [ "${GSAN_UNLOCKED:-0}" = 1 ]; then
    "$root/.venv/bin/python3" -m pip install "${options[@]}" --disable-pip-version-check -r "$root/${lock%.lock}.txt"
  else
    # Every package is listed, so nothing that one of them names is looked for.
    "$root/.venv/bin/python3" -m pip install "${options[@]}" --disable-pip-version-check --require-hashes --no-deps -r "$root/$lock"
  fi
}

# .venv, which sees the torch of the active python3 where that has one.
make_venv() {
  local site=()
  [ ! -x "$root/.venv/bin/python3" ] || return 0
  ! has_torch python3 || site=(--system-site-packages)
  python3 -m venv "${site[@]}" "$root/.venv"
}

# The Python package into .venv, compiled for the torch that this imports.
install_python_package() {
  local python="$root/.venv/bin/python3"
  [ -z "${GSAN_TORCH:-}" ] ||
    die "the Python package is compiled for the torch that Python imports: unset GSAN_TORCH, or pip install it yourself (docs/python.md)"
  make_venv
  "$python" -c 'import importlib.util as u, sys; sys.exit(u.find_spec("scikit_build_core") is None)' ||
    pip_install --quiet requirements-build.lock
  say "pip install --no-build-isolation .   (into .venv; compiles for a while the first time)"
  CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$python" -m pip install --disable-pip-version-check --no-build-isolation "$root"
}

# pytest, other people's readers of TensorBoard events and safetensors files, and the packages that the Python package
# talks to, for the tests that use them; where PyPI cannot be reached those tests are skipped and say so.
install_test_packages() {
  local python="$root/.venv/bin/python3"
  make_venv
  "$python" -c 'import importlib.util as u, sys
sys.exit(any(u.find_spec(name) is None for name in sys.argv[1:]))' safetensors tensorboard pytest scipy pandas gudhi matplotlib \
    torch_geometric toponetx topomodelx && return
  say "Installing $(grep -v '^#' "$root/requirements-test.txt" | xargs) from PyPI into .venv (about 200 MB)"
  pip_install --quiet --retries 1 requirements-test.lock ||
    say "pip could not: the tests that need these packages will be skipped"
}

# build PRESET HOW_LONG: configures once (and when the wanted torch changed) and builds.
build() {
  cd "$root"
  local log="build/$1-configure.log"
  mkdir -p build
  cmake --preset "$1" ${GSAN_TORCH:+-DGSAN_TORCH="$GSAN_TORCH"} >"$log" 2>&1 || { cat "$log" >&2; die "configure failed"; }
  grep -E 'torch [0-9]|not found' "$log" | sed 's/^-- /== /' || true
  say "Compiling with $jobs compilers: $2 on two cores the first time, seconds after that"
  NINJA_STATUS='[%f of %t, %es] ' cmake --build --preset "$1" -j "$jobs"
}
