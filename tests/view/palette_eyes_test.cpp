// The colour-blind palette, as colour-blind eyes see it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/view/color/chart_palette.h"
#include "core/view/color/palette.h"
#include "tests/support/eyes.h"

using namespace tv;
using namespace tv::test;

namespace {

// One name of each family. Colours within a family may differ, but less than those of two families.
constexpr const char* kFamilies[][2] = {{"kernel", "gemm"},        {"kernel", "ncclDevKernel_AllReduce"}, {"gpu_memcpy", "Memcpy HtoD"},
                                        {"cpu_op", "aten::mm"},    {"cuda_runtime", "cudaLaunchKernel"},  {"python_function", "train.py(1): f"},
                                        {"user_annotation", "step"}, {"wait", "idle"},                    {"step", "step 1"}};

std::vector<std::vector<Rgba>> family_colors(ThemeKind theme, PaletteKind kind) {
  std::vector<std::vector<Rgba>> all;
  for (const auto& [category, name] : kFamilies) {
    std::vector<Rgba>& colors = all.emplace_back();
    for (int i = 0; i < 40; ++i) colors.push_back(color_of(category, name + std::to_string(i), theme, {}, kind));
    std::ranges::sort(colors);
    colors.erase(std::unique(colors.begin(), colors.end()), colors.end());
  }
  return all;
}

double least_apart(ThemeKind theme, PaletteKind kind) {
  const auto families = family_colors(theme, kind);
  double least = 1;
  for (std::size_t a = 0; a < families.size(); ++a) {
    for (std::size_t b = a + 1; b < families.size(); ++b) {
      for (const Rgba one : families[a]) {
        for (const Rgba other : families[b]) {
          for (const Matrix& eye : kEyes) least = std::min(least, apart(one, other, eye));
        }
      }
    }
  }
  return least;
}

}  // namespace

TEST_CASE("palette: in the colour-blind palette, no two families look alike to any eye") {
  for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
    const double least = least_apart(theme, PaletteKind::ColorBlind);
    MESSAGE("closest two families, OKLab: " << least);
    CHECK(least >= 0.055);
    CHECK(least > 2 * least_apart(theme, PaletteKind::Usual));
  }
}

TEST_CASE("palette: in the colour-blind palette, every colour is close to a chart colour") {
  for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
    for (const char* category : {"kernel", "cpu_op", "something", "phase", "training", "engine", "forward1", "wait"}) {
      for (int i = 0; i < 50; ++i) {
        const Rgba color = color_of(category, "name " + std::to_string(i), theme, {}, PaletteKind::ColorBlind);
        double nearest = 1;
        for (int c = 0; c < kClearChartColors; ++c) nearest = std::min(nearest, apart(color, chart_color(c, theme), kAll));
        REQUIRE(nearest < 0.06);
      }
    }
  }
}

TEST_CASE("palette: the usual colours are the default") {
  LabelTable labels;
  const LabelId gemm = labels.intern("kernel", "gemm");
  CHECK(Palette(labels, ThemeKind::Dark).fill(gemm) == color_of("kernel", "gemm", ThemeKind::Dark));
  CHECK(Palette(labels, ThemeKind::Dark, {}, PaletteKind::ColorBlind).fill(gemm) != color_of("kernel", "gemm", ThemeKind::Dark));
}
