#include "core/store/segments/one_segment.h"
#include "core/view/lanes/row_heights.h"

#include <doctest/doctest.h>

#include "tests/support/gen_segments.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("row_heights: a lane of several segments has the typical duration of the merged segment") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    Segments segments;
    for (std::size_t n = 0; n < 3; ++n) segments.push_back(built({gen_trace(seed * 8 + n, shape_of(seed)).view()}));
    const auto view = compose(segments).value();
    const auto one = as_one_segment(*view, test_pool()).value();
    for (std::size_t l = 0; l < view->lanes.size(); ++l) {
      CHECK(typical_duration(*view, view->lanes[l]) == typical_duration(*one, one->lanes[l]));
    }
  }
}
