// The column of names next to the lanes: names, sticky group headers, the line of hidden lanes, the boxes of an area.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/query/lane_filter.h"
#include "core/query/lane_set.h"
#include "core/view/lanes/area_lanes.h"
#include "ui/panels/timeline/lane_title.h"
#include "ui/panels/timeline/timeline_panel.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kIndentOfGroup = 12, kNamePadding = 6;
constexpr float kAreaBox = 10;

void draw_arrow(ImDrawList& list, ImVec2 middle, float size, bool collapsed, Rgba color) {
  const float r = size;
  if (collapsed) {
    fill_triangle(list, {middle.x - r * 0.6f, middle.y - r}, {middle.x + r * 0.8f, middle.y},
                           {middle.x - r * 0.6f, middle.y + r}, color);
  } else {
    fill_triangle(list, {middle.x - r, middle.y - r * 0.6f}, {middle.x + r, middle.y - r * 0.6f},
                           {middle.x, middle.y + r * 0.8f}, color);
  }
}

}  // namespace

void TimelinePanel::draw_names(const PanelContext& context, const Area& names) {
  const Workspace& workspace = context.workspace;
  const Selection& selection = workspace.selection();
  std::erase_if(area_boxes_, [&](const AreaBox& each) { return each.pane == pane_; });
  area_lanes_.clear();
  if (selection.range) area_lanes_ = resolve_lanes(workspace.trace(), selection.lanes);
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(names.min(), names.max(), true);
  const float sticking =
      pane_ == kLanesPane && !sticky_.empty() ? std::max(0.0f, sticky_.back().y + sticky_.back().height) : 0.0f;
  name_end_ = names.y - theme.px(kNamePadding);
  const auto boxes = workspace.layout(half_).boxes_between(scroll(), scroll() + static_cast<double>(names.height));
  titles_in_sight_.clear();
  for (const LaneBox& box : boxes) titles_in_sight_.push_back(workspace.layout(half_).title(workspace.trace(), box));
  for (const LaneBox& box : boxes) {
    draw_name(context, list, names, box, names.y + static_cast<float>(box.y - scroll()), names.y + sticking);
  }
  list.PopClipRect();
  draw_line(list, {lanes_.x - 1, names.y}, {lanes_.x - 1, names.y + names.height}, theme.border);
}

void TimelinePanel::draw_name(const PanelContext& context, ImDrawList& list, const Area& names, const LaneBox& box,
                              float y, float highest) {
  const Workspace& workspace = context.workspace;
  const Theme& theme = context.theme;
  const Lane& lane = workspace.trace().lane(box.lane);
  const float line = ImGui::GetFontSize();
  const float indent = theme.px(kNamePadding + kIndentOfGroup * static_cast<float>(box.indent));
  const bool hovered = under_mouse_ && under_mouse_->place.lane == box.lane;
  const Rgba background = box.group ? theme.lane_group : hovered ? theme.header : theme.panel;
  lay_ground(context, names.common({names.x, y, names.width, box.height}), background);
  const float first_line = std::min(box.height, theme.px(LaneMetrics{}.group_header));
  // The name stays in sight while a tall lane is scrolled past.
  float text_y = std::clamp(highest + theme.px(2), y + (first_line - line) / 2,
                            std::max(y + (first_line - line) / 2, y + box.height - line - theme.px(2)));
  if (box.height < line && y >= names.y) text_y = std::max(text_y, names.y);  // the first name is not cut
  // In rows lower than a line, not all names have room; hovering shows the others.
  if (text_y < name_end_ && !hovered) return;
  name_end_ = text_y + line * 0.85f;
  const float arrow = theme.px(kIndentOfGroup);
  if (box.can_fold) {
    draw_arrow(list, {names.x + indent + arrow * 0.35f, text_y + line * 0.5f}, arrow * 0.30f, box.collapsed,
               theme.text_dim);
  }
  const std::string_view title = workspace.layout(half_).title(workspace.trace(), box);
  const float tick = workspace.selection().range ? draw_area_box(context, list, names, box, text_y) : 0;
  const float room = names.width - indent - arrow - theme.px(kNamePadding) - tick;
  draw_lane_title(list, {names.x + indent + arrow, text_y}, room, box.group ? theme.text : theme.text_dim, title, titles_in_sight_);
  const bool pointed = hovered && names.contains(ImGui::GetIO().MousePos) && drag_ == Drag::None &&
                       area_box_at(ImGui::GetIO().MousePos) == kNone<LaneId>;
  if (pointed && (text_width(title) > room || box.title != UINT32_MAX)) {
    ImGui::SetTooltip("%s", with_letters(joined_path(workspace.trace(), box.lane).c_str()));
  }
  if (lane.counter != UINT32_MAX && box.height > 2.2f * line) {
    const CounterScale& of = workspace.snapshot().index->scale(lane.counter);
    const std::string scale = fmt::format("{:g} .. {:g}{}", of.range.min, of.range.max,
                                          of.lanes > 1 ? fmt::format(" of {} lanes", of.lanes) : std::string());
    draw_text_fitted(list, {names.x + indent + arrow, text_y + line}, room, theme.text_disabled, scale);
  }
}

