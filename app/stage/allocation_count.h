// How often this thread has asked for memory: a frame in steady state must not. The operator new that counts is also where budgets
// are asked (memory_budget.h).
#pragma once

#include <cstdint>

namespace tv {

std::uint64_t allocations_of_this_thread();
/// Has any thread ever been refused?
bool allocation_was_refused();

}  // namespace tv
