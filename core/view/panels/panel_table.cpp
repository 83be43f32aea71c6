#include "core/view/panels/panel_table.h"

#include <algorithm>

#include "core/analysis/statistics/name_differences.h"

namespace tv {
namespace {

struct ChartLine {
  PanelGroup group;
  std::string_view id;
  bool (*needs)(const PanelData& of) = nullptr;
};

// Without communication, the panel would show only the recognition rules, which the GPU panel shows too.
bool has_communication(const PanelData& of) { return of.communicates; }
bool has_arrows(const PanelData& of) { return of.arrows; }
bool has_paces(const PanelData& of) { return of.data.paces && !of.data.paces->empty(); }
bool has_steps(const PanelData& of) { return of.data.steps && !of.data.steps->empty(); }
bool has_logs(const PanelData& of) { return of.data.training && of.data.training->runs.size() > 1; }
bool has_parts(const PanelData& of) { return of.data.trace && has_compared_parts(*of.data.trace); }
bool has_run(const PanelData& of) { return of.pending || !of.data.empty(); }
bool has_clocks(const PanelData& of) { return of.clocks; }
// The import report already shows all problems of a single file.
bool has_problems(const PanelData& of) { return of.problems; }

constexpr ChartLine kChartLines[] = {
    {PanelGroup::Rollout, "steps"},
    {PanelGroup::Rollout, "workers"},
    {PanelGroup::Rollout, "blame"},
    {PanelGroup::Rollout, "cdf"},
    {PanelGroup::Rollout, "requests"},
    {PanelGroup::Rollout, "in_flight"},
    {PanelGroup::Rollout, "heat_map"},
    {PanelGroup::Rollout, "compare"},
    {PanelGroup::Rollout, "what_if"},
    {PanelGroup::Rollout, "scatter"},
    {PanelGroup::Rollout, "turns"},
    {PanelGroup::Rollout, "turn_cost"},
    {PanelGroup::Rollout, "groups"},
    {PanelGroup::Rollout, "event_share"},
    {PanelGroup::Training, "training"},
    {PanelGroup::Training, "training_steps"},
    {PanelGroup::Training, "metrics"},
    {PanelGroup::Training, "log_differences", has_logs},
    {PanelGroup::Pipeline, "pipeline"},
    {PanelGroup::Gpu, "gpu"},
    {PanelGroup::Gpu, "gpu_steps", has_steps},
    {PanelGroup::Gpu, "kernels"},
    {PanelGroup::Gpu, "owners", has_arrows},
    {PanelGroup::Gpu, "gpu_gaps"},
    {PanelGroup::Gpu, "nccl_overlap", has_communication},
    {PanelGroup::Gpu, "sync"},
    {PanelGroup::Gpu, "launch_delay", has_arrows},
    {PanelGroup::Gpu, "pace", has_paces},
    {PanelGroup::Trace, "durations"},
    {PanelGroup::Trace, "differences", has_parts},
};

constexpr PanelInfo kOtherPanels[] = {
    {"details", "Details", "The selected slice or gap, or time per name in the selected area"},
    {"statistics", "Statistics", "Time per name, in the selected area or in the whole trace"},
    {"notes", "Notes", "Marks and measured spans, with their names"},
    {"findings", "Found", "What stands out, in sentences", PanelGroup::Trace, nullptr, has_run},
    {"hits", "Hits", "The slices that the search found, one by one"},
    {"problems", "Import report", "What was read, repaired and lost"},
    {"text", "Text", "The lines of the file around the selection; a click on a line goes to what it describes"},
    {"clocks", "Clocks", "Whether the clocks of ranks and of rollout workers agree", PanelGroup::Trace, nullptr, has_clocks},
    {"problem_kinds", "Problems by kind", "The problems of all files, a row per kind", PanelGroup::Trace, nullptr, has_problems},
};

std::vector<PanelInfo> make_panel_table() {
  std::vector<PanelInfo> table;
  for (const ChartLine& line : kChartLines) {
    for (const ChartKind& kind : chart_kinds()) {
      if (kind.id == line.id) table.push_back({kind.id, kind.title, kind.hint, line.group, &kind, line.needs});
    }
  }
  // A chart kind that is not in kChartLines comes last in the group of its subject.
  for (const ChartKind& kind : chart_kinds()) {
    if (std::ranges::find(table, kind.id, &PanelInfo::id) != table.end()) continue;
    constexpr PanelGroup kGroups[] = {PanelGroup::Rollout, PanelGroup::Training, PanelGroup::Pipeline, PanelGroup::Gpu,
                                        PanelGroup::Trace};  // in the order of RunPart
    table.push_back({kind.id, kind.title, kind.hint, kGroups[static_cast<std::size_t>(kind.of)], &kind, nullptr});
  }
  // In the group Trace, the panels that are no charts come first: Details, Statistics ...
  table.insert(table.end(), std::begin(kOtherPanels), std::end(kOtherPanels));
  std::ranges::stable_sort(table, {}, [](const PanelInfo& panel) {
    return static_cast<int>(panel.group) * 2 + (panel.group == PanelGroup::Trace && panel.chart ? 1 : 0);
  });
  return table;
}

}  // namespace

std::string_view name(PanelGroup group) {
  constexpr std::string_view kNames[] = {"Rollout", "Training", "Pipeline", "GPU", "Trace"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(PanelGroup::kCount));
  return kNames[static_cast<std::size_t>(group)];
}

std::span<const PanelInfo> panel_table() {
  static const std::vector<PanelInfo> table = make_panel_table();
  return table;
}

const PanelInfo* find_panel(std::string_view id) {
  const std::span<const PanelInfo> table = panel_table();
  const auto found = std::ranges::find(table, id, &PanelInfo::id);
  return found == table.end() ? nullptr : &*found;
}

bool offered(const PanelInfo& panel, const PanelData& of) {
  if (panel.chart && !of.data.has(panel.chart->of)) return false;
  return !panel.needs || panel.needs(of);
}

std::vector<const PanelInfo*> panels_of(PanelGroup group, const PanelData& of) {
  std::vector<const PanelInfo*> out;
  for (const PanelInfo& panel : panel_table()) {
    if (panel.group == group && offered(panel, of)) out.push_back(&panel);
  }
  return out;
}

std::vector<PanelGroup> groups_of(const PanelData& of) {
  std::vector<PanelGroup> out;
  for (std::size_t g = 0; g < static_cast<std::size_t>(PanelGroup::kCount); ++g) {
    if (!panels_of(static_cast<PanelGroup>(g), of).empty()) out.push_back(static_cast<PanelGroup>(g));
  }
  return out;
}

PanelGroup next_group(PanelGroup now, bool forward, const PanelData& of) {
  const std::vector<PanelGroup> groups = groups_of(of);
  if (groups.empty()) return now;
  const auto at = std::ranges::find(groups, now);
  if (at == groups.end()) return groups.front();
  const std::size_t n = groups.size(), i = static_cast<std::size_t>(at - groups.begin());
  return groups[(i + (forward ? 1 : n - 1)) % n];
}

}  // namespace tv
