#include "ui/panels/clocks_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/barrier_clock.h"

namespace tv {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kLongestOffset_ms = static_cast<double>(kLongestClockOffset) / kNsPerMs;

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

bool is_packed(const Trace& trace) {
  return std::ranges::any_of(trace.sources, [](const SourceInfo& source) { return source.packed.has_value(); });
}

}  // namespace

void ClocksPanel::keep_place(std::string what) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  places_.push_back({std::move(what), {(low.x + high.x) / 2, (low.y + high.y) / 2}});
}

std::optional<ImVec2> ClocksPanel::place_of(const std::string& what) const {
  const auto found = std::ranges::find(places_, what, &Place::what);
  return found == places_.end() ? std::nullopt : std::optional(found->at);
}

void ClocksPanel::draw(const PanelContext& context) {
  places_.clear();
  const Workspace& workspace = context.workspace;
  if (!shown(workspace)) {
    return clocks_text(context.theme.text_dim,
                       workspace.run().pending()
                           ? "computing ..."
                           : "No rollout of two or more workers is open: step_N/worker_M.jsonl.");
  }
  const BarrierClocks& clocks = workspace.run().clocks();
  // While all is read again the analysis is of the trace before.
  const bool busy = workspace.aligning() || workspace.session().status().running() || workspace.run().pending();
  const bool fixed = is_packed(workspace.trace());
  clocks_text(clocks.proposed() > 0 ? context.theme.warning : context.theme.text, verdict(clocks));
  if (fixed) clocks_text(context.theme.text_dim, fmt::format("This is {}.", kPackedClocks));
  ImGui::BeginDisabled(busy || fixed);
  draw_buttons(context, clocks, fixed);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_SizingFixedFit;
  struct Column {
    const char* title;
    const char* meaning;
    float width;
  };
  constexpr Column kColumns[] = {
      {"Run", "", 150},
      {"Worker", "", 60},
      {"Applied, ms", "Added to all times of the worker's files; type another and press Enter", 150},
      {"To add", "What the barriers say is still missing", 130},
      {"Apart now", "Median distance of its barrier ends to the median of the other workers'", 90},
      {"Residual", "The same with what is to be added", 90},
      {"p90", "Of nine in ten steps the distance is below this, with what is to be added", 90},
      {"Steps", "In which this worker and another one have a barrier line", 60},
      {"", "", 330},
  };
  if (ImGui::BeginTable("clocks", static_cast<int>(std::size(kColumns)), kFlags)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const Column& column : kColumns) {
      ImGui::TableSetupColumn(column.title, ImGuiTableColumnFlags_WidthFixed, context.theme.px(column.width));
    }
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (const Column& column : kColumns) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(column.title);
      if (*column.meaning && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", column.meaning);
    }
    for (std::size_t row = 0; row < clocks.workers.size(); ++row) draw_row(context, clocks.workers[row], row, fixed);
    ImGui::EndTable();
  }
  ImGui::EndDisabled();
}

void ClocksPanel::draw_buttons(const PanelContext& context, const BarrierClocks& clocks, bool fixed) {
  ImGui::BeginDisabled(clocks.proposed() == 0);
  if (ImGui::Button("Align by barriers")) context.push(command::AlignClocks{});
  ImGui::EndDisabled();
  keep_place("align");
  ImGui::SameLine();
  ImGui::BeginDisabled(context.workspace.session().clocks().empty());
  if (ImGui::Button("As logged")) context.push(command::SetClocks{});
  ImGui::EndDisabled();
  keep_place("logged");
  if (fixed) return;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  clocks_text(context.theme.text_dim,
              "All workers leave a barrier together; changing an offset reads the files again.");
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
  double applied_ms = static_cast<double>(clock.applied) / kNsPerMs;
  const bool entered =
      ImGui::InputDouble("##applied", &applied_ms, 0, 0, "%+.3f", ImGuiInputTextFlags_EnterReturnsTrue);
  keep_place(std::to_string(row));
  if (clock.mixed && ImGui::IsItemHovered())
    ImGui::SetTooltip("Its files have different offsets; this is the first one's");
  if (entered && !fixed && std::isfinite(applied_ms)) {
    const auto offset =
        static_cast<Ns>(std::llround(std::clamp(applied_ms, -kLongestOffset_ms, kLongestOffset_ms) * kNsPerMs));
    context.push(command::SetClocks{with_clock(workspace.trace(), clock, offset, workspace.session().clocks())});
  }
  if (clock.told()) {
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
