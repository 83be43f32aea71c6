// Counts work of core that its basic blocks do not show. The linker redirects core's calls of C library functions whose time
// depends on the length of their input to this file (--wrap, tests/CMakeLists.txt).
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/visits.h"

namespace {

constexpr std::size_t kBytesOfVisit = 32;

void count_bytes(std::size_t n) {
  if (n >= kBytesOfVisit) tv::test::count_visits(n / kBytesOfVisit);
}

}  // namespace

extern "C" {

void* __real_memmove(void* to, const void* from, std::size_t n);
void* __real_memcpy(void* to, const void* from, std::size_t n);
void* __real_memset(void* to, int byte, std::size_t n);
int __real_memcmp(const void* a, const void* b, std::size_t n);
void* __real_memchr(const void* in, int byte, std::size_t n);
void* __real_memmem(const void* in, std::size_t n, const void* what, std::size_t m);
std::size_t __real_strlen(const char* text);

void* __wrap_memmove(void* to, const void* from, std::size_t n) {
  count_bytes(n);
  return __real_memmove(to, from, n);
}
void* __wrap_memcpy(void* to, const void* from, std::size_t n) {
  count_bytes(n);
  return __real_memcpy(to, from, n);
}
void* __wrap_memset(void* to, int byte, std::size_t n) {
  count_bytes(n);
  return __real_memset(to, byte, n);
}
int __wrap_memcmp(const void* a, const void* b, std::size_t n) {
  count_bytes(n);
  return __real_memcmp(a, b, n);
}
void* __wrap_memchr(const void* in, int byte, std::size_t n) {
  void* const found = __real_memchr(in, byte, n);
  count_bytes(found ? static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(in)) : n);
  return found;
}
void* __wrap_memmem(const void* in, std::size_t n, const void* what, std::size_t m) {
  void* const found = __real_memmem(in, n, what, m);
  count_bytes(found ? static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(in)) : n);
  return found;
}
std::size_t __wrap_strlen(const char* text) {
  const std::size_t n = __real_strlen(text);
  count_bytes(n);
  return n;
}

}  // extern "C"

namespace {

// A database that is opened from now on reports every hundred steps.
constexpr int kSteps = 100;

int count_steps(sqlite3* file, const char**, const void*) {
  const auto count = [](void*) {
    tv::test::count_visits(kSteps);
    return 0;
  };
  sqlite3_progress_handler(file, kSteps, count, nullptr);
  return SQLITE_OK;
}
const int sqlite_counted = sqlite3_auto_extension(reinterpret_cast<void (*)()>(count_steps));

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: copied bytes and steps of SQLite are counted as visits") {
    CHECK(sqlite_counted == SQLITE_OK);
    std::vector<char> from(32'000), to(32'000);
    std::uint64_t before = tv::test::visits();
    std::copy_n(from.data(), from.size(), to.data());
    CHECK(tv::test::visits() - before >= 1000);
    sqlite3* file = nullptr;
    REQUIRE(sqlite3_open(":memory:", &file) == SQLITE_OK);
    before = tv::test::visits();
    sqlite3_exec(file, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000) SELECT sum(x) FROM c", nullptr,
                 nullptr, nullptr);
    CHECK(tv::test::visits() - before >= 1000);
    sqlite3_close(file);
  }
}
