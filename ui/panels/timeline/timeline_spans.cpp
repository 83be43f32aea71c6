// Overlays of the lanes other than the area: the selected or hovered gap, slices selected from one to another; and the ruler's
// corner, which shows the time format.
#include <algorithm>
#include <cmath>

#include "ui/panels/timeline/timeline_panel.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kCornerPadding = 6;

}  // namespace

// Draws the selected gap, and fainter the hovered one, over all rows of its lane, or over the one row it belongs to.
void TimelinePanel::draw_gap(const PanelContext& context, ImDrawList& list) const {
  const Workspace& workspace = context.workspace;
  const auto draw = [&](const Gap& gap, Rgba color, float width) {
    if (!workspace.layout(half_).shows(gap.lane)) return;
    const LaneBox& box = workspace.layout(half_).box_of(gap.lane);
    const double scroll = panes_[pane_].scroll;
    const bool of_row = gap.row != kNone<RowId> && !box.collapsed;
    const double y0 =
        of_row ? workspace.layout(half_).middle_of(workspace.trace(), gap.row) -
                     static_cast<double>(workspace.layout(half_).height_of(workspace.trace(), gap.row)) / 2
               : box.rows_y();
    const double height = of_row          ? static_cast<double>(workspace.layout(half_).height_of(workspace.trace(), gap.row))
                          : box.collapsed ? static_cast<double>(box.summary_height)
                                          : box.lines_height(box.line_count);
    const float left = std::max(x_of(context, static_cast<double>(gap.time.begin)), lanes_.x - 10);
    const float right = std::min(x_of(context, static_cast<double>(gap.time.end)), lanes_.x + lanes_.width + 10);
    const float y = lanes_.y + static_cast<float>(y0 - scroll);
    const ImVec2 low{left, y}, high{std::max(right, left + 2), y + static_cast<float>(height)};
    fill_box(list, low, high, with_alpha(color, 28));
    outline_box(list, low, high, color, context.theme.px(2), context.theme.px(width));
  };
  if (under_mouse_ && under_mouse_->gap && drag_ == Drag::None && !DrawingRecord::runs())
    draw(*under_mouse_->gap, with_alpha(context.theme.hover, 110), 1);
  if (const auto& gap = workspace.selected().gap) draw(gap->gap, context.theme.selection, 2);
}

// Draws the slices selected from one to another: a box in each row around those in it.
void TimelinePanel::draw_stretch(const PanelContext& context, ImDrawList& list) const {
  const Workspace& workspace = context.workspace;
  const auto& stretch = workspace.selection().stretch;
  if (!stretch || !workspace.layout(half_).shows(stretch->lane)) return;
  const Trace& trace = workspace.trace();
  for (const Row& row : trace.rows_of(trace.lane(stretch->lane))) {
    const StretchOfRow part = part_of_row(trace, *stretch, row);
    if (part.empty()) continue;
    const RowSlices slices = trace.slices_of(row);
    const float left = std::max(x_of(context, static_cast<double>(slices.begin(part.first))), lanes_.x - 10);
    const float right = std::min(x_of(context, static_cast<double>(slices.end(part.end - 1))), lanes_.x + lanes_.width + 10);
    const auto id = id_at<RowId>(static_cast<std::size_t>(&row - trace.rows.data()));
    const float height = workspace.layout(half_).height_of(trace, id);
    const double middle = workspace.layout(half_).middle_of(trace, id);
    const float y = lanes_.y + static_cast<float>(middle - panes_[pane_].scroll) - height / 2;
    const ImVec2 low{left - 1, y - 1}, high{std::max(right, left + 2) + 1, y + height};
    if (high.y < lanes_.y || low.y > lanes_.y + lanes_.height) continue;
    fill_box(list, low, high, with_alpha(context.theme.selection, 36));
    outline_box(list, low, high, context.theme.selection, context.theme.px(2), context.theme.px(1.5f));
  }
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
  const TimeWords& words = context.workspace.time_words(half_);
  ImGui::SetTooltip("Times: %s%s%s%s%s\nT or a click: since the begin, wall clock, since the step, seconds",
                    name(words.format).data(), words.of.empty() ? "" : ", ", words.of.c_str(),
                    axis_.offset.empty() ? "" : "; labels count from ", axis_.offset.c_str());
}

}  // namespace tv
