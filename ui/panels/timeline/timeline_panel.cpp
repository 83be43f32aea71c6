#include "ui/panels/timeline/timeline_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/store/draft/unread_sources.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/color/chart_palette.h"
#include "core/view/lanes/area_bands.h"
#include "core/view/lanes/lane_titles.h"
#include "core/view/words/request_label.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kRulerHeight = 24, kScrollbarWidth = 10;
constexpr float kLabelRoom = 96;  // for a ruler label
constexpr float kPinnedShare = 0.4f, kLeastBelowPinned = 60;  // share of the height, unless the user dragged it

}  // namespace

TimelineGeometry TimelinePanel::geometry(const Area& area, const Theme& theme) const {
  const Area lanes = lanes_area(area, theme);
  return {lanes.width, lanes.height, LaneMetrics{}.scaled(theme.scale)};
}

float TimelinePanel::height_for(float lanes_px, const Theme& theme) {
  return lanes_px > 0 ? std::floor(theme.px(kRulerHeight)) + lanes_px : 0;
}

Area TimelinePanel::lanes_area(const Area& area, const Theme& theme) const {
  const float left = std::floor(theme.px(names_width_)), ruler = std::floor(theme.px(kRulerHeight));
  const float most = pinned_most_ ? theme.px(*pinned_most_) : kPinnedShare * (area.height - ruler);
  const float top = ruler + std::floor(std::clamp(std::min(pinned_height_, most), 0.0f,
                                                  std::max(0.0f, area.height - ruler - theme.px(kLeastBelowPinned))));
  return {area.x + left, area.y + top, std::max(1.0f, std::floor(area.width - left - theme.px(kScrollbarWidth))),
          std::max(1.0f, std::floor(area.height - top))};
}

double TimelinePanel::time_at(const PanelContext& context, float x) const {
  const Viewport view = context.workspace.view(half_);
  return view.begin + static_cast<double>(x - lanes_.x) / static_cast<double>(lanes_.width) * view.span;
}

float TimelinePanel::x_of(const PanelContext& context, double t) const {
  const Viewport view = context.workspace.view(half_);
  const double x = static_cast<double>(lanes_.x) + (t - view.begin) / view.span * static_cast<double>(lanes_.width);
  return static_cast<float>(std::clamp(x, -1e6, 1e6));
}

FrameParams TimelinePanel::params(const PanelContext& context) const {
  const Workspace& workspace = context.workspace;
  FrameParams params;
  params.width_px = static_cast<std::uint32_t>(lanes_.width);
  params.height_px = lanes_.height;
  params.scroll_y = scroll();
  params.palette = &workspace.palette();
  params.text_height_px = ImGui::GetFontSize();
  params.char_width_px = ImGui::GetFontSize() * 0.5f;
  params.text_padding_px = context.theme.px(3);
  params.fade_px = context.theme.px(8);
  params.diamond_px = context.theme.px(9);
  params.selected = workspace.selection().slice;
  params.arrows = workspace.selected().waits.arrows;
  params.highlighted = workspace.selection().same_name;
  params.collectives = workspace.collectives();
  if (!workspace.search().hits().empty()) params.hits = &workspace.search().hits();
  params.lane_color = context.theme.lane_even;
  if (const GpuMarks* const marks = workspace.gpu_marks()) params.exposed = &marks->exposed;
  params.exposed_color = chart_color(kExposedColor, workspace.theme());
  params.exposed_px = std::max(1.0f, std::floor(context.theme.px(3)));
  const SliceColors* const colors = workspace.coloring().colors();
  if (colors && colors->trace() == &workspace.trace()) params.colors = colors;
  const SliceId hovered = workspace.selection().hovered;
  // All requests have the same name, so highlighting it would be useless.
  const bool tells = hovered != kNone<SliceId> && !(workspace.rollout() && request_of_bar(*workspace.rollout(), hovered));
  if (tells && drag_ == Drag::None) params.lit = workspace.trace().label_of(hovered);
  return params;
}

void TimelinePanel::draw(const PanelContext& context, const Area& area, bool has_mouse) {
  has_mouse_ = has_mouse;
  place_panes(context, area);
  ImGui::SetNextWindowPos(area.min());
  ImGui::SetNextWindowSize(area.size());
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                      ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav |
                                      ImGuiWindowFlags_NoBackground;  // the frame was cleared with theme.window
  const bool is_open = ImGui::Begin(half_ == SplitHalf::Upper ? "timeline" : "timeline below", nullptr, kFlags);
  ImGui::PopStyleVar(2);  // for this window only: tooltips and menus that open from it keep their own style
  if (is_open) {
    if (context.workspace.trace().lanes.empty()) {
      under_mouse_.reset();
      draw_empty(context, area);
    } else {
      draw_trace(context, area);
    }
  }
  ImGui::End();
  if (under_mouse_ && drag_ == Drag::None) draw_tooltip(context, *under_mouse_);
}

