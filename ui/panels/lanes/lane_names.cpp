#include "ui/panels/lanes/lane_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/query/lane_filter.h"
#include "core/query/lane_set.h"
#include "core/view/lanes/area_lanes.h"
#include "ui/panels/lanes/ground.h"
#include "ui/panels/lanes/lane_title.h"
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

// The first sibling of the dragged lane whose middle is below the mouse; none: the lane becomes the last.
LaneId dropped_before(const Workspace& workspace, const LanesPlace& place, LaneId lane, ImVec2 mouse) {
  const LaneLayout& layout = workspace.state().layout(place.half);
  const LaneBox& moved = layout.box_of(lane);
  const double y = place.layout_y(mouse.y);
  const LaneId parent = workspace.trace().lane(moved.lane).parent;
  for (const LaneBox& box : layout.boxes()) {
    if (box.pinned != moved.pinned || box.lane == moved.lane) continue;
    const bool sibling = moved.pinned || moved.title != UINT32_MAX || workspace.trace().lane(box.lane).parent == parent;
    if (sibling && box.y + static_cast<double>(box.height) / 2 > y) return box.lane;
  }
  return kNone<LaneId>;
}

bool hides_lanes(const Workspace& workspace, SplitHalf half) {
  const LaneState& lanes = workspace.state().lanes.state;
  return !lanes.hidden.empty() || !lanes.only.empty() || (workspace.state().split() && !workspace.state().split()->lanes[ix(half)].empty());
}

}  // namespace

// The pane whose names are being drawn.
struct LaneNames::Column {
  const LanesPlace& place;
  const Area& area;
  ImDrawList& list;
  LaneId hovered;
  bool points;
  float highest;  // below the sticky headers
};

void LaneNames::begin_frame(const Workspace& workspace, const LanesPlace& place) {
  sticky_headers(workspace.trace(), workspace.state().layout(place.half), place.scroll, sticky_);
}

void LaneNames::draw(const PanelContext& context, const LanesPlace& place, const Area& names, LaneId hovered, bool points) {
  const Workspace& workspace = context.workspace;
  const LaneLayout& layout = workspace.state().layout(place.half);
  const Selection& selection = workspace.state().selection;
  std::erase_if(area_boxes_, [&](const AreaBox& each) { return each.pinned == place.pinned; });
  area_lanes_.clear();
  if (selection.range) area_lanes_ = resolve_lanes(workspace.trace(), selection.lanes);
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(names.min(), names.max(), true);
  const float sticking = !place.pinned && !sticky_.empty() ? std::max(0.0f, sticky_.back().y + sticky_.back().height) : 0.0f;
  name_end_ = names.y - theme.px(kNamePadding);
  const auto boxes = layout.boxes_between(place.scroll, place.scroll + static_cast<double>(names.height));
  titles_in_sight_.clear();
  for (const LaneBox& box : boxes) titles_in_sight_.push_back(layout.title(workspace.trace(), box));
  const Column column{place, names, list, hovered, points, names.y + sticking};
  for (const LaneBox& box : boxes) draw_name(context, column, box, place.y_of(box.y));
  list.PopClipRect();
  draw_line(list, {place.area.x - 1, names.y}, {place.area.x - 1, names.y + names.height}, theme.border);
}

