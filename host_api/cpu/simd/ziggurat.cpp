#include "host_api/cpu/simd/ziggurat.hpp"

#include <array>

namespace tandem::cpu {
namespace {

constexpr auto interleaved() {
    struct Layers {
        alignas(64) ZigguratLayer layer[ZIGGURAT_LAYERS];
    } layers{};
    for (int i = 0; i < ZIGGURAT_LAYERS; ++i) layers.layer[i] = {ZIGGURAT_HOST.w[i], static_cast<double>(ZIGGURAT_HOST.kx[i])};
    return layers;
}

constexpr auto LAYERS = interleaved();

}  // namespace

const ZigguratLayer* ziggurat_layers() { return LAYERS.layer; }

}  // namespace tandem::cpu