void TimelinePanel::place_panes(const PanelContext& context, const Area& area) {
  const Workspace& workspace = context.workspace;
  Pane &lanes = panes_[kLanesPane], &pinned = panes_[kPinnedPane];
  lanes.area = lanes_area(area, context.theme);
  lanes.scroll = std::floor(workspace.scroll_y(half_));
  const float ruler = std::floor(context.theme.px(kRulerHeight));
  pinned.area = {lanes.area.x, area.y + ruler, lanes.area.width, lanes.area.y - area.y - ruler};
  pinned_height_ = static_cast<float>(workspace.layout(half_).pinned_height());
  pinned.scroll = std::clamp(pinned.scroll, 0.0, std::max(0.0, static_cast<double>(pinned_height_ - pinned.area.height)));
  left_ = area.x;
  ruler_height_ = ruler;
  use_pane(kLanesPane);
}

void TimelinePanel::use_pane(std::size_t pane) {
  pane_ = pane;
  lanes_ = panes_[pane].area;
}

Area TimelinePanel::names_area() const { return {left_, lanes_.y, lanes_.x - left_, lanes_.height}; }

void TimelinePanel::draw_trace(const PanelContext& context, const Area& area) {
  const Area ruler{lanes_.x, area.y, lanes_.width, std::floor(context.theme.px(kRulerHeight))};
  const Viewport view = context.workspace.view(half_);
  const TimeWords& words = context.workspace.time_words(half_);  // contains a text, so it is not copied in every frame
  const float room = context.theme.px(kLabelRoom);
  if (!axis_of_ || axis_of_->view != view || axis_of_->width != lanes_.width || axis_of_->room != room ||
      axis_of_->words != words) {
    build_time_axis(view, static_cast<std::uint32_t>(lanes_.width), room, axis_, words);
    axis_of_ = AxisKey{view, lanes_.width, room, words};
  }
  const Area& pinned = panes_[kPinnedPane].area;
  if (drag_ == Drag::None)
    mouse_pane_ = pinned.height > 0 && ImGui::GetIO().MousePos.y < pinned.y + pinned.height ? kPinnedPane : kLanesPane;
  sticky_headers(context.workspace.trace(), context.workspace.layout(half_), panes_[kLanesPane].scroll, sticky_);
  use_pane(mouse_pane_);
  handle_mouse(context, names_area(), ruler);
  auto record = begin_record(context, ruler);
  const std::vector<FoldLabel> folds = labels_of_folds(context, ruler);
  draw_ruler(context, ruler, folds);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (pinned.height > 0) {
    use_pane(kPinnedPane);
    draw_lanes(context);
    draw_names(context, names_area());
  }
  use_pane(kLanesPane);
  draw_lanes(context);
  draw_names(context, names_area());
  if (context.workspace.layout(half_).boxes().empty()) draw_no_lanes(context);
  draw_sticky_headers(context, list, names_area());
  draw_count_of_lanes(context, list, names_area());
  draw_legend(context, list);
  draw_divider(context, list, area);
  draw_dragged_name(context, list, names_area());
  draw_dragged_clock();
  draw_lane_menu(context);
  draw_scrollbar(context, area);
  list.PushClipRect(ruler.min(), lanes_.max(), true);
  draw_folds(context, list, ruler, folds);
  draw_found(context, list, ruler);
  draw_range(context, list, ruler);
  draw_spans(context, list, ruler);
  draw_marks(context, list, ruler);
  list.PopClipRect();
  record.reset();
  if (has_mouse_ && ImGui::IsWindowHovered()) point_at_notes(context, ruler, ImGui::GetIO().MousePos);
  draw_menu(context);
  draw_name_box(context, ruler);
}

