#include "core/view/color/palette.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

using namespace tv;

namespace {

struct Channels {
  int r, g, b;
};

Channels channels(Rgba color) {
  return {static_cast<int>(color & 255), static_cast<int>(color >> 8 & 255),
          static_cast<int>(color >> 16 & 255)};
}

}  // namespace

TEST_CASE("palette: text is readable on every colour") {
  for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
    for (const char* category :
         {"kernel", "gpu_memcpy", "cpu_op", "python_function", "wait", "engine", "something"}) {
      for (int i = 0; i < 300; ++i) {
        const Rgba color = color_of(category, "name " + std::to_string(i), theme);
        REQUIRE(contrast(color, text_on(color)) >= 4.5);
      }
    }
  }
}

TEST_CASE("palette: a colour depends on category and name alone") {
  CHECK(color_of("kernel", "gemm", ThemeKind::Dark) == color_of("kernel", "gemm", ThemeKind::Dark));
  CHECK(color_of("kernel", "gemm", ThemeKind::Dark) != color_of("kernel", "relu", ThemeKind::Dark));
  LabelTable one, other;
  const LabelId gemm = one.intern("kernel", "gemm");
  other.intern("x", "y");
  const LabelId same = other.intern("kernel", "gemm");
  CHECK(Palette(one, ThemeKind::Dark).fill(gemm) == Palette(other, ThemeKind::Dark).fill(same));
}

TEST_CASE("palette: the communication rules decide which names have the communication colour") {
  const auto is_vermilion = [](std::string_view category, std::string_view name, const CommunicationRules& rules = {}) {
    const auto [r, g, b] = channels(color_of(category, name, ThemeKind::Dark, rules));
    return r > g && r > b;
  };
  for (const char* const kernel : {"void deep_ep::internode::dispatch<8>(int)", "RCCL_AllReduce",
                                   "void vllm::cross_device_reduce_1stage<__half, 8>(vllm::RankData*)"}) {
    CAPTURE(std::string(kernel));
    CHECK(is_vermilion("kernel", kernel));
  }
  CHECK(is_vermilion("user_annotation", "gloo:all_reduce"));
  CHECK(is_vermilion("", "hcom_allReduce__428_0_1"));
  CHECK(!is_vermilion("kernel", "gemm"));
  CHECK(!is_vermilion("kernel", "my_exchange"));
  CHECK(is_vermilion("kernel", "my_exchange", CommunicationRules("exchange")));
  CHECK(!is_vermilion("kernel", "ncclDevKernel_AllReduce", CommunicationRules("-nccl")));
}

TEST_CASE("palette: kernels, communication, operators and waits have their expected hues") {
  for (int i = 0; i < 100; ++i) {
    const std::string name = std::to_string(i);
    const auto [kr, kg, kb] = channels(color_of("kernel", name, ThemeKind::Dark));
    CHECK(kg > kr);
    const auto [nr, ng, nb] = channels(color_of("kernel", "ncclDevKernel_" + name, ThemeKind::Dark));
    CHECK(nr > ng);
    CHECK(nr > nb);
    const auto [cr, cg, cb] = channels(color_of("cpu_op", name, ThemeKind::Dark));
    CHECK(cb > cr);
    const auto [wr, wg, wb] = channels(color_of("wait", name, ThemeKind::Dark));
    CHECK(std::max({wr, wg, wb}) - std::min({wr, wg, wb}) < 16);
  }
}

TEST_CASE("palette: most names of one family have different colours") {
  std::set<Rgba> colors;
  for (int i = 0; i < 100; ++i)
    colors.insert(color_of("kernel", "kernel " + std::to_string(i), ThemeKind::Dark));
  CHECK(colors.size() > 80);
}

TEST_CASE("palette: Python frames of different files differ in hue, those of one file are similar") {
  const auto of = [](const char* name) { return color_of("python_function", name, ThemeKind::Dark); };
  // Hues differ in red minus blue, at any lightness: red rises and blue falls.
  const auto red_over_blue = [](Rgba color) { return channels(color).r - channels(color).b; };
  std::set<int> reds;
  for (const char* file : {"torch/nn/modules/module.py(1): f", "train.py(1): f", "transformers/modeling.py(1): f", "PIL/Image.py(1): f",
                           "threading.py(1): f", "<built-in function f>", "nn.Module: f"}) {
    reds.insert(red_over_blue(of(file)) / 12);
  }
  CHECK(reds.size() >= 3);
  CHECK(std::abs(red_over_blue(of("train.py(1): f")) - red_over_blue(of("train.py(9): g"))) < 36);
}

TEST_CASE("palette: contrast of black and white is 21") {
  CHECK(contrast(rgba(0, 0, 0), rgba(255, 255, 255)) == doctest::Approx(21));
}

TEST_CASE("palette: pipeline jobs have one colour for all micro-batches, and chunks differ") {
  const ThemeKind theme = ThemeKind::Dark;
  for (const char* category : {"forward", "backward_w1_reduce", "optimizer", "pipeline timeline"}) {
    CHECK(color_of(category, "F1", theme) == color_of(category, "F23", theme));
  }
  CHECK(color_of("forward0", "forward0_1", theme) != color_of("forward1", "forward1_1", theme));
  CHECK(color_of("forward", "x", theme) != color_of("backward", "x", theme));
  CHECK(color_of("backward_b", "x", theme) != color_of("backward_w", "x", theme));
  CHECK(color_of("pipeline timeline", "F3", theme) == color_of("forward", "forward_3", theme));
  CHECK(color_of("pipeline timeline", "B3", theme) == color_of("backward", "backward_3", theme));
  CHECK(color_of("virtual pipeline timeline", "B3_VP1", theme) != color_of("virtual pipeline timeline", "B3_VP0", theme));
}
