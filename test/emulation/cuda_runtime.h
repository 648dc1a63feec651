#pragma once

/// In the place of the toolkit's.

#include "emulation/device.hpp"
