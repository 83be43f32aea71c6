// The facts that decide which panels are available.
#include <algorithm>

#include "core/analysis/clocks/clock_table.h"
#include "core/session/workspace/workspace.h"
#include "core/view/charts/gpu/charts_gpu.h"

namespace tv {
namespace {

// Whether clocks were compared, or can be compared on request.
bool has_several_clocks(const Trace& trace, PlaceBy place_by) {
  const ClockTable table = clock_table(trace);
  const bool comparable =
      place_by == PlaceBy::Recorded && std::ranges::count(trace.sources, true, &SourceInfo::wall_clock) > 1;
  return comparable || !table.rows.empty() || !zone_verdict(table).empty();
}

}  // namespace

PanelData Workspace::panel_data() const {
  const RunData& data = run_.data();
  const bool rules = !run_.question().settings.text(kCommunicationRules).empty();
  const bool workers = run_.rollout() && run_.rollout()->workers.size() > 1;
  return {data, run_.pending(), rules || (data.gpu && data.gpu->communicates), several_clocks_ || workers,
          trace().flows.size() > 0, several_with_problems_};
}

void Workspace::follow_panels() {
  if (facts_of_ != snapshot_->generation) {
    facts_of_ = snapshot_->generation;
    several_clocks_ = has_several_clocks(trace(), session_.read().place_by);
    several_with_problems_ =
        std::ranges::count_if(trace().sources, [](const SourceInfo& source) { return !source.problems.empty(); }) > 1;
  }
  // The details need not open for an area that was made in a chart, because the chart shows it, nor while the statistics show it.
  const bool area = state_.selection.range && state_.selection.made_in.empty() && !state_.panels.shown().has("statistics");
  state_.panels.follow(panel_data(), state_.selection.has_slice() || state_.selected.gap || area, !trace().lanes.empty());
}

void Workspace::on(const command::TogglePanel& c) { state_.panels.toggle(c.id); }
void Workspace::on(const command::ShowPanel& c) { state_.panels.show(c.id); }
void Workspace::on(const command::ShowPanelNumber& c) { state_.panels.show_number(c.number, panel_data()); }
void Workspace::on(const command::ShowPanelGroup& c) { state_.panels.show_group(c.group, panel_data()); }
void Workspace::on(const command::NextPanelGroup& c) { state_.panels.next_group(c.forward, panel_data()); }
void Workspace::on(const command::MovePanel& c) { state_.panels.move(c.id, c.place); }
void Workspace::on(const command::ClosePanel& c) { state_.panels.close(c.id); }
void Workspace::on(const command::SizePanels& c) { state_.panels.size(c.which, c.share); }
void Workspace::on(const command::PlaceOwnPanel& c) { state_.panels.place_own(c.panel); }
void Workspace::on(const command::ResetPanels&) { state_.panels.reset(); }
void Workspace::on(const command::NextTable&) {}  // handled by the interface, which knows the visible tables
void Workspace::on(const command::KeepTable& c) { state_.tables.keep(c.table, c.state); }

}  // namespace tv
