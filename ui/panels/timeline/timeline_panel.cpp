#include "ui/panels/timeline/timeline_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/store/draft/unread_sources.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/color/chart_palette.h"
#include "core/view/lanes/lane_titles.h"
#include "core/view/words/request_label.h"
#include "ui/panels/lanes/ground.h"
#include "ui/panels/timeline/timeline_overlays.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kRulerHeight = 24, kScrollbarWidth = 10;
constexpr float kLabelRoom = 96;  // for a ruler label
constexpr float kCornerPadding = 6;
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

FrameParams TimelinePanel::params(const PanelContext& context) const {
  const Workspace& workspace = context.workspace;
  FrameParams params;
  params.width_px = static_cast<std::uint32_t>(at_.area.width);
  params.height_px = at_.area.height;
  params.scroll_y = at_.scroll;
  params.palette = &workspace.palette();
  params.text_height_px = ImGui::GetFontSize();
  params.char_width_px = ImGui::GetFontSize() * 0.5f;
  params.text_padding_px = context.theme.px(3);
  params.fade_px = context.theme.px(8);
  params.diamond_px = context.theme.px(9);
  params.selected = workspace.state().selection.slice;
  params.arrows = workspace.state().selected.waits.arrows;
  params.highlighted = workspace.state().selection.same_name;
  params.collectives = workspace.results().collectives;
  if (!workspace.search().hits().empty()) params.hits = &workspace.search().hits();
  params.lane_color = context.theme.lane_even;
  if (const GpuMarks* const marks = workspace.results().gpu_marks) params.exposed = &marks->exposed;
  params.exposed_color = chart_color(kExposedColor, workspace.settings().shown_theme());
  params.exposed_px = std::max(1.0f, std::floor(context.theme.px(3)));
  const SliceColors* const colors = workspace.coloring().colors();
  if (colors && colors->trace() == &workspace.trace()) params.colors = colors;
  const SliceId hovered = workspace.state().selection.hovered;
  // All requests have the same name, so highlighting that name would be useless.
  const bool distinct_name = hovered != kNone<SliceId> && !(workspace.results().rollout && request_of_bar(*workspace.results().rollout, hovered));
  if (distinct_name && drag_ == Drag::None) params.lit = workspace.trace().label_of(hovered);
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
  if (under_mouse_ && drag_ == Drag::None) tooltip_.draw(context, at_, *under_mouse_);
}

void TimelinePanel::place_panes(const PanelContext& context, const Area& area) {
  const Workspace& workspace = context.workspace;
  LanesPlace &lanes = panes_[kLanesPane].place, &pinned = panes_[kPinnedPane].place;
  const float ruler = std::floor(context.theme.px(kRulerHeight));
  lanes = {half_, lanes_area(area, context.theme), workspace.state().view(half_), std::floor(workspace.state().scroll_y(half_)), false};
  pinned_height_ = static_cast<float>(workspace.state().layout(half_).pinned_height());
  const Area above{lanes.area.x, area.y + ruler, lanes.area.width, lanes.area.y - area.y - ruler};
  pinned = {half_, above, lanes.view, std::clamp(pinned.scroll, 0.0, std::max(0.0, static_cast<double>(pinned_height_ - above.height))), true};
  left_ = area.x;
  ruler_height_ = ruler;
  use_pane(kLanesPane);
}

void TimelinePanel::use_pane(std::size_t pane) {
  pane_ = pane;
  at_ = panes_[pane].place;
}

Area TimelinePanel::names_area() const { return {left_, at_.area.y, at_.area.x - left_, at_.area.height}; }

