#include "core/session/desk/command_scene.h"

#include "core/view/panels/panel_table.h"

namespace tv {
CommandScene command_scene(const Workspace& workspace) {
  CommandScene out;
  const Trace& trace = workspace.trace();
  const Selection& selection = workspace.state().selection;
  const RunData& data = workspace.run().data();
  out.open = workspace.session().anything_open();
  out.closed_files = !workspace.session().read().closed.empty();
  out.data = !trace.lanes.empty();
  out.loading = workspace.session().loading();
  out.following = workspace.session().following();
  out.slice = selection.has_slice();
  out.slices = (out.slice ? 1 : 0) + selection.also.size();
  if (const Split* const split = workspace.state().split()) out.split = split->by;
  out.gap = workspace.state().selected.gap.has_value();
  out.range = selection.range.has_value();
  out.lane = workspace.state().pointer.place || out.slice || (out.range && !selection.lanes.empty());
  out.pointed_gap = workspace.state().pointer.gap.has_value();
  out.marks = !workspace.state().notes.marks().empty();
  out.spans = !workspace.state().notes.spans().empty();
  out.searched = !workspace.search().asked().text.empty();
  out.requests = data.rollout != nullptr;
  const bool steps = data.steps && !data.steps->empty();
  out.steps = steps;
  // Runs that are aligned count as at least two, so that the alignment can be changed back.
  out.runs = trace.align == Align::Recorded ? workspace.runs_in_view().runs : std::max<std::size_t>(2, workspace.runs_in_view().runs);
  if (out.data && !trace.is_one_packed()) out.align = trace.align;
  out.theme = workspace.settings().theme;
  out.appearance = {workspace.settings().palette, workspace.settings().reduced_motion};
  out.kept = workspace.state().desk.kept;
  out.closed_tab = workspace.state().desk.closed_tab;
  out.text_size = workspace.settings().text_size;
  out.color = workspace.coloring().colors() ? workspace.coloring().colors()->rule() : ColorRule::Name;
  out.colors = workspace.coloring().offered();
  out.time = workspace.state().time_style().format;
  for (int f = 0; out.data && f < static_cast<int>(TimeFormat::kCount); ++f) {
    const auto format = static_cast<TimeFormat>(f);
    if (has_format(trace, format, steps)) out.times.push_back(format);
  }
  out.sort = workspace.state().lanes.sort;
  out.order = workspace.state().lanes.order;
  out.mouse = mouse_habit();
  const PanelData panel_data = workspace.panel_data();
  for (const PanelInfo& panel : panel_table()) {
    out.panels.push_back({panel.id, panel.title, panel.hint, name(panel.group), out.open && offered(panel, panel_data),
                          workspace.state().panels.shown().has(panel.id)});
  }
  return out;
}

}  // namespace tv
