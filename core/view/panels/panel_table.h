// The panels: a line each, with the group that they stand in and what they need to have something to show. The bar of panels,
// the keys 1 to 9, menus and the command line all read it. Those of charts take title and hint from their line in chart_kinds().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/charts/chart_kinds.h"
#include "core/view/panels/panel_layout.h"

namespace tv {

std::string_view name(PanelGroup group);  ///< "Rollout", "GPU"

/// The facts about the open files on which panels depend.
struct PanelData {
  const RunData& data;
  bool pending = false;      ///< it is still being analysed: of charts it is not known
  bool communicates = true;  ///< a kernel is communication
  bool clocks = false;       ///< there are several to compare
  bool arrows = true;        ///< the trace has any: from launches to kernels
};

struct PanelInfo {
  std::string_view id, title, hint;
  PanelGroup group = PanelGroup::Trace;
  const ChartKind* chart = nullptr;  ///< null: not a panel of charts
  bool (*needs)(const PanelData& of) = nullptr;  ///< in addition to its chart's part of the data; null: nothing
};

/// By group, and in each the most useful first.
std::span<const PanelInfo> panel_table();
/// Null: there is no such panel.
const PanelInfo* find_panel(std::string_view id);
/// Whether it has anything to show.
bool offered(const PanelInfo& panel, const PanelData& of);

/// Those that have data, of one group, in the order of the table: the first nine have the keys 1 to 9.
std::vector<const PanelInfo*> panels_of(PanelGroup group, const PanelData& of);
/// Groups with any.
std::vector<PanelGroup> groups_of(const PanelData& of);
/// The next group that has panels, or the one before. The same if there is no other.
PanelGroup next_group(PanelGroup now, bool forward, const PanelData& of);

}  // namespace tv
