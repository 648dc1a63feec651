#pragma once

/// What the files of the suite for handles share.

#include "tandem/theta.hpp"
#include "theta/set_suite.hpp"

namespace tandem::test {

constexpr tandemStatus_t SUCCESS = TANDEM_STATUS_SUCCESS, NO_HANDLE = TANDEM_STATUS_NOT_INITIALIZED,
                         NO_TYPE = TANDEM_STATUS_TYPE_ERROR, REFUSED = TANDEM_STATUS_OUT_OF_RANGE;

inline const tandemTheta_t UNTOUCHED = reinterpret_cast<tandemTheta_t>(uintptr_t{16});

/// A handle of the kind under test, with some keys.
class ApiHandle {
  public:
    explicit ApiHandle(const SketchKind& kind, uint64_t seed = DEFAULT_THETA_SEED, uint32_t lg_k = 5) : kind_(kind) {
        EXPECT_EQ(kind.create(&handle_, lg_k, seed, 1.0f), SUCCESS);
    }
    ApiHandle(const ApiHandle&) = delete;
    ApiHandle& operator=(const ApiHandle&) = delete;
    ~ApiHandle() { tandemThetaDestroy(handle_); }

    operator tandemTheta_t() const { return handle_; }

    const ApiHandle& with(uint64_t first, uint64_t n) const {
        std::vector<uint64_t> keys(n);
        for (uint64_t i = 0; i < n; ++i) keys[i] = first + i;
        const PlacedKeys placed = kind_.place(keys.data(), n * 8, 8);
        EXPECT_EQ(tandemThetaUpdate(handle_, placed.get(), n, TANDEM_THETA_KEY_U64, kind_.stream), SUCCESS);
        static_cast<void>(image());  // the keys are read now
        return *this;
    }

    std::vector<uint8_t> image() const {
        std::size_t bytes = 0;
        EXPECT_EQ(tandemThetaSerialize(handle_, nullptr, &bytes), SUCCESS);
        std::vector<uint8_t> image(bytes);
        EXPECT_EQ(tandemThetaSerialize(handle_, image.data(), &bytes), SUCCESS);
        return image;
    }

  private:
    const SketchKind& kind_;
    tandemTheta_t handle_ = nullptr;
};

/// Expects a refusal that names the function, and words of the message.
inline void expect_refusal(tandemStatus_t status, tandemStatus_t expected, const std::string& function,
                           const std::string& words) {
    EXPECT_EQ(status, expected);
    const std::string message = tandemGetLastErrorMessage();
    EXPECT_EQ(message.rfind(function + ": ", 0), 0u) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
}

}  // namespace tandem::test
