#include "ui/widgets/chart_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_internal.h"
#include "ui/widgets/chart_draw.h"
#include "ui/widgets/text/letters.h"

namespace tv {
namespace {

constexpr float kZoomStep = 0.8f;          // zoom factor per notch of the wheel
constexpr double kLeastView = 1e-6;        // share of the whole axis
constexpr std::size_t kMostReadings = 14;  // lines of the tooltip

void tooltip_lines(std::string_view text) {
  want_letters(text);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

void begin_chart_tooltip(float font) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(font * 30);
}
void end_chart_tooltip() {
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool leads_somewhere(const Chart& chart) {
  const auto leads = [](const ChartTarget& target) { return target.kind != ChartTarget::Kind::None; };
  return std::ranges::any_of(chart.series,
                             [&](const ChartSeries& series) { return std::ranges::any_of(series.targets, leads); }) ||
         (chart.cells && std::ranges::any_of(chart.cells->targets, leads));
}

// Extends the range to whole categories.
std::pair<double, double> snapped(const ChartAxis& axis, double low, double high) {
  if (axis.categories.empty()) return {low, high};
  const double last = static_cast<double>(axis.categories.size()) - 1;
  return {std::clamp(std::round(low), 0.0, last) - 0.5, std::clamp(std::round(high), 0.0, last) + 0.5};
}

// While the wheel zooms, the window around the chart must not scroll.
void take_wheel() {
#if IMGUI_VERSION_NUM < 18900
  ImGui::SetItemUsingMouseWheel();
#else
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
#endif
}

}  // namespace

void ChartView::reset() {
  frame_.hidden.clear();
  frame_.x_view.reset();
  brush_.reset();
  stale_ = true;
}

void ChartView::update_picture(const Chart& chart, std::uint64_t version, ImVec2 size, const Theme& theme) {
  if (chart.id != chart_id_) {
    reset();
    chart_id_ = chart.id;
  }
  const float font = ImGui::GetFontSize();
  const bool same = made_.version == version && made_.size.x == size.x && made_.size.y == size.y &&
                    made_.theme == theme.kind && made_.font == font && made_.face == ImGui::GetFont();
  if (same && !stale_) return;
  made_ = {version, size, theme.kind, font, ImGui::GetFont()};
  stale_ = false;
  frame_.width = size.x;
  frame_.height = size.y;
  frame_.font = font;
  frame_.theme = theme.kind;
  frame_.measure = imgui_chart_measure();
  picture_ = chart_picture(chart, frame_);
}

ChartAction ChartView::draw(const char* id, const Chart& chart, std::uint64_t version, ImVec2 size,
                            const Theme& theme) {
  ChartAction action;
  size = {std::floor(std::max(size.x, 1.0f)), std::floor(std::max(size.y, 1.0f))};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 origin{std::floor(at.x), std::floor(at.y)};
  ImGui::InvisibleButton(id, size);
  const bool hovered = ImGui::IsItemHovered();
  update_picture(chart, version, size, theme);

  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 mouse{io.MousePos.x - origin.x, io.MousePos.y - origin.y};
  const bool in_plot = hovered && at_plot(mouse.x, mouse.y);
  if (ImGui::IsItemActivated()) {
    drag_ = Drag::Undecided;
    drag_from_ = drag_last_ = mouse;
  }
  if (ImGui::IsItemActive()) {
    drag(chart, mouse, action);
  } else if (drag_ != Drag::None) {
    if (drag_ == Drag::Undecided && hovered) click(mouse.x, mouse.y, action);
    if (drag_ == Drag::Brush || drag_ == Drag::Lasso) action.brush_ended = true;
    drag_ = Drag::None;
  }
  if (in_plot) {
    if (io.KeyCtrl) {
      take_wheel();
      if (io.MouseWheel != 0) zoom(mouse.x, io.MouseWheel);
    }
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && frame_.x_view) {
      frame_.x_view.reset();
      stale_ = true;
    }
  }
  update_picture(chart, version, size, theme);

