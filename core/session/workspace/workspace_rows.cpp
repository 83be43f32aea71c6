// How high rows are, and which lane is meant by keys that act on one.
#include "core/session/workspace/workspace.h"

#include <algorithm>

#include "core/view/lanes/row_choice.h"

namespace tv {

void Workspace::set_mouse_place(std::optional<LaneLayout::Place> place, double y) {
  if (command_use_.covers()) return;
  mouse_place_ = place;
  mouse_y_ = y;
}

// The zoom that is aimed at: heights change once, not while the view glides.
RowRoom Workspace::row_room() const {
  return {geometry_.height_px, view_.target.span / static_cast<double>(geometry_.width_px)};
}

// What is under the mouse stays there; without one, what is in the middle.
void Workspace::resize_rows() {
  const double y = mouse_place_ ? mouse_y_ : static_cast<double>(geometry_.height_px) / 2;
  const auto at = layout_.at(scroll_y_ + y);
  const auto height = [&] {
    return at->row != kNone<RowId> ? layout_.middle_of(trace(), at->row) : layout_.box_of(at->lane).y;
  };
  const double before = at ? height() : 0, scroll = scroll_y_, target = scroll_target_;
  relayout();
  if (!at) return;
  const double moved = height() - before;
  scroll_y_ = clamped_scroll(scroll + moved);
  scroll_target_ = clamped_scroll(target + moved);
}

// From its top, opening groups around it. Where it is pinned, or all that is in it, it is in sight already.
void Workspace::show_lane(LaneId lane) {
  constexpr double kMargin_px = 40;
  reveal_lane(trace(), lane, lanes_);
  relayout();
  if (layout_.shows(lane) && !layout_.box_of(lane).pinned) scroll_to(layout_.box_of(lane).y - kMargin_px);
}

LaneId Workspace::lane_meant() const {
  if (mouse_place_ && idx(mouse_place_->lane) < trace().lanes.size()) return mouse_place_->lane;
  return selection_.has_slice() ? trace().row(trace().row_of(selection_.slice)).lane : kNone<LaneId>;
}

void Workspace::cycle_row_size() {
  const LaneId lane = lane_meant();
  if (lane == kNone<LaneId> || !layout_.shows(lane)) return;
  RowSize shown = RowSize::Normal;  // of a group: that of the first lane in it
  for (const LaneBox& box : layout_.boxes()) {
    if (box.lane < lane || box.lane >= trace().lane(lane).subtree_end || box.row_count == 0) continue;
    shown = box.row_size;
    break;
  }
  tv::cycle_row_size(trace(), lane, shown, lanes_);
  resize_rows();
}

void Workspace::cut_lane() {
  const LaneId lane = lane_meant();
  if (lane == kNone<LaneId>) return;
  const RowId under = mouse_place_ ? mouse_place_->row : kNone<RowId>;
  const RowId selected = selection_.has_slice() ? trace().row_of(selection_.slice) : kNone<RowId>;
  std::uint32_t levels = 0;
  for (const RowId row : {selected, under}) {
    if (row == kNone<RowId> || idx(row) >= trace().rows.size()) continue;
    if (trace().row(row).lane == lane && trace().row(row).kind == RowKind::Slices) levels = trace().row(row).depth + 1u;
  }
  if (levels == 0 && (!layout_.shows(lane) || layout_.box_of(lane).hidden_rows == 0)) return;
  toggle_depth_limit(trace(), lane, levels, lanes_);
  resize_rows();
}

double Workspace::clamped_scroll(double y) const {
  const double top = layout_.pinned_height();
  // The line that counts lanes, and that of the legend, is not in the way of the last one.
  const bool lined = !lanes_text_.empty() || coloring_.colors();
  const auto line = static_cast<double>(lined ? geometry_.metrics.group_header : 0);
  return std::clamp(y, top, std::max(top, layout_.height() + line - static_cast<double>(geometry_.height_px)));
}

}  // namespace tv
