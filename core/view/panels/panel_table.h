// The table of panels: one line each, with the panel's group and the data it needs. The bar of panels, the keys 1 to 9, menus and
// the command line all read it. Chart panels take title and hint from their line in chart_kinds().
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
  bool pending = false;      ///< the analysis is running, so it is not known yet whether charts have data
  bool communicates = true;  ///< some kernel is communication
  bool clocks = false;       ///< there are several clocks to compare
  bool arrows = true;        ///< the trace has arrows from launches to kernels
  bool problems = false;     ///< several files have problems
};

struct PanelInfo {
  std::string_view id, title, hint;
  PanelGroup group = PanelGroup::Trace;
  const ChartKind* chart = nullptr;  ///< null: not a chart panel
  bool (*needs)(const PanelData& of) = nullptr;  ///< what it needs in addition to its chart's part of the data; null: nothing
};

/// By group, the most useful first within each.
std::span<const PanelInfo> panel_table();
/// Null if there is no such panel.
const PanelInfo* find_panel(std::string_view id);
/// Whether the panel has anything to show.
bool offered(const PanelInfo& panel, const PanelData& of);

/// Panels of one group that have data, in table order: the first nine have the keys 1 to 9.
std::vector<const PanelInfo*> panels_of(PanelGroup group, const PanelData& of);
/// Groups that have such panels.
std::vector<PanelGroup> groups_of(const PanelData& of);
/// The next or previous group that has panels; the same one if there is no other.
PanelGroup next_group(PanelGroup now, bool forward, const PanelData& of);

}  // namespace tv