void TimelinePanel::draw_lanes(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  FrameParams frame_params = params(context);
  const auto brushed = context.workspace.lit_slices();
  frame_params.brushed = brushed.get();
  const FrameKey key{workspace.snapshot().generation, workspace.halves().layout_version, workspace.view(half_),
                     frame_params.scroll_y,           lanes_.width,               lanes_.height,
                     ImGui::GetFontSize(),            workspace.theme(),          frame_params.selected,
                     workspace.selected().waits_version,       frame_params.lit,           frame_params.highlighted,
                     workspace.coloring().version(),  frame_params.collectives,   frame_params.exposed,       brushed,
                     frame_params.hits ? workspace.search().version() : 0};
  Pane& pane = panes_[pane_];
  if (pane.built_from != key) {
    builder_.build(workspace.snapshot(), workspace.layout(half_), workspace.view(half_), frame_params, pane.frame);
    pane.built_from = key;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(lanes_.min(), lanes_.max(), true);
  add_backgrounds(context);
  draw_grid(context, list);
  canvas_.draw(list, pane.frame, lanes_.min(), lanes_.size(), context.theme.scale);
  record_frame(list, pane.frame);
  draw_arrows(context, list);  // drawn behind names
  draw_texts(context, list);
  draw_cuts(context, list);
  draw_requests(context, list);
  const Selection& selection = workspace.selection();
  if (selection.hovered != kNone<SliceId> && selection.hovered != selection.slice && !DrawingRecord::runs()) {
    draw_outline(context, list, selection.hovered, context.theme.hover, 1);
  }
  if (selection.has_slice()) draw_outline(context, list, selection.slice, context.theme.selection, 2);
  for (const SliceId other : selection.also) draw_outline(context, list, other, context.theme.selection, 2);
  draw_stretch(context, list);
  draw_gap(context, list);
  draw_arrow_ends(context, list);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const std::optional<double> pointed = workspace.pointed_time(half_);
  const float cursor_x = lanes_.contains(mouse) ? mouse.x : pointed ? std::floor(x_of(context, *pointed)) : lanes_.x - 1;
  if (cursor_x >= lanes_.x) list.AddLine({cursor_x, lanes_.y}, {cursor_x, lanes_.y + lanes_.height}, context.theme.cursor);
  list.PopClipRect();
}

void TimelinePanel::add_backgrounds(const PanelContext& context) const {
  const Workspace& workspace = context.workspace;
  for (const LaneBox& box : workspace.layout(half_).boxes_between(scroll(), scroll() + static_cast<double>(lanes_.height))) {
    const float y = lanes_.y + static_cast<float>(box.y - scroll());
    const bool header = box.group && !box.collapsed;
    const Rgba color = header             ? context.theme.lane_group
                       : idx(box.lane) % 2 ? context.theme.lane_odd
                                           : context.theme.lane_even;
    if (color == context.theme.window) continue;  // it is already there
    lay_ground(context, lanes_.common({lanes_.x, y, lanes_.width, box.height}), color);
  }
}

void TimelinePanel::draw_grid(const PanelContext& context, ImDrawList& list) const {
  for (const Tick& tick : axis_.ticks) {
    const float x = std::floor(lanes_.x + static_cast<float>(tick.x));
    draw_line(list, {x, lanes_.y}, {x, lanes_.y + lanes_.height},
                 tick.major ? context.theme.grid_strong : context.theme.grid);
  }
}

void TimelinePanel::draw_outline(const PanelContext& context, ImDrawList& list, SliceId slice, Rgba color,
                                 float width) const {
  const Workspace& workspace = context.workspace;
  const SliceBox box = box_of_slice(workspace.trace(), workspace.layout(half_), workspace.view(half_), params(context), slice);
  const double left = std::clamp(box.x0, -10.0, static_cast<double>(lanes_.width) + 10);
  const double right = std::clamp(box.x1, -10.0, static_cast<double>(lanes_.width) + 10);
  const float x0 = lanes_.x + static_cast<float>(left), y0 = lanes_.y + static_cast<float>(box.y);
  const float x1 = std::max(lanes_.x + static_cast<float>(right), x0 + context.theme.px(3));
  outline_box(list, {x0 - 1, y0 - 1}, {x1 + 1, y0 + static_cast<float>(box.height) + 1}, color, context.theme.px(2),
              context.theme.px(width));
}

// Outlines the requests that charts and filters select. With more than some thousands, only outlines would be visible.
void TimelinePanel::draw_requests(const PanelContext& context, ImDrawList& list) const {
  constexpr std::size_t kMost = 4000;
  const Workspace& workspace = context.workspace;
  const RunState& state = workspace.run();
  const Rollout* const rollout = state.rollout();
  if (!rollout || rollout->trace.get() != &workspace.trace() || state.everything()) return;
  if (state.question().requests.size() > kMost) return;
  const Viewport view = workspace.view(half_);
  for (const RequestIx r : state.question().requests) {
    const bool in_view = static_cast<double>(rollout->end[r]) > view.begin && static_cast<double>(rollout->begin[r]) < view.end();
    if (in_view && rollout->slice[r] != kNone<SliceId>) {
      draw_outline(context, list, rollout->slice[r], context.theme.selection, 1);
    }
  }
}

void TimelinePanel::draw_range(const PanelContext& context, ImDrawList& list, const Area& ruler) const {
  std::optional<TimeRange> range = context.workspace.selection().range;
  const bool passing = drag_ == Drag::ZoomTo || drag_ == Drag::ZoomOut || drag_ == Drag::Measure;  // gone on release
  if (passing) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool snaps = drag_ == Drag::Measure;
    const Ns from = snaps ? snapped(context, press_.x, press_) : static_cast<Ns>(press_time_);
    const Ns to = snaps ? snapped(context, mouse.x, mouse) : static_cast<Ns>(time_at(context, mouse.x));
    range = TimeRange{std::min(from, to), std::max(from, to)};
  }
  if (!range) return;
  const float x0 = x_of(context, static_cast<double>(range->begin)), x1 = x_of(context, static_cast<double>(range->end));
  fill_box(list, {x0, ruler.y}, {x1, ruler.y + ruler.height}, context.theme.selection_fill);
  const std::vector<LaneId> lanes = passing ? std::vector<LaneId>() : context.workspace.selection().lanes;
  for (const Pane& pane : panes_) {
    const Area& at = pane.area;
    for (const LaneBand& band : area_bands(context.workspace.trace(), context.workspace.layout(half_), lanes, pane.scroll,
                                           static_cast<double>(at.height))) {
      fill_box(list, {x0, at.y + static_cast<float>(band.y0)}, {x1, at.y + static_cast<float>(band.y1)},
                         context.theme.selection_fill);
    }
  }
  for (const float x : {x0, x1}) draw_line(list, {x, ruler.y}, {x, lanes_.y + lanes_.height}, context.theme.selection);
  const std::string length = format_duration(range->length());
  const float width = text_width(length), middle = (std::max(x0, ruler.x) + std::min(x1, ruler.x + ruler.width)) / 2;
  const ImVec2 at{middle - width / 2, lanes_.y + context.theme.px(4)};
  const float pad = context.theme.px(4);
  fill_box(list, {at.x - pad, at.y - 1}, {at.x + width + pad, at.y + ImGui::GetFontSize() + 1}, context.theme.panel,
                     context.theme.px(3));
  draw_text(list, at, context.theme.text, length);
}

