// Rectangles of the timeline, measured in the picture.
#include "gl_scene.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("rect: edges are at exact pixels") {
  const auto scene = make_scene(64, 32);
  if (!scene) return;
  TimelineFrame frame;
  frame.width_px = 64;
  frame.rects = {rect(10, 20, 4, 8, kRed)};
  const Image image = scene->draw(frame);

  // Columns [10, 20) without the pixel that keeps neighbours apart; rows [4, 12).
  CHECK(same(image.at(10, 4), kRed));
  CHECK(same(image.at(18, 11), kRed));
  CHECK(same(image.at(9, 8), kBackground));
  CHECK(same(image.at(19, 8), kBackground));
  CHECK(same(image.at(14, 3), kBackground));
  CHECK(same(image.at(14, 12), kBackground));
  CHECK(painted(image, 0, 0, 64, 32) == 9 * 8);
}

TEST_CASE("rect: fractions are rounded to whole pixels, never blurred") {
  const auto scene = make_scene(64, 32);
  if (!scene) return;
  TimelineFrame frame;
  frame.rects = {rect(10.4f, 19.6f, 4.3f, 8.0f, kRed)};
  const Image image = scene->draw(frame);
  CHECK(painted(image, 0, 0, 64, 32) == 9 * 8);
  CHECK(same(image.at(10, 4), kRed));
  CHECK(same(image.at(18, 11), kRed));
}

TEST_CASE("rect: neighbours are one pixel apart when wide, none when narrow") {
  const auto scene = make_scene(64, 8);
  if (!scene) return;
  TimelineFrame frame;
  frame.rects = {rect(0, 10, 0, 8, kRed), rect(10, 20, 0, 8, kGreen),   // wide
                 rect(30, 33, 0, 8, kRed), rect(33, 36, 0, 8, kGreen),  // 3 px
                 rect(40, 40.2f, 0, 8, kBlue)};                         // less than a pixel
  const Image image = scene->draw(frame);
  CHECK(same(image.at(8, 4), kRed));
  CHECK(same(image.at(9, 4), kBackground));
  CHECK(same(image.at(10, 4), kGreen));
  CHECK(same(image.at(32, 4), kRed));
  CHECK(same(image.at(33, 4), kGreen));
  CHECK(painted(image, 38, 0, 50, 8) == 8);
  CHECK(same(image.at(40, 4), kBlue));
}

TEST_CASE("rect: hatching leaves stripes and moves with the slice") {
  const auto scene = make_scene(64, 16);
  if (!scene) return;
  TimelineFrame frame;
  frame.rects = {rect(0, 50, 0, 16, kRed, kHatched)};
  const Image image = scene->draw(frame);
  int strong = 0, weak = 0;
  for (int x = 0; x < 49; ++x) {
    strong += same(image.at(x, 8), kRed);
    weak += same(image.at(x, 8), hatch_stripe(kRed));
  }
  CHECK(strong > 10);
  CHECK(weak > 10);

  frame.rects = {rect(3, 53, 0, 16, kRed, kHatched)};
  const Image moved = scene->draw(frame);
  for (int x = 0; x < 49; ++x) CHECK(same(image.at(x, 8), moved.at(x + 3, 8)));
}

TEST_CASE("rect: an instant is a diamond around its time") {
  const auto scene = make_scene(64, 32);
  if (!scene) return;
  TimelineFrame frame;
  frame.rects = {rect(30, 30, 8, 14, kGreen, kDiamond)};
  const Image image = scene->draw(frame);
  CHECK(same(image.at(30, 15), kGreen));
  for (const auto& [x, y] : {std::pair{24, 9}, {36, 9}, {24, 20}, {36, 20}})
    CHECK(same(image.at(x, y), kBackground));
  for (int d = 1; d < 7; ++d) CHECK(same(image.at(30 - d, 15), image.at(30 + d, 15)));  // symmetric
  const int area = painted(image, 0, 0, 64, 32);
  CHECK(area > 80);  // half of the 14 x 14 box, and a little for the soft edge
  CHECK(area < 150);
}

TEST_CASE("rect: a slice cut at the edge of the view fades out there") {
  const auto scene = make_scene(64, 16);
  if (!scene) return;
  TimelineFrame frame;
  frame.rects = {rect(0, 64, 0, 16, kRed, kClippedLeft)};
  const Image image = scene->draw(frame);
  CHECK(rgb(image.at(0, 8))[0] < 150);
  for (int x = 1; x < 14; ++x) CHECK(rgb(image.at(x, 8))[0] >= rgb(image.at(x - 1, 8))[0]);
  CHECK(same(image.at(20, 8), kRed));
  CHECK(same(image.at(60, 8), kRed));

  frame.rects = {rect(0, 64, 0, 16, kRed, kClippedLeft | kClippedRight)};
  const Image both = scene->draw(frame);
  CHECK(rgb(both.at(62, 8))[0] < 150);
  CHECK(same(both.at(32, 8), kRed));
}

TEST_CASE("rect: a slice outside the highlight is pale and almost grey") {
  const auto scene = make_scene(32, 16);
  if (!scene) return;
  TimelineFrame frame;
  frame.rects = {rect(0, 30, 0, 16, kRed, kDimmed)};
  const auto [r, g, b] = rgb(scene->draw(frame).at(10, 8));
  CHECK(r < 100);
  CHECK(r > g);
  CHECK(g == b);
}

TEST_CASE("rect: twice the scale doubles gaps, twice the pixel ratio doubles everything") {
  const auto scene = make_scene(64, 32);
  if (!scene) return;
  TimelineFrame frame;
  frame.rects = {rect(10, 20, 4, 8, kRed)};
  Placement where = scene->everywhere();
  where.ui_scale = 2;
  CHECK(painted(scene->draw(frame, where), 0, 0, 64, 32) == 8 * 8);
  where.ui_scale = 1.5;
  CHECK(painted(scene->draw(frame, where), 0, 0, 64, 32) == 9 * 8);

  where.ui_scale = 1;
  where.pixel_ratio = 2;
  const Image image = scene->draw(frame, where);
  CHECK(same(image.at(20, 8), kRed));
  CHECK(same(image.at(37, 23), kRed));
  CHECK(painted(image, 0, 0, 64, 32) == 18 * 16);
}
