// Mouse gestures on the timeline; core/view/keymap.cpp lists them for the help screen.
#include <algorithm>
#include <cmath>

#include "core/view/navigation.h"
#include "ui/panels/timeline_panel.h"

namespace tv {
namespace {

constexpr float kDragThreshold = 4;
constexpr float kSnapDistance = 15;
constexpr float kSplitterReach = 4;
constexpr float kNamesLeast = 60, kNamesMost = 700;
constexpr double kWheelScroll = 60;   // pixels per notch
constexpr double kWheelPan = 0.1;     // of the view per notch

}  // namespace

void TimelinePanel::handle_mouse(const PanelContext& context, const Area& names, const Area& ruler) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 mouse = io.MousePos;
  Workspace& workspace = context.workspace;
  const bool ours = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  const bool over_lanes = ours && lanes_.contains(mouse), over_ruler = ours && ruler.contains(mouse);
  under_mouse_.reset();
  if (over_lanes) {
    under_mouse_ = pick(workspace.snapshot(), workspace.layout(), workspace.view(),
                        static_cast<std::uint32_t>(lanes_.width), std::floor(workspace.scroll_y()),
                        static_cast<double>(mouse.x - lanes_.x), static_cast<double>(mouse.y - lanes_.y));
  } else if (ours && names.contains(mouse)) {
    under_mouse_ = pick(workspace.snapshot(), workspace.layout(), workspace.view(),
                        static_cast<std::uint32_t>(lanes_.width), std::floor(workspace.scroll_y()), -1.0,
                        static_cast<double>(mouse.y - lanes_.y));
    if (under_mouse_) under_mouse_->slice.reset(), under_mouse_->value.reset(), under_mouse_->gap.reset();
  }
  const std::optional<double> t =
      over_lanes || over_ruler ? std::optional(time_at(context, mouse.x)) : std::nullopt;
  workspace.set_mouse(t, under_mouse_ && under_mouse_->slice ? *under_mouse_->slice : kNone<SliceId>);

  if (ours && (io.MouseWheel != 0 || io.MouseWheelH != 0)) wheel(context, mouse, over_ruler);
  if (drag_ == Drag::None) {
    const bool on_splitter = ours && std::abs(mouse.x - lanes_.x) < context.theme.px(kSplitterReach);
    if (on_splitter) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ours) begin_drag(context, names, ruler, mouse);
  } else if (ImGui::IsMouseDown(button_)) {
    drag(context, mouse);
  } else {
    end_drag(context, mouse);
  }
  last_ = mouse;
}

void TimelinePanel::begin_drag(const PanelContext& context, const Area& names, const Area& ruler, ImVec2 mouse) {
  const ImGuiIO& io = ImGui::GetIO();
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle}) {
    if (!ImGui::IsMouseClicked(button)) continue;
    button_ = button;
    press_ = last_ = mouse;
    double_click_ = ImGui::IsMouseDoubleClicked(button);
    press_time_ = time_at(context, mouse.x);
    const bool left = button == ImGuiMouseButton_Left;
    if (left && std::abs(mouse.x - lanes_.x) < context.theme.px(kSplitterReach)) {
      drag_ = Drag::Names;
    } else if (left && mouse.x >= lanes_.x + lanes_.width) {
      drag_ = Drag::Scrollbar;
    } else if (names.contains(mouse)) {
      // A click on the arrow, or a double click anywhere on the name.
      if (!left || !under_mouse_) return;
      const Lane& lane = context.workspace.trace().lane(under_mouse_->place.lane);
      const float arrow_end = names.x + context.theme.px(20 + 12 * static_cast<float>(lane.depth));
      if (mouse.x < arrow_end || ImGui::IsMouseDoubleClicked(button)) {
        context.push(command::ToggleLane{under_mouse_->place.lane});
      }
    } else if (left && ruler.contains(mouse)) {
      drag_ = Drag::Ruler;
    } else if (lanes_.contains(mouse)) {
      drag_ = button == ImGuiMouseButton_Right || (left && io.KeyShift) ? Drag::Pan : Drag::Pressed;
    }
    return;
  }
}

void TimelinePanel::drag(const PanelContext& context, ImVec2 mouse) {
  const float moved = std::hypot(mouse.x - press_.x, mouse.y - press_.y);
  switch (drag_) {
    case Drag::Pressed:
      if (moved < context.theme.px(kDragThreshold)) break;
      drag_ = ImGui::GetIO().KeyCtrl || button_ == ImGuiMouseButton_Middle ? Drag::ZoomTo : Drag::Range;
      break;
    case Drag::Pan:
      context.push(command::PanBy{static_cast<double>(last_.x - mouse.x) / static_cast<double>(lanes_.width)});
      if (mouse.y != last_.y) context.push(command::ScrollBy{static_cast<double>(last_.y - mouse.y)});
      break;
    case Drag::Names:
      names_width_ = std::clamp(names_width_ + (mouse.x - last_.x) / context.theme.scale, kNamesLeast, kNamesMost);
      break;
    case Drag::Scrollbar: {
      const double content = context.workspace.layout().height();
      context.push(command::ScrollBy{static_cast<double>(mouse.y - last_.y) * content / static_cast<double>(lanes_.height)});
      break;
    }
    case Drag::Range:
    case Drag::Ruler:
      if (moved >= context.theme.px(kDragThreshold)) select_dragged(context, mouse);
      break;
    case Drag::ZoomTo:
    case Drag::None: break;
  }
}

