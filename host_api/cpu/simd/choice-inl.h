/// Weighted choice on vectors. Included once a target.

#if defined(TANDEM_CPU_SIMD_CHOICE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_CHOICE_INL_H_
#undef TANDEM_CPU_SIMD_CHOICE_INL_H_
#else
#define TANDEM_CPU_SIMD_CHOICE_INL_H_
#endif

#include <new>
#include <vector>

#include "host_api/cpu/simd/units-inl.h"
#include "tandem/core/choice.hpp"

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

/// A table in half the bytes: the upper 32 bits of each cut over its alias. Capacity and cuts are shifted up to 63 bits, which
/// leaves every comparison as it is and makes the upper bits decide all but one of about 2^29 draws.
struct CompactTable {
    const ChoiceView& exact;
    uint32_t capacity_high;
    std::vector<uint64_t> columns;

    /// True for tables small enough to be worth it, with a capacity below 2^63, as those of choice_build have.
    static bool serves(const ChoiceView& table) { return table.m <= 65536 && table.capacity != 0 && table.capacity >> 63 == 0; }

    explicit CompactTable(const ChoiceView& table) : exact(table), columns(table.m) {
        const auto shift = static_cast<int>(hwy::Num0BitsAboveMS1Bit_Nonzero64(table.capacity)) - 1;
        capacity_high = static_cast<uint32_t>((table.capacity << shift) >> 32);
        for (uint32_t i = 0; i < table.m; ++i) {
            columns[i] = (((table.cut[i] << shift) >> 32) << 32) | table.alias[i];
        }
    }
};

/// columns[at[0]], columns[at[1]], ...
template <size_t LANES, class D>
HWY_INLINE hn::Vec<D> load_columns(D d, const uint64_t* columns, const uint64_t* at) {
#if HWY_HAVE_SCALABLE
    const hn::RebindToSigned<D> di;
    return hn::GatherIndex(d, columns, hn::BitCast(di, hn::Load(d, at)));
#else
    if constexpr (LANES == 1) {
        return hn::Load(d, columns + *at);
    } else {
        const hn::Half<D> half;
        return hn::Combine(d, load_columns<LANES / 2>(half, columns, at + LANES / 2), load_columns<LANES / 2>(half, columns, at));
    }
#endif
}

struct CompactChoiceMap {
    const CompactTable& table;
    uint64_t unit = hn::Lanes(Bytes()) / 4;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d32;
        const SignedLongs di;
        const size_t bytes = hn::Lanes(Bytes());
        const auto low = hn::Set(d32, table.exact.low);
        Queue unsure;
        for_units(Shape{unit, 8, 4, false}, tile + at * 8, out, count, &unsure,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t i) TANDEM_INLINE_LAMBDA {
                      Mask open_first, open_second;
                      const auto first = values(load_longs(raw), open_first),
                                 second = values(load_longs(raw + bytes), open_second);
                      const auto packed = hn::ConcatEven(d32, hn::BitCast(d32, second), hn::BitCast(d32, first));
                      put(hn::Add(packed, low), d32, to);
                      if (HWY_LIKELY(hn::AllFalse(di, hn::Or(open_first, open_second)))) return;
                      unsure.add(di, open_first, i);
                      unsure.add(di, open_second, i + hn::Lanes(di));
                  });
        for (size_t i = 0; i < unsure.size(); ++i) {
            uint64_t draw;
            std::memcpy(&draw, tile + (at + unsure[i]) * 8, 8);
            const uint32_t value = choice_of(table.exact, draw);
            std::memcpy(out + uint64_t{unsure[i]} * 4, &value, 4);
        }
    }

  private:
    using SignedLongs = hn::RebindToSigned<Longs>;
    using Mask = hn::Mask<SignedLongs>;

    /// The indices of draws in the low halves of the lanes, and for which of them the exact table must tell.
    template <class V>
    HWY_INLINE V values(V draw, Mask& open) const {
        const Longs d;
        const Words d32;
        const SignedLongs di;
        const auto m = hn::Set(d32, table.exact.m);
        const V lower = hn::MulEven(hn::BitCast(d32, draw), m);
        const V upper = hn::MulEven(hn::BitCast(d32, hn::ShiftRight<32>(draw)), m);
        const V middle = hn::Add(upper, hn::ShiftRight<32>(lower));
        const V own = hn::ShiftRight<32>(middle);
        alignas(64) uint64_t at[MAX_VECTOR_BYTES / 8];
        hn::Store(own, d, at);
        const V column = load_columns<hn::MaxLanes(Longs())>(d, table.columns.data(), at);
        // The upper 32 bits of the level are those of this product, or one or two more, and the lower halves weigh less than one.
        const V level = hn::MulEven(hn::BitCast(d32, middle), hn::Set(d32, table.capacity_high));
        const auto room = hn::BitCast(di, hn::Sub(column, level));
        const auto keeps = hn::Gt(room, hn::Set(di, int64_t{3} << 32));
        open = hn::AndNot(keeps, hn::Gt(room, hn::Set(di, -(int64_t{1} << 32))));
        return hn::IfThenElse(hn::RebindMask(d, keeps), own, column);
    }
};

void map_choice(const Job& job, const Piece& piece, RowSource& source) {
    const ChoiceView& table = job.fill->choice;
    if (CompactTable::serves(table) && piece.draws / 16 >= table.m) {
        try {
            const CompactTable compact(table);
            return walk_lines(job, piece, source, CompactChoiceMap{compact});
        } catch (const std::bad_alloc&) {
            // The table itself serves as well.
        }
    }
    map_scalar(job, piece, source);
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
