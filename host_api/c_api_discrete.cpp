#include "host_api/api_handles.hpp"
#include "tandem/tandem.h"

namespace tandem::api {

HandleTable<Distribution, 11> distributions;

namespace {

void keep(tandemDistribution_t* place, ChoiceTable table) {
    *place = static_cast<tandemDistribution_t>(distributions.add(std::make_unique<Distribution>(std::move(table))));
}

tandemStatus_t create_law(const char* function, const Law& law, tandemDistribution_t* place) noexcept {
    return guarded(function, [&] {
        need_place("distribution", place);
        check_law(law);
        keep(place, build_law(law));
    });
}

tandemStatus_t generate_law(const char* function, tandemGenerator_t generator, unsigned int* out, size_t n,
                            const Law& law) noexcept {
    return with_generator(function, generator, [&](Generator& g) { g.generate_law(out, n, law); });
}

void write_view(tandemDistributionView_t* to, const ChoiceView& view) {
    *to = tandemDistributionView_t{view.cut, view.alias, view.capacity, view.m, view.low};
}

}  // namespace
}  // namespace tandem::api

using namespace tandem::api;

extern "C" {

tandemStatus_t tandemCreateDiscreteDistribution(const double* weights, size_t m, uint32_t offset,
                                                tandemDistribution_t* distribution) {
    return guarded(__func__, [=] {
        need_place("distribution", distribution);
        need("weights", weights);
        try {
            keep(distribution, tandem::choice_build(weights, m, offset));
        } catch (const std::invalid_argument& e) {
            throw tandem::error(TANDEM_STATUS_OUT_OF_RANGE, e.what());
        }
    });
}

tandemStatus_t tandemCreatePoissonDistribution(double lambda, tandemDistribution_t* distribution) {
    return create_law(__func__, Law{Law::Kind::poisson, 0, lambda}, distribution);
}

tandemStatus_t tandemCreateBinomialDistribution(uint32_t trials, double p, tandemDistribution_t* distribution) {
    return create_law(__func__, Law{Law::Kind::binomial, trials, p}, distribution);
}

tandemStatus_t tandemCreateGeometricDistribution(double p, tandemDistribution_t* distribution) {
    return create_law(__func__, Law{Law::Kind::geometric, 0, p}, distribution);
}

tandemStatus_t tandemDestroyDistribution(tandemDistribution_t distribution) {
    return guarded(__func__, [=] {
        if (distributions.remove(distribution) == nullptr) refuse_handle("distribution", distribution);
    });
}

tandemStatus_t tandemGenerateDiscrete(tandemGenerator_t generator, unsigned int* out, size_t n,
                                      tandemDistribution_t distribution) {
    return with_generator(__func__, generator, [=](Generator& g) { g.generate_discrete(out, n, distribution_of(distribution)); });
}

tandemStatus_t tandemGeneratePoisson(tandemGenerator_t generator, unsigned int* out, size_t n, double lambda) {
    return generate_law(__func__, generator, out, n, Law{Law::Kind::poisson, 0, lambda});
}

tandemStatus_t tandemGenerateBinomial(tandemGenerator_t generator, unsigned int* out, size_t n, uint32_t trials, double p) {
    return generate_law(__func__, generator, out, n, Law{Law::Kind::binomial, trials, p});
}

tandemStatus_t tandemGenerateGeometric(tandemGenerator_t generator, unsigned int* out, size_t n, double p) {
    return generate_law(__func__, generator, out, n, Law{Law::Kind::geometric, 0, p});
}

tandemStatus_t tandemGetDistributionView(tandemDistribution_t distribution, tandemDistributionView_t* view) {
    return guarded(__func__, [=] {
        Distribution& found = distribution_of(distribution);
        need("view", view);
        write_view(view, found.on(current_device_backend())->view());
    });
}

tandemStatus_t tandemGetDistributionViewHost(tandemDistribution_t distribution, tandemDistributionView_t* view) {
    return guarded(__func__, [=] {
        const Distribution& found = distribution_of(distribution);
        need("view", view);
        write_view(view, found.host_view());
    });
}

}  // extern "C"