  ImGui::PushClipRect(origin, {origin.x + size.x, origin.y + size.y}, true);
  draw_chart(*ImGui::GetWindowDrawList(), picture_, origin);
  draw_brush(origin, theme);
  draw_note_mark(chart, origin, mouse, hovered, theme);
  const bool reads = in_plot || (hovered && drag_ == Drag::Brush);
  if (reads && !std::exchange(mouse_hidden_, false)) {
    read(chart, origin, mouse, theme, action);
    action.at = picture_.x.value(mouse.x);
  } else if (elsewhere_) {
    draw_elsewhere(chart, origin, theme);
  }
  ImGui::PopClipRect();
  action.brush = brush_;
  return action;
}

void ChartView::drag(const Chart& chart, ImVec2 mouse, ChartAction& action) {
  const ImGuiIO& io = ImGui::GetIO();
  const ChartBox& plot = picture_.plot;
  const ImVec2 moved{std::fabs(mouse.x - drag_from_.x), std::fabs(mouse.y - drag_from_.y)};
  const bool far_enough =
      moved.x >= io.MouseDragThreshold || (brushes_both(chart) && moved.y >= io.MouseDragThreshold);
  if (drag_ == Drag::Undecided && far_enough && plot.width() > 0 && drag_from_.x >= plot.x0 &&
      drag_from_.x <= plot.x1) {
    const bool names = !chart.x.categories.empty() || !chart.y.categories.empty();
    if (brushes_along_x(chart)) {
      drag_ = io.KeyShift && brushes_both(chart) && !names ? Drag::Lasso : Drag::Brush;
      brush_.reset();
    } else if (frame_.x_view) {
      drag_ = Drag::View;
    }
  }
  if (drag_ == Drag::View) move_view(mouse.x - drag_last_.x);
  drag_last_ = mouse;
  if (drag_ == Drag::Lasso) {
    draw_around(mouse);
    action.brushing = true;
  }
  if (drag_ != Drag::Brush) return;
  const auto stretch = [](const ChartAxis& axis, const ChartScale& scale, float from, float to) {
    const float low = std::min(scale.from(), scale.to()), high = std::max(scale.from(), scale.to());
    const double a = scale.value(std::clamp(from, low, high)), b = scale.value(std::clamp(to, low, high));
    return snapped(axis, std::min(a, b), std::max(a, b));
  };
  brush_.emplace();
  brush_->x = stretch(chart.x, picture_.x, drag_from_.x, mouse.x);
  if (brushes_both(chart)) brush_->y = stretch(chart.y, picture_.y, drag_from_.y, mouse.y);
  action.brushing = true;
}

// Adds a corner when the mouse has moved a few pixels. A drawn shape needs no more.
void ChartView::draw_around(ImVec2 mouse) {
  constexpr std::size_t kMostCorners = 400;
  const ChartBox& plot = picture_.plot;
  const float x = std::clamp(mouse.x, plot.x0, plot.x1), y = std::clamp(mouse.y, plot.y0, plot.y1);
  if (!brush_) {
    brush_.emplace();
    brush_->lasso.emplace_back(picture_.x.value(drag_from_.x), picture_.y.value(drag_from_.y));
  }
  const auto& [last_x, last_y] = brush_->lasso.back();
  const float far = std::hypot(picture_.x.px(last_x) - x, picture_.y.px(last_y) - y);
  if (far < chart_dash(picture_) || brush_->lasso.size() >= kMostCorners) return;
  brush_->lasso.emplace_back(picture_.x.value(x), picture_.y.value(y));
}

// Includes a margin around the plot, because points may lie on its edge.
bool ChartView::at_plot(float x, float y) const {
  const ChartBox& plot = picture_.plot;
  return ChartBox{plot.x0 - reach(), plot.y0 - reach(), plot.x1 + reach(), plot.y1 + reach()}.contains(x, y);
}

void ChartView::click(float x, float y, ChartAction& action) {
  for (const ChartLegendEntry& entry : picture_.legend) {
    if (!entry.box.contains(x, y)) continue;
    const auto series = static_cast<std::size_t>(entry.series);
    if (frame_.hidden.size() <= series) frame_.hidden.resize(series + 1);
    frame_.hidden[series] = !frame_.hidden[series];
    stale_ = true;
    return;
  }
  const ChartHit* hit = at_plot(x, y) ? picture_.hit_at(x, y, reach()) : nullptr;
  if (hit && hit->target.kind != ChartTarget::Kind::None) {
    action.clicked = hit->target;
    action.narrow = ImGui::GetIO().KeyCtrl;
  } else if (brush_ && at_plot(x, y)) {
    brush_.reset();
    action.brush_cleared = true;
  }
}

void ChartView::zoom(float x, float wheel) {
  const float factor = std::pow(kZoomStep, std::clamp(wheel, -10.0f, 10.0f));
  const ChartBox& plot = picture_.plot;
  view_between(picture_.x.value(x - (x - plot.x0) * factor), picture_.x.value(x + (plot.x1 - x) * factor));
}

void ChartView::move_view(float px) {
  if (px == 0) return;
  const ChartBox& plot = picture_.plot;
  // The view ends at the ends of the axis.
  const ChartScale& scale = picture_.x;
  const float least = scale.px(picture_.all_x.low) - plot.x0, most = scale.px(picture_.all_x.high) - plot.x1;
  const float by = std::clamp(-px, std::min(least, 0.0f), std::max(most, 0.0f));
  view_between(scale.value(plot.x0 + by), scale.value(plot.x1 + by));
}

void ChartView::view_between(double low, double high) {
  const ChartRange all = picture_.all_x;
  low = std::max(low, all.low);
  high = std::min(high, all.high);
  if (low <= all.low && high >= all.high) {
    frame_.x_view.reset();
  } else if (high - low > (all.high - all.low) * kLeastView || (picture_.x.log() && high > low * 1.0001)) {
    frame_.x_view = {low, high};
  }
  stale_ = true;
}

void ChartView::read(const Chart& chart, ImVec2 origin, ImVec2 mouse, const Theme& theme, ChartAction& action) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ChartBox& plot = picture_.plot;
  const ChartHit* hit = picture_.hit_at(mouse.x, mouse.y, reach());
  const ChartReadout readout = chart_readout(chart, picture_, frame_.hidden, mouse.x);
  read_ = hit ? picture_.text(*hit) : std::string_view();
  if (!readout.lines.empty()) (read_ += read_.empty() ? "" : "\n") += readout.at;
  for (const ChartReading& line : readout.lines) (read_ += "\n") += line.text;
  const auto place = [origin](float x, float y) { return ImVec2{origin.x + x, origin.y + y}; };

