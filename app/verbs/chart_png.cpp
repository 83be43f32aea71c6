#include "app/verbs/chart_png.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/stage/png.h"
#include "core/view/picture/chart_picture.h"
#include "imgui.h"
#include "ui/widgets/chart_draw.h"

namespace tv {
namespace {

constexpr float kFontSize = 15;
constexpr int kLargest = 8192;  // pixels; every driver supports this width and height

// Adds the chart's letters to the fonts, which may lack some.
void add_letters(const Chart& chart, Fonts& fonts) {
  for (const std::string* text : {&chart.title, &chart.note, &chart.empty}) fonts.add_text(*text);
  for (const ChartAxis* axis : {&chart.x, &chart.y, chart.y2 ? &*chart.y2 : &chart.y}) {
    fonts.add_text(axis->title);
    for (const std::string& name : axis->categories) fonts.add_text(name);
  }
  for (const ChartSeries& series : chart.series) {
    fonts.add_text(series.name);
    for (const std::string& label : series.labels) fonts.add_text(label);
  }
  for (const ChartRule& rule : chart.rules) fonts.add_text(rule.text);
  for (const auto& [name, value] : chart.facts) {
    fonts.add_text(name);
    fonts.add_text(value.text);
  }
  if (chart.cells) fonts.add_text(chart.cells->name);
}

}  // namespace

struct ChartPrinter::State {
  Keys keys;
  Fonts fonts;
  std::optional<OffscreenWindow> window;
  OffscreenWindow::Size size{64, 64};
};

Result<ChartPrinter> ChartPrinter::create() {
  auto state = std::make_unique<State>();
  auto window = OffscreenWindow::create(state->size, state->keys, state->fonts);
  if (!window) return window.error();
  state->window.emplace(std::move(*window));
  return ChartPrinter(std::move(state));
}

ChartPrinter::ChartPrinter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChartPrinter::ChartPrinter(ChartPrinter&&) noexcept = default;
ChartPrinter& ChartPrinter::operator=(ChartPrinter&&) noexcept = default;
ChartPrinter::~ChartPrinter() = default;

Result<Image> ChartPrinter::picture(const Chart& chart, const ChartPrint& print) {
  const float scale = std::isfinite(print.scale) ? std::clamp(print.scale, 0.25f, 8.0f) : 1;
  const auto pixels = [scale](int length) {
    return static_cast<int>(
        std::clamp(std::lround(static_cast<float>(length) * scale), 16L, static_cast<long>(kLargest)));
  };
  OffscreenWindow& window = *state_->window;
  const OffscreenWindow::Size size{pixels(print.width), pixels(print.height)};
  if (size.width != state_->size.width || size.height != state_->size.height) {
    if (auto resized = window.resize(size); !resized) return resized.error();
    state_->size = size;
  }
  state_->fonts.set_size(kFontSize, scale);
  add_letters(chart, state_->fonts);

  window.begin_frame();
  ChartFrame frame;
  frame.width = static_cast<float>(size.width);
  frame.height = static_cast<float>(size.height);
  frame.font = ImGui::GetFontSize();
  frame.theme = print.theme;
  frame.measure = imgui_chart_measure();
  frame.note_below = print.note;
  draw_chart(*ImGui::GetBackgroundDrawList(), chart_picture(chart, frame), {0, 0});
  window.end_frame(chart_ink(print.theme).background);
  return window.screenshot();
}

Result<void> ChartPrinter::print(const Chart& chart, const ChartPrint& print, const std::filesystem::path& path) {
  auto image = picture(chart, print);
  if (!image) return image.error();
  return write_png(path, *image);
}

}  // namespace tv
