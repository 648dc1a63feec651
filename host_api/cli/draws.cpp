#include "host_api/cli/draws.hpp"

#include "host_api/cli/numbers.hpp"

namespace tandem::cli {

std::size_t bytes_of(Element element) {
    switch (element) {
        case Element::boolean:
        case Element::u8:
        case Element::i8: return 1;
        case Element::u16:
        case Element::i16:
        case Element::f16: return 2;
        case Element::u32:
        case Element::i32:
        case Element::f32: return 4;
        case Element::u64:
        case Element::i64:
        case Element::f64:
        case Element::c32: return 8;
        case Element::u128:
        case Element::i128:
        case Element::c64: break;
    }
    return 16;
}

std::string npy_type(Element element) {
    switch (element) {
        case Element::boolean: return "'|b1'";
        case Element::u8: return "'|u1'";
        case Element::i8: return "'|i1'";
        case Element::u16: return "'<u2'";
        case Element::i16: return "'<i2'";
        case Element::u32: return "'<u4'";
        case Element::i32: return "'<i4'";
        case Element::u64: return "'<u8'";
        case Element::i64: return "'<i8'";
        case Element::u128: return "[('lo', '<u8'), ('hi', '<u8')]";
        case Element::i128: return "[('lo', '<u8'), ('hi', '<i8')]";
        case Element::f16: return "'<f2'";
        case Element::f32: return "'<f4'";
        case Element::f64: return "'<f8'";
        case Element::c32: return "'<c8'";
        case Element::c64: break;
    }
    return "'<c16'";
}

const std::vector<DrawInfo>& draw_table() {
    using E = Element;
    static const std::vector<DrawInfo> table = {
        {"bool", Draw::boolean, E::boolean, 0, Law::none, "0 or 1, a byte each"},
        {"u8", Draw::u8, E::u8, 0, Law::none, "integers of 8 bits"},
        {"i8", Draw::u8, E::i8, 0, Law::none, "the same bits with a sign"},
        {"u16", Draw::u16, E::u16, 0, Law::none, "integers of 16 bits"},
        {"i16", Draw::u16, E::i16, 0, Law::none, "the same bits with a sign"},
        {"u32", Draw::u32, E::u32, 0, Law::none, "integers of 32 bits"},
        {"i32", Draw::u32, E::i32, 0, Law::none, "the same bits with a sign"},
        {"u64", Draw::u64, E::u64, 0, Law::none, "integers of 64 bits"},
        {"i64", Draw::u64, E::i64, 0, Law::none, "the same bits with a sign"},
        {"u128", Draw::u128, E::u128, 0, Law::none, "integers of 128 bits"},
        {"i128", Draw::u128, E::i128, 0, Law::none, "the same bits with a sign"},
        {"f16", Draw::f16, E::f16, 0, Law::none, "uniform on [0, 1), binary16"},
        {"f32", Draw::f32, E::f32, 0, Law::none, "uniform on [0, 1), binary32"},
        {"f64", Draw::f64, E::f64, 0, Law::none, "uniform on [0, 1), binary64"},
        {"c32", Draw::c32, E::c32, 0, Law::none, "complex numbers of two f32, real part first"},
        {"c64", Draw::c64, E::c64, 0, Law::none, "complex numbers of two f64, real part first"},
        {"char", Draw::character, E::u32, 0, Law::none, "Unicode scalar values as u32"},
        {"u32_below", Draw::below32, E::u32, RANGE, Law::none, "below --range, from 32-bit draws"},
        {"u64_below", Draw::below64, E::u64, RANGE, Law::none, "below --range, from 64-bit draws"},
        {"int_range", Draw::below64, E::i64, BOUNDS, Law::none, "from --low to --high, both included, as i64"},
        {"normal_f64", Draw::normal64, E::f64, MEAN_STDDEV, Law::none, "normals"},
        {"normal_f32", Draw::normal32, E::f32, MEAN_STDDEV | MODE, Law::none, "normals"},
        {"normal_f64_affine", Draw::normal64, E::f64, MEAN_STDDEV, Law::none, "another name of normal_f64"},
        {"normal_f32_affine", Draw::normal32, E::f32, MEAN_STDDEV | MODE, Law::none, "another name of normal_f32"},
        {"lognormal_f64", Draw::lognormal64, E::f64, MEAN_STDDEV, Law::none, "exp of normals"},
        {"lognormal_f32", Draw::lognormal32, E::f32, MEAN_STDDEV | MODE, Law::none, "exp of normals"},
        {"exponential_f64", Draw::exponential64, E::f64, SCALE, Law::none, "exponentials"},
        {"exponential_f32", Draw::exponential32, E::f32, SCALE, Law::none, "exponentials"},
        {"choice", Draw::choice, E::u32, WEIGHTS, Law::weights, "indices with probability proportional to --weights"},
        {"poisson", Draw::choice, E::u32, LAMBDA, Law::poisson, "the Poisson law of --lambda"},
        {"binomial", Draw::choice, E::u32, TRIALS | PROBABILITY, Law::binomial, "successes in --trials of probability --p"},
        {"geometric", Draw::choice, E::u32, PROBABILITY, Law::geometric, "failures before the first success of probability --p"},
    };
    return table;
}

const DrawInfo& find_draw(const std::string& option, const std::string& name) {
    std::vector<std::string> names;
    for (const DrawInfo& info : draw_table()) names.emplace_back(info.name);
    return draw_table()[parse_name(option, name, names)];
}

}  // namespace tandem::cli
