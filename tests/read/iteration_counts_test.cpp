// How many iterations a log line covers: logs as printed, thinned out, cut, restarted.
#include "core/read/iteration_counts.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

std::vector<std::int64_t> counts_of(std::initializer_list<std::int64_t> iterations) {
  std::vector<IterationLine> lines;
  for (const std::int64_t iteration : iterations) lines.push_back({iteration, kSecond, kNoPlace});
  return iteration_counts(lines);
}
using Counts = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("iteration counts: a line covers as many iterations as the log's interval") {
  CHECK(counts_of({}) == Counts{});
  CHECK(counts_of({7}) == Counts{1});
  CHECK(counts_of({10, 20, 30}) == Counts{10, 10, 10});
  CHECK(counts_of({1, 11, 21}) == Counts{1, 10, 10});
  CHECK(counts_of({98, 99, 100}) == Counts{1, 1, 1});
  // The interval changes from some line on.
  CHECK(counts_of({10, 20, 30, 40, 50, 150, 250, 350}) == Counts{10, 10, 10, 10, 10, 10, 100, 100});
  CHECK(counts_of({10, 20, 30, 40, 50, 200, 300, 400}) == Counts{10, 10, 10, 10, 10, 10, 100, 100});
}

TEST_CASE("iteration counts: missing lines do not add to the iterations of the next one") {
  CHECK(counts_of({100, 200, 300, 31200, 31300, 31400}) == Counts{100, 100, 100, 100, 100, 100});
  CHECK(counts_of({1500, 1600, 31200}) == Counts{100, 100, 100});
  CHECK(counts_of({100, 200, 500, 600, 900, 1000, 1100}) == Counts{100, 100, 100, 100, 100, 100, 100});
  // All that is known of the interval is that it divides both numbers.
  CHECK(counts_of({1600, 31200}) == Counts{800, 800});
  CHECK(counts_of({1, 10'000'000}) == Counts{1, 1});
}

TEST_CASE("iteration counts: without a regular interval a line covers all iterations since the previous line") {
  CHECK(counts_of({1, 3, 6}) == Counts{1, 2, 3});
  CHECK(counts_of({1, 2, 5, 9}) == Counts{1, 1, 3, 4});
  CHECK(counts_of({7, 10, 17}) == Counts{1, 3, 7});
  // Here the interval is known, and lines are missing.
  CHECK(counts_of({100, 200, 400}) == Counts{100, 100, 100});
  CHECK(counts_of({99, 100, 31200}) == Counts{1, 1, 1});
}

TEST_CASE("iteration counts: a resume may repeat iterations and begin with a shorter interval") {
  CHECK(counts_of({100, 200, 300, 250, 350, 450}) == Counts{100, 100, 100, 100, 100, 100});
  CHECK(counts_of({100, 200, 300, 10, 110, 210}) == Counts{100, 100, 100, 1, 100, 100});
  // The first interval after the resume is short.
  CHECK(counts_of({100, 200, 300, 350, 400, 500, 600}) == Counts{100, 100, 100, 50, 50, 100, 100});
}

TEST_CASE("iteration counts: a line covers no more iterations than fit between its stamp and the previous one") {
  const std::vector<IterationLine> lines = {{10, kSecond, 1000 * kSecond}, {20, kSecond, 1010 * kSecond},
                                            {40, kSecond, 1020 * kSecond}, {60, kSecond, 1040 * kSecond},
                                            {80, kSecond, 5000 * kSecond}};
  const std::vector<std::int64_t> counts = iteration_counts(lines);
  CHECK(counts[1] == 10);
  CHECK(counts[2] >= 10);
  CHECK(counts[2] <= 12);
  CHECK(counts[3] == 20);
  CHECK(counts[4] == 20);
}
