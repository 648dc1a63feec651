#pragma once

/// The portable core of Tandem8x32: everything that determines a value, for hosts, CUDA, HIP, Kokkos and NVRTC.

#include "tandem/core/arithmetic.hpp"
#include "tandem/core/bounded.hpp"
#include "tandem/core/children.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/core/config.hpp"
#include "tandem/core/draws.hpp"
#include "tandem/core/exp.hpp"
#include "tandem/core/exponential.hpp"
#include "tandem/core/fallback.hpp"
#include "tandem/core/fill.hpp"
#include "tandem/core/fill_rules.hpp"
#include "tandem/core/laws.hpp"
#include "tandem/core/logarithm.hpp"
#include "tandem/core/mapping.hpp"
#include "tandem/core/normal.hpp"
#include "tandem/core/normal_tables.hpp"
#include "tandem/core/rng.hpp"
#include "tandem/core/row.hpp"
#include "tandem/core/step.hpp"
#include "tandem/core/stream.hpp"
