#include "core/base/memory/column.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace tv;

TEST_CASE("column: a column of any size is aligned and can be written and read to its end") {
  for (const std::size_t n : {0, 1, 63, 8'191, 8'192, 1'100'000}) {
    CAPTURE(n);
    Column<std::int64_t> column(n);
    REQUIRE(column.size() == n);
    REQUIRE(reinterpret_cast<std::uintptr_t>(column.data()) % 64 == 0);
    for (std::size_t i = 0; i < n; ++i) column[i] = static_cast<std::int64_t>(i);
    std::int64_t sum = 0;
    for (const std::int64_t value : column) sum += value;
    CHECK(sum == static_cast<std::int64_t>(n) * (static_cast<std::int64_t>(n) - 1) / 2);
  }
}

TEST_CASE("column: a move leaves the source empty") {
  Column<int> a(3);
  a[0] = 1, a[1] = 2, a[2] = 3;
  Column<int> b(std::move(a));
  CHECK(a.empty());
  CHECK(b == std::vector<int>{1, 2, 3});
  a = std::move(b);
  CHECK(b.empty());
  CHECK(a == std::vector<int>{1, 2, 3});
}

TEST_CASE("column: a part keeps the whole alive") {
  std::weak_ptr<std::byte> watch;
  {
    Column<int> part;
    {
      auto memory = allocate_bytes(64);
      watch = memory;
      int* const values = reinterpret_cast<int*>(memory.get());
      values[4] = 7;
      part = Column<int>(std::move(memory), values + 4, 1);
    }
    CHECK_FALSE(watch.expired());
    CHECK(part[0] == 7);
  }
  CHECK(watch.expired());
}
