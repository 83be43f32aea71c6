#include "ui/panels/timeline/timeline_overlays.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/view/lanes/area_bands.h"
#include "ui/panels/finding_color.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kLegendPadding = 6, kSwatch = 10, kMostLegendText = 220, kArrowHead = 5;
constexpr float kPastEdge_px = 10;  // shapes end this far outside the lanes, which hides their borders and keeps coordinates small

float left_end(const LanesPlace& place, Ns t) { return std::max(place.x_of(static_cast<double>(t)), place.area.x - kPastEdge_px); }
float right_end(const LanesPlace& place, Ns t) {
  return std::min(place.x_of(static_cast<double>(t)), place.area.x + place.area.width + kPastEdge_px);
}

}  // namespace

void draw_gap(const PanelContext& context, const LanesPlace& place, const Gap& gap, Rgba color, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Trace& trace = context.workspace.trace();
  const LaneLayout& layout = context.workspace.state().layout(place.half);
  if (!layout.shows(gap.lane)) return;
  const LaneBox& box = layout.box_of(gap.lane);
  const bool in_one_row = gap.row != kNone<RowId> && !box.collapsed;
  const double height = in_one_row      ? static_cast<double>(layout.height_of(trace, gap.row))
                        : box.collapsed ? static_cast<double>(box.summary_height)
                                        : box.lines_height(box.line_count);
  const double y0 = in_one_row ? layout.middle_of(trace, gap.row) - height / 2 : box.rows_y();
  const float left = left_end(place, gap.time.begin), right = right_end(place, gap.time.end);
  const float y = place.y_of(y0);
  const ImVec2 low{left, y}, high{std::max(right, left + 2), y + static_cast<float>(height)};
  fill_box(list, low, high, with_alpha(color, 28));
  outline_box(list, low, high, color, context.theme.px(2), context.theme.px(width));
}

void draw_stretch(const PanelContext& context, const LanesPlace& place) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Workspace& workspace = context.workspace;
  const auto& stretch = workspace.state().selection.stretch;
  if (!stretch || !workspace.state().layout(place.half).shows(stretch->lane)) return;
  const Trace& trace = workspace.trace();
  const LaneLayout& layout = workspace.state().layout(place.half);
  for (const Row& row : trace.rows_of(trace.lane(stretch->lane))) {
    const StretchOfRow part = part_of_row(trace, *stretch, row);
    if (part.empty()) continue;
    const RowSlices slices = trace.slices_of(row);
    const float left = left_end(place, slices.begin(part.first)), right = right_end(place, slices.end(part.end - 1));
    const auto id = id_at<RowId>(static_cast<std::size_t>(&row - trace.rows.data()));
    const float height = layout.height_of(trace, id);
    const float y = place.y_of(layout.middle_of(trace, id)) - height / 2;
    const ImVec2 low{left - 1, y - 1}, high{std::max(right, left + 2) + 1, y + height};
    if (high.y < place.area.y || low.y > place.area.y + place.area.height) continue;
    fill_box(list, low, high, with_alpha(context.theme.selection, 36));
    outline_box(list, low, high, context.theme.selection, context.theme.px(2), context.theme.px(1.5f));
  }
}

void draw_cuts(const PanelContext& context, const LanesPlace& place) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const LaneLayout& layout = context.workspace.state().layout(place.half);
  for (const LaneBox& box : layout.boxes_between(place.scroll, place.scroll + static_cast<double>(place.area.height))) {
    if (box.hidden_lines == 0) continue;
    const std::string text = fmt::format("{} more rows{}", box.hidden_lines, key_in_brackets(Action::CutLane));
    const float y = place.y_of(box.line_y(box.line_count)), width = text_width(text);
    draw_line(list, {place.area.x, y}, {place.area.x + place.area.width, y}, context.theme.text_disabled);
    const ImVec2 at{place.area.x + place.area.width - width - context.theme.px(6), y - ImGui::GetFontSize() - 1};
    fill_box(list, {at.x - 3, at.y}, {at.x + width + 3, y}, context.theme.panel);
    draw_text(list, at, context.theme.text_dim, text);
  }
}

void draw_arrows(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float head = context.theme.px(kArrowHead), thickness = context.theme.px(1.5f);
  for (const ArrowItem& arrow : frame.arrows) {
    const ImVec2 from = place.area.at(arrow.x0, arrow.y0), to = place.area.at(arrow.x1, arrow.y1);
    const std::array<ImVec2, 3> path = {from, ImVec2{from.x, to.y}, to};
    list.AddPolyline(path.data(), static_cast<int>(path.size()), arrow.color, 0, thickness);
    const float tip = arrow.down ? head : -head;
    list.AddTriangleFilled({to.x - head * 0.7f, to.y}, {to.x + head * 0.7f, to.y}, {to.x, to.y + tip}, arrow.color);
  }
}

