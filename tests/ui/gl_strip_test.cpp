// Strips of the timeline, measured in the picture.
#include "gl_scene.h"

using namespace tv;
using namespace tv::test;

namespace {

using Kind = StripItem::Kind;

/// One strip of `texels` at y.
TimelineFrame strip_frame(Kind kind, float y, float height, std::vector<Rgba> texels) {
  TimelineFrame frame;
  frame.width_px = static_cast<std::uint32_t>(texels.size());
  frame.strips = {{y, height, kind, 0}};
  frame.texels = std::move(texels);
  return frame;
}

}  // namespace

TEST_CASE("strip: density is the opacity over the lane, with a minimum for tiny slices") {
  const auto scene = make_scene(16, 16);
  if (!scene) return;
  std::vector<Rgba> texels(16, 0);
  texels[2] = with_alpha(kRed, 255);
  texels[4] = with_alpha(kRed, 128);
  texels[6] = with_alpha(kRed, 1);  // 0.4 % of the column
  texels[8] = with_alpha(kRed, 0);  // less than that, but not nothing
  const Image image = scene->draw(strip_frame(Kind::Density, 2, 10, texels));

  CHECK(same(image.at(2, 5), kRed));
  CHECK(same(image.at(4, 5), blended(kRed, 128 / 255.0)));
  CHECK(same(image.at(6, 5), image.at(8, 5)));
  CHECK(rgb(image.at(6, 5))[0] - rgb(kBackground)[0] > 30);  // visible
  for (const int empty : {0, 1, 3, 5, 7, 9, 15}) CHECK(same(image.at(empty, 5), kBackground));
  CHECK(painted(image, 0, 0, 16, 16) == 4 * 10);  // rows [2, 12) of four columns, nothing bleeds
}

TEST_CASE("strip: merged slices have a toothed lower edge in high rows, painted ones do not") {
  const auto scene = make_scene(32, 40);
  if (!scene) return;
  // A painted slice and folded ones as opaque as they can be.
  std::vector<Rgba> texels(32, with_alpha(kRed, kMostFolded));
  for (std::size_t x = 24; x < 32; ++x) texels[x] = with_alpha(kRed, 255);
  const Image high = scene->draw(strip_frame(Kind::Density, 2, 20, texels));
  // Teeth of 4 px, that is 20 / 5: along the lower edge pixels alternate between pale and full.
  const auto paleness = [](const Image& image, int x, int y) { return rgb(kRed)[0] - rgb(image.at(x, y))[0]; };
  int pale = 0, full = 0;
  for (int x = 0; x < 24; ++x) (paleness(high, x, 20) > 60 ? pale : full) += 1;
  CHECK(pale >= 8);
  CHECK(full >= 4);
  for (int x = 0; x < 24; ++x) {
    CHECK(paleness(high, x, 20) == paleness(high, x % 8, 20));  // repeats every two teeth
    CHECK(paleness(high, x, 10) < 20);                          // above them nothing is cut
  }
  for (int x = 24; x < 32; ++x) CHECK(same(high.at(x, 21), kRed));
  const Image low = scene->draw(strip_frame(Kind::Density, 2, 12, texels));
  for (int x = 0; x < 24; ++x) CHECK(paleness(low, x, 13) < 20);
}

TEST_CASE("strip: an area is filled from the bottom to its value") {
  const auto scene = make_scene(16, 24);
  if (!scene) return;
  std::vector<Rgba> texels(16, 0);
  texels[1] = with_alpha(kGreen, 255);
  texels[3] = with_alpha(kGreen, 51);  // a fifth of 20 px: 4
  texels[5] = with_alpha(kGreen, 57);  // 4.47 px: the fifth row is half covered
  texels[7] = with_alpha(kGreen, 1);   // 0.08 px: one pixel
  const Image image = scene->draw(strip_frame(Kind::Area, 2, 20, texels));

  CHECK(painted(image, 1, 0, 2, 24) == 20);
  CHECK(painted(image, 3, 0, 4, 24) == 4);
  CHECK(same(image.at(3, 21), kGreen));
  CHECK(same(image.at(3, 18), kGreen));
  CHECK(painted(image, 5, 0, 6, 24) == 5);
  CHECK(same(image.at(5, 17), blended(kGreen, 0.47), 3));
  CHECK(painted(image, 7, 0, 8, 24) == 1);
  CHECK(same(image.at(7, 21), kGreen));
  CHECK(painted(image, 8, 0, 16, 24) == 0);
}

TEST_CASE("strip: each strip reads its own texels, in any order") {
  const auto scene = make_scene(4, 30);
  if (!scene) return;
  TimelineFrame frame;
  frame.width_px = 4;
  for (const Rgba color : {kRed, kGreen, kBlue})
    for (int x = 0; x < 4; ++x) frame.texels.push_back(color);
  frame.strips = {{0, 10, Kind::Density, 8}, {10, 10, Kind::Density, 0}, {20, 10, Kind::Density, 4}};
  const Image image = scene->draw(frame);
  CHECK(same(image.at(3, 5), kBlue));
  CHECK(same(image.at(0, 15), kRed));
  CHECK(same(image.at(2, 25), kGreen));
}

TEST_CASE("strip: more strips than a texture is high are drawn correctly") {
  constexpr int kStrips = 1500;
  const auto scene = make_scene(8, kStrips);
  if (!scene) return;
  TimelineFrame frame;
  frame.width_px = 8;
  for (int i = 0; i < kStrips; ++i) {
    frame.strips.push_back(
        {static_cast<float>(i), 1, Kind::Density, static_cast<std::uint32_t>(frame.texels.size())});
    frame.texels.insert(frame.texels.end(), 8, with_alpha(static_cast<Rgba>(i) * 2654435761u, 255));
  }
  const Image image = scene->draw(frame);
  int wrong = 0;
  for (int i = 0; i < kStrips; ++i)
    wrong += !same(image.at(i % 8, i), frame.texels[static_cast<std::size_t>(i) * 8] | 0xff000000u);
  CHECK(wrong == 0);
}

TEST_CASE("strip: with a pixel ratio of 2 a column is 2 pixels wide") {
  const auto scene = make_scene(16, 16);
  if (!scene) return;
  std::vector<Rgba> texels(8, 0);
  texels[3] = kRed;
  Placement where = scene->everywhere();
  where.pixel_ratio = 2;
  const Image image = scene->draw(strip_frame(Kind::Density, 1, 4, texels), where);
  CHECK(painted(image, 6, 2, 8, 10) == 16);
  CHECK(painted(image, 0, 0, 16, 16) == 16);
}
