// Mouse gestures on the timeline; core/view/keys/mouse_map.cpp defines what they mean, and lists them for the help screen.
#include <algorithm>
#include <cmath>

#include "core/view/navigation/navigation.h"
#include "ui/panels/timeline/timeline_panel.h"

namespace tv {
namespace {

constexpr float kDragThreshold = 4;
constexpr float kSnapDistance = 15;
constexpr float kSplitterReach = 4, kEdgeReach = 5;
constexpr float kNamesLeast = 60, kNamesMost = 700;
constexpr float kLeastPinned = 20;
constexpr double kWheelScroll = 60;   // pixels per notch
constexpr double kWheelPan = 0.1;     // share of the view per notch
constexpr double kZoomPerPixel = 0.01;

MouseModifiers mouse_modifiers(const PanelContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  return {io.KeyCtrl, io.KeyShift, io.KeyAlt, context.keys.down(Key::Space)};
}

DragAct act_of(const PanelContext& context, int button) {
  const DragButton which = button == ImGuiMouseButton_Right    ? DragButton::Right
                           : button == ImGuiMouseButton_Middle ? DragButton::Middle
                                                               : DragButton::Left;
  return drag_act(mouse_habit(), which, mouse_modifiers(context));
}

}  // namespace

void TimelinePanel::handle_mouse(const PanelContext& context, const Area& names, const Area& ruler) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 mouse = io.MousePos;
  Workspace& workspace = context.workspace;
  const bool ours = has_mouse_ && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  const bool over_lanes = ours && at_.area.contains(mouse), over_ruler = ours && ruler.contains(mouse);
  under_mouse_.reset();
  if (over_lanes) {
    under_mouse_ = pick(workspace.snapshot(), workspace.state().layout(half_), at_.view,
                        static_cast<std::uint32_t>(at_.area.width), at_.scroll,
                        static_cast<double>(mouse.x - at_.area.x), static_cast<double>(mouse.y - at_.area.y));
  } else if (ours && names.contains(mouse)) {
    under_mouse_ = pick(workspace.snapshot(), workspace.state().layout(half_), at_.view,
                        static_cast<std::uint32_t>(at_.area.width), at_.scroll, -1.0,
                        static_cast<double>(mouse.y - at_.area.y));
    if (under_mouse_) under_mouse_->slice.reset(), under_mouse_->value.reset(), under_mouse_->gap.reset();
  }
  if (const StickyHeader* const header = ours ? names_.sticky_at(at_, names_area(), mouse) : nullptr) {
    under_mouse_ = Pick{{header->lane, LaneLayout::Place::Part::Header}, 0, {}, {}, {}};
  }
  if (!has_mouse_) {
    on_divider_ = false;
    return;
  }
  const std::optional<double> t =
      over_lanes || over_ruler ? std::optional(at_.time_at(mouse.x)) : std::nullopt;
  UnderMouse under{t, {}, {}, static_cast<double>(mouse.y - at_.area.y) + at_.scroll - workspace.state().scroll_y(half_),
                   ours ? half_ : workspace.state().pointer.half};
  if (under_mouse_) under.gap = under_mouse_->gap, under.place = under_mouse_->place;
  workspace.set_mouse(under, under_mouse_ && under_mouse_->slice ? *under_mouse_->slice : kNone<SliceId>);