  if (!chart.cells) {
    const float x =
        std::floor(readout.lines.empty() ? mouse.x : std::clamp(readout.lines.front().x, plot.x0, plot.x1)) + 0.5f;
    const float y = std::floor(mouse.y) + 0.5f;
    list.AddLine(place(x, plot.y0), place(x, plot.y1), theme.cursor);
    list.AddLine(place(plot.x0, y), place(plot.x1, y), with_alpha(theme.cursor, (theme.cursor >> 24) / 3));
  }
  const float radius = picture_.font * 0.26f;
  for (const ChartReading& line : readout.lines) {
    if (!plot.contains(line.x, line.y)) continue;
    list.AddCircleFilled(place(line.x, line.y), radius, chart_color(chart.series[line.series].color, theme.kind));
    list.AddCircle(place(line.x, line.y), radius, theme.text);
  }
  if (hit && hit->round) {
    list.AddCircle(place((hit->box.x0 + hit->box.x1) / 2, (hit->box.y0 + hit->box.y1) / 2), radius * 1.3f, theme.text,
                   0, theme.px(1.5f));
  } else if (hit) {
    list.AddRect(place(hit->box.x0, hit->box.y0), place(hit->box.x1, hit->box.y1), theme.text, 0, 0, theme.px(1.5f));
  }
  if (hit && hit->target.kind != ChartTarget::Kind::None) {
    action.hovered = hit->target;
    if (drag_ == Drag::None) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }

  if (!hit && readout.lines.empty()) return;
  begin_chart_tooltip(picture_.font);
  if (hit) tooltip_lines(picture_.text(*hit));
  if (!readout.lines.empty()) {
    if (hit) ImGui::Separator();
    ImGui::PushStyleColor(ImGuiCol_Text, theme.text_dim);
    tooltip_lines(readout.at);
    ImGui::PopStyleColor();
  }
  for (std::size_t i = 0; i < std::min(readout.lines.size(), kMostReadings); ++i) {
    ImGui::PushStyleColor(ImGuiCol_Text, chart_color(chart.series[readout.lines[i].series].color, theme.kind));
    ImGui::TextUnformatted("\u25a0");
    ImGui::PopStyleColor();
    ImGui::SameLine();
    tooltip_lines(readout.lines[i].text);
  }
  if (readout.lines.size() > kMostReadings)
    ImGui::Text("and %d more", static_cast<int>(readout.lines.size() - kMostReadings));
  end_chart_tooltip();
}

