#!/usr/bin/env bash
# Runs a program written for cuRAND on Tandem: with_tandem.sh [OPTION...] PROGRAM [ARGUMENT...]
#   --preload        LD_PRELOAD, as without an option: for programs that are linked with cuRAND, or that open libcurand.so.10 by name
#   --search         first in LD_LIBRARY_PATH: for the same programs, unless they carry an RPATH; children see no preloaded library
#   --over FILE      for programs that open FILE, a libcurand.so.10, by its path: FILE is Tandem's for this program and its children
#                    alone (a private mount, which needs root or user namespaces). May be given several times
#   --library FILE   the drop-in; otherwise $TANDEM_CURAND, or the one of the installation or build that this script belongs to
#   --print          prints the drop-in's path and runs nothing
# Why Tandem refused a call is written to stderr, unless TANDEM_CURAND_MESSAGES is set to 0.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
usage() { sed -n '2,/^set -/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | sed '$d' >&2; exit 2; }
fail() { echo "with_tandem: $*" >&2; exit 1; }

# The newest drop-in of an installation (bin/ beside lib/) or of the build folders of a source tree (scripts/ beside them).
find_library() {
    local found=()
    shopt -s nullglob
    found=("$here"/../lib*/tandem/libcurand.so.10 "$here"/../lib/*/tandem/libcurand.so.10
           "$here"/../build*/host_api/curand_shim/libcurand.so.10 "$here"/../build/*/host_api/curand_shim/libcurand.so.10)
    shopt -u nullglob
    ((${#found[@]})) || fail "no libcurand.so.10 of Tandem's was found; build the target tandem_curand, or name it with --library"
    ls -t "${found[@]}" | head -n 1
}

how=preload
library=${TANDEM_CURAND:-}
print=0
over=()
while (($#)); do
    case "$1" in
        --preload | --search) how=${1#--} ;;
        --over | --library) (($# > 1)) || usage
            case "$1" in
                --over) how=over; [[ -f $2 ]] || fail "$2 is no file"; over+=("$(readlink -f "$2")") ;;
                --library) library=$2 ;;
            esac
            shift ;;
        --print) print=1 ;;
        --) shift; break ;;
        -*) usage ;;
        *) break ;;
    esac
    shift
done
[[ -n $library ]] || library=$(find_library)
[[ -f $library ]] || fail "$library is no file"
library=$(readlink -f "$library")
if ((print)); then
    echo "$library"
    exit
fi
(($#)) || usage
export TANDEM_CURAND_MESSAGES=${TANDEM_CURAND_MESSAGES:-1}

case $how in
    preload) LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD} exec "$@" ;;
    search) LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$@" ;;
    over)
        private=(unshare --mount)
        ((EUID == 0)) || private=(unshare --user --map-root-user --mount)
        "${private[@]}" true 2>/dev/null || fail "this machine allows no private mounts; replace the file itself, or use --preload"
        exec "${private[@]}" bash -c '
            set -e
            library=$1 count=$2
            shift 2
            for ((i = 0; i < count; ++i)); do mount --bind "$library" "$1"; shift; done
            exec "$@"' with_tandem "$library" "${#over[@]}" "${over[@]}" "$@" ;;
esac
