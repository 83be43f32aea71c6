// Which part of a long stream is compared if the other capture is short.
#include "core/store/collectives/stream_match.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

// 33 collectives at the start, seconds apart, then `steps` steps of 24: layers of different length, all a little slower in
// each step than in the one before. Seven short ones follow each of them but the very first. Every layer has its shortest
// interval in the first step.
CollectiveStream slowing_down(std::int64_t steps) {
  CollectiveStream stream;
  Ns end = 0;
  const auto after = [&](Ns interval) {
    end += interval;
    stream.push_back({0, end - 30 * kMicrosecond, end});
  };
  const auto burst = [&](Ns interval) {
    after(interval);
    for (int i = 0; i < 7; ++i) after(kMillisecond + 10 * kMicrosecond * i);
  };
  after(0);
  for (int i = 0; i < 32; ++i) burst(2 * kSecond + 13 * kMillisecond * i);
  for (std::int64_t step = 0; step < steps; ++step) {
    for (int layer = 0; layer < 24; ++layer) burst((100 + 10 * layer) * kMillisecond + 300 * kMicrosecond * step);
  }
  return stream;
}

}  // namespace

TEST_CASE("stream_match: a capture of a few steps is found in a capture of all steps, whichever they are") {
  const CollectiveStream whole = slowing_down(20);
  const StreamProbe probe(whole);
  constexpr std::size_t kStart = 33 + 32 * 7, kStep = 24 * 8;
  for (const std::size_t first : {1u, 6u, 11u, 16u}) {
    CAPTURE(first);
    const auto from = whole.begin() + static_cast<std::ptrdiff_t>(kStart + first * kStep);
    CollectiveStream part(from, from + static_cast<std::ptrdiff_t>(4 * kStep));
    constexpr Ns kSkew = 21 * kSecond;
    for (CollectiveKernel& one : part) {
      one.begin += kSkew;
      one.end += kSkew;
    }
    const auto match = match_streams(probe, StreamProbe(part));
    REQUIRE(match);
    CHECK(match->offset == -kSkew);
    CHECK(match->share == 1);
  }
}
