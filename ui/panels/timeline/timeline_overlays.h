// Draws shapes over the lanes that need no state from frame to frame.
#pragma once

#include <span>
#include <vector>

#include "core/view/timeline/fold_labels.h"
#include "core/view/timeline/timeline_frame.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/panel.h"

namespace tv {

/// Draws a gap over all rows of its lane, or over the one row that it belongs to.
void draw_gap(const PanelContext& context, const LanesPlace& place, const Gap& gap, Rgba color, float width);
/// Draws the stretch of slices from one selected slice to another: in each row, a box around the row's slices in the stretch.
void draw_stretch(const PanelContext& context, const LanesPlace& place);
/// Writes below each lane that the user has cut how many rows are hidden.
void draw_cuts(const PanelContext& context, const LanesPlace& place);
void draw_arrows(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame);
/// Draws as much of the legend of slice colours as there is room for, at the bottom of the lanes.
void draw_legend(const PanelContext& context, const LanesPlace& place);

/// The labels on the ruler where idle time was removed.
std::vector<FoldLabel> labels_of_folds(const PanelContext& context, const LanesPlace& place, const Area& ruler);
/// Draws where idle time was removed, and how much. Times on the two sides of such a place do not share a clock.
void draw_folds(const PanelContext& context, const LanesPlace& place, const Area& ruler, const std::vector<FoldLabel>& labels);
/// Draws an area, or a range that is being dragged, over `lanes`; empty: over all lanes. `panes`: that of the scrolling lanes
/// first.
void draw_range(const PanelContext& context, std::span<const LanesPlace> panes, const Area& ruler, TimeRange range,
                const std::vector<LaneId>& lanes);
/// Draws the place of the finding that the status bar shows, in the colour of its level.
void draw_marked_finding(const PanelContext& context, const LanesPlace& place, const Area& ruler);

}  // namespace tv