void TimelinePanel::draw_trace(const PanelContext& context, const Area& area) {
  const Area ruler{at_.area.x, area.y, at_.area.width, std::floor(context.theme.px(kRulerHeight))};
  const Viewport& view = at_.view;
  const TimeStyle& style = context.workspace.state().time_style(half_);  // contains a string, so it is not copied in every frame
  const float room = context.theme.px(kLabelRoom);
  if (!axis_of_ || axis_of_->view != view || axis_of_->width != at_.area.width || axis_of_->room != room ||
      axis_of_->style != style) {
    build_time_axis(view, static_cast<std::uint32_t>(at_.area.width), room, axis_, style);
    axis_of_ = AxisKey{view, at_.area.width, room, style};
  }
  const Area pinned = panes_[kPinnedPane].place.area;
  if (drag_ == Drag::None)
    mouse_pane_ = pinned.height > 0 && ImGui::GetIO().MousePos.y < pinned.y + pinned.height ? kPinnedPane : kLanesPane;
  names_.begin_frame(context.workspace, panes_[kLanesPane].place);
  use_pane(mouse_pane_);
  handle_mouse(context, names_area(), ruler);
  auto record = begin_record(context, ruler);
  const std::vector<FoldLabel> folds = labels_of_folds(context, at_, ruler);
  draw_ruler(context, ruler, folds);
  if (pinned.height > 0) {
    use_pane(kPinnedPane);
    draw_pane(context);
  }
  use_pane(kLanesPane);
  draw_pane(context);
  if (context.workspace.state().layout(half_).boxes().empty()) draw_no_lanes(context);
  names_.draw_sticky_headers(context, at_, names_area());
  names_.draw_count_of_lanes(context, half_, names_area());
  draw_legend(context, at_);
  draw_divider(context, area);
  if (drag_ == Drag::LaneName) names_.draw_dragged(context, panes_[mouse_pane_].place, names_area());
  if (drag_ == Drag::Clock) clock_.draw();
  lane_menu_.draw(context, half_);
  draw_scrollbar(context, area);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(ruler.min(), at_.area.max(), true);
  draw_folds(context, at_, ruler, folds);
  draw_marked_finding(context, at_, ruler);
  draw_area(context, ruler);
  notes_.draw(context, at_, ruler);
  list.PopClipRect();
  record.reset();
  if (has_mouse_ && ImGui::IsWindowHovered() && drag_ == Drag::None) notes_.draw_tooltip(context, at_, ruler, ImGui::GetIO().MousePos);
  menu_.draw(context);
  notes_.draw_name_box(context, at_, ruler);
}

void TimelinePanel::draw_pane(const PanelContext& context) {
  draw_lanes(context);
  const LaneId hovered = under_mouse_ ? under_mouse_->place.lane : kNone<LaneId>;
  names_.draw(context, at_, names_area(), hovered, drag_ == Drag::None);
}