void LaneNames::draw_name(const PanelContext& context, const Column& column, const LaneBox& box, float y) {
  const Workspace& workspace = context.workspace;
  const Area& names = column.area;
  ImDrawList& list = column.list;
  const Theme& theme = context.theme;
  const Lane& lane = workspace.trace().lane(box.lane);
  const float line = ImGui::GetFontSize();
  const float indent = theme.px(kNamePadding + kIndentOfGroup * static_cast<float>(box.indent));
  const bool hovered = column.hovered == box.lane;
  const Rgba background = box.group ? theme.lane_group : hovered ? theme.header : theme.panel;
  fill_background(context, names.common({names.x, y, names.width, box.height}), background);
  const float first_line = std::min(box.height, theme.px(LaneMetrics{}.group_header));
  // The name stays in sight while a tall lane is scrolled past.
  float text_y = std::clamp(column.highest + theme.px(2), y + (first_line - line) / 2,
                            std::max(y + (first_line - line) / 2, y + box.height - line - theme.px(2)));
  if (box.height < line && y >= names.y) text_y = std::max(text_y, names.y);  // the first name is not cut
  // In rows lower than a line of text, not all names have room. Hovering shows the others.
  if (text_y < name_end_ && !hovered) return;
  name_end_ = text_y + line * 0.85f;
  const float arrow = theme.px(kIndentOfGroup);
  if (box.can_fold) {
    draw_arrow(list, {names.x + indent + arrow * 0.35f, text_y + line * 0.5f}, arrow * 0.30f, box.collapsed,
               theme.text_dim);
  }
  const std::string_view title = workspace.state().layout(column.place.half).title(workspace.trace(), box);
  const float tick = workspace.state().selection.range ? draw_area_box(context, column, box, text_y) : 0;
  const float room = names.width - indent - arrow - theme.px(kNamePadding) - tick;
  draw_lane_title(list, {names.x + indent + arrow, text_y}, room, box.group ? theme.text : theme.text_dim, title, titles_in_sight_);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool pointed = hovered && column.points && names.contains(mouse) && area_box_at(column.place, mouse) == kNone<LaneId>;
  if (pointed && (text_width(title) > room || box.title != UINT32_MAX)) {
    ImGui::SetTooltip("%s", with_letters(joined_path(workspace.trace(), box.lane).c_str()));
  }
  if (lane.counter != UINT32_MAX && box.height > 2.2f * line) {
    const CounterScale& counter_scale = workspace.snapshot().index->scale(lane.counter);
    const std::string scale = fmt::format("{:g} .. {:g}{}", counter_scale.range.min, counter_scale.range.max,
                                          counter_scale.lanes > 1 ? fmt::format(" of {} lanes", counter_scale.lanes) : std::string());
    draw_text_fitted(list, {names.x + indent + arrow, text_y + line}, room, theme.text_disabled, scale);
  }
}

// Draws a check box that shows whether the area includes the lane, or all, some or none of a group. Returns the box's width.
float LaneNames::draw_area_box(const PanelContext& context, const Column& column, const LaneBox& box, float text_y) {
  const Theme& theme = context.theme;
  const Area& names = column.area;
  ImDrawList& list = column.list;
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
  area_boxes_.push_back({column.place.pinned, box.lane, place});
  if (place.contains(ImGui::GetIO().MousePos) && names.contains(ImGui::GetIO().MousePos)) {
    ImGui::SetTooltip("%s", part == AreaPart::All ? "The area includes this lane. Click to remove it from the area"
                                                  : "The area does not include all of this lane. Click to add it");
  }
  return size + theme.px(kNamePadding);
}

LaneId LaneNames::area_box_at(const LanesPlace& place, ImVec2 mouse) const {
  for (const AreaBox& each : area_boxes_) {
    if (each.pinned == place.pinned && each.place.contains(mouse)) return each.lane;
  }
  return kNone<LaneId>;
}

// The headers cover names and lanes, because what lies below them belongs to other lanes.
void LaneNames::draw_sticky_headers(const PanelContext& context, const LanesPlace& place, const Area& names) const {
  const Workspace& workspace = context.workspace;
  const LaneLayout& layout = workspace.state().layout(place.half);
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Area all{names.x, names.y, names.width + place.area.width, names.height};
  list.PushClipRect(all.min(), all.max(), true);
  for (std::size_t i = sticky_.size(); i-- > 0;) {  // outer headers lie over inner ones
    const StickyHeader& header = sticky_[i];
    const LaneBox& box = layout.box_of(header.lane);
    const float y = names.y + header.y, line = ImGui::GetFontSize(), arrow = theme.px(kIndentOfGroup);
    fill_box(list, {all.x, y}, {all.x + all.width, y + header.height}, theme.lane_group);
    draw_line(list, {all.x, y + header.height}, {all.x + all.width, y + header.height}, theme.border);
    const float x = names.x + theme.px(kNamePadding + kIndentOfGroup * static_cast<float>(box.indent)),
                text_y = y + (header.height - line) / 2;
    draw_arrow(list, {x + arrow * 0.35f, text_y + line * 0.5f}, arrow * 0.30f, false, theme.text_dim);
    draw_text_fitted(list, {x + arrow, text_y}, names.x + names.width - x - arrow - theme.px(kNamePadding), theme.text,
                     layout.title(workspace.trace(), box));
  }
  list.PopClipRect();
}

const StickyHeader* LaneNames::sticky_at(const LanesPlace& place, const Area& names, ImVec2 mouse) const {
  if (place.pinned || mouse.x < names.x || mouse.x >= place.area.x + place.area.width) return nullptr;
  const float y = mouse.y - place.area.y;
  const auto at = std::ranges::find_if(
      sticky_, [&](const StickyHeader& h) { return y >= std::max(h.y, 0.0f) && y < h.y + h.height; });
  return at == sticky_.end() ? nullptr : &*at;
}

