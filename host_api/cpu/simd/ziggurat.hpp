#pragma once

/// The ziggurat's tables as the vector engine reads them: what the fast path of a layer needs in one place.

#include "tandem/core/normal_tables.hpp"

namespace tandem::cpu {

struct ZigguratLayer {
    double width;   ///< W
    double inside;  ///< KX, which f64 holds exactly
};

/// ZIGGURAT_LAYERS layers.
const ZigguratLayer* ziggurat_layers();

}  // namespace tandem::cpu
