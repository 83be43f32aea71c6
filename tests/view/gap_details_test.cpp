#include "core/view/details/gap_details.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("gap_details: the rank of a gap is an English ordinal") {
  std::vector<Gap> gaps(130);
  for (std::size_t g = 0; g < gaps.size(); ++g) {
    gaps[g].lane = LaneId{0};
    gaps[g].time = {0, static_cast<Ns>(1'000 - g)};
  }
  const auto place = [&](std::size_t nth) { return place_among(gaps, gaps[nth - 1], false); };
  CHECK(place(1) == "the longest of the lanes shown");
  const std::pair<std::size_t, std::string_view> said[] = {
      {2, "2nd"},   {3, "3rd"},   {4, "4th"},   {10, "10th"},   {11, "11th"},   {12, "12th"},   {13, "13th"},  {14, "14th"},
      {20, "20th"}, {21, "21st"}, {22, "22nd"}, {23, "23rd"},   {24, "24th"},   {100, "100th"}, {101, "101st"}, {102, "102nd"},
      {103, "103rd"}, {111, "111th"}, {112, "112th"}, {113, "113th"}, {121, "121st"}, {122, "122nd"}, {123, "123rd"}};
  for (const auto& [nth, words] : said) CHECK(place(nth) == "the " + std::string(words) + " longest of the lanes shown");
  CHECK(place_among(gaps, gaps[10], true) == "the 11th longest of 130 on this lane");
  Gap other = gaps[0];
  other.time.begin = 1;
  CHECK(place_among(gaps, other, true).empty());
}