// Shows how many lanes are hidden, so that the user knows of them. A click shows these lanes.
void LaneNames::draw_count_of_lanes(const PanelContext& context, SplitHalf half, const Area& names) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string& text = context.workspace.state().halves.of(half).lanes_text;
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
  const bool hides = hides_lanes(context.workspace, half);
  ImGui::SetTooltip("%s%s", hides ? "Click to show the hidden lanes" : "The overview shows the lanes that say most. Click to show all lanes",
                    key_in_brackets(hides ? Action::ShowAllLanes : Action::Overview).c_str());
}

LaneNames::Begins LaneNames::press(const PanelContext& context, const LanesPlace& place, const Area& names, const Press& press) {
  const Workspace& workspace = context.workspace;
  const bool left = press.button == ImGuiMouseButton_Left;
  if (left && count_line_.contains(press.mouse)) {
    if (hides_lanes(workspace, place.half)) {
      context.push(command::ChooseLanes{command::ChooseLanes::What::ShowAll});
    } else {
      context.push(command::ToggleOverview{});
    }
    return Begins::Nothing;
  }
  if (press.lane == kNone<LaneId>) return Begins::Nothing;
  if (!left) return press.button == ImGuiMouseButton_Right ? Begins::Menu : Begins::Nothing;
  const bool on_sticky = sticky_at(place, names, press.mouse);
  if (const LaneId of_box = area_box_at(place, press.mouse); of_box != kNone<LaneId> && workspace.state().selection.range && !on_sticky) {
    context.push(command::ToggleAreaLane{of_box});
    return Begins::Nothing;
  }
  const LaneBox& box = workspace.state().layout(place.half).box_of(press.lane);
  const float arrow_end = names.x + context.theme.px(20 + kIndentOfGroup * static_cast<float>(box.indent));
  if (press.mouse.x < arrow_end || press.twice) {
    context.push(command::ToggleLane{press.lane});
  } else if (on_sticky) {
    context.push(command::ScrollToLane{press.lane});
  } else if (ImGui::GetIO().KeyAlt) {
    return Begins::Clock;
  } else {
    pressed_ = PointedLane(workspace, press.lane);
    return Begins::Name;
  }
  return Begins::Nothing;
}

void LaneNames::drop(const PanelContext& context, const LanesPlace& place, ImVec2 mouse) {
  if (!std::exchange(dragging_, false) || !pressed_.still_there(context.workspace, place.half)) return;
  context.push(command::DragLane{pressed_.lane, dropped_before(context.workspace, place, pressed_.lane, mouse)});
}

void LaneNames::draw_dragged(const PanelContext& context, const LanesPlace& place, const Area& names) const {
  const Workspace& workspace = context.workspace;
  if (!dragging_ || !pressed_.still_there(workspace, place.half)) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const LaneLayout& layout = workspace.state().layout(place.half);
  const LaneId before = dropped_before(workspace, place, pressed_.lane, mouse);
  const LaneBox& box = layout.box_of(pressed_.lane);
  if (before != kNone<LaneId>) {
    const float y = place.y_of(layout.box_of(before).y) - 1;
    draw_line(list, {names.x, y}, {names.x + names.width + place.area.width, y}, context.theme.accent, context.theme.px(2));
  }
  draw_text(list, {mouse.x + context.theme.px(8), mouse.y - ImGui::GetFontSize() / 2}, context.theme.accent,
            layout.title(workspace.trace(), box));
}

std::optional<ImVec2> LaneNames::place_of_area_box(const Workspace& workspace, SplitHalf half, std::string_view text) const {
  const LaneLayout& layout = workspace.state().layout(half);
  for (const AreaBox& each : area_boxes_) {
    if (!layout.shows(each.lane) || layout.title(workspace.trace(), layout.box_of(each.lane)).find(text) == text.npos) continue;
    return ImVec2{each.place.x + each.place.width / 2, each.place.y + each.place.height / 2};
  }
  return std::nullopt;
}

std::optional<ImVec2> LaneNames::place_of(const LanesPlace& place, std::string_view what) const {
  if (what == "hidden" && count_line_.height > 0) return ImVec2{count_line_.x + count_line_.width / 2, count_line_.y + count_line_.height / 2};
  if (what != "sticky" || sticky_.empty()) return std::nullopt;
  return ImVec2{place.area.x - 20, place.area.y + sticky_.back().y + sticky_.back().height / 2};
}

}  // namespace tv
