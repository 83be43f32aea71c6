#include "ui/panels/tables/clocks_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include "core/analysis/clocks/barrier_clock.h"
#include "core/base/text/decimal_ns.h"
#include "ui/panels/table_commands.h"
#include "ui/widgets/named_places.h"

namespace tv {
namespace {

constexpr double kNsPerMs = 1e6;

// A number without a unit is in ms, the unit of the column.
std::optional<Ns> typed_offset(std::string_view text) {
  const auto in_ms = decimal_ns(text, kMillisecond);
  return in_ms ? in_ms : decimal_time(text);
}

void clocks_text(Rgba color, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void time_cell(const std::string& text) {
  ImGui::TableNextColumn();
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0f));
  ImGui::TextUnformatted(text.c_str());
}

struct ClockColumn {
  const char* title;
  const char* meaning;
  float width;
};

void table_head(const Theme& theme, std::span<const ClockColumn> columns) {
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const ClockColumn& column : columns) {
    ImGui::TableSetupColumn(column.title, ImGuiTableColumnFlags_WidthFixed, theme.px(column.width));
  }
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (const ClockColumn& column : columns) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(column.title);
    if (*column.meaning && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", column.meaning);
  }
}

bool is_packed(const Trace& trace) {
  return std::ranges::any_of(trace.sources, [](const SourceInfo& source) { return source.packed.has_value(); });
}

bool has_workers(const Workspace& workspace) {
  const Rollout* const rollout = workspace.run().rollout();
  return rollout && rollout->workers.size() > 1;
}

// The clocks are as recorded, but there are several to compare.
bool is_recorded(const Workspace& workspace) {
  const std::vector<SourceInfo>& sources = workspace.trace().sources;
  return workspace.session().read().place_by == PlaceBy::Recorded && std::ranges::count(sources, true, &SourceInfo::wall_clock) > 1;
}

}  // namespace

void ClocksPanel::record_place(std::string what) {
  places_.push_back({std::move(what), middle_of_item()});
}

std::optional<ImVec2> ClocksPanel::place_of(std::string_view what) const {
  const auto found = std::ranges::find(places_, what, &Place::what);
  return found == places_.end() ? std::nullopt : std::optional(found->at);
}

bool ClocksPanel::shown(const Workspace& workspace) {
  if (traces_generation_ != workspace.snapshot().generation) {
    traces_ = clock_table(workspace.trace());
    traces_list_.emplace(clocks_list(traces_));
    traces_generation_ = workspace.snapshot().generation;
  }
  return !traces_.rows.empty() || !zone_verdict(traces_).empty() || is_recorded(workspace) || has_workers(workspace);
}

void ClocksPanel::draw(const PanelContext& context) {
  places_.clear();
  const Workspace& workspace = context.workspace;
  const bool any = shown(workspace);
  const bool workers = has_workers(workspace);
  if (const std::string zones = zone_verdict(traces_); !zones.empty()) clocks_text(context.theme.text, zones);
  if (!traces_.rows.empty() || is_recorded(workspace)) draw_traces(context, workers);
  if (workers) return draw_workers(context);
  if (any) return;
  clocks_text(context.theme.text_dim, workspace.run().pending()
                                          ? "computing ..."
                                          : "There are no clocks to compare: open traces of several ranks, or a "
                                            "rollout of two or more workers.");
}

void ClocksPanel::draw_traces(const PanelContext& context, bool with_workers) {
  const Workspace& workspace = context.workspace;
  const bool fixed = is_packed(workspace.trace());
  bool by_collectives = workspace.session().read().place_by == PlaceBy::Collectives;
  ImGui::BeginDisabled(fixed || workspace.session().loading());
  if (ImGui::Checkbox("Move clocks by collective kernels", &by_collectives)) {
    context.push(command::PlaceClocks{by_collectives ? PlaceBy::Collectives : PlaceBy::Recorded});
  }
  record_place("collectives");
  ImGui::EndDisabled();
  if (traces_.rows.empty()) {
    return clocks_text(context.theme.text_dim, "Clocks are as recorded: wall clock, uncertainty unknown.");
  }
  clocks_text(context.theme.text, verdict(traces_));
  if (fixed) clocks_text(context.theme.text_dim, fmt::format("The {}.", kPackedClocks));
  TableLook look;
  look.file = "clocks";
  look.size.y = with_workers ? std::floor(ImGui::GetContentRegionAvail().y / 2) : 0;
  take_table(context, table_, "clocks");
  const TableAction action = table_.draw("traces", *traces_list_, traces_generation_, context.keys, context.theme, look);
  keep_table(context, table_, "clocks");
  push_files(context, action);
  if (!action.go || traces_.rows[*action.go].sources.empty()) return;
  const TimeRange work = workspace.trace().sources[traces_.rows[*action.go].sources.front()].work;
  if (work.begin < work.end) context.push(command::ZoomTo{work});
}

