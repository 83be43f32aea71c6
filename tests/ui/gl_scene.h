// What the GL tests share: a context without a display, a picture to draw into and a renderer.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "app/stage/context_egl.h"
#include "core/view/color/palette.h"
#include "tests/support/skip.h"
#include "ui/gl/offscreen.h"
#include "ui/gl/timeline_renderer.h"

namespace tv::test {

inline constexpr Rgba kBackground = rgba(32, 32, 32);
inline constexpr Rgba kRed = rgba(255, 0, 0), kGreen = rgba(0, 255, 0), kBlue = rgba(0, 0, 255);

struct Scene {
  EglContext context;
  Offscreen target;
  TimelineRenderer renderer;

  const GlApi& gl() const { return context.gl(); }

  Placement everywhere() const {
    Placement where;
    where.framebuffer_width = where.clip_x1 = target.width();
    where.framebuffer_height = where.clip_y1 = target.height();
    return where;
  }

  Image draw(const TimelineFrame& frame, const Placement& where) {
    target.begin(kBackground);
    renderer.draw(frame, where);
    return target.read();
  }
  Image draw(const TimelineFrame& frame) { return draw(frame, everywhere()); }
};

/// Null, with a message, on a machine that cannot draw at all.
inline std::unique_ptr<Scene> make_scene(int width, int height) {
  auto context = EglContext::create();
  if (!context) {
    skip(context.error().text());
    return nullptr;
  }
  auto target = Offscreen::create(context->gl(), width, height);
  REQUIRE_MESSAGE(target.ok(), (target ? "" : target.error().text()));
  auto renderer = TimelineRenderer::create(context->gl());
  REQUIRE_MESSAGE(renderer.ok(), (renderer ? "" : renderer.error().text()));
  return std::make_unique<Scene>(Scene{std::move(*context), std::move(*target), std::move(*renderer)});
}

inline std::array<int, 3> rgb(Rgba color) {
  return {static_cast<int>(color & 0xff), static_cast<int>(color >> 8 & 0xff),
          static_cast<int>(color >> 16 & 0xff)};
}

/// Equal except for rounding in the driver.
inline bool same(Rgba a, Rgba b, int tolerance = 2) {
  const auto x = rgb(a), y = rgb(b);
  return std::abs(x[0] - y[0]) <= tolerance && std::abs(x[1] - y[1]) <= tolerance &&
         std::abs(x[2] - y[2]) <= tolerance;
}

/// `over` drawn with the opacity `alpha` on the background.
inline Rgba blended(Rgba over, double alpha) {
  const auto x = rgb(over), y = rgb(kBackground);
  Rgba out = 0xff000000;
  for (std::size_t i = 0; i < 3; ++i)
    out |= static_cast<Rgba>(std::lround(x[i] * alpha + y[i] * (1 - alpha))) << (8 * i);
  return out;
}

/// How many pixels of the rectangle are not background.
inline int painted(const Image& image, int x0, int y0, int x1, int y1) {
  int count = 0;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) count += !same(image.at(x, y), kBackground);
  return count;
}

inline RectItem rect(float x0, float x1, float y, float height, Rgba color, std::uint32_t style = kPlain) {
  return {x0, x1, y, height, color, style};
}

}  // namespace tv::test
