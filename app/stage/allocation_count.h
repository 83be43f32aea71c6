// Counts the allocations of the calling thread, because a frame in steady state must not allocate. The operator new that counts
// also checks memory budgets (memory_budget.h).
#pragma once

#include <cstdint>

namespace tv {

std::uint64_t allocations_of_this_thread();
/// Whether operator new has ever thrown std::bad_alloc, in any thread.
bool allocation_was_refused();

}  // namespace tv
