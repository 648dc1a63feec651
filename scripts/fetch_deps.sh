#!/usr/bin/env bash
# Puts the header-only packages that the tests and the command line need into .deps/usr, where the scripts look, without installing
# anything: for machines with neither network nor root, to which .deps is copied. Needs apt-get with package lists, here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p .deps
download=$(mktemp -d)
trap 'rm -rf "$download"' EXIT
(cd "$download" && apt-get -q download nlohmann-json3-dev libcli11-dev)
for package in "$download"/*.deb; do
    dpkg -x "$package" .deps
done
echo "fetch_deps: nlohmann-json and CLI11 are in .deps/usr"