void draw_legend(const PanelContext& context, const LanesPlace& place) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const SliceColors* const colors = context.workspace.coloring().colors();
  if (!colors || colors->trace() != &context.workspace.trace()) return;
  const Theme& theme = context.theme;
  const float height = std::floor(theme.px(LaneMetrics{}.group_header)), pad = theme.px(kLegendPadding), swatch = theme.px(kSwatch);
  const float before_text = pad * 0.7f, after_text = pad * 2.5f;
  const Area line{place.area.x, place.area.y + place.area.height - height, place.area.width, height};
  fill_box(list, line.min(), line.max(), theme.header);
  draw_line(list, line.min(), {line.x + line.width, line.y}, theme.border);
  const float text_y = line.y + (height - ImGui::GetFontSize()) / 2;
  const std::string title = fmt::format("{}:", meaning(colors->rule()));
  float x = line.x + pad;
  draw_text(list, {x, text_y}, theme.text_dim, title);
  x += text_width(title) + 2 * pad;
  const auto classes = colors->legend();
  const auto name_width = [&](const ColorClass& each) { return std::min(text_width(each.name), theme.px(kMostLegendText)); };
  const auto draw_entry = [&](const ColorClass& each) {
    const float width = std::ceil(name_width(each)) + 1;  // rounded up, or the text would be cut
    const float y = line.y + std::floor((height - swatch) / 2);
    fill_box(list, {x, y}, {x + swatch, y + swatch}, each.fill, theme.px(2));
    draw_text_fitted(list, {x + swatch + before_text, text_y}, width, theme.text, each.name);
    x += swatch + before_text + width + after_text;
  };
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const float wanted = swatch + before_text + after_text + name_width(classes[c]);
    const bool last = c + 1 == classes.size();
    const std::string more = fmt::format("and {} more", classes.size() - c);
    if (x + wanted + (last ? 0 : text_width(more)) > line.x + line.width) {
      draw_text(list, {x, text_y}, theme.text_dim, more);
      return;
    }
    draw_entry(classes[c]);
  }
  const ColorClass& rest = colors->look(SIZE_MAX);  // what slices without a class look like
  if (x + swatch + before_text + after_text + text_width(rest.name) < line.x + line.width) draw_entry(rest);
}

std::vector<FoldLabel> labels_of_folds(const PanelContext& context, const LanesPlace& place, const Area& ruler) {
  const auto x_on_ruler = [&](Ns t) { return static_cast<double>(place.x_of(static_cast<double>(t)) - ruler.x); };
  return fold_labels(context.workspace.runs_in_view().gaps, static_cast<double>(ruler.width), static_cast<double>(context.theme.px(3)),
                     x_on_ruler, [](std::string_view text) { return static_cast<double>(text_width(text)); });
}

void draw_folds(const PanelContext& context, const LanesPlace& place, const Area& ruler, const std::vector<FoldLabel>& labels) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = context.theme;
  const Rgba fill = with_alpha(theme.warning, 40), line = with_alpha(theme.warning, 160);
  for (const FoldedGap& gap : context.workspace.runs_in_view().gaps) {
    const float x0 = place.x_of(static_cast<double>(gap.at.begin)), x1 = place.x_of(static_cast<double>(gap.at.end));
    if (x1 < ruler.x || x0 > ruler.x + ruler.width) continue;
    fill_box(list, {x0, ruler.y}, {std::max(x1, x0 + 1), place.area.y + place.area.height}, fill);
    for (const float x : {x0, x1}) draw_line(list, {x, ruler.y}, {x, place.area.y + place.area.height}, line);
  }
  for (const FoldLabel& label : labels) {
    const float left = ruler.x + static_cast<float>(label.at.x0), right = ruler.x + static_cast<float>(label.at.x1);
    fill_box(list, {left, ruler.y}, {right, ruler.y + ruler.height - 1}, theme.header);
    draw_text(list, {left + theme.px(3), ruler.y + (ruler.height - ImGui::GetFontSize()) / 2}, theme.warning, label.text);
  }
}

void draw_marked_finding(const PanelContext& context, const LanesPlace& place, const Area& ruler) {
  const std::span<const Finding> findings = context.workspace.run().findings();
  const auto marked = marked_place(findings, static_cast<Ns>(place.view.span));
  if (!marked || context.workspace.state().layout(place.half).boxes().empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Area& lanes = place.area;
  const Rgba color = color_of(context.theme, findings.front().level);
  const float x0 = left_end(place, marked->begin), x1 = right_end(place, marked->end);
  if (x1 < lanes.x || x0 > lanes.x + lanes.width) return;
  const float ruler_end = ruler.y + ruler.height;
  fill_box(list, {x0, ruler_end - context.theme.px(3)}, {std::max(x1, x0 + context.theme.px(2)), ruler_end}, color);
  for (const float x : {x0, x1}) draw_line(list, {x, ruler_end}, {x, lanes.y + lanes.height}, with_alpha(color, 180));
}

void draw_range(const PanelContext& context, std::span<const LanesPlace> panes, const Area& ruler, TimeRange range,
                const std::vector<LaneId>& lanes) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = context.theme;
  const LanesPlace& place = panes.front();
  const float x0 = place.x_of(static_cast<double>(range.begin)), x1 = place.x_of(static_cast<double>(range.end));
  fill_box(list, {x0, ruler.y}, {x1, ruler.y + ruler.height}, theme.selection_fill);
  for (const LanesPlace& pane : panes) {
    const Area& at = pane.area;
    for (const LaneBand& band : area_bands(context.workspace.trace(), context.workspace.state().layout(pane.half), lanes, pane.scroll,
                                           static_cast<double>(at.height))) {
      fill_box(list, {x0, at.y + static_cast<float>(band.y0)}, {x1, at.y + static_cast<float>(band.y1)}, theme.selection_fill);
    }
  }
  for (const float x : {x0, x1}) draw_line(list, {x, ruler.y}, {x, place.area.y + place.area.height}, theme.selection);
  const std::string length = format_duration(range.length());
  const float width = text_width(length), middle = (std::max(x0, ruler.x) + std::min(x1, ruler.x + ruler.width)) / 2;
  const ImVec2 at{middle - width / 2, place.area.y + theme.px(4)};
  const float pad = theme.px(4);
  fill_box(list, {at.x - pad, at.y - 1}, {at.x + width + pad, at.y + ImGui::GetFontSize() + 1}, theme.panel, theme.px(3));
  draw_text(list, at, theme.text, length);
}

}  // namespace tv
