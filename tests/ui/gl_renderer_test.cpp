// The timeline renderer as a guest in another program's GL state.
#include "gl_scene.h"
#include "tests/support/gen_trace.h"
#include "tests/support/skip.h"

using namespace tv;
using namespace tv::test;

namespace {

/// A strip and a rectangle in 64 x 32 pixels.
TimelineFrame small_frame() {
  TimelineFrame frame;
  frame.width_px = 64;
  frame.strips = {{0, 16, StripItem::Kind::Density, 0}};
  frame.texels.assign(64, kBlue);
  frame.rects = {rect(0, 64, 16, 16, kRed)};
  return frame;
}

}  // namespace

TEST_CASE("renderer: a frame away from the origin draws nothing outside the clip rectangle") {
  const auto scene = make_scene(80, 60);
  if (!scene) return;
  Placement where = scene->everywhere();
  where.x = 10;
  where.y = 20;
  where.clip_x0 = 20;
  where.clip_y0 = 25;
  where.clip_x1 = 50;
  where.clip_y1 = 45;
  const Image image = scene->draw(small_frame(), where);
  CHECK(painted(image, 0, 0, 80, 60) == 30 * 20);
  CHECK(painted(image, 20, 25, 50, 45) == 30 * 20);
  CHECK(same(image.at(20, 35), kBlue));  // the strip is rows [20, 36) of the picture
  CHECK(same(image.at(20, 36), kRed));
}

TEST_CASE("renderer: an empty frame or clip rectangle draws nothing") {
  const auto scene = make_scene(64, 32);
  if (!scene) return;
  CHECK(painted(scene->draw({}), 0, 0, 64, 32) == 0);
  Placement where = scene->everywhere();
  where.clip_x1 = where.clip_x0;
  CHECK(painted(scene->draw(small_frame(), where), 0, 0, 64, 32) == 0);
}

TEST_CASE("renderer: drawing leaves all GL state as it was") {
  const auto scene = make_scene(64, 32);
  if (!scene) return;
  const GlApi& gl = scene->gl();

  // A state unlike the one drawing needs.
  const GlBuffer buffer = make_buffer(gl);
  const GlVertexArray vertex_array = make_vertex_array(gl);
  gl.ActiveTexture(GL_TEXTURE0);
  const GlTexture texture = make_texture(gl);
  gl.ActiveTexture(GL_TEXTURE3);
  gl.BindVertexArray(vertex_array.name());
  gl.BindBuffer(GL_ARRAY_BUFFER, buffer.name());
  gl.Disable(GL_BLEND);
  gl.Enable(GL_DEPTH_TEST);
  gl.Enable(GL_CULL_FACE);
  gl.Viewport(1, 2, 30, 40);
  gl.Scissor(3, 4, 50, 60);
  gl.Disable(GL_SCISSOR_TEST);
  gl.BlendFuncSeparate(GL_ONE, GL_ZERO, GL_DST_ALPHA, GL_SRC_COLOR);
  gl.BlendEquationSeparate(GL_FUNC_SUBTRACT, GL_MAX);
  gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl.PixelStorei(GL_UNPACK_ROW_LENGTH, 7);

  const auto state = [&] {
    std::vector<GLint> values;
    // clang-format off
    for (const GLenum what :
         {GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING, GL_ARRAY_BUFFER_BINDING, GL_PIXEL_UNPACK_BUFFER_BINDING,
          GL_ACTIVE_TEXTURE, GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA, GL_BLEND_DST_ALPHA,
          GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA, GL_UNPACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH, GL_BLEND,
          GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_DRAW_FRAMEBUFFER_BINDING,
          GL_READ_FRAMEBUFFER_BINDING}) {
      // clang-format on
      values.push_back(0);
      gl.GetIntegerv(what, &values.back());
    }
    for (const GLenum what : {GL_VIEWPORT, GL_SCISSOR_BOX}) {
      values.resize(values.size() + 4);
      gl.GetIntegerv(what, &values[values.size() - 4]);
    }
    for (const GLenum unit : {GL_TEXTURE0, GL_TEXTURE3}) {
      GLint active = 0;
      gl.GetIntegerv(GL_ACTIVE_TEXTURE, &active);
      gl.ActiveTexture(unit);
      for (const GLenum what : {GL_TEXTURE_BINDING_2D, GL_SAMPLER_BINDING}) {
        values.push_back(0);
        gl.GetIntegerv(what, &values.back());
      }
      gl.ActiveTexture(static_cast<GLenum>(active));
    }
    return values;
  };

  const auto before = state();
  scene->renderer.draw(small_frame(), scene->everywhere());
  CHECK(state() == before);
  CHECK(gl.GetError() == GL_NO_ERROR);
}

