// The timeline as SVG, from the same drawing lists as the window.
#include "core/view/timeline/timeline_svg.h"

#include <doctest/doctest.h>

#include <string>

#include "core/view/color/palette.h"
#include "tests/support/xml.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Rgba kBlue = rgba(0, 0, 200), kSvgRed = rgba(200, 0, 0);

// A picture of 200 x 100 at (1000, 500) in the window; its lanes begin at (50, 20).
struct SvgScene {
  TimelineFrame frame;
  TimelinePicture picture;

  SvgScene() {
    frame.width_px = 150;
    picture.x = 1000;
    picture.y = 500;
    picture.width = 200;
    picture.height = 100;
    picture.ground = rgba(255, 255, 255);
    add({DrawnShape::Kind::Frame, 0, 1050, 520, 1200, 600});
  }
  DrawnShape& add(DrawnShape shape) {
    shape.clip = {1050, 520, 1200, 600};
    return picture.shapes.emplace_back(std::move(shape));
  }
  DrawnShape& line(const char* text, const char* title = "") {
    DrawnShape shape{DrawnShape::Kind::Text, kBlue, 1005, 530, 1045, 544};
    shape.text = text;
    shape.title = title;
    return add(std::move(shape));
  }
  std::string text() {
    for (DrawnShape& each : picture.shapes) each.frame = each.kind == DrawnShape::Kind::Frame ? &frame : nullptr;
    const TimelineSvg svg = timeline_svg(picture);
    CHECK(xml_objection(svg.text) == "");
    CHECK(timeline_svg(picture).text == svg.text);
    return svg.text;
  }
  void strip(StripItem::Kind kind, float height, const std::vector<Rgba>& columns) {
    frame.strips.push_back({10, height, kind, static_cast<std::uint32_t>(frame.texels.size())});
    frame.texels.insert(frame.texels.end(), columns.begin(), columns.end());
    frame.texels.resize(frame.strips.back().first_texel + frame.width_px, 0);
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::size_t times(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("timeline_svg: slices are at whole pixels as in the window, with a free pixel between two slices") {
  SvgScene scene;
  scene.frame.rects = {{10.4f, 30.2f, 5, 18, kBlue, kPlain}, {30.2f, 32, 5, 18, kBlue, kPlain}, {40, 60, 5, 18, kSvgRed, kPlain}};
  const std::string svg = scene.text();
  CHECK(has(svg, "<path fill=\"#0000c8\" d=\"M60 25H79V43H60ZM80 25H82V43H80Z\"/>"));  // no gap after 3 pixels or less
  CHECK(has(svg, "<path fill=\"#c80000\" d=\"M90 25H109V43H90Z\"/>"));
  CHECK(has(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"100\""));
}

TEST_CASE("timeline_svg: waits are hatched, clipped slices fade, instants are diamonds, dimmed slices are pale") {
  SvgScene scene;
  scene.frame.rects = {{0, 50, 0, 16, kBlue, kHatched},
                       {60, 100, 0, 16, kSvgRed, kClippedLeft | kClippedRight},
                       {110, 110, 0, 14, kBlue, kDiamond},
                       {120, 140, 0, 16, kBlue, kDimmed}};
  const std::string svg = scene.text();
  CHECK(times(svg, "<pattern ") == 1);
  CHECK(has(svg, "fill=\"url(#h0000c8)\""));
  CHECK(times(svg, "<linearGradient ") == 2);
  CHECK(has(svg, "l7 7l-7 7l-7 -7Z"));
  CHECK(has(svg, "fill-opacity=\"0.3"));
}

TEST_CASE("timeline_svg: equal columns form one run, the height of an area is its alpha, tall strips have teeth") {
  SvgScene scene;
  scene.strip(StripItem::Kind::Density, 8, {kBlue, kBlue, kBlue, 0, kBlue});
  std::string svg = scene.text();
  CHECK(has(svg, "d=\"M50 30H53V38H50ZM54 30H55V38H54Z\""));
  CHECK(times(svg, "<path") == 1);  // no teeth in a low strip
  scene = {};
  scene.strip(StripItem::Kind::Area, 40, {with_alpha(kBlue, 128), with_alpha(kBlue, 128), with_alpha(kSvgRed, 255)});
  svg = scene.text();
  CHECK(has(svg, "d=\"M50 50H52V70H50Z\""));
  CHECK(has(svg, "d=\"M52 30H53V70H52Z\""));
  scene = {};
  scene.strip(StripItem::Kind::Density, 20, std::vector<Rgba>(20, with_alpha(kBlue, 100)));
  svg = scene.text();
  CHECK(has(svg, "fill-opacity=\"0.75\" d=\"M50 50"));  // teeth in the background colour, over the run
}

TEST_CASE("timeline_svg: texts keep their place, are squeezed into their width and have titles") {
  SvgScene scene;
  scene.line("lane <1> 中文");
  scene.line("gemm", "gemm_long\n1.2 ms");
  const std::string svg = scene.text();
  CHECK(has(svg, "<text x=\"5\" y=\"41.2\""));
  CHECK(has(svg, "textLength=\"40\""));
  CHECK(has(svg, "lane &lt;1&gt; 中文</text>"));
  CHECK(has(svg, "<title>gemm_long\n1.2 ms</title>gemm</text>"));
}

TEST_CASE("timeline_svg: hostile names are escaped") {
  SvgScene scene;
  scene.line("</text><script>alert(1)</script>", "\"]]>&amp;\x01\xff'");
  const std::string svg = scene.text();
  CHECK(!has(svg, "<script"));
  CHECK(has(svg, "&lt;/text&gt;&lt;script&gt;"));
  CHECK(!has(svg, "\x01"));
}

TEST_CASE("timeline_svg: boxes, outlines, lines and triangles keep their drawing order and their clips") {
  SvgScene scene;
  scene.add({DrawnShape::Kind::Box, kBlue, 1060, 530, 1080, 540, 3});
  scene.line("over the box");
  scene.add({DrawnShape::Kind::Outline, kSvgRed, 1060, 530, 1080, 540, 0, 2});
  scene.add({DrawnShape::Kind::Line, with_alpha(kBlue, 51), 1070, 500, 1070, 600}).clip = {1000, 500, 1200, 600};
  DrawnShape& flag = scene.add({DrawnShape::Kind::Triangle, kSvgRed, 1065, 500, 1075, 500});
  flag.x2 = 1070;
  flag.y2 = 508;
  scene.add({DrawnShape::Kind::Box, with_alpha(kBlue, 0), 1000, 500, 1200, 600});  // fully transparent
  const std::string svg = scene.text();
  const std::size_t box = svg.find("<rect x=\"60\" y=\"30\" width=\"20\" height=\"10\" rx=\"3\" fill=\"#0000c8\"/>"), text = svg.find(">over the box<");
  const std::size_t outline = svg.find("<rect x=\"60.5\" y=\"30.5\" width=\"19\" height=\"9\" fill=\"none\" stroke=\"#c80000\" stroke-width=\"2\"/>");
  const std::size_t line = svg.find("<path d=\"M70.5 0.5L70.5 100.5\" stroke=\"#0000c8\" stroke-opacity=\"0.20\"/>");
  const std::size_t triangle = svg.find("<path d=\"M65 0L75 0L70 8Z\" fill=\"#c80000\"/>");
  CHECK((box < text && text < outline && outline < line && line < triangle && triangle != svg.npos));
  CHECK(times(svg, "<clipPath ") == 2);
  CHECK(times(svg, "clip-path=\"url(#clip0)\"") == 2);  // before and after the line
  CHECK(times(svg, "<rect x=\"0\"") == 1);               // only the clip of the line
}

TEST_CASE("timeline_svg: beyond a limit, runs are drawn coarser and names are left out, and a note says so") {
  SvgScene scene;
  scene.frame.width_px = 4000;
  for (int row = 0; row < 25; ++row) {
    std::vector<Rgba> columns;
    for (int x = 0; x < 4000; ++x) columns.push_back(x % 2 ? kBlue : kSvgRed);
    scene.strip(StripItem::Kind::Density, 8, columns);
  }
  for (std::size_t i = 0; i < kMostNames + 5; ++i) scene.line("n", "name");
  scene.picture.shapes[0].frame = &scene.frame;
  const TimelineSvg svg = timeline_svg(scene.picture);
  CHECK(svg.note == "In folded rows, 2 columns are drawn as one, because the picture would otherwise be too large. 5 names of slices are left out.");
  CHECK(svg.text.size() < 4'000'000);
  CHECK(has(svg.text, "<desc>In folded rows"));
}
