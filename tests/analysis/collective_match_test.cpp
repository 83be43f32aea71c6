// Matching kernels into collectives, on hand-made lines; the tolerance for their ends comes from the lines themselves.
#include "core/analysis/collectives/collective_match.h"

#include <doctest/doctest.h>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// A kernel every two to three milliseconds; on the second GPU each ends `apart(i)` later.
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

// Kernel i of one line must match kernel i of the other.
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

TEST_CASE("collective_match: kernels whose ends always differ by the same amount are matched") {
  for (const Ns apart : {Ns{0}, 2 * kMicrosecond, 12 * kMicrosecond, 19 * kMicrosecond}) {
    CAPTURE(apart);
    check_pairs(match_collectives(two_lines(60, [&](std::uint32_t) { return apart; })), 60);
  }
}

namespace {

// Two groups of two GPUs in lockstep: kernels end at the same moments on all four.
std::vector<CommLine> lockstep(std::size_t kernels) {
  std::vector<CommLine> lines(4);
  for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
    lines[gpu].gpu = gpu;
    for (std::uint32_t i = 0; i < kernels; ++i) {
      const Ns end = kSecond + i * kMillisecond;
      lines[gpu].kernels.push_back({end - (100 + 10 * gpu) * kMicrosecond, end, id_at<SliceId>(i), 4 * (2 * i + gpu / 2 + 1)});
    }
  }
  return lines;
}

std::size_t mixed(const std::vector<MatchedKernels>& found, const std::vector<CommLine>& lines) {
  std::size_t out = 0;
  for (const MatchedKernels& one : found) {
    const auto told = [&](const MatchedKernel& k) { return lines[k.line].kernels[k.kernel].named_collective; };
    for (const MatchedKernel& kernel : one) out += told(kernel) != told(one.front()) ? 1 : 0;
  }
  return out;
}

}  // namespace

TEST_CASE("collective_match: recorded groups separate collectives that end at the same time") {
  const std::vector<CommLine> lines = lockstep(50);
  const auto found = match_collectives(lines);
  REQUIRE(found.size() == 100);
  for (const MatchedKernels& one : found) CHECK(one.size() == 2);
  CHECK(mixed(found, lines) == 0);
  for (std::size_t i = 1; i < found.size(); ++i) {
    const auto end = [&](const MatchedKernels& one) { return lines[one[0].line].kernels[one[0].kernel].end; };
    CHECK(end(found[i - 1]) <= end(found[i]));
  }
}

TEST_CASE("collective_match: kernels recorded as one collective match if they overlap, however far apart they end") {
  std::vector<CommLine> lines(2);
  lines[1].gpu = 1;
  lines[0].kernels = {{0, 10 * kMillisecond, id_at<SliceId>(0), 4}, {20 * kMillisecond, 21 * kMillisecond, id_at<SliceId>(1), 8}};
  lines[1].kernels = {{5 * kMillisecond, 14 * kMillisecond, id_at<SliceId>(2), 4}, {60 * kMillisecond, 61 * kMillisecond, id_at<SliceId>(3), 8}};
  const auto found = match_collectives(lines);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == MatchedKernels{{0, 0}, {1, 0}});
}

TEST_CASE("collective_match: collectives of several kernels match although their recorded numbers repeat") {
  std::vector<CommLine> lines(3);
  for (std::uint32_t gpu = 0; gpu < 3; ++gpu) {
    lines[gpu].gpu = gpu;
    for (std::uint32_t i = 0; i < 40; ++i) {
      if (gpu == 2 && i < 20) continue;  // it started recording later
      const Ns end = kSecond + (i / 2) * kMillisecond + (i % 2) * 50 * kMicrosecond + gpu * kMicrosecond;
      lines[gpu].kernels.push_back({end - 40 * kMicrosecond, end, id_at<SliceId>(i), 4 * (i / 2 % 5 + 1)});
    }
  }
  const auto found = match_collectives(lines);
  REQUIRE(found.size() == 40);
  for (std::uint32_t i = 0; i < 40; ++i) {
    CAPTURE(i);
    CHECK(found[i].size() == (i < 20 ? 2 : 3));
    for (const MatchedKernel& kernel : found[i]) CHECK(idx(lines[kernel.line].kernels[kernel.kernel].slice) == i);
  }
}
