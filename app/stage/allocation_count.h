// Counts the allocations of this thread: a frame in steady state must not allocate. The counting operator new also checks memory
// budgets (memory_budget.h).
#pragma once

#include <cstdint>

namespace tv {

std::uint64_t allocations_of_this_thread();
/// Whether an allocation of any thread was ever refused.
bool allocation_was_refused();

}  // namespace tv
