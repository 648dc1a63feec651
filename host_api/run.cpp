#include <cmath>
#include <stdexcept>

#include "host_api/backend.hpp"
#include "host_api/cpu/targets.hpp"
#include "host_api/status.hpp"
#include "tandem/fill.hpp"

namespace tandem::api {
namespace {

bool is_f32(Draw draw) { return draw == Draw::normal32 || draw == Draw::lognormal32 || draw == Draw::exponential32; }

void need_finite(const Fill& fill, const char* argument, double value) {
    if (!std::isfinite(value)) refuse(argument, text_of(value), "it must be finite");
    if (is_f32(fill.draw) && static_cast<double>(static_cast<float>(value)) != value) {
        refuse(argument, text_of(value), "it must be exactly a float");
    }
}

void check_bounded(const Fill& fill) {
    const uint32_t b = fill.element_bytes;
    if (b != 1 && b != 2 && b != 4 && b != 8) refuse("element_bytes", text_of(uint64_t{b}), "it must be 1, 2, 4 or 8");
    if (fill.draw == Draw::below32 && !fill.full_range && fill.range > 0xffffffffu) {
        refuse("range", text_of(fill.range), "it must be at most 4294967296");
    }
}

void check_normal(const Fill& fill) {
    need_finite(fill, "mean", fill.mean);
    need_finite(fill, "stddev", fill.stddev);
    if (fill.stddev < 0) refuse("stddev", text_of(fill.stddev), "it must be at least 0");
}

void check_exponential(const Fill& fill) {
    need_finite(fill, "scale", fill.scale);
    if (!(fill.scale > 0)) refuse("scale", text_of(fill.scale), "it must be above 0");
}

void check_choice(const Fill& fill) {
    const ChoiceView& table = fill.choice;
    if (table.cut == nullptr || table.alias == nullptr || table.m == 0 || table.capacity == 0) {
        refuse("table", "empty", "it must have at least one entry");
    }
}

void check_parameters(const Fill& fill) {
    if (!valid_chunk_length(fill.chunk_length)) {
        refuse("K", text_of(uint64_t{fill.chunk_length}), "it must be a power of two from 1 to 65536");
    }
    switch (fill.draw) {
        case Draw::below32:
        case Draw::below64: return check_bounded(fill);
        case Draw::normal64:
        case Draw::normal32:
        case Draw::lognormal64:
        case Draw::lognormal32: return check_normal(fill);
        case Draw::exponential64:
        case Draw::exponential32: return check_exponential(fill);
        default: return;
    }
}

void check_pointer(const Fill& fill) {
    if (fill.out == nullptr) refuse("out", "null", "it must point to room for n elements");
    // Complex numbers need the alignment of their component, as std::complex has.
    const uint32_t alignment = component_bytes(fill);
    if (reinterpret_cast<uintptr_t>(fill.out) % alignment != 0) {
        refuse("out", text_of(fill.out), "it must be a multiple of the element's " + text_of(uint64_t{alignment}) + " bytes");
    }
}

// `has_table`: a table is in the fill already, and checked with it.
Span check_all(const Backend& backend, const Fill& fill, const RunOptions& options, bool has_table) {
    check_parameters(fill);
    if (has_table) check_choice(fill);
    const Span span = checked_span(fill);
    if (fill.n == 0) return span;
    check_pointer(fill);
    backend.check_output(fill, options);
    return span;
}

}  // namespace

Span checked_span(const Fill& fill) {
    const Span span = fill_span(fill.draw, fill.position, fill.n);
    if (!span.ok) {
        refuse("n", text_of(fill.n), "from position " + text_of(fill.position) + " the fill must end below 2^64");
    }
    return span;
}

uint64_t run_checked(Backend& backend, const Fill& fill, const RunOptions& options) {
    const Span span = check_all(backend, fill, options, fill.draw == Draw::choice);
    if (fill.n > 0) backend.run(fill, options);
    return span.end;
}

uint64_t run_checked(Backend& backend, Fill& fill, RunOptions& options, const TableSource& source) {
    const Span span = check_all(backend, fill, options, false);
    if (fill.n == 0) return span.end;
    options.table = source();
    fill.choice = options.table->view();
    backend.run(fill, options);
    return span.end;
}

}  // namespace tandem::api

namespace tandem {
namespace {

template <class Body>
uint64_t named(const char* function, Body&& body) {
    try {
        return body();
    } catch (const error& e) {
        throw error(e.status(), std::string(function) + ": " + e.what());
    }
}

}  // namespace

uint64_t fill(const Fill& fill, CUstream_st* stream) {
    return named("tandem::fill", [&] { return api::run_checked(api::current_device_backend(), fill, {stream}); });
}

uint64_t host::fill(const Fill& fill, unsigned threads) {
    return named("tandem::host::fill", [&] { return api::run_checked(api::host_backend(), fill, {nullptr, threads}); });
}

const char* host::instruction_set() {
    try {
        return cpu::active_target().name;
    } catch (const std::invalid_argument& refused) {
        throw error(TANDEM_STATUS_OUT_OF_RANGE, std::string("tandem::host::instruction_set: ") + refused.what());
    }
}

}  // namespace tandem
