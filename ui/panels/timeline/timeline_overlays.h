// Shapes over the lanes that keep nothing from frame to frame.
#pragma once

#include <span>
#include <vector>

#include "core/view/timeline/fold_labels.h"
#include "core/view/timeline/timeline_frame.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/panel.h"

namespace tv {

/// A gap over all rows of its lane, or over the one row it belongs to.
void draw_gap(const PanelContext& context, const LanesPlace& place, const Gap& gap, Rgba color, float width);
/// The slices selected from one to another: a box in each row around those in it.
void draw_stretch(const PanelContext& context, const LanesPlace& place);
/// For lanes that the user has cut: how much of them is hidden.
void draw_cuts(const PanelContext& context, const LanesPlace& place);
void draw_arrows(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame);
/// As much of the legend of slice colours as there is room for, below the lanes.
void draw_legend(const PanelContext& context, const LanesPlace& place);

/// Labels on the ruler for idle time that was taken out.
std::vector<FoldLabel> labels_of_folds(const PanelContext& context, const LanesPlace& place, const Area& ruler);
/// Shows where idle time was taken out, and how much: times on the two sides do not share a clock.
void draw_folds(const PanelContext& context, const LanesPlace& place, const Area& ruler, const std::vector<FoldLabel>& labels);
/// An area, or a range that is being dragged: its time, and these of its lanes; none: all. `panes`: the scrolling lanes first.
void draw_range(const PanelContext& context, std::span<const LanesPlace> panes, const Area& ruler, TimeRange range,
                const std::vector<LaneId>& lanes);
/// The place of the finding in the status bar, in its colour.
void draw_found(const PanelContext& context, const LanesPlace& place, const Area& ruler);

}  // namespace tv