// Shows whether the area counts the lane, or how much of a group: a box that can be ticked. Returns its width.
float TimelinePanel::draw_area_box(const PanelContext& context, ImDrawList& list, const Area& names, const LaneBox& box,
                                   float text_y) {
  const Theme& theme = context.theme;
  const float size = std::floor(std::min(theme.px(kAreaBox), std::max(box.height - 2, 4.0f))), line = ImGui::GetFontSize();
  const float x = std::floor(names.x + names.width - size - theme.px(kNamePadding)), y = std::floor(text_y + (line - size) / 2);
  const AreaPart part = area_part(context.workspace.trace(), area_lanes_, box.lane);
  const ImVec2 low{x, y}, high{x + size, y + size};
  fill_box(list, low, high, part == AreaPart::All ? theme.accent : theme.window, theme.px(2));
  outline_box(list, low, high, part == AreaPart::None ? theme.text_disabled : theme.accent, theme.px(2));
  if (part == AreaPart::All) {
    const ImVec2 tick[] = {
        {x + size * 0.2f, y + size * 0.5f}, {x + size * 0.42f, y + size * 0.75f}, {x + size * 0.8f, y + size * 0.25f}};
    for (const std::size_t i : {0, 1}) draw_line(list, tick[i], tick[i + 1], theme.window, theme.px(1.5f));
  } else if (part == AreaPart::Some) {
    fill_box(list, {x + size * 0.25f, y + size * 0.4f}, {x + size * 0.75f, y + size * 0.6f}, theme.accent);
  }
  const float reach = theme.px(3);
  const Area place{x - reach, y - reach, size + 2 * reach, size + 2 * reach};
  area_boxes_.push_back({pane_, box.lane, place});
  if (place.contains(ImGui::GetIO().MousePos) && names.contains(ImGui::GetIO().MousePos)) {
    ImGui::SetTooltip("%s", part == AreaPart::All ? "In the area. Click: take it out"
                                                  : "Not in the area, or not all of it. Click: add it");
  }
  return size + theme.px(kNamePadding);
}

LaneId TimelinePanel::area_box_at(ImVec2 mouse) const {
  for (const AreaBox& each : area_boxes_) {
    if (each.pane == pane_ && each.place.contains(mouse)) return each.lane;
  }
  return kNone<LaneId>;
}

// Over names and lanes, like the header itself: what is below it belongs to other lanes.
void TimelinePanel::draw_sticky_headers(const PanelContext& context, ImDrawList& list, const Area& names) {
  const Workspace& workspace = context.workspace;
  const Theme& theme = context.theme;
  const Area all{names.x, names.y, names.width + lanes_.width, names.height};
  list.PushClipRect(all.min(), all.max(), true);
  for (std::size_t i = sticky_.size(); i-- > 0;) {  // outer headers lie over inner ones
    const StickyHeader& header = sticky_[i];
    const LaneBox& box = workspace.layout(half_).box_of(header.lane);
    const float y = names.y + header.y, line = ImGui::GetFontSize(), arrow = theme.px(kIndentOfGroup);
    fill_box(list, {all.x, y}, {all.x + all.width, y + header.height}, theme.lane_group);
    draw_line(list, {all.x, y + header.height}, {all.x + all.width, y + header.height}, theme.border);
    const float x = names.x + theme.px(kNamePadding + kIndentOfGroup * static_cast<float>(box.indent)),
                text_y = y + (header.height - line) / 2;
    draw_arrow(list, {x + arrow * 0.35f, text_y + line * 0.5f}, arrow * 0.30f, false, theme.text_dim);
    draw_text_fitted(list, {x + arrow, text_y}, names.x + names.width - x - arrow - theme.px(kNamePadding), theme.text,
                     workspace.layout(half_).title(workspace.trace(), box));
  }
  list.PopClipRect();
}