  if (ours && (io.MouseWheel != 0 || io.MouseWheelH != 0)) wheel(context, mouse, over_ruler);
  if (drag_ == Drag::None) {
    const bool on_splitter = ours && std::abs(mouse.x - at_.area.x) < context.theme.px(kSplitterReach);
    const bool on_edge = (over_lanes || over_ruler) && opposite_edge(context, mouse);
    if (on_splitter || on_edge) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const Area& pinned = panes_[kPinnedPane].place.area;
    on_divider_ = ours && !on_splitter && pinned.height > 0 && mouse.x < at_.area.x + at_.area.width &&
                  std::abs(mouse.y - pinned.y - pinned.height) < context.theme.px(kSplitterReach);
    if (on_divider_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
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
    press_time_ = at_.time_at(mouse.x);
    const bool left = button == ImGuiMouseButton_Left;
    if (left && std::abs(mouse.x - at_.area.x) < context.theme.px(kSplitterReach)) {
      drag_ = Drag::Names;
    } else if (left && on_divider_) {
      drag_ = Drag::Divider;
      if (double_click_) pinned_most_.reset();
    } else if (left && mouse.x >= at_.area.x + at_.area.width) {
      drag_ = Drag::Scrollbar;
    } else if (names.contains(mouse)) {
      press_name(context, mouse);
    } else if (const auto opposite = left && !io.KeyCtrl && !io.KeyShift ? opposite_edge(context, mouse) : std::nullopt;
               opposite && (ruler.contains(mouse) || at_.area.contains(mouse))) {
      drag_ = Drag::Edge;
      fixed_edge_ = *opposite;
    } else if (button == ImGuiMouseButton_Right && ruler.contains(mouse)) {
      menu_.open_on_ruler(notes_.at(at_, ruler, mouse), static_cast<Ns>(press_time_));
    } else if (const auto note = left && double_click_ ? notes_.at(at_, ruler, mouse) : std::nullopt) {
      context.push(command::EditNote{command::EditNote::What::AskName, note});
    } else if (left && ruler.contains(mouse)) {
      drag_ = Drag::Ruler;
    } else if (at_.area.contains(mouse)) {
      drag_ = act_of(context, button) == DragAct::Pan ? Drag::Pan : Drag::Pressed;
      shift_click_ = left && io.KeyShift;
    }
    return;
  }
}

void TimelinePanel::press_name(const PanelContext& context, ImVec2 mouse) {
  const LaneId lane = under_mouse_ ? under_mouse_->place.lane : kNone<LaneId>;
  switch (names_.press(context, at_, names_area(), {mouse, button_, double_click_, lane})) {
    case LaneNames::Begins::Nothing: break;
    case LaneNames::Begins::Menu: lane_menu_.open(context.workspace, lane); break;
    case LaneNames::Begins::Name: drag_ = Drag::LaneName; break;
    case LaneNames::Begins::Clock:
      clock_.begin(context.workspace, at_, lane, mouse.x);
      drag_ = Drag::Clock;
      break;
  }
}

bool TimelinePanel::cancel_clock(const PanelContext& context) {
  if (drag_ != Drag::Clock) return false;
  drag_ = Drag::None;
  clock_.cancel(context);
  return true;
}

void TimelinePanel::drag(const PanelContext& context, ImVec2 mouse) {
  const float moved = std::hypot(mouse.x - press_.x, mouse.y - press_.y);
  switch (drag_) {
    case Drag::Pressed:
      if (moved < context.theme.px(kDragThreshold)) break;
      switch (act_of(context, button_)) {
        case DragAct::Area: drag_ = Drag::Range; break;
        case DragAct::AreaOfAll: drag_ = Drag::Ruler; break;
        case DragAct::Pan: drag_ = Drag::Pan; break;
        case DragAct::ZoomTo: drag_ = Drag::ZoomTo; break;
        case DragAct::ZoomOut: drag_ = Drag::ZoomOut; break;
        case DragAct::ZoomUp: drag_ = Drag::ZoomUp; break;
        case DragAct::Measure: drag_ = Drag::Measure; break;
      }
      break;
    case Drag::ZoomUp:
      if (mouse.y != last_.y) {
        const double anchor = static_cast<double>((press_.x - at_.area.x) / at_.area.width);
        context.push(command::ZoomBy{std::exp(static_cast<double>((mouse.y - last_.y) / context.theme.scale) * kZoomPerPixel), anchor});
      }
      break;
    case Drag::Pan:
      context.push(command::PanBy{static_cast<double>(last_.x - mouse.x) / static_cast<double>(at_.area.width)});
      if (mouse.y != last_.y) context.push(command::ScrollBy{static_cast<double>(last_.y - mouse.y), half_});
      break;
    case Drag::Names:
      names_width_ = std::clamp(names_width_ + (mouse.x - last_.x) / context.theme.scale, kNamesLeast, kNamesMost);
      break;
    case Drag::Scrollbar:
      context.push(command::ScrollBy{static_cast<double>(mouse.y - last_.y) * scrollbar_thumb(context).content_per_px, half_});
      break;
    case Drag::Edge: {
      const Selection& selection = context.workspace.state().selection;
      const Ns t = snapped(context, mouse.x, mouse);
      const TimeRange range{std::min(t, fixed_edge_), std::max(t, fixed_edge_)};
      if (moved >= context.theme.px(1) && !range.empty()) {
        context.push(command::SelectRange{range, selection.lanes, selection.made_in});
      }
      break;
    }
    case Drag::Range:
    case Drag::Ruler:
      if (moved >= context.theme.px(kDragThreshold)) select_dragged(context, mouse);
      break;
    case Drag::Divider:
      if (mouse.y != last_.y) {
        pinned_most_ = std::max(panes_[kPinnedPane].place.area.height + mouse.y - last_.y, context.theme.px(kLeastPinned)) /
                       context.theme.scale;
      }
      break;
    case Drag::Clock: clock_.move_to(context, mouse.x, false); break;
    case Drag::LaneName:
      if (moved >= context.theme.px(kDragThreshold)) names_.drag();
      break;
    case Drag::ZoomTo:
    case Drag::ZoomOut:
    case Drag::Measure:
    case Drag::None: break;
  }
}

// Zooms out until the previous view fills the dragged range.
void TimelinePanel::zoom_out_to(const PanelContext& context, ImVec2 mouse) {
  const float dragged = std::abs(mouse.x - press_.x);
  if (dragged < context.theme.px(kDragThreshold)) return;
  const double anchor = static_cast<double>((std::min(mouse.x, press_.x) - at_.area.x) / std::max(1.0f, at_.area.width - dragged));
  context.push(command::ZoomBy{static_cast<double>(at_.area.width / dragged), std::clamp(anchor, 0.0, 1.0)});
}

void TimelinePanel::end_drag(const PanelContext& context, ImVec2 mouse) {
  const Drag finished = std::exchange(drag_, Drag::None);
  if (finished == Drag::ZoomTo) {
    const double t = at_.time_at(mouse.x);
    // ZoomTo takes times of the upper half.
    const Ns later = context.workspace.state().split() ? context.workspace.state().split()->later(half_) : 0;
    context.push(command::ZoomTo{{static_cast<Ns>(std::min(t, press_time_)) - later, static_cast<Ns>(std::max(t, press_time_)) - later}});
    return;
  }
  if (finished == Drag::ZoomOut) return zoom_out_to(context, mouse);
  if (finished == Drag::Clock) return clock_.move_to(context, mouse.x, true);
  if (finished == Drag::LaneName) return names_.drop(context, at_, mouse);
  const float moved = std::hypot(mouse.x - press_.x, mouse.y - press_.y);
  const bool still = moved < context.theme.px(kDragThreshold);
  const bool left_click = button_ == ImGuiMouseButton_Left && still && (finished == Drag::Pan || finished == Drag::Pressed);
  if (left_click && shift_click_) {
    if (under_mouse_ && under_mouse_->slice) context.push(command::SelectThrough{*under_mouse_->slice});
    return;
  }
  if (finished == Drag::Pan && button_ == ImGuiMouseButton_Right && still) {
    return menu_.open(under_mouse_);
  }
  if ((finished != Drag::Pressed && !left_click) || !at_.area.contains(mouse)) return;
  if (!under_mouse_) return context.push(command::ClearSelection{});
  if (under_mouse_->slice) {
    const bool with_ctrl = ImGui::GetIO().KeyCtrl && button_ == ImGuiMouseButton_Left;
    if (with_ctrl && !double_click_) return context.push(command::AddSlice{*under_mouse_->slice});
    context.push(command::SelectSlice{*under_mouse_->slice, false});
    if (with_ctrl) return context.push(command::SelectSameName{});
    const bool fit = button_ == ImGuiMouseButton_Middle || double_click_;
    if (fit) context.push(command::FitSelection{});
  } else if (under_mouse_->place.part == LaneLayout::Place::Part::Header) {
    // Folding takes a double click here: a single click clears the selection, as elsewhere outside of slices.
    double_click_ ? context.push(command::ToggleLane{under_mouse_->place.lane}) : context.push(command::ClearSelection{});
  } else if (under_mouse_->gap) {
    context.push(command::SelectGap{*under_mouse_->gap});
    if (button_ == ImGuiMouseButton_Middle || double_click_) context.push(command::FitSelection{});
  } else {
    context.push(command::ClearSelection{});
  }
}

std::optional<Ns> TimelinePanel::opposite_edge(const PanelContext& context, ImVec2 mouse) const {
  const auto& range = context.workspace.state().selection.range;
  if (!range) return std::nullopt;
  const float to_begin = std::abs(mouse.x - at_.x_of(static_cast<double>(range->begin)));
  const float to_end = std::abs(mouse.x - at_.x_of(static_cast<double>(range->end)));
  if (std::min(to_begin, to_end) > context.theme.px(kEdgeReach)) return std::nullopt;
  return to_begin < to_end ? range->end : range->begin;
}

// The time under the mouse, snapped to the edge of a nearby slice; Alt disables snapping.
Ns TimelinePanel::snapped(const PanelContext& context, float x, ImVec2 mouse) const {
  const Workspace& workspace = context.workspace;
  const double t = at_.time_at(x);
  const auto exact = static_cast<Ns>(std::llround(t));
  if (ImGui::GetIO().KeyAlt) return exact;
  const auto place = workspace.state().layout(half_).at(static_cast<double>(mouse.y - at_.area.y) + at_.scroll);
  if (!place || place->part != LaneLayout::Place::Part::Row) return exact;
  const double per_px = at_.view.span / static_cast<double>(at_.area.width);
  const auto reach = static_cast<Ns>(per_px * static_cast<double>(context.theme.px(kSnapDistance)));
  const Trace& trace = workspace.trace();
  std::optional<Ns> nearest;
  workspace.state().layout(half_).for_each_row(trace, *place, {exact - reach, exact + reach}, [&](RowId row) {
    const auto edge = snap_to_edge(trace.slices_of(trace.row(row)), exact, reach);
    if (edge && (!nearest || std::abs(*edge - exact) < std::abs(*nearest - exact))) nearest = edge;
  });
  return nearest.value_or(exact);
}

void TimelinePanel::select_dragged(const PanelContext& context, ImVec2 mouse) {
  const Ns a = snapped(context, press_.x, press_), b = snapped(context, mouse.x, mouse);
  const TimeRange range{std::min(a, b), std::max(a, b)};
  if (range.empty()) return;
  std::vector<LaneId> lanes;
  if (drag_ == Drag::Range) {
    const double y0 = static_cast<double>(std::min(press_.y, mouse.y) - at_.area.y) + at_.scroll;
    const double y1 = static_cast<double>(std::max(press_.y, mouse.y) - at_.area.y) + at_.scroll;
    const auto boxes = context.workspace.state().layout(half_).boxes_between(y0, y1 + 1);
    for (const LaneBox& box : boxes) {
      if (!box.group || box.collapsed) lanes.push_back(box.lane);
    }
    // If the drag crosses only headers, adds their groups, because an empty list would mean all lanes.
    for (const LaneBox& box : boxes.first(lanes.empty() ? boxes.size() : 0)) lanes.push_back(box.lane);
    const auto gap = lanes.empty() ? context.workspace.state().layout(half_).at(y0) : std::nullopt;
    if (gap) lanes.push_back(gap->lane);
  }
  context.push(command::SelectRange{range, std::move(lanes)});
}

void TimelinePanel::wheel(const PanelContext& context, ImVec2 mouse, bool over_ruler) {
  const ImGuiIO& io = ImGui::GetIO();
  const WheelLock::Turn turned{static_cast<double>(io.MouseWheel), static_cast<double>(io.MouseWheelH)};
  const MouseModifiers held = mouse_modifiers(context);
  const WheelRule rule = wheel_rule(mouse_habit(), held, mouse.x < at_.area.x);
  const bool zooms = gesture_lock_.zooms(turned, rule.act == WheelAct::Zoom || rule.act == WheelAct::RowHeight, context.now_s);
  const WheelLock::Turn turn = wheel_lock_.turn(turned, context.now_s);
  const double vertical = turn.vertical, horizontal = turn.horizontal;
  const double anchor = std::clamp(static_cast<double>((mouse.x - at_.area.x) / at_.area.width), 0.0, 1.0);
  if (zooms && rule.act == WheelAct::RowHeight) {
    context.push(command::ScaleRows{static_cast<float>(vertical)});
  } else if (zooms || over_ruler) {
    context.push(command::ZoomBy{wheel_zoom_factor(vertical * rule.speed), anchor});
  } else if (held.shift) {
    context.push(command::PanBy{-(vertical + horizontal) * kWheelPan});
  } else {
    const bool over_pinned = mouse_pane_ == kPinnedPane && pinned_height_ > panes_[kPinnedPane].place.area.height;
    const double down = -vertical * kWheelScroll * static_cast<double>(context.theme.scale);
    if (over_pinned) {
      panes_[kPinnedPane].place.scroll += down;
    } else if (vertical != 0) {
      context.push(command::ScrollBy{down, half_});
    }
    if (horizontal != 0) context.push(command::PanBy{-horizontal * kWheelPan});
  }
}

}  // namespace tv