void TimelinePanel::draw_lanes(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  FrameParams frame_params = params(context);
  const auto brushed = context.workspace.lit_slices();
  frame_params.brushed = brushed.get();
  const FrameKey key{workspace.snapshot().generation, workspace.state().halves.layout_version, at_.view,
                     frame_params.scroll_y,           at_.area.width,               at_.area.height,
                     ImGui::GetFontSize(),            workspace.settings().shown_theme(),          frame_params.selected,
                     workspace.state().selected.waits_version,       frame_params.lit,           frame_params.highlighted,
                     workspace.coloring().version(),  frame_params.collectives,   frame_params.exposed,       brushed,
                     frame_params.hits ? workspace.search().version() : 0};
  Pane& pane = panes_[pane_];
  if (pane.built_from != key) {
    builder_.build(workspace.snapshot(), workspace.state().layout(half_), at_.view, frame_params, pane.frame);
    pane.built_from = key;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(at_.area.min(), at_.area.max(), true);
  add_backgrounds(context);
  draw_grid(context, list);
  canvas_.draw(list, pane.frame, at_.area.min(), at_.area.size(), context.theme.scale);
  record_frame(list, pane.frame);
  draw_arrows(context, at_, pane.frame);  // before the names, which are drawn over them
  labels_.draw(context, at_, pane.frame, DrawingRecord::is_recording() ? &picture_->shapes : nullptr);
  draw_cuts(context, at_);
  draw_requests(context, list);
  const Selection& selection = workspace.state().selection;
  if (selection.hovered != kNone<SliceId> && selection.hovered != selection.slice && !DrawingRecord::is_recording()) {
    draw_outline(context, list, selection.hovered, context.theme.hover, 1);
  }
  if (selection.has_slice()) draw_outline(context, list, selection.slice, context.theme.selection, 2);
  for (const SliceId other : selection.also) draw_outline(context, list, other, context.theme.selection, 2);
  draw_stretch(context, at_);
  if (under_mouse_ && under_mouse_->gap && drag_ == Drag::None && !DrawingRecord::is_recording()) {
    draw_gap(context, at_, *under_mouse_->gap, with_alpha(context.theme.hover, 110), 1);
  }
  if (const auto& gap = workspace.state().selected.gap) draw_gap(context, at_, gap->gap, context.theme.selection, 2);
  labels_.draw_arrow_ends(context, at_, pane.frame);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const std::optional<double> pointed = workspace.state().pointed_time(half_);
  const float cursor_x = at_.area.contains(mouse) ? mouse.x : pointed ? std::floor(at_.x_of(*pointed)) : at_.area.x - 1;
  if (cursor_x >= at_.area.x) list.AddLine({cursor_x, at_.area.y}, {cursor_x, at_.area.y + at_.area.height}, context.theme.cursor);
  list.PopClipRect();
}

void TimelinePanel::add_backgrounds(const PanelContext& context) const {
  const Workspace& workspace = context.workspace;
  for (const LaneBox& box : workspace.state().layout(half_).boxes_between(at_.scroll, at_.scroll + static_cast<double>(at_.area.height))) {
    const float y = at_.area.y + static_cast<float>(box.y - at_.scroll);
    const bool header = box.group && !box.collapsed;
    const Rgba color = header             ? context.theme.lane_group
                       : idx(box.lane) % 2 ? context.theme.lane_odd
                                           : context.theme.lane_even;
    if (color == context.theme.window) continue;  // the window already has this colour
    fill_background(context, at_.area.common({at_.area.x, y, at_.area.width, box.height}), color);
  }
}

void TimelinePanel::draw_grid(const PanelContext& context, ImDrawList& list) const {
  for (const Tick& tick : axis_.ticks) {
    const float x = std::floor(at_.area.x + static_cast<float>(tick.x));
    draw_line(list, {x, at_.area.y}, {x, at_.area.y + at_.area.height},
                 tick.major ? context.theme.grid_strong : context.theme.grid);
  }
}

void TimelinePanel::draw_outline(const PanelContext& context, ImDrawList& list, SliceId slice, Rgba color,
                                 float width) const {
  const Workspace& workspace = context.workspace;
  const SliceBox box = box_of_slice(workspace.trace(), workspace.state().layout(half_), at_.view, params(context), slice);
  const double left = std::clamp(box.x0, -10.0, static_cast<double>(at_.area.width) + 10);
  const double right = std::clamp(box.x1, -10.0, static_cast<double>(at_.area.width) + 10);
  const float x0 = at_.area.x + static_cast<float>(left), y0 = at_.area.y + static_cast<float>(box.y);
  const float x1 = std::max(at_.area.x + static_cast<float>(right), x0 + context.theme.px(3));
  outline_box(list, {x0 - 1, y0 - 1}, {x1 + 1, y0 + static_cast<float>(box.height) + 1}, color, context.theme.px(2),
              context.theme.px(width));
}

// Outlines the requests that charts and filters select. If there are too many, outlines none: nothing else would be visible.
void TimelinePanel::draw_requests(const PanelContext& context, ImDrawList& list) const {
  constexpr std::size_t kMost = 4000;
  const Workspace& workspace = context.workspace;
  const RunState& state = workspace.run();
  const Rollout* const rollout = state.rollout();
  if (!rollout || rollout->trace.get() != &workspace.trace() || state.everything()) return;
  if (state.question().requests.size() > kMost) return;
  const Viewport& view = at_.view;
  for (const RequestIx r : state.question().requests) {
    const bool in_view = static_cast<double>(rollout->end[r]) > view.begin && static_cast<double>(rollout->begin[r]) < view.end();
    if (in_view && rollout->slice[r] != kNone<SliceId>) {
      draw_outline(context, list, rollout->slice[r], context.theme.selection, 1);
    }
  }
}

void TimelinePanel::draw_area(const PanelContext& context, const Area& ruler) const {
  const Selection& selection = context.workspace.state().selection;
  const bool temporary = drag_ == Drag::ZoomTo || drag_ == Drag::ZoomOut || drag_ == Drag::Measure;  // gone on release
  const LanesPlace places[] = {panes_[kLanesPane].place, panes_[kPinnedPane].place};
  if (!temporary) {
    if (selection.range) draw_range(context, places, ruler, *selection.range, selection.lanes);
    return;
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool snaps = drag_ == Drag::Measure;
  const Ns from = snaps ? snapped(context, press_.x, press_) : static_cast<Ns>(press_time_);
  const Ns to = snaps ? snapped(context, mouse.x, mouse) : static_cast<Ns>(at_.time_at(mouse.x));
  draw_range(context, places, ruler, {std::min(from, to), std::max(from, to)}, {});
}

void TimelinePanel::draw_ruler(const PanelContext& context, const Area& ruler, const std::vector<FoldLabel>& folds) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = context.theme;
  const float left = ImGui::GetWindowPos().x;
  fill_background(context, {left, ruler.y, ruler.x - left + ruler.width + theme.px(kScrollbarWidth), ruler.height}, theme.header);
  const float text_y = ruler.y + (ruler.height - ImGui::GetFontSize()) / 2;
  const float menu = lane_menu_.draw_order_button(context, half_, {left, ruler.y, ruler.x - left, ruler.height});
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

// Names the unit of the ruler's labels; a click switches to the next time format.
void TimelinePanel::draw_corner(const PanelContext& context, const Area& corner, float menu) const {
  const float width = corner.width - menu - context.theme.px(kCornerPadding);
  if (width < context.theme.px(20)) return;
  ImGui::SetCursorScreenPos({corner.x, corner.y});
  if (ImGui::InvisibleButton("time format", {width, corner.height})) context.push(command::SetTimeFormat{});
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 at{corner.x + context.theme.px(kCornerPadding), corner.y + (corner.height - ImGui::GetFontSize()) / 2};
  draw_text_fitted(*ImGui::GetWindowDrawList(), at, width - context.theme.px(kCornerPadding),
                   hovered ? context.theme.text : context.theme.text_dim, axis_.corner);
  if (!hovered) return;
  const TimeStyle& style = context.workspace.state().time_style(half_);
  ImGui::SetTooltip("Times: %s%s%s%s%s\n%s click: since the start, wall clock, since step start, seconds",
                    name(style.format).data(), style.of.empty() ? "" : ", ", style.of.c_str(),
                    axis_.offset.empty() ? "" : "; labels count from ", axis_.offset.c_str(),
                    around_key(Action::NextTimeFormat, "", " or a", "A").c_str());
}

void TimelinePanel::draw_divider(const PanelContext& context, const Area& area) const {
  if (panes_[kPinnedPane].place.area.height <= 0) return;
  const bool grabbed = on_divider_ || drag_ == Drag::Divider;
  const float y = at_.area.y - 1;
  draw_line(*ImGui::GetWindowDrawList(), {area.x, y}, {area.x + area.width, y}, grabbed ? context.theme.accent : context.theme.text_disabled,
               context.theme.px(2));
}

// Where the thumb is in the height of the lanes below the pinned ones.
ScrollThumb TimelinePanel::scrollbar_thumb(const PanelContext& context) const {
  const LaneLayout& layout = context.workspace.state().layout(half_);
  return scroll_thumb(context.workspace.scrolled_height(half_) - layout.pinned_height(), static_cast<double>(panes_[kLanesPane].place.area.height),
                      context.workspace.state().scroll_y(half_) - layout.pinned_height(), static_cast<double>(context.theme.px(20)));
}

void TimelinePanel::draw_scrollbar(const PanelContext& context, const Area& area) {
  const ScrollThumb thumb = scrollbar_thumb(context);
  if (thumb.content_per_px == 0) return;
  const float x = at_.area.x + at_.area.width, width = area.x + area.width - x;
  const float y = at_.area.y + static_cast<float>(thumb.begin), length = static_cast<float>(thumb.length);
  const float inset = context.theme.px(2);
  ImGui::GetWindowDrawList()->AddRectFilled({x + inset, y}, {x + width - inset, y + length},
                                            drag_ == Drag::Scrollbar ? context.theme.accent : context.theme.field_border,
                                            context.theme.px(4));
}

// Says that files are being read, or that they contained no lanes.
void TimelinePanel::draw_empty(const PanelContext& context, const Area& area) const {
  constexpr std::string_view kReading[] = {"Reading ..."};
  const Workspace& workspace = context.workspace;
  const std::string why = nothing_read(workspace.trace().sources, workspace.session().paths());
  const std::string report = "The import report explains each file" + key_in_brackets(Action::ShowProblems);
  const std::string open = "Open something else" + key_in_brackets(Action::Open);
  std::vector<std::string_view> nothing = {"Nothing to show", why, open};
  const bool report_open = workspace.state().panels.layout().drawer && workspace.state().panels.layout().left == "problems";
  if (!workspace.trace().sources.empty() && !report_open) nothing.insert(nothing.begin() + 2, report);
  draw_words(context, area, workspace.session().status().running() ? std::span<const std::string_view>(kReading) : nothing);
}

// All lanes are hidden: says why, and how to show them again.
void TimelinePanel::draw_no_lanes(const PanelContext& context) const {
  const Workspace& workspace = context.workspace;
  const ArrangedLanes& lanes = workspace.state().lanes;
  const NoLanesMessage message = no_lanes_message(lanes.state.filter, lanes.complaint, key_or_title(Action::ShowAllLanes));
  const std::string_view lines[] = {message.why, message.remedy};
  draw_words(context, at_.area, lines);
}

// Draws text in the middle of an otherwise empty area.
void TimelinePanel::draw_words(const PanelContext& context, const Area& area, std::span<const std::string_view> lines) const {
  const float line_height = ImGui::GetFontSize() * 1.6f;
  float y = area.y + (area.height - line_height * static_cast<float>(lines.size())) * 0.4f;
  for (const std::string_view& line : lines) {
    const Rgba color = &line == &lines.front() ? context.theme.text : context.theme.text_dim;
    draw_text(*ImGui::GetWindowDrawList(), {area.x + (area.width - text_width(line)) / 2, y}, color, line);
    y += line_height;
  }
}

std::optional<ImVec2> TimelinePanel::place_of_name(const Workspace& workspace, std::string_view text) const {
  for (const LaneBox& box : workspace.state().layout(half_).boxes()) {
    if (workspace.state().layout(half_).title(workspace.trace(), box).find(text) == std::string_view::npos) continue;
    const LanesPlace& place = panes_[box.pinned ? kPinnedPane : kLanesPane].place;
    const float y = place.y_of(box.y) + std::min(box.height / 2, 9.0f);
    if (y >= place.area.y && y < place.area.y + place.area.height) return ImVec2{(left_ + place.area.x) / 2, y};
  }
  return std::nullopt;
}

std::optional<ImVec2> TimelinePanel::place_of_item(std::string_view text) const {
  const Area& pinned = panes_[kPinnedPane].place.area;
  if (text == "divider" && pinned.height > 0) return ImVec2{pinned.x + pinned.width / 2, pinned.y + pinned.height};
  if (const auto place = names_.place_of(at_, text)) return place;
  return items_.place_of(text);
}

}  // namespace tv
