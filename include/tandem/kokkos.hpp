#pragma once

/// Tandem for Kokkos 3.4 to 5: fills of Views on every execution space, and draws in Kokkos kernels, with the same bits as
/// everywhere else. Headers only.
///
/// tandem::fill and its relatives (tandem/kokkos/fill.hpp) write whole Views. In kernels capture a tandem::Rng by value and give
/// each work item a child of its own, `auto mine = rng.split(i);`, or read element i of a fill with `at_drand(i)` and its like,
/// of a copy; what an item draws then depends on i alone. Kokkos::rand<tandem::Rng, T>::draw(mine) works as with the generators
/// of Kokkos.
///
/// There is no pool for Kokkos::fill_random. A pool hands a state to whichever thread asks for one, and fill_random does not tell
/// it which elements that thread is about to write: the numbers would depend on the number of threads and on the order in which
/// they come, whatever generator is behind the pool. tandem::fill is that call with numbers that can be had again.

#include <Kokkos_Core.hpp>

#if KOKKOS_VERSION < 30400
#error "tandem: Kokkos 3.4 or later is needed"
#endif

#include "tandem/core.hpp"
#include "tandem/kokkos/choice_table.hpp"
#include "tandem/kokkos/fill.hpp"
