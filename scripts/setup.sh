#!/usr/bin/env bash
# Installs what the build, the tests and the scripts use and the machine lacks: Debian packages with apt-get, where it may, and
# numpy and mpmath, into .venv where PyPI answers. Says what it could not install and goes on: CMake names what it cannot do without.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(g++ clang cmake make ninja-build git libgtest-dev libbenchmark-dev libcli11-dev nlohmann-json3-dev libhwy-dev
          libtrilinos-kokkos-dev clang-format python3 python3-venv)

say() { echo "setup: $*"; }

missing_packages() {
    local name
    for name in "${packages[@]}"; do
        # A tool that came from elsewhere serves as well as Debian's.
        case "$name" in
            g++ | clang | cmake | make | git | clang-format | python3) command -v "$name" >/dev/null && continue ;;
            ninja-build) command -v ninja >/dev/null && continue ;;
            python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null && continue ;;
        esac
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q '^install ok installed$' || echo "$name"
    done
}

# install_packages NAME...: fails when one of them could not be installed.
install_packages() {
    local missing=("$@")
    ((${#missing[@]})) || return 0
    if ! command -v apt-get >/dev/null; then
        say "no apt-get here; please install: ${missing[*]}"
        return 1
    fi
    local as_root=()
    if [[ $(id -u) != 0 ]]; then
        if ! sudo -n true 2>/dev/null; then
            say "neither root nor sudo without a password; please install: ${missing[*]}"
            return 1
        fi
        as_root=(sudo -n)
    fi
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2 -q)
    say "installing ${missing[*]}"
    local install=("${apt[@]}" install -y --no-install-recommends)
    # The package lists of a fresh machine are empty or stale.
    "${install[@]}" "${missing[@]}" >/dev/null 2>&1 && return 0
    "${apt[@]}" update >/dev/null 2>&1 || say "apt-get update failed"
    "${install[@]}" "${missing[@]}" >/dev/null 2>&1 && return 0
    # One package without a candidate must not keep the others away.
    local name status=0
    for name in "${missing[@]}"; do
        "${install[@]}" "$name" >/dev/null 2>&1 || { say "could not install $name"; status=1; }
    done
    return $status
}

install_python_packages() {
    command -v python3 >/dev/null || return 0
    .venv/bin/python3 -c 'import numpy, mpmath' 2>/dev/null && return 0
    python3 -c 'import numpy, mpmath' 2>/dev/null && return 0
    if python3 -m venv --clear .venv >/dev/null 2>&1 &&
        .venv/bin/python3 -m pip install -q --disable-pip-version-check --retries 1 --timeout 15 numpy mpmath >/dev/null 2>&1; then
        return 0
    fi
    rm -rf .venv
    install_packages python3-numpy python3-mpmath ||
        say "no numpy and mpmath: the tests that need them are left out"
}

mapfile -t missing < <(missing_packages)
install_packages "${missing[@]}" || true
install_python_packages

# Images of sketches are exchanged with Apache DataSketches' own where it installs.
if [[ -x .venv/bin/python3 ]] && ! .venv/bin/python3 -c 'import datasketches' 2>/dev/null; then
    .venv/bin/python3 -m pip install -q --disable-pip-version-check --retries 1 --timeout 15 datasketches >/dev/null 2>&1 ||
        say "no datasketches: the test that exchanges images with it is left out"
fi
