/// Run by scripts/check_ulps.py. "exp64" and "exp32" read arguments as hexadecimal floats, one a line, and write the results so;
/// "sweep" writes the largest error of exp32, in ulp, over a stride through all of its arguments, and where it lies.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tandem/core.hpp"

namespace {

/// One unit in the last place of an f32 result near `exact`, the subnormal unit at least.
double unit32(double exact) { return std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23); }

void sweep() {
    double worst = 0.0;
    float where = 0.0f;
    // From zero out, one sign after the other.
    for (const uint32_t sign : {0u, 0x80000000u}) {
        for (uint32_t magnitude = 0; magnitude < 0x43000000u; magnitude += 61) {
            const float x = tandem::bit_cast<float>(sign | magnitude);
            if (x < -104.0f || x > 88.72f) break;
            const double exact = std::exp(static_cast<double>(x));
            const double error = std::fabs(static_cast<double>(tandem::exp32(x)) - exact) / unit32(exact);
            if (error > worst) {
                worst = error;
                where = x;
            }
        }
    }
    std::printf("%.6f %a\n", worst, static_cast<double>(where));
}

}  // namespace

int main(int count, char** arguments) {
    const std::string mode = count > 1 ? arguments[1] : "";
    if (mode == "sweep") {
        sweep();
        return 0;
    }
    std::string line;
    while (std::getline(std::cin, line)) {
        const double x = std::strtod(line.c_str(), nullptr);
        std::printf("%a\n", mode == "exp64" ? tandem::exp64(x) : static_cast<double>(tandem::exp32(static_cast<float>(x))));
    }
}