TEST_CASE("renderer: no buffer grows while frames stay the same size") {
  const auto scene = make_scene(640, 64);
  if (!scene) return;
  TimelineFrame frame;
  frame.width_px = 640;
  for (int i = 0; i < 40; ++i) {
    frame.strips.push_back(
        {static_cast<float>(i), 1, StripItem::Kind::Density, static_cast<std::uint32_t>(i) * 640});
    frame.texels.insert(frame.texels.end(), 640, kBlue);
  }
  // In rows of 50, because rows with kDenseRow or more are drawn as strips.
  for (int i = 0; i < 1000; ++i) frame.rects.push_back(rect(static_cast<float>(i % 600), 620, 40 + static_cast<float>(i / 50), 1, kRed));
  scene->draw(frame);
  const std::size_t after_first = scene->renderer.buffer_bytes();
  CHECK(after_first >= 40 * 640 * 4 + 1000 * sizeof(RectItem));
  CHECK(after_first <= 4 * (40 * 640 * 4 + 1000 * sizeof(RectItem)));
  for (int i = 0; i < 50; ++i) scene->draw(frame);
  CHECK(scene->renderer.buffer_bytes() == after_first);

  frame.rects.resize(10);  // shrinks and comes back
  frame.strips.resize(3);
  scene->draw(frame);
  CHECK(scene->renderer.buffer_bytes() == after_first);
}

TEST_CASE("renderer: a frame after a wider one is not mixed up with it") {
  const auto scene = make_scene(64, 32);
  if (!scene) return;
  scene->draw(small_frame());
  TimelineFrame narrow;
  narrow.width_px = 20;
  narrow.strips = {{0, 8, StripItem::Kind::Density, 0}, {8, 8, StripItem::Kind::Density, 20}};
  narrow.texels.assign(40, kGreen);
  const Image image = scene->draw(narrow);
  CHECK(painted(image, 0, 0, 64, 32) == 20 * 16);
  CHECK(same(image.at(19, 15), kGreen));
}

TEST_CASE("egl: a context describes itself, and a second one can follow the first") {
  for (int i = 0; i < 2; ++i) {
    auto context = EglContext::create();
    if (!context) return skip(context.error().text());
    CHECK(context->description().find("OpenGL") != std::string::npos);
    CHECK(context->gl().GetError() == GL_NO_ERROR);
  }
}

TEST_CASE("gl: a loader that finds no functions gives an error with a remedy") {
  const auto gl = GlApi::load([](const char*) -> void* { return nullptr; });
  REQUIRE(!gl.ok());
  CHECK(gl.error().message.find("gl") != std::string::npos);
  CHECK(!gl.error().remedy.empty());
}

TEST_CASE("offscreen: impossible sizes are refused") {
  const auto scene = make_scene(4, 4);
  if (!scene) return;
  CHECK(!Offscreen::create(scene->gl(), 0, 10).ok());
  CHECK(!Offscreen::create(scene->gl(), 10, 1 << 20).ok());
}

TEST_CASE("renderer: rows with many slices look as if each slice were drawn alone") {
  constexpr int kWidth = 300, kRows = 9;
  const auto scene = make_scene(kWidth + 20, 20 * kRows);
  if (!scene) return;
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    Random random(seed);
    Placement where = scene->everywhere();
    where.x = 7;
    where.ui_scale = random.one_of(std::vector<float>{1, 1.5f, 2});
    TimelineFrame frame;
    frame.width_px = kWidth;
    for (int r = 0; r < kRows; ++r) {
      const auto y = static_cast<float>(20 * r), height = static_cast<float>(random.in(1, 19));
      if (random.chance(0.6)) {
        const auto kind = random.chance(0.8) ? StripItem::Kind::Density : StripItem::Kind::Area;
        frame.strips.push_back({y, height, kind, static_cast<std::uint32_t>(frame.texels.size())});
        for (int x = 0; x < kWidth; ++x) frame.texels.push_back(random.chance(0.5) ? 0 : static_cast<Rgba>(random.next()));
      }
      const double step = random.one_of(std::vector<double>{1, 1.7, 3, 40});
      const bool opaque = random.chance(0.7);  // all of them, else the row is drawn slice by slice anyway
      for (double x = 0; x < kWidth - 1;) {
        const double end = std::min<double>(x + step * (0.6 + random.unit()), kWidth);
        const auto color = static_cast<Rgba>(random.next()) | (opaque || random.chance(0.9) ? 0xff000000 : 0);
        const std::uint32_t style = random.chance(0.9) ? kPlain : kHatched;
        frame.rects.push_back({static_cast<float>(x), static_cast<float>(end), y, height, color, style});
        x = end + (random.chance(0.3) ? random.unit() * 4 : 0);
      }
    }
    const Image whole = scene->draw(frame, where);
    // Slice by slice: those with a style come last.
    TimelineFrame part;
    part.width_px = frame.width_px;
    part.strips = frame.strips;
    part.texels = frame.texels;
    scene->target.begin(kBackground);
    scene->renderer.draw(part, where);
    part.strips.clear();
    for (const bool plain : {true, false}) {
      for (const RectItem& rect : frame.rects) {
        if ((rect.style == kPlain) != plain) continue;
        part.rects = {rect};
        scene->renderer.draw(part, where);
      }
    }
    const Image single = scene->target.read();
    int different = 0;
    for (int y = 0; y < scene->target.height(); ++y) {
      for (int x = 0; x < scene->target.width(); ++x) different += whole.at(x, y) == single.at(x, y) ? 0 : 1;
    }
    CHECK(different == 0);
  }
}