std::vector<FoldLabel> TimelinePanel::labels_of_folds(const PanelContext& context, const Area& ruler) const {
  const auto x_on_ruler = [&](Ns t) { return static_cast<double>(x_of(context, static_cast<double>(t)) - ruler.x); };
  return fold_labels(context.workspace.runs_in_view().gaps, static_cast<double>(ruler.width), static_cast<double>(context.theme.px(3)),
                     x_on_ruler, [](std::string_view text) { return static_cast<double>(text_width(text)); });
}

// Shows where idle time was taken out, and how much: times on the two sides do not share a clock.
void TimelinePanel::draw_folds(const PanelContext& context, ImDrawList& list, const Area& ruler, const std::vector<FoldLabel>& labels) const {
  const Theme& theme = context.theme;
  const Rgba fill = with_alpha(theme.warning, 40), line = with_alpha(theme.warning, 160);
  for (const FoldedGap& gap : context.workspace.runs_in_view().gaps) {
    const float x0 = x_of(context, static_cast<double>(gap.at.begin)), x1 = x_of(context, static_cast<double>(gap.at.end));
    if (x1 < ruler.x || x0 > ruler.x + ruler.width) continue;
    fill_box(list, {x0, ruler.y}, {std::max(x1, x0 + 1), lanes_.y + lanes_.height}, fill);
    for (const float x : {x0, x1}) draw_line(list, {x, ruler.y}, {x, lanes_.y + lanes_.height}, line);
  }
  for (const FoldLabel& label : labels) {
    const float left = ruler.x + static_cast<float>(label.at.x0), right = ruler.x + static_cast<float>(label.at.x1);
    fill_box(list, {left, ruler.y}, {right, ruler.y + ruler.height - 1}, theme.header);
    draw_text(list, {left + theme.px(3), ruler.y + (ruler.height - ImGui::GetFontSize()) / 2}, theme.warning, label.text);
  }
}

