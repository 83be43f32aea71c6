// Charts as PNG files, drawn by the same code as in the window, without a display. One GL context and one font atlas for all charts
// of a report.
//
//   auto printer = ChartPrinter::create();
//   printer->print(chart, {1000, 560, 2, ThemeKind::Light}, "cdf.png");
//
// It creates an ImGui context and makes it current, so it must not run on a thread that has a window. Cost on a software driver,
// 1000 x 560: 7 - 30 ms to draw, 0.1 - 0.2 s to compress (bench_charts); fonts are rebuilt when the scale changes.
#pragma once

#include <filesystem>
#include <memory>

#include "app/stage/window_offscreen.h"
#include "core/view/chart/chart.h"
#include "core/view/color/palette.h"

namespace tv {

struct ChartPrint {
  int width = 1000, height = 560;  ///< at scale 1
  float scale = 1;                 ///< 2: twice the pixels, everything twice as large
  ThemeKind theme = ThemeKind::Light;
  bool note = true;  ///< write the note below the picture
};

class ChartPrinter {
 public:
  static Result<ChartPrinter> create();
  ChartPrinter(ChartPrinter&&) noexcept;
  ChartPrinter& operator=(ChartPrinter&&) noexcept;
  ~ChartPrinter();

  Result<Image> picture(const Chart& chart, const ChartPrint& print);
  Result<void> print(const Chart& chart, const ChartPrint& print, const std::filesystem::path& path);

 private:
  struct State;
  explicit ChartPrinter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tv
