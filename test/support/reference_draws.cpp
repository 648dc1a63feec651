#include "support/reference_draws.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tandem/core/children.hpp"
#include "tandem/core/normal_tables.hpp"

// Every sum and product below rounds once: this file is compiled without contraction.

namespace tandem::test {
namespace {

__extension__ using Wide = unsigned __int128;

double f64_of_bits(uint64_t bits) { return bit_cast<double>(bits); }
float f32_of_bits(uint32_t bits) { return bit_cast<float>(bits); }

/// The 64-bit draws of an element's own generator, one after another from position 0.
class Retries {
  public:
    Retries(const Fill& fill, uint64_t purpose, uint64_t g)
        : stream_(split_key(sub_key(fill.key, purpose), g), fill.chunk_length) {}
    uint64_t next(uint32_t width) {
        const uint64_t p = position_;
        position_ += width;
        return stream_.raw(p, width).lo;
    }
    /// A uniform of 53 bits.
    double u() { return std::ldexp(static_cast<double>(next(64) >> 11), -53); }

  private:
    ReferenceStream stream_;
    uint64_t position_ = 0;
};

/// 2^a * p * 2^(n - a), a = floor(n / 2): neither factor leaves the normal numbers.
template <class V>
V scale_by_halves(V p, int n) {
    const int a = n >= 0 ? n / 2 : -((1 - n) / 2);
    const V half = std::ldexp(V{1}, a) * p;
    return half * std::ldexp(V{1}, n - a);
}

double minus_ln(double u) { return 0.5 * reference_l64(1 - u); }

}  // namespace

double reference_l64(double x) {
    const uint64_t ix = bit_cast<uint64_t>(x) + 0x00095f6200000000u;
    const double nk = static_cast<double>(1023 - static_cast<int64_t>(ix >> 52));
    const double m = f64_of_bits((ix & 0x000fffffffffffffu) + 0x3fe6a09e00000000u);
    const double s = (m - 1) / (m + 1), z = s * s;
    double p = 0x1.54797261814c6p-4;
    for (double c :
         {0x1.7381dac46557bp-4, 0x1.c71fd2b1ef828p-4, 0x1.2492462428654p-3, 0x1.9999999b8be41p-3, 0x1.55555555553b4p-2, 1.0})
        p = std::fma(p, z, c);
    return std::fma(nk, 0x1.a39efp-32, std::fma(nk, 0x1.62e42feep+0, (s * -4) * p));
}

float reference_l32(float x) {
    const uint32_t ix = bit_cast<uint32_t>(x) + 0x004afb0du;
    const float nk = static_cast<float>(127 - static_cast<int>(ix >> 23));
    const float m = f32_of_bits((ix & 0x7fffffu) + 0x3f3504f3u);
    const float s = (m - 1) / (m + 1), z = s * s;
    float p = 0.14275366f;
    for (float c : {0.20000061f, 0.33333334f, 1.0f}) p = std::fma(p, z, c);
    return std::fma(nk, 2.857213530660374e-06f, std::fma(nk, 1.38629150390625f, (s * -4) * p));
}

float reference_n32(float x) {
    const uint32_t ix = bit_cast<uint32_t>(x) + 0x004afb0du;
    const float nk = static_cast<float>(127 - static_cast<int>(ix >> 23));
    const float m = f32_of_bits((ix & 0x7fffffu) + 0x3f3504f3u);
    const float num = std::fma(m, -2.0f, 2.0f), d = m + 1, dl = m - (d - 1), rcp = 1 / d, uh = num * rcp;
    const float r = std::fma(-uh, dl, std::fma(-uh, d, num)), v = uh * uh;
    const float q = std::fma(v, std::fma(v, 0.0023109776f, 0.012496489f), 0.08333336f);
    const float a = nk * 0.693145751953125f, hi = a + uh, e = uh - (hi - a);
    return hi + std::fma(uh * v, q, std::fma(r, rcp, std::fma(nk, 1.428606765330187e-06f, e)));
}

double reference_exp64(double x) {
    x = std::min(std::max(x, -746.0), 710.0);
    const double n = std::fma(x, 0x1.71547652b82fep+0, 0x1.8p+52) - 0x1.8p+52;
    const double r = std::fma(-n, 0x1.abc9e3b39803fp-56, std::fma(-n, 0x1.62e42fefa39efp-1, x));
    double factorial = 6227020800.0, p = 1 / factorial;
    for (int k = 13; k > 0; --k) {
        factorial /= k;  // exact
        p = std::fma(p, r, 1 / factorial);
    }
    return scale_by_halves(p, static_cast<int>(n));
}

float reference_exp32(float x) {
    x = std::min(std::max(x, -104.0f), 89.0f);
    const float n = std::fma(x, 1.4426950408889634f, 12582912.0f) - 12582912.0f;
    const float r = std::fma(-n, -0x1.05c61p-29f, std::fma(-n, 0x1.62e43p-1f, x));
    float factorial = 5040.0f, p = 1 / factorial;
    for (int k = 7; k > 0; --k) {
        factorial /= static_cast<float>(k);  // exact
        p = std::fma(p, r, 1 / factorial);
    }
    return scale_by_halves(p, static_cast<int>(n));
}

uint64_t reference_below(const Fill& fill, uint32_t width, uint64_t raw, uint64_t g, bool* rejected) {
    if (fill.full_range) return raw;
    if (fill.range == 0) return 0;
    const Wide modulus = Wide{1} << width;
    const Wide threshold = (modulus - fill.range) % fill.range;
    Wide m = Wide{raw} * fill.range;
    if (m % modulus < threshold) {
        *rejected = true;
        Retries retries(fill, width == 32 ? 0x424c573332u : 0x424c573634u, g);
        do {
            m = Wide{retries.next(width)} * fill.range;
        } while (m % modulus < threshold);
    }
    return static_cast<uint64_t>(m >> width);
}

double reference_normal64(const Fill& fill, uint64_t raw, uint64_t g, bool* missed) {
    const double R = 0x1.027c84109fad5p+2;
    std::optional<Retries> retries;
    for (;;) {
        const uint64_t layer = raw & 1023, ra = raw >> 11;
        const bool negative = ((raw >> 10) & 1) != 0;
        const double magnitude = static_cast<double>(ra) * ZIGGURAT_HOST.w[layer];
        const double x = negative ? -magnitude : magnitude;
        if (ra < ZIGGURAT_HOST.kx[layer]) return x;
        *missed = true;
        if (!retries) retries.emplace(fill, uint64_t{0x4e524d3634}, g);
        if (layer == 0) {
            double a, b;
            do {
                a = minus_ln(retries->u()) / R;
                b = minus_ln(retries->u());
            } while (b + b < a * a);
            return negative ? -(R + a) : R + a;
        }
        const double y = ZIGGURAT_HOST.y[layer] + retries->u() * (ZIGGURAT_HOST.y[layer + 1] - ZIGGURAT_HOST.y[layer]);
        if (-0.5 * reference_l64(y) < -0.5 * (x * x)) return x;
        raw = retries->next(64);
    }
}

NormalPair reference_normal32(uint32_t raw_a, uint32_t raw_b) {
    const float a = std::ldexp(static_cast<float>(raw_a >> 8), -24), b = std::ldexp(static_cast<float>(raw_b >> 8), -24);
    const float r = std::sqrt(reference_l32(1 - a));
    const int q = static_cast<int>(b * 4 + 0.5f);
    const float f = b - static_cast<float>(q) * 0.25f, th = f * 6.2831855f, w = th * th;
    const float hs = std::fma(w, std::fma(w, std::fma(w, 2.72499e-06f, -0.00019840087f), 0.008333332f), -0.16666667f);
    const float hc = std::fma(w, std::fma(w, std::fma(w, 2.4463761e-05f, -0.0013887589f), 0.04166665f), -0.5f);
    float sine = th * std::fma(w, hs, 1.0f), cosine = std::fma(w, hc, 1.0f);
    if (q & 1) std::swap(sine, cosine);
    if ((q + 1) & 2) cosine = -cosine;
    if (q & 2) sine = -sine;
    return NormalPair{r * cosine, r * sine};
}

uint32_t reference_choice(const ChoiceView& table, uint64_t raw) {
    const Wide product = Wide{raw} * table.m;
    const auto j = static_cast<uint32_t>(product >> 64);
    const auto rest = static_cast<uint64_t>(product);
    const auto scaled = static_cast<uint64_t>(Wide{rest} * table.capacity >> 64);
    return scaled < table.cut[j] ? j : table.alias[j];
}

}  // namespace tandem::test