void ClocksPanel::draw_workers(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const BarrierClocks& clocks = workspace.run().clocks();
  // During a reload the analysis still belongs to the previous trace.
  const bool busy = workspace.aligning() || workspace.session().loading() || workspace.run().pending();
  const bool fixed = is_packed(workspace.trace());
  clocks_text(clocks.proposed() > 0 ? context.theme.warning : context.theme.text, verdict(clocks));
  if (fixed) clocks_text(context.theme.text_dim, fmt::format("The {}.", kPackedClocks));
  ImGui::BeginDisabled(busy || fixed);
  draw_buttons(context, clocks, fixed);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_SizingFixedFit;
  constexpr ClockColumn kColumns[] = {
      {"Run", "", 150},
      {"Worker", "", 60},
      {"Applied, ms", "Added to all times of the worker's files. To change it, type a time such as -250, +1.5s or -9h and press Enter",
       150},
      {"To add", "The offset that is still missing, according to the barriers", 130},
      {"Apart now", "Median distance between this worker's barrier ends and the median of the other workers' barrier ends", 90},
      {"Residual", "The same distance after the missing offset is added", 90},
      {"p90", "After the missing offset is added, the distance is smaller than this in nine of ten steps", 90},
      {"Steps", "Steps in which this worker and another one have a barrier line", 60},
      {"", "", 330},
  };
  if (ImGui::BeginTable("clocks", static_cast<int>(std::size(kColumns)), kFlags)) {
    table_head(context.theme, kColumns);
    for (std::size_t row = 0; row < clocks.workers.size(); ++row) draw_row(context, clocks.workers[row], row, fixed);
    ImGui::EndTable();
  }
  ImGui::EndDisabled();
}

void ClocksPanel::draw_buttons(const PanelContext& context, const BarrierClocks& clocks, bool fixed) {
  ImGui::BeginDisabled(clocks.proposed() == 0);
  if (ImGui::Button("Align by barriers")) context.push(command::AlignClocks{});
  ImGui::EndDisabled();
  record_place("align");
  ImGui::SameLine();
  ImGui::BeginDisabled(context.workspace.session().read().clocks.empty());
  if (ImGui::Button("As logged")) context.push(command::SetClocks{});
  ImGui::EndDisabled();
  record_place("logged");
  if (fixed) return;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  clocks_text(context.theme.text_dim,
              "All workers leave a barrier together. Alt+drag lane names to move clocks.");
}

void ClocksPanel::draw_row(const PanelContext& context, const BarrierClock& clock, std::size_t row, bool fixed) {
  const Workspace& workspace = context.workspace;
  ImGui::PushID(static_cast<int>(row));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(clock.run.c_str());
  time_cell(std::to_string(clock.worker));
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  char applied[32] = {};
  fmt::format_to_n(applied, sizeof(applied) - 1, "{:+.3f}", static_cast<double>(clock.applied) / kNsPerMs);
  const bool entered = ImGui::InputText("##applied", applied, sizeof(applied),
                                        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  record_place(std::to_string(row));
  if (clock.mixed && ImGui::IsItemHovered())
    ImGui::SetTooltip("The files of this worker have different offsets; this is the offset of the first file");
  const std::optional<Ns> typed = entered ? typed_offset(applied) : std::nullopt;
  if (typed && !fixed) {
    const Ns offset = std::clamp(*typed, -kLongestClockOffset, kLongestClockOffset);
    context.push(command::SetClocks{with_clock(workspace.trace(), clock, offset, workspace.session().read().clocks)});
  }
  if (clock.has_offset()) {
    time_cell(format_clock_offset(clock.offset));
    for (const Ns time : {clock.before, clock.residual, clock.residual_p90}) time_cell(format_duration(time));
  } else {
    for (int i = 0; i < 4; ++i) time_cell("");
  }
  time_cell(std::to_string(clock.steps));
  ImGui::TableNextColumn();
  clocks_text(clock.proposed ? context.theme.warning : context.theme.text_dim, remark(clock));
  ImGui::PopID();
}

}  // namespace tv
