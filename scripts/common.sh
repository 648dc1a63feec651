# Sourced by the scripts: the arguments of cmake that suit this machine, in the array `configure`. The build type, the generator and the
# GPU architecture; one architecture, for speed.

configure=(-DCMAKE_BUILD_TYPE=Release)
if command -v ninja >/dev/null; then
    configure+=(-G Ninja)
fi
if [[ -d .deps/usr ]]; then
    configure+=("-DCMAKE_PREFIX_PATH=$PWD/.deps/usr")
fi

jobs=$(nproc)

# The architecture of the first GPU, such as 90; empty without a GPU.
gpu_architecture() {
    nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -dc '0-9' || true
}

architecture=$(gpu_architecture)
configure+=("-DCMAKE_CUDA_ARCHITECTURES=${architecture:-90}")