void ChartView::draw_elsewhere(const Chart& chart, ImVec2 origin, const Theme& theme) const {
  const ChartBox& plot = picture_.plot;
  const auto at = static_cast<float>(picture_.x.px(*elsewhere_));
  if (!(at >= plot.x0 && at <= plot.x1)) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ChartReadout readout = chart_readout(chart, picture_, frame_.hidden, at);
  const float x = std::floor(readout.lines.empty() ? at : std::clamp(readout.lines.front().x, plot.x0, plot.x1)) + 0.5f;
  list.AddLine({origin.x + x, origin.y + plot.y0}, {origin.x + x, origin.y + plot.y1}, theme.cursor);
  const float radius = picture_.font * 0.26f;
  for (const ChartReading& line : readout.lines) {
    if (!plot.contains(line.x, line.y)) continue;
    const ImVec2 middle{origin.x + line.x, origin.y + line.y};
    list.AddCircleFilled(middle, radius, chart_color(chart.series[line.series].color, theme.kind));
    list.AddCircle(middle, radius, theme.text);
  }
  if (readout.lines.size() != 1) return;
  // A single value has room next to its point.
  const std::string& text = readout.lines.front().text;
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const bool left = x + radius * 2 + size.x > plot.x1;
  const ImVec2 place{origin.x + (left ? x - radius * 2 - size.x : x + radius * 2), origin.y + plot.y0};
  list.AddRectFilled(place, {place.x + size.x, place.y + size.y}, with_alpha(theme.panel, 220));
  list.AddText(place, theme.text, text.c_str());
}

void ChartView::draw_brush(ImVec2 origin, const Theme& theme) const {
  if (!brush_ || picture_.plot.width() <= 0) return;
  const ChartBox& plot = picture_.plot;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto px = [](const ChartScale& scale, double value) {
    return std::round(scale.px_clamped(std::clamp(value, scale.low(), scale.high())));
  };
  if (!brush_->lasso.empty()) {
    std::vector<ImVec2> line;
    for (const auto& [x, y] : brush_->lasso) {
      line.push_back({origin.x + px(picture_.x, x), origin.y + px(picture_.y, y)});
    }
    list.AddPolyline(line.data(), static_cast<int>(line.size()), theme.accent, ImDrawFlags_Closed, theme.px(1.5f));
    return;
  }
  const auto out_of_view = [](const ChartScale& scale, const ChartBrush::Stretch& stretch) {
    return stretch.second < scale.low() || stretch.first > scale.high();
  };
  if (out_of_view(picture_.x, *brush_->x) || (brush_->y && out_of_view(picture_.y, *brush_->y))) return;
  const float x0 = px(picture_.x, brush_->x->first), x1 = std::max(px(picture_.x, brush_->x->second), x0 + 1);
  const float y0 = brush_->y ? px(picture_.y, brush_->y->second) : plot.y0;
  const float y1 = brush_->y ? std::max(px(picture_.y, brush_->y->first), y0 + 1) : plot.y1;
  const auto rect = [&](ChartBox box, Rgba color) {
    list.AddRectFilled({origin.x + box.x0, origin.y + std::min(box.y0, box.y1)},
                       {origin.x + box.x1, origin.y + std::max(box.y0, box.y1)}, color);
  };
  const float line = theme.px(1);
  rect({x0, y0, x1, y1}, theme.selection_fill);
  rect({x0, y0, x0 + line, y1}, theme.accent);
  rect({x1 - line, y0, x1, y1}, theme.accent);
  if (!brush_->y) return;
  rect({x0, y0, x1, y0 + line}, theme.accent);
  rect({x0, y1 - line, x1, y1}, theme.accent);
}

void ChartView::draw_note_mark(const Chart& chart, ImVec2 origin, ImVec2 mouse, bool hovered,
                               const Theme& theme) const {
  const ChartBox& mark = picture_.note_mark;
  if (mark.width() <= 0) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool over = hovered && mark.contains(mouse.x, mouse.y);
  const Rgba color = over ? theme.text : theme.text_dim;
  const ImVec2 middle{origin.x + (mark.x0 + mark.x1) / 2, origin.y + (mark.y0 + mark.y1) / 2};
  const float size = mark.height() * 0.8f;
  list.AddCircle(middle, mark.height() / 2, color);
  const float width = ImGui::GetFont()->CalcTextSizeA(size, 1e9f, 0, "?").x;
  list.AddText(ImGui::GetFont(), size, {middle.x - width / 2, middle.y - size / 2}, color, "?");
  if (!over) return;
  begin_chart_tooltip(picture_.font);
  tooltip_lines(chart.note);
  if (leads_somewhere(chart)) tooltip_lines("Click a mark to go to what it stands for.");
  end_chart_tooltip();
}

}  // namespace tv