void TimelinePanel::end_drag(const PanelContext& context, ImVec2 mouse) {
  const Drag finished = std::exchange(drag_, Drag::None);
  if (finished == Drag::ZoomTo) {
    const double t = time_at(context, mouse.x);
    context.push(command::ZoomTo{{static_cast<Ns>(std::min(t, press_time_)), static_cast<Ns>(std::max(t, press_time_))}});
    return;
  }
  if (finished != Drag::Pressed || !lanes_.contains(mouse)) return;
  if (!under_mouse_) return context.push(command::ClearSelection{});
  if (under_mouse_->slice) {
    context.push(command::SelectSlice{*under_mouse_->slice, false});
    const bool fit = button_ == ImGuiMouseButton_Middle || double_click_;
    if (fit) context.push(command::FitSelection{});
  } else if (under_mouse_->place.part == LaneLayout::Place::Part::Header) {
    context.push(command::ToggleLane{under_mouse_->place.lane});
  } else {
    context.push(command::ClearSelection{});
  }
}

// The time under the mouse, drawn to the edge of a nearby slice; Alt leaves it where it is.
Ns TimelinePanel::snapped(const PanelContext& context, float x, ImVec2 mouse) const {
  const Workspace& workspace = context.workspace;
  const double t = time_at(context, x);
  const auto exact = static_cast<Ns>(std::llround(t));
  if (ImGui::GetIO().KeyAlt) return exact;
  const auto place = workspace.layout().at(static_cast<double>(mouse.y - lanes_.y) + std::floor(workspace.scroll_y()));
  if (!place || place->part != LaneLayout::Place::Part::Row) return exact;
  const double per_px = workspace.view().span / static_cast<double>(lanes_.width);
  const auto reach = static_cast<Ns>(per_px * static_cast<double>(context.theme.px(kSnapDistance)));
  const RowSlices row = workspace.trace().slices_of(workspace.trace().row(place->row));
  return snap_to_edge(row, exact, reach).value_or(exact);
}

void TimelinePanel::select_dragged(const PanelContext& context, ImVec2 mouse) {
  const Ns a = snapped(context, press_.x, press_), b = snapped(context, mouse.x, mouse);
  const TimeRange range{std::min(a, b), std::max(a, b)};
  if (range.empty()) return;
  std::vector<LaneId> lanes;
  if (drag_ == Drag::Range) {
    const double scroll = std::floor(context.workspace.scroll_y());
    const double y0 = static_cast<double>(std::min(press_.y, mouse.y) - lanes_.y) + scroll;
    const double y1 = static_cast<double>(std::max(press_.y, mouse.y) - lanes_.y) + scroll;
    const auto boxes = context.workspace.layout().boxes_between(y0, y1 + 1);
    for (const LaneBox& box : boxes) {
      if (!box.group || box.collapsed) lanes.push_back(box.lane);
    }
    // Over headlines alone: what stands below them. No lanes would be all of them.
    for (const LaneBox& box : boxes.first(lanes.empty() ? boxes.size() : 0)) lanes.push_back(box.lane);
    const auto gap = lanes.empty() ? context.workspace.layout().at(y0) : std::nullopt;
    if (gap) lanes.push_back(gap->lane);
  }
  context.push(command::SelectRange{range, std::move(lanes)});
}

void TimelinePanel::wheel(const PanelContext& context, ImVec2 mouse, bool over_ruler) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto vertical = static_cast<double>(io.MouseWheel), horizontal = static_cast<double>(io.MouseWheelH);
  const double anchor = std::clamp(static_cast<double>((mouse.x - lanes_.x) / lanes_.width), 0.0, 1.0);
  if (io.KeyCtrl && io.KeyShift) {
    context.push(command::ScaleRows{static_cast<float>(std::pow(1.1, vertical))});
  } else if (io.KeyCtrl || over_ruler) {
    context.push(command::ZoomBy{wheel_zoom_factor(vertical), anchor});
  } else if (io.KeyShift) {
    context.push(command::PanBy{-(vertical + horizontal) * kWheelPan});
  } else {
    if (vertical != 0) context.push(command::ScrollBy{-vertical * kWheelScroll * static_cast<double>(context.theme.scale)});
    if (horizontal != 0) context.push(command::PanBy{-horizontal * kWheelPan});
  }
}

}  // namespace tv