void TimelinePanel::draw_ruler(const PanelContext& context, const Area& ruler, const std::vector<FoldLabel>& folds) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = context.theme;
  const float left = ImGui::GetWindowPos().x;
  lay_ground(context, {left, ruler.y, ruler.x - left + ruler.width + theme.px(kScrollbarWidth), ruler.height}, theme.header);
  const float text_y = ruler.y + (ruler.height - ImGui::GetFontSize()) / 2;
  const float menu = draw_order_menu(context, {left, ruler.y, ruler.x - left, ruler.height});
  draw_corner(context, {left, ruler.y, ruler.x - left, ruler.height}, menu);
  list.PushClipRect(ruler.min(), ruler.max(), true);
  std::vector<RulerSpan> written;
  for (const FoldLabel& label : folds) written.push_back(label.at);
  for (const Tick& tick : axis_.ticks) {
    const float x = std::floor(ruler.x + static_cast<float>(tick.x));
    const float height = ruler.height * (tick.major ? 0.45f : 0.25f);
    draw_line(list, {x, ruler.y + ruler.height - height}, {x, ruler.y + ruler.height}, theme.text_disabled);
    if (!tick.major) continue;
    const double label_x = static_cast<double>(x - ruler.x + theme.px(4));
    if (!ruler_label_fits({label_x, label_x + static_cast<double>(text_width(tick.label))}, static_cast<double>(ruler.width), written)) continue;
    draw_text(list, {x + theme.px(4), text_y}, theme.text_dim, tick.label);
  }
  list.PopClipRect();
  draw_line(list, {ImGui::GetWindowPos().x, ruler.y + ruler.height}, {ruler.x + ruler.width, ruler.y + ruler.height},
               theme.border);
}

void TimelinePanel::draw_scrollbar(const PanelContext& context, const Area& area) {
  const double pinned = context.workspace.layout(half_).pinned_height();
  const double content = context.workspace.layout(half_).height() - pinned, height = static_cast<double>(lanes_.height);
  if (content <= height) return;
  const float x = lanes_.x + lanes_.width, width = area.x + area.width - x;
  const auto y = lanes_.y + static_cast<float>((context.workspace.scroll_y(half_) - pinned) / content * height);
  const float length = std::max(context.theme.px(20), static_cast<float>(height / content * height));
  const float inset = context.theme.px(2);
  ImGui::GetWindowDrawList()->AddRectFilled({x + inset, y}, {x + width - inset, y + length},
                                            drag_ == Drag::Scrollbar ? context.theme.accent : context.theme.field_border,
                                            context.theme.px(4));
}

// The start page, or a message while or after loading produced no lanes.
void TimelinePanel::draw_empty(const PanelContext& context, const Area& area) const {
  constexpr std::string_view kReading[] = {"Reading ..."};
  const Workspace& workspace = context.workspace;
  const std::string why = nothing_read(workspace.trace().sources, workspace.session().paths());
  const std::string report = "The import report explains each file (" + text(binding(Action::ShowProblems).chord) + ")";
  const std::string open = text(binding(Action::Open).chord) + " opens something else";
  std::vector<std::string_view> nothing = {"Nothing to show", why, open};
  const bool report_open = workspace.panels().layout().drawer && workspace.panels().layout().left == "problems";
  if (!workspace.trace().sources.empty() && !report_open) nothing.insert(nothing.begin() + 2, report);
  draw_words(context, area, workspace.session().status().running() ? std::span<const std::string_view>(kReading) : nothing);
}

// There are lanes, but none is shown: says why, and how to show them again.
void TimelinePanel::draw_no_lanes(const PanelContext& context) const {
  const Workspace& workspace = context.workspace;
  const NoLanesWords words = no_lanes_words(workspace.lanes().state.filter, workspace.lanes().complaint, text(binding(Action::ShowAllLanes).chord));
  const std::string_view lines[] = {words.why, words.remedy};
  draw_words(context, lanes_, lines);
}

// Text in the middle of an otherwise empty area.
void TimelinePanel::draw_words(const PanelContext& context, const Area& area, std::span<const std::string_view> lines) const {
  const float line_height = ImGui::GetFontSize() * 1.6f;
  float y = area.y + (area.height - line_height * static_cast<float>(lines.size())) * 0.4f;
  for (const std::string_view& line : lines) {
    const Rgba color = &line == &lines.front() ? context.theme.text : context.theme.text_dim;
    draw_text(*ImGui::GetWindowDrawList(), {area.x + (area.width - text_width(line)) / 2, y}, color, line);
    y += line_height;
  }
}

}  // namespace tv
