#pragma once

/// The kernel families, one source file each; launch() of fill.hpp chooses among them.

#include "kernels/fill.hpp"

namespace tandem::kernels {

cudaError_t launch_plain(const Fill& fill, const LaunchOptions& options);
cudaError_t launch_bits(const Fill& fill, const LaunchOptions& options);
cudaError_t launch_bounded(const Fill& fill, const LaunchOptions& options);
std::size_t bounded_scratch(const Fill& fill, Path path, const Architecture& architecture);
cudaError_t launch_exponential(const Fill& fill, const LaunchOptions& options);
cudaError_t launch_normal32(const Fill& fill, const LaunchOptions& options);
cudaError_t launch_normal64(const Fill& fill, const LaunchOptions& options);
std::size_t normal64_scratch(const Fill& fill, Path path, const Architecture& architecture);
cudaError_t launch_choice(const Fill& fill, const LaunchOptions& options);

}  // namespace tandem::kernels
