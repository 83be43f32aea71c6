// Which kernels are one collective, on lines written by hand: how near is together follows from the lines themselves.
#include "core/analysis/collectives/collective_match.h"

#include <doctest/doctest.h>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// A kernel every two to three milliseconds; on the second GPU each ends by `apart(i)` later.
template <class Apart>
std::vector<CommLine> two_lines(std::size_t kernels, Apart apart) {
  std::vector<CommLine> lines(2);
  lines[1].gpu = 1;
  Random random(1);
  Ns end = kSecond;
  for (std::uint32_t i = 0; i < kernels; ++i) {
    lines[0].kernels.push_back({end - 100 * kMicrosecond, end, id_at<SliceId>(2 * i)});
    const Ns later = end + apart(i);
    lines[1].kernels.push_back({later - 150 * kMicrosecond, later, id_at<SliceId>(2 * i + 1)});
    end += random.in(2'000'000, 3'000'000);
  }
  return lines;
}

// Kernel i of a line with kernel i of the other.
void check_pairs(const std::vector<MatchedKernels>& found, std::size_t kernels) {
  REQUIRE(found.size() == kernels);
  for (std::uint32_t i = 0; i < kernels; ++i) {
    CAPTURE(i);
    REQUIRE(found[i].size() == 2);
    for (const MatchedKernel& kernel : found[i]) CHECK(kernel.kernel == i);
    CHECK(found[i][0].line != found[i][1].line);
  }
}

}  // namespace

TEST_CASE("collective_match: ranks that always leave apart are as near as the nearest of them") {
  for (const Ns apart : {Ns{0}, 2 * kMicrosecond, 12 * kMicrosecond, 19 * kMicrosecond}) {
    CAPTURE(apart);
    check_pairs(match_collectives(two_lines(60, [&](std::uint32_t) { return apart; })), 60);
  }
}
