#include "core/base/memory/memory_budget.h"

#include <doctest/doctest.h>

#include <new>

#include "core/base/memory/column.h"
#include "core/base/threads/thread_pool.h"

using namespace tv;

namespace {

constexpr std::size_t kTooMuch = std::size_t{1} << 40;

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("memory_budget: a budget grants up to its size, and no budget grants everything") {
  CHECK(memory_granted(kTooMuch));
  const auto budget = std::make_shared<MemoryBudget>(1 << 20), unlimited = std::make_shared<MemoryBudget>(0);
  CHECK(budget->grants(1 << 20));
  CHECK_FALSE(budget->grants(kTooMuch));
  CHECK(unlimited->grants(kTooMuch));
  const OnBudget charged(budget.get());
  CHECK_FALSE(memory_granted(kTooMuch));
  {
    const OnBudget none(nullptr);
    CHECK(memory_granted(kTooMuch));
  }
  CHECK_FALSE(memory_granted(kTooMuch));
}

TEST_CASE("memory_budget: allocations and pool tasks use the budget of the thread that starts them") {
  ThreadPool pool(3);
  const auto budget = std::make_shared<MemoryBudget>(1 << 20);
  const auto each = [&](std::size_t) { CHECK_FALSE(memory_granted(kTooMuch)); };
  {
    const OnBudget charged(budget.get());
    CHECK_THROWS_AS(allocate_bytes(kTooMuch), std::bad_alloc);
    CHECK_NOTHROW(allocate_bytes(4096));
    pool.parallel_for(100, each);
    auto task = pool.submit([] { return allocate_bytes(kTooMuch) != nullptr; });
    CHECK_THROWS_AS(task.get(), std::bad_alloc);
  }
  pool.parallel_for(100, [](std::size_t) { CHECK(memory_granted(kTooMuch)); });
}

TEST_SUITE_END();
