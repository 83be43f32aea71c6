// Ends of iterations from stamps in whole seconds and from durations.
#include "core/read/stamped_ends.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tv;

namespace {

Ns cut_to_second(Ns time) { return time / kSecond * kSecond; }

}  // namespace

TEST_CASE("stamped ends: one line gives its second, and a consecutive one narrows it down") {
  CHECK(stamped_ends({}).empty());
  const std::vector<StampedLine> one = {{10 * kSecond, kSecond, false}};
  CHECK(stamped_ends(one) == std::vector<Ns>{10 * kSecond + kSecond / 2});
  // 1.9 s after a time within second 10 it is still second 11: the first was before 10.1.
  const std::vector<StampedLine> two = {{10 * kSecond, kSecond, false}, {11 * kSecond, 1'900 * kMillisecond, true}};
  const std::vector<Ns> ends = stamped_ends(two);
  REQUIRE(ends.size() == 2);
  CHECK(ends[0] >= 10 * kSecond);
  CHECK(ends[0] < 10'100 * kMillisecond);
  CHECK(ends[1] == ends[0] + 1'900 * kMillisecond);
}

TEST_CASE("stamped ends: durations are ignored if iterations are missing between lines") {
  const std::vector<StampedLine> lines = {{10 * kSecond, kSecond, false}, {11 * kSecond, 1'900 * kMillisecond, false}};
  const std::vector<Ns> ends = stamped_ends(lines);
  CHECK(ends[0] == 10 * kSecond + kSecond / 2);
  CHECK(cut_to_second(ends[1]) == 11 * kSecond);
}

TEST_CASE("stamped ends: stamps with fractions of a second are used as they are") {
  const std::vector<StampedLine> lines = {{10 * kSecond, kSecond, false}, {11 * kSecond + 5, 2 * kSecond, true}};
  CHECK(stamped_ends(lines) == std::vector<Ns>{10 * kSecond, 11 * kSecond + 5});
}

TEST_CASE("stamped ends: each end is within its second, and without pauses within 50 ms of the truth") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const bool pauses = round % 2 == 1;
    std::uniform_int_distribution<Ns> length(150 * kMillisecond, 4 * kSecond), pause(0, 20 * kSecond);
    Ns now = 1'700'000'000 * kSecond + static_cast<Ns>(random());
    std::vector<StampedLine> lines;
    std::vector<Ns> truth;
    for (int i = 0; i < 300; ++i) {
      const Ns took = length(random);
      now += took + (pauses && random() % 16 == 0 ? pause(random) : 0);
      lines.push_back({cut_to_second(now), took, i > 0});
      truth.push_back(now);
    }
    const std::vector<Ns> ends = stamped_ends(lines);
    REQUIRE(ends.size() == truth.size());
    Ns worst = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      CHECK(cut_to_second(ends[i]) == lines[i].stamp);
      worst = std::max(worst, std::abs(ends[i] - truth[i]));
    }
    if (!pauses) CHECK(worst < 50 * kMillisecond);
  }
}
