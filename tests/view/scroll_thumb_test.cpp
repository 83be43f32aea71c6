#include "core/view/navigation/scroll_thumb.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("scroll thumb: it is as long a part of the bar as the shown part is of the content") {
  const ScrollThumb thumb = scroll_thumb(2000, 500, 400, 20);
  CHECK(thumb.length == doctest::Approx(125));
  CHECK(thumb.begin == doctest::Approx(100));
  CHECK(thumb.content_per_px == doctest::Approx(4));
  CHECK(scroll_thumb(2000, 500, 1500, 20).begin == doctest::Approx(375));
}

TEST_CASE("scroll thumb: with its least length it still ends where the bar ends, and follows the mouse") {
  constexpr double kContent = 100'000, kHeight = 600;
  const ScrollThumb top = scroll_thumb(kContent, kHeight, 0, 20), bottom = scroll_thumb(kContent, kHeight, kContent - kHeight, 20);
  CHECK(top.begin == 0);
  CHECK(top.length == 20);
  CHECK(bottom.begin + bottom.length == doctest::Approx(kHeight));
  // Dragged from the top to the bottom of the bar, the thumb scrolls through everything.
  CHECK((bottom.begin - top.begin) * top.content_per_px == doctest::Approx(kContent - kHeight));
}

TEST_CASE("scroll thumb: what fits does not scroll, and a bar may be shorter than the least length") {
  CHECK(scroll_thumb(300, 500, 0, 20).length == 500);
  CHECK(scroll_thumb(300, 500, 0, 20).content_per_px == 0);
  const ScrollThumb low = scroll_thumb(300, 10, 290, 20);
  CHECK(low.length == 10);
  CHECK(low.begin == 0);
}
