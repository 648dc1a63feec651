// The key of each launch of a captured fill: one thread, before the fill.

#include "kernels/fill.hpp"
#include "kernels/launch.cuh"
#include "tandem/core/children.hpp"

namespace tandem::kernels {
namespace {

__global__ void next_key_kernel(const Key* base, LaunchWords* words) {
    words->key = launch_key(*base, words->launches);
    ++words->launches;
}

__global__ void store_key_kernel(Key key, Key* to) { *to = key; }

}  // namespace

cudaError_t launch_next_key(const Key* base, LaunchWords* words, cudaStream_t stream) {
    void* arguments[] = {&base, &words};
    return launch_blocks({reinterpret_cast<const void*>(&next_key_kernel), 1, 1, 0, arguments, stream});
}

cudaError_t launch_store_key(const Key& key, Key* to, cudaStream_t stream) {
    Key value = key;
    void* arguments[] = {&value, &to};
    return launch_blocks({reinterpret_cast<const void*>(&store_key_kernel), 1, 1, 0, arguments, stream});
}

}  // namespace tandem::kernels