const StickyHeader* TimelinePanel::sticky_at(ImVec2 mouse) const {
  if (pane_ != kLanesPane || mouse.x < left_ || mouse.x >= lanes_.x + lanes_.width) return nullptr;
  const float y = mouse.y - lanes_.y;
  const auto at = std::ranges::find_if(
      sticky_, [&](const StickyHeader& h) { return y >= std::max(h.y, 0.0f) && y < h.y + h.height; });
  return at == sticky_.end() ? nullptr : &*at;
}

bool TimelinePanel::hides_lanes(const Workspace& workspace) const {
  const LaneState& lanes = workspace.lanes().state;
  return !lanes.hidden.empty() || !lanes.only.empty() || (workspace.split() && !workspace.split()->lanes[ix(half_)].empty());
}

// Shows how many lanes are hidden, so that users do not miss them. A click shows them.
void TimelinePanel::draw_count_of_lanes(const PanelContext& context, ImDrawList& list, const Area& names) {
  const std::string& text = context.workspace.halves().of(half_).lanes_text;
  count_line_ = {};
  if (text.empty()) return;
  const Theme& theme = context.theme;
  const float height = std::floor(theme.px(LaneMetrics{}.group_header));
  count_line_ = {names.x, names.y + names.height - height, names.width - 1, height};
  const bool over = count_line_.contains(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered();
  fill_box(list, count_line_.min(), count_line_.max(), theme.header);
  draw_line(list, count_line_.min(), {count_line_.x + count_line_.width, count_line_.y}, theme.border);
  draw_text_fitted(list, {names.x + theme.px(kNamePadding), count_line_.y + (height - ImGui::GetFontSize()) / 2},
                   names.width - theme.px(2 * kNamePadding), over ? theme.accent : theme.text, text);
  if (!over) return;
  ImGui::SetTooltip("%s", hides_lanes(context.workspace) ? "Click: show the hidden lanes (Ctrl+Shift+X)"
                                 : "The overview: lanes that say most. Click: show all lanes (E)");
}

void TimelinePanel::draw_divider(const PanelContext& context, ImDrawList& list, const Area& area) const {
  if (panes_[kPinnedPane].area.height <= 0) return;
  const bool grabbed = on_divider_ || drag_ == Drag::Divider;
  const float y = lanes_.y - 1;
  draw_line(list, {area.x, y}, {area.x + area.width, y}, grabbed ? context.theme.accent : context.theme.text_disabled,
               context.theme.px(2));
}

// A click on the arrow, or a double click anywhere on the name, folds; a click on a sticky header scrolls to its place.
void TimelinePanel::press_name(const PanelContext& context, const Area& names, ImVec2 mouse) {
  const bool left = button_ == ImGuiMouseButton_Left;
  if (left && count_line_.contains(mouse)) {
    if (hides_lanes(context.workspace)) {
      context.push(command::ChooseLanes{command::ChooseLanes::What::ShowAll});
    } else {
      context.push(command::ToggleOverview{});
    }
    return;
  }
  if (!under_mouse_) return;
  const LaneId lane = under_mouse_->place.lane;
  if (button_ == ImGuiMouseButton_Right) {
    menu_lane_ = lane;
    lane_menu_of_ = context.workspace.snapshot().generation;
    ImGui::OpenPopup("menu of a lane");
    return;
  }
  if (!left) return;
  if (const LaneId of_box = area_box_at(mouse);
      of_box != kNone<LaneId> && context.workspace.selection().range && !sticky_at(mouse)) {
    context.push(command::ToggleAreaLane{of_box});
    return;
  }
  const LaneBox& box = context.workspace.layout(half_).box_of(lane);
  const float arrow_end = names.x + context.theme.px(20 + kIndentOfGroup * static_cast<float>(box.indent));
  if (mouse.x < arrow_end || double_click_) {
    context.push(command::ToggleLane{lane});
  } else if (sticky_at(mouse)) {
    context.push(command::ScrollToLane{lane});
  } else if (ImGui::GetIO().KeyAlt) {
    begin_clock(context, lane);
  } else {
    pressed_lane_ = lane;
    lane_menu_of_ = context.workspace.snapshot().generation;
    drag_ = Drag::LaneName;
  }
}

// Whether the lane has not changed since the press: another snapshot has other lanes.
bool TimelinePanel::still_there(const PanelContext& context, LaneId lane) const {
  return lane_menu_of_ == context.workspace.snapshot().generation && context.workspace.layout(half_).shows(lane);
}

// The first sibling of the dragged lane whose middle is below the mouse.
LaneId TimelinePanel::dropped_before(const PanelContext& context, ImVec2 mouse) const {
  const Workspace& workspace = context.workspace;
  const LaneBox& moved = workspace.layout(half_).box_of(pressed_lane_);
  const double y = static_cast<double>(mouse.y - lanes_.y) + scroll();
  const LaneId around = workspace.trace().lane(moved.lane).parent;
  for (const LaneBox& box : workspace.layout(half_).boxes()) {
    if (box.pinned != moved.pinned || box.lane == moved.lane) continue;
    const bool beside = moved.pinned || moved.title != UINT32_MAX || workspace.trace().lane(box.lane).parent == around;
    if (beside && box.y + static_cast<double>(box.height) / 2 > y) return box.lane;
  }
  return kNone<LaneId>;
}

void TimelinePanel::draw_dragged_name(const PanelContext& context, ImDrawList& list, const Area& names) const {
  if (drag_ != Drag::LaneName || dragged_lane_ == kNone<LaneId> || !still_there(context, dragged_lane_)) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const LaneLayout& layout = context.workspace.layout(half_);
  const Pane& pane = panes_[mouse_pane_];
  const LaneId before = dropped_before(context, mouse);
  const LaneBox& box = layout.box_of(dragged_lane_);
  if (before != kNone<LaneId>) {
    const float y = pane.area.y + static_cast<float>(layout.box_of(before).y - pane.scroll) - 1;
    draw_line(list, {names.x, y}, {names.x + names.width + lanes_.width, y}, context.theme.accent, context.theme.px(2));
  }
  draw_text(list, {mouse.x + context.theme.px(8), mouse.y - ImGui::GetFontSize() / 2}, context.theme.accent,
            layout.title(context.workspace.trace(), box));
}

std::optional<ImVec2> TimelinePanel::place_of_name(const Workspace& workspace, std::string_view text) const {
  for (const LaneBox& box : workspace.layout(half_).boxes()) {
    if (workspace.layout(half_).title(workspace.trace(), box).find(text) == std::string_view::npos) continue;
    const Pane& pane = panes_[box.pinned ? kPinnedPane : kLanesPane];
    const float y = pane.area.y + static_cast<float>(box.y - pane.scroll) + std::min(box.height / 2, 9.0f);
    if (y >= pane.area.y && y < pane.area.y + pane.area.height) return ImVec2{(left_ + pane.area.x) / 2, y};
  }
  return std::nullopt;
}

std::optional<ImVec2> TimelinePanel::place_of_area_box(const Workspace& workspace, std::string_view text) const {
  for (const AreaBox& each : area_boxes_) {
    if (!workspace.layout(half_).shows(each.lane)) continue;
    const std::string_view title = workspace.layout(half_).title(workspace.trace(), workspace.layout(half_).box_of(each.lane));
    if (title.find(text) == title.npos) continue;
    return ImVec2{each.place.x + each.place.width / 2, each.place.y + each.place.height / 2};
  }
  return std::nullopt;
}

std::optional<ImVec2> TimelinePanel::place_of_item(std::string_view text) const {
  const Area& pinned = panes_[kPinnedPane].area;
  if (text == "divider" && pinned.height > 0) return ImVec2{pinned.x + pinned.width / 2, pinned.y + pinned.height};
  if (text == "hidden" && count_line_.height > 0)
    return ImVec2{count_line_.x + count_line_.width / 2, count_line_.y + count_line_.height / 2};
  if (text == "sticky" && !sticky_.empty())
    return ImVec2{lanes_.x - 20, lanes_.y + sticky_.back().y + sticky_.back().height / 2};
  const auto found = std::ranges::find_if(items_, [&](const auto& item) { return item.first.starts_with(text); });
  return found == items_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tv
