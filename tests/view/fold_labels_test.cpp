#include "core/view/timeline/fold_labels.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/gen_trace.h"

namespace tv {
namespace {

double eight_a_letter(std::string_view text) { return 8.0 * static_cast<double>(text.size()); }
double per_millisecond(Ns t) { return static_cast<double>(t) / static_cast<double>(kMillisecond); }

FoldedGap folded(Ns at_ms, Ns removed) { return {{at_ms * kMillisecond, (at_ms + 10) * kMillisecond}, removed}; }

std::vector<std::string> words_on(std::span<const FoldLabel> labels) {
  std::vector<std::string> all;
  for (const FoldLabel& label : labels) all.push_back(label.text);
  return all;
}

std::vector<FoldLabel> labels_of(const std::vector<FoldedGap>& gaps, double width = 1000) {
  return fold_labels(gaps, width, 3, per_millisecond, eight_a_letter);
}

}  // namespace

TEST_CASE("fold_labels: each gap has a label in its middle") {
  const auto labels = labels_of({folded(100, kSecond), folded(500, 3 * kSecond)});
  CHECK(words_on(labels) == std::vector<std::string>{"skips 1 s", "skips 3 s"});
  REQUIRE(labels.size() == 2);
  CHECK((labels[0].at.x0 + labels[0].at.x1) / 2 == doctest::Approx(105));
  CHECK(labels[0].at.x1 - labels[0].at.x0 == doctest::Approx(78));
}

TEST_CASE("fold_labels: of nearby gaps, the longest has a full label, the others a shorter one or none") {
  CHECK(words_on(labels_of({folded(100, kSecond), folded(180, 3 * kSecond)})) == std::vector<std::string>{"skips 1 s", "skips 3 s"});
  CHECK(words_on(labels_of({folded(100, kSecond), folded(165, 3 * kSecond)})) == std::vector<std::string>{"1 s", "skips 3 s"});
  CHECK(words_on(labels_of({folded(100, kSecond), folded(112, 3 * kSecond)})) == std::vector<std::string>{"skips 3 s"});
}

TEST_CASE("fold_labels: gaps out of view have no label, and labels at the edge stay in view") {
  CHECK(labels_of({folded(-500, kSecond), folded(1400, kSecond)}).empty());
  const auto labels = labels_of({folded(-5, kSecond), folded(995, kSecond)});
  REQUIRE(labels.size() == 2);
  CHECK(labels[0].at.x0 == 0);
  CHECK(labels[1].at.x1 == 1000);
  CHECK(labels_of({folded(5, kSecond)}, 20).empty());
}

TEST_CASE("fold_labels: labels do not overlap and stay in view, for any gaps and width") {
  std::size_t several = 0;
  for (const std::uint64_t seed : test::seeds(200)) {
    CAPTURE(seed);
    test::Random random(seed);
    std::vector<FoldedGap> gaps;
    Ns at = -200;
    for (auto n = random.in(0, 40); n > 0; --n) gaps.push_back(folded(at += random.in(11, 120), random.in(1, 100'000 * kSecond)));
    const auto width = static_cast<double>(random.in(0, 1400));
    const auto labels = labels_of(gaps, width);
    several += labels.size() > 1;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      CHECK(labels[i].at.x0 >= 0);
      CHECK(labels[i].at.x1 <= width);
      if (i > 0) CHECK(labels[i - 1].at.x1 <= labels[i].at.x0);
    }
    const auto in_sight = [&](const FoldedGap& gap) { return per_millisecond(gap.at.end) >= 0 && per_millisecond(gap.at.begin) <= width; };
    if (width > 300 && std::ranges::any_of(gaps, in_sight)) CHECK(!labels.empty());
  }
  CHECK(several > 0);
}

}  // namespace tv
