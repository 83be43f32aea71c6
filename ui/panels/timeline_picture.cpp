// The timeline of one frame as shapes and texts, for SVG: texts are those that were drawn, shapes are made again from the same
// models.
#include <algorithm>
#include <cmath>

#include "core/view/area_bands.h"
#include "core/view/slice_tooltip.h"
#include "ui/panels/timeline_panel.h"

namespace tv {

Area TimelinePanel::picture_area() const {
  const Area &pinned = panes_[kPinnedPane].area, &lanes = panes_[kLanesPane].area;
  const float top = pinned.y - ruler_height_;
  return {left_, top, lanes.x + lanes.width - left_, lanes.y + lanes.height - top};
}

// While what it returns lives, texts are kept.
std::unique_ptr<TextRecord> TimelinePanel::begin_record() {
  if (!std::exchange(record_next_, false)) return nullptr;
  picture_.emplace();
  picture_->lanes.resize(2);
  return std::make_unique<TextRecord>(picture_->texts);
}

// Names of slices say in full who they are when the mouse is on them; they are cut where the lanes are.
void TimelinePanel::record_names(const PanelContext& context, ImDrawList& list) {
  const Trace& trace = context.workspace.trace();
  std::vector<DrawnText>& names = picture_->lanes[pane_].names;
  for (const TextItem& text : panes_[pane_].frame.texts) {
    const std::size_t before = names.size();
    {
      const TextRecord record(names);
      draw_label(context, list, text);
    }
    // A name that is cut comes in two parts, of which the second is the dots.
    if (names.size() > before) {
      names[before].title =
          std::string(trace.labels.name(text.label)) + "\n" + format_duration(trace.slices.duration[idx(text.slice)]);
    }
  }
}

void TimelinePanel::record_pane(const PanelContext& context, std::size_t pane) {
  const Workspace& workspace = context.workspace;
  const Theme& theme = context.theme;
  const Area origin = picture_area();
  const Pane& from = panes_[pane];
  DrawnLanes& to = picture_->lanes[pane];
  to.frame = &from.frame;
  to.x = from.area.x - origin.x;
  to.y = from.area.y - origin.y;
  to.width = from.area.width;
  to.height = from.area.height;
  const float names = to.x;
  for (const LaneBox& box : workspace.layout().boxes_between(from.scroll, from.scroll + static_cast<double>(to.height))) {
    const float y = to.y + static_cast<float>(box.y - from.scroll), end = y + box.height;
    const bool header = box.group && !box.collapsed;
    const Rgba color = header ? theme.lane_group : idx(box.lane) % 2 ? theme.lane_odd : theme.lane_even;
    to.behind.push_back({to.x, y, to.x + to.width, end, color});
    picture_->boxes.push_back({0, std::max(y, to.y), names, std::min(end, to.y + to.height), box.group ? theme.lane_group : theme.panel});
  }
  for (const Tick& tick : axis_.ticks) {
    const float x = to.x + std::floor(static_cast<float>(tick.x));
    to.behind.push_back({x, to.y, x + 1, to.y + to.height, tick.major ? theme.grid_strong : theme.grid});
  }
  const Selection& selection = workspace.selection();
  FrameParams place = params(context);
  place.scroll_y = from.scroll;
  place.width_px = static_cast<std::uint32_t>(to.width);
  const auto outline = [&](SliceId slice) {
    const SliceBox box = box_of_slice(workspace.trace(), workspace.layout(), workspace.view(), place, slice);
    const float x0 = to.x + static_cast<float>(std::clamp(box.x0, -10.0, static_cast<double>(to.width) + 10));
    const float x1 = to.x + static_cast<float>(std::clamp(box.x1, -10.0, static_cast<double>(to.width) + 10));
    const float y0 = to.y + static_cast<float>(box.y);
    to.front.push_back({x0 - 1, y0 - 1, std::max(x1, x0 + theme.px(3)) + 1, y0 + static_cast<float>(box.height) + 1, theme.selection, theme.px(2)});
  };
  if (selection.has_slice()) outline(selection.slice);
  for (const SliceId other : selection.also) outline(other);
  if (const auto& range = selection.range) {
    const float x0 = x_of(context, static_cast<double>(range->begin)) - origin.x, x1 = x_of(context, static_cast<double>(range->end)) - origin.x;
    for (const LaneBand& band : area_bands(workspace.trace(), workspace.layout(), selection.lanes, from.scroll, static_cast<double>(to.height))) {
      to.front.push_back({x0, to.y + static_cast<float>(band.y0), x1, to.y + static_cast<float>(band.y1), theme.selection_fill});
    }
    for (const float x : {x0, x1}) to.front.push_back({x, to.y, x + 1, to.y + to.height, theme.selection});
  }
}

// Shapes beside the lanes, in the order in which they lie over each other; then all is moved to the picture's corner.
void TimelinePanel::end_record(const PanelContext& context, const Area& ruler) {
  if (!picture_ || picture_->width > 0) return;
  const Workspace& workspace = context.workspace;
  const Theme& theme = context.theme;
  ruler_height_ = ruler.height;
  const Area all = picture_area();
  TimelinePicture& picture = *picture_;
  picture.width = all.width;
  picture.height = all.height;
  picture.ui_scale = theme.scale;
  picture.ground = theme.window;
  record_pane(context, kLanesPane);
  if (panes_[kPinnedPane].area.height > 0) {
    record_pane(context, kPinnedPane);
  } else {
    picture.lanes.resize(1);  // of the lanes that scroll
  }
  std::vector<DrawnBox>& boxes = picture.boxes;
  const float names = lanes_.x - all.x;
  boxes.push_back({names - 1, ruler.height, names, all.height, theme.border});
  for (std::size_t i = sticky_.size(); i-- > 0;) {
    const float y = std::max(lanes_.y - all.y, lanes_.y - all.y + sticky_[i].y), end = lanes_.y - all.y + sticky_[i].y + sticky_[i].height;
    if (end > y) boxes.push_back({0, y, all.width, end, theme.lane_group});
  }
  if (panes_[kPinnedPane].area.height > 0) boxes.push_back({0, lanes_.y - all.y - theme.px(2), all.width, lanes_.y - all.y, theme.text_disabled});
  boxes.push_back({0, 0, all.width, ruler.height, theme.header});
  for (const Tick& tick : axis_.ticks) {
    const float x = names + std::floor(static_cast<float>(tick.x)), height = ruler.height * (tick.major ? 0.45f : 0.25f);
    boxes.push_back({x, ruler.height - height, x + 1, ruler.height, theme.text_disabled});
  }
  boxes.push_back({0, ruler.height, all.width, ruler.height + 1, theme.border});
  if (count_line_.height > 0) {
    boxes.push_back({0, count_line_.y - all.y, count_line_.width, count_line_.y - all.y + count_line_.height, theme.header});
  }
  record_legend(context);
  if (const auto& range = workspace.selection().range) {
    const float x0 = x_of(context, static_cast<double>(range->begin)) - all.x, x1 = x_of(context, static_cast<double>(range->end)) - all.x;
    boxes.push_back({std::max(x0, names), 0, std::min(x1, all.width), ruler.height, theme.selection_fill});
  }
  for (const Ns mark : workspace.marks()) {
    const float x = std::floor(x_of(context, static_cast<double>(mark)) - all.x);
    if (x >= names && x < all.width) boxes.push_back({x, 0, x + 1, all.height, theme.playhead});
  }
  const auto to_corner = [&](std::vector<DrawnText>& texts) {
    for (DrawnText& text : texts) {
      text.x -= all.x;
      text.y -= all.y;
    }
  };
  to_corner(picture.texts);
  for (DrawnLanes& lanes : picture.lanes) to_corner(lanes.names);
}

// As draw_legend() draws it: each swatch stands before the text of its class.
void TimelinePanel::record_legend(const PanelContext& context) {
  const SliceColors* const colors = context.workspace.coloring().colors();
  if (!colors || colors->trace() != &context.workspace.trace()) return;
  const Theme& theme = context.theme;
  const Area all = picture_area();
  const float height = std::floor(theme.px(LaneMetrics{}.group_header)), swatch = theme.px(10), pad = theme.px(6) * 0.7f;
  const float top = lanes_.y + lanes_.height - height;
  picture_->boxes.push_back({lanes_.x - all.x, top - all.y, all.width, all.height, theme.header});
  for (const DrawnText& text : picture_->texts) {
    if (text.x < lanes_.x || text.y < top) continue;
    for (std::size_t c = 0; c <= colors->legend().size(); ++c) {
      const ColorClass& each = colors->look(c < colors->legend().size() ? c : SIZE_MAX);
      if (each.name != text.text) continue;
      const float x = text.x - pad - swatch - all.x, y = top + std::floor((height - swatch) / 2) - all.y;
      picture_->boxes.push_back({x, y, x + swatch, y + swatch, each.fill});
      break;
    }
  }
}

}  // namespace tv
