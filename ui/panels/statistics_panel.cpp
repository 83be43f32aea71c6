#include <fmt/format.h>

#include "core/analysis/scope.h"
#include "core/base/count_text.h"
#include "ui/panels/side_panels.h"

namespace tv {

StatisticsPanel::StatisticsPanel(Workspace& workspace, std::function<void()> wake)
    : stats_(workspace.pool(), std::move(wake)) {}

void StatisticsPanel::draw(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const Selection& selection = workspace.selection();
  const Key key{workspace.snapshot().generation, {selection.range, selection.lanes}};
  const auto snapshot = workspace.shared_snapshot();
  // The computation runs on the pool itself, so it gets a pool of one: tasks must not wait for tasks.
  const auto view = stats_.get(key, [snapshot](const Key& k) {
    ThreadPool alone(1);
    Made made;
    made.stats = range_stats(*snapshot->trace, k.query, alone);
    made.busy = busy_union(*snapshot, k.query);
    made.names = shown_names(snapshot->trace->labels, made.stats);
    return made;
  });
  if (!view.value) {
    ImGui::TextUnformatted("computing ...");
    return;
  }
  const RangeStats& stats = view.value->stats;
  const std::string wait = view.fresh ? "" : " ...";
  std::string scope =
      selection.range
          ? fmt::format("{} slices in {}{}, {} of it busy; total and self are clipped to it ({} reach beyond), all else is of "
                        "whole slices",
                        format_count(stats.count), words_of({*selection.range, selection.lanes}), wait,
                        format_duration(view.value->busy), format_count(stats.cut))
          : fmt::format("{} slices in the whole trace; drag over lanes to select an area{}", format_count(stats.count), wait);
  if (stats.unfinished > 0) scope += fmt::format("; {} of them never ended: in no time", format_count(stats.unfinished));
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  // While it is counted anew the table is that of before: its figures say nothing of the new area.
  ImGui::TextUnformatted(view.fresh ? scope.c_str() : "counting ...");
  ImGui::PopStyleColor();
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_SizingStretchProp;
  constexpr const char* kColumns[] = {"Name", "Count", "Total", "Self", "Mean", "p50", "p95", "p99", "Max"};
  if (!ImGui::BeginTable("stats", 9, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (int i = 0; i < 9; ++i) ImGui::TableSetupColumn(kColumns[i], 0, i == 0 ? 5.0f : 1.0f);
  ImGui::TableHeadersRow();
  const LabelTable& labels = workspace.trace().labels;
  ImGuiListClipper clipper;
  // Labels of an older snapshot may not exist in this one.
  const bool same = view.fresh;
  clipper.Begin(same ? static_cast<int>(stats.labels.size()) : 0);
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const LabelStats& s = stats.labels[static_cast<std::size_t>(row)];
      const auto cell = [](const std::string& text) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(text.c_str());
      };
      const auto time = [&](double ns) { cell(format_duration(static_cast<Ns>(ns))); };
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(row);
      const std::string name(counted_name(labels, s.label));
      const std::string& shown = view.value->names[static_cast<std::size_t>(row)];
      if (ImGui::Selectable(shown.empty() ? "(no name)" : shown.c_str(), false, ImGuiSelectableFlags_SpanAllColumns)) {
        context.push(command::OpenSearch{});
        context.push(command::Search{name});
        context.push(command::NextHit{});
        context.push(command::SelectName{s.label});
      }
      ImGui::PopID();
      cell(counted_text(s));
      cell(format_duration(s.total));
      cell(format_duration(s.self));
      time(s.mean);
      time(s.p50);
      time(s.p95);
      time(s.p99);
      cell(format_duration(s.max));
    }
  }
  ImGui::EndTable();
}

}  // namespace tv
