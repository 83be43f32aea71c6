// How long this machine's driver takes for one frame of the timeline, with glFinish; and the time of all cores
// together, which says more when the machine is busy with other things and the driver draws in software.
//   bench_render [FRAMES]      LIBGL_ALWAYS_SOFTWARE=1 bench_render
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "app/stage/context_egl.h"
#include "core/view/color/palette.h"
#include "ui/gl/offscreen.h"
#include "ui/gl/timeline_renderer.h"

using namespace tv;

namespace {

constexpr int kWidth = 1920, kHeight = 1080;
constexpr float kRow = 18;

void add_strips(TimelineFrame& frame, int count) {
  std::mt19937 random(1);
  for (int i = 0; i < count; ++i) {
    const auto kind = i % 4 == 3 ? StripItem::Kind::Area : StripItem::Kind::Density;
    frame.strips.push_back(
        {kRow * static_cast<float>(i), kRow - 2, kind, static_cast<std::uint32_t>(frame.texels.size())});
    for (int x = 0; x < kWidth; ++x) frame.texels.push_back(static_cast<Rgba>(random()));
  }
}

enum class Rects { Opaque, Translucent };  // opaque ones are drawn as strips if a row has many (ui/gl/dense_rows.h)

/// `count` slices side by side in `rows` rows.
void add_rects(TimelineFrame& frame, int count, int rows, Rects rects) {
  const int per_row = count / rows;
  const float step = static_cast<float>(kWidth) / static_cast<float>(per_row);
  for (int i = 0; i < per_row * rows; ++i) {
    const float x = step * static_cast<float>(i % per_row), y = kRow * static_cast<float>(i / per_row);
    frame.rects.push_back(
        {x, x + step, y, kRow - 2, with_alpha(static_cast<Rgba>(i) * 2654435761u, rects == Rects::Opaque ? 255 : 254), kPlain});
  }
}

void measure(const char* what, TimelineRenderer& renderer, Offscreen& target, const GlApi& gl,
             const TimelineFrame& frame, int frames) {
  Placement where;
  where.framebuffer_width = where.clip_x1 = kWidth;
  where.framebuffer_height = where.clip_y1 = kHeight;
  std::vector<double> times;
  std::clock_t cpu_start = 0;
  for (int i = -5; i < frames; ++i) {  // the first ones compile shaders and make buffers
    if (i == 0) cpu_start = std::clock();
    const auto start = std::chrono::steady_clock::now();
    target.begin(rgba(32, 32, 32));
    renderer.draw(frame, where);
    gl.Finish();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (i >= 0) times.push_back(took.count());
  }
  const double cpu_ms = 1e3 * static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC / frames;
  std::sort(times.begin(), times.end());
  std::printf("%-36s p50 %6.2f ms   p99 %6.2f ms   cores %6.2f ms   buffers %5.2f MB\n", what,
              times[times.size() / 2], times[times.size() * 99 / 100], cpu_ms,
              static_cast<double>(renderer.buffer_bytes()) / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const int frames = std::max(1, argc > 1 ? std::atoi(argv[1]) : 200);
  auto context = EglContext::create();
  if (!context) {
    std::fprintf(stderr, "%s\n", context.error().text().c_str());
    return 1;
  }
  std::printf("%s\n%d x %d, %d frames\n", context->description().c_str(), kWidth, kHeight, frames);
  auto target = Offscreen::create(context->gl(), kWidth, kHeight);
  if (!target) return 1;

  const auto run = [&](const char* what, int strips, int rects, Rects look = Rects::Translucent) {
    auto renderer = TimelineRenderer::create(context->gl());
    if (!renderer) return;
    TimelineFrame frame;
    frame.width_px = kWidth;
    if (strips > 0) add_strips(frame, strips);
    if (rects > 0) add_rects(frame, rects, 60, look);
    measure(what, *renderer, *target, context->gl(), frame, frames);
  };
  run("clear only", 0, 0);
  run("60 strips", 60, 0);
  run("5k rectangles", 0, 5'000);
  run("60 strips and 5k rectangles", 60, 5'000);
  run("30k rectangles", 0, 30'000);
  run("30k rectangles, opaque", 0, 30'000, Rects::Opaque);
  run("the strips as 115k rectangles", 0, 115'200);
}
