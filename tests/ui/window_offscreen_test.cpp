// The offscreen window, with fonts, theme and timeline as in the program.
#include "app/stage/window_offscreen.h"

#include "gl_scene.h"
#include "imgui.h"
#include "tests/support/skip.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline_canvas.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("offscreen window: a timeline is clipped, and covers what was drawn before it but not after it") {
  Keys keys;
  Fonts fonts;
  auto window = OffscreenWindow::create({200, 120}, keys, fonts);
  if (!window) return skip(window.error().text());
  auto renderer = TimelineRenderer::create(window->gl());
  REQUIRE(renderer.ok());
  TimelineCanvas canvas(&*renderer);
  TimelineFrame frame;
  frame.width_px = 100;
  frame.rects = {rect(0, 100, 0, 200, kRed)};

  for (int i = 0; i < 3; ++i) {
    window->begin_frame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({0, 0}, {200, 120}, kBlue);
    list.PushClipRect({0, 0}, {200, 90});
    canvas.draw(list, frame, {50, 20}, {60, 90}, 1);
    list.PopClipRect();
    list.AddRectFilled({70, 40}, {80, 50}, kGreen);
    window->end_frame(kBackground);
  }
  const Image image = window->screenshot();
  CHECK(image.width == 200);
  CHECK(image.height == 120);
  CHECK(same(image.at(10, 10), kBlue));
  CHECK(same(image.at(49, 30), kBlue));
  CHECK(same(image.at(50, 20), kRed));
  CHECK(same(image.at(109, 89), kRed));
  CHECK(same(image.at(110, 60), kBlue));  // the area ends
  CHECK(same(image.at(60, 90), kBlue));   // ImGui's clip rectangle ends
  CHECK(same(image.at(75, 45), kGreen));
}

TEST_CASE("offscreen window: the same frames give the same picture, to the byte") {
  std::vector<Rgba> first;
  for (int run = 0; run < 2; ++run) {
    Keys keys;
    Fonts fonts;
    fonts.add_text("\u4e2d\u6587");
    auto window = OffscreenWindow::create({300, 100}, keys, fonts);
    if (!window) return skip(window.error().text());
    const Theme theme = make_theme(ThemeKind::Dark, 1);
    apply_style(theme);
    for (int i = 0; i < 3; ++i) {
      window->begin_frame();
      ImGui::Begin("window");
      ImGui::TextUnformatted("text \u4e2d\u6587 123");
      ImGui::Button("button");
      ImGui::End();
      window->end_frame(theme.window);
    }
    const Image image = window->screenshot();
    if (run == 0) first = image.pixels;
    CHECK(image.pixels == first);
    CHECK(std::count(image.pixels.begin(), image.pixels.end(), theme.window) < 300 * 100 - 1000);
  }
}

TEST_CASE("offscreen window: letters added later appear") {
  Keys keys;
  Fonts fonts;
  auto window = OffscreenWindow::create({60, 40}, keys, fonts);
  if (!window) return skip(window.error().text());
  const auto picture = [&] {
    window->begin_frame();
    ImGui::GetBackgroundDrawList()->AddText({5, 5}, 0xffffffff, "\u4e2d");
    window->end_frame(kBackground);
    return window->screenshot().pixels;
  };
  picture();
  const auto before = picture();
  if (!fonts.add_text("\u4e2d")) return skip("no Chinese font, or an ImGui that need not be told of letters");
  CHECK(picture() != before);
}

TEST_CASE("offscreen window: the backdrop lies under everything, its later surfaces over earlier ones") {
  Keys keys;
  Fonts fonts;
  auto window = OffscreenWindow::create({60, 40}, keys, fonts);
  if (!window) return skip(window.error().text());
  Backdrop backdrop(kBackground);
  backdrop.add({10, 5, 30, 20}, kRed);
  backdrop.add({20, 10, 100, 10.4f}, kGreen);  // beyond the window too
  backdrop.add({0, 0, 0, 40}, kBlue);          // empty
  window->begin_frame();
  ImGui::GetBackgroundDrawList()->AddRectFilled({25, 12}, {30, 15}, kBlue);
  window->end_frame(backdrop);
  const Image image = window->screenshot();
  const auto is = [&](int x, int y, Rgba color) {
    CAPTURE(x);
    CAPTURE(y);
    CHECK(same(image.at(x, y), color));
  };
  is(0, 0, kBackground);
  is(9, 5, kBackground);
  is(10, 5, kRed);
  is(39, 9, kRed);
  is(20, 10, kGreen);
  is(59, 19, kGreen);
  is(59, 20, kBackground);  // less than half of that pixel is covered
  is(39, 24, kRed);
  is(40, 24, kBackground);
  is(25, 12, kBlue);
  // The next frame begins anew.
  backdrop.begin(kBlue);
  window->begin_frame();
  window->end_frame(backdrop);
  CHECK(same(window->screenshot().at(20, 10), kBlue));
}
