#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/run/damaged_files.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/view/words/chart_text.h"
#include "core/view/words/fitted_sentence.h"
#include "core/view/words/loss_summary.h"
#include "ui/panels/finding_color.h"
#include "ui/panels/side_panels.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/chart_draw.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kMostOfFollowing = 0.4f;  // share of the bar

std::string selection_text(const Workspace& workspace) {
  const Selection& selection = workspace.state().selection;
  if (const auto& gap = workspace.state().selected.gap; gap && !selection.range) return gap->title;
  if (!workspace.differences().empty() && !selection.range) return workspace.differences().front();
  if (selection.range) return fmt::format("selected {}", format_duration(selection.range->length()));
  if (const auto& details = workspace.state().selected.details) {
    return fmt::format("{}  {}", shortened_utf8(details->name), format_duration(details->duration));
  }
  return {};
}

Rgba color_of(const Theme& theme, LossSummary::Tone tone) {
  return tone == LossSummary::Tone::Lost ? theme.loss : tone == LossSummary::Tone::Doubtful ? theme.text : theme.good;
}

}  // namespace

void StatusBar::draw(const PanelContext& context, const Area& area, const std::string& notice) {
  const BarWindow bar("status", area, context.backdrop, context.theme.header);
  const Workspace& workspace = context.workspace;
  const Trace& trace = workspace.trace();
  const auto item = [&](const std::string& text, Rgba color) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted(with_letters(text.c_str()));
    ImGui::PopStyleColor();
    ImGui::SameLine(0, context.theme.px(18));
  };
  if (workspace.anything_open()) {
    item(count_text(trace.slice_count, "slice"), context.theme.text);
    const bool growing = workspace.session().following();
    if (counted_.lock() != workspace.shared_snapshot() || growing != growing_) {
      counted_ = workspace.shared_snapshot();
      growing_ = growing;
      losses_ = loss_summary(trace, growing);
    }
    item(losses_.lost, color_of(context.theme, losses_.tone));
    if (ImGui::IsItemClicked()) context.push(command::TogglePanel{"problems"});
    for (const std::string* const more : {&losses_.unread, &losses_.early, &losses_.repaired}) {
      if (more->empty()) continue;
      item(*more, context.theme.warning);
      if (ImGui::IsItemClicked()) context.push(command::TogglePanel{"problems"});
    }
  }
  if (context.workspace.session().too_large() && !context.workspace.session().is_old()) {
    item("partial: not all of it fits into memory", context.theme.loss);
    if (ImGui::IsItemClicked()) context.push(command::TogglePanel{"problems"});
  }
  if (const std::string follows = workspace.session().follow_text(); !follows.empty()) {
    const float most = area.width * kMostOfFollowing;
    item(chart_elided(follows, most, ImGui::GetFontSize(), imgui_chart_measure()),
         workspace.session().follow_troubled() ? context.theme.warning : context.theme.good);
    if (ImGui::IsItemHovered()) {
      ImGui::SetTooltip("%s\n%s ends it", with_letters(follows.c_str()), text(binding(Action::Follow).chord).c_str());
    }
  }
  if (!trace.lanes.empty()) {
    item("view " + format_duration(static_cast<Ns>(workspace.view().span)), context.theme.text_dim);
  }
  if (const auto brushed = context.workspace.brushed_slices()) {
    item(fmt::format("{} of {} slices lit (Esc)", format_count(brushed->slices.size()), format_count(brushed->of)),
         context.theme.accent);
  }
  if (const std::string selected = selection_text(workspace); !selected.empty()) item(selected, context.theme.text_dim);
  const std::string help_words = text(binding(Action::ToggleHelp).chord) + " help";
  const char* const help = help_words.c_str();
  const auto room_left = [&] { return area.width - ImGui::CalcTextSize(help).x - context.theme.px(40) - ImGui::GetCursorPosX(); };
  if (!notice.empty()) {
    // The important part may be at either end, so the middle is left out.
    item(chart_elided(notice, std::max(room_left(), 0.0f), ImGui::GetFontSize(), imgui_chart_measure()), context.theme.accent);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", with_letters(notice.c_str()));
  }
  const std::span<const Finding> found = context.workspace.run().findings();
  // A missing part of the recording is reported even if there is a worse finding.
  const auto rest = found.subspan(std::min<std::size_t>(found.size(), 1));
  if (const auto capture = std::ranges::find(rest, "capture", &Finding::id); capture != rest.end()) {
    item("capture incomplete", context.theme.warning);
    if (ImGui::IsItemClicked()) context.push(command::TogglePanel{"findings"});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", with_letters(capture->sentence.c_str()));
  }
  // Names damaged files that prevented the analysis.
  if (const std::string damage = damaged_words(workspace.run().data().damaged); !damage.empty()) {
    item(chart_elided(damage, std::max(room_left(), 0.0f), ImGui::GetFontSize(), imgui_chart_measure()), context.theme.loss);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", with_letters(damage.c_str()));
  }
  // The worst finding, else the messages about the files. A click shows all.
  const std::string& sentence = found.empty() ? losses_.sentences : found.front().sentence;
  const float room = room_left();
  if (!sentence.empty() && workspace.anything_open() && room > context.theme.px(200)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rgba own = losses_.tone == LossSummary::Tone::Whole ? context.theme.text_dim : context.theme.warning;
    const Rgba color = found.empty() ? own : color_of(context.theme, found.front().level);
    const auto fits = [&](std::string_view text) { return text_fits(text, room); };
    draw_text(*ImGui::GetWindowDrawList(), at, color, fitted_sentence(chart_one_line(sentence), fits));
    ImGui::InvisibleButton("found", {room, ImGui::GetFontSize()});
    if (ImGui::IsItemClicked()) context.push(command::TogglePanel{found.empty() ? "problems" : "findings"});
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s\n%s", with_letters(sentence.c_str()), found.size() > 1 ? "A click shows what else was found" : "");
    ImGui::SameLine();
  }
  ImGui::SameLine(area.width - ImGui::CalcTextSize(help).x - context.theme.px(12));
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(help);
  ImGui::PopStyleColor();
  if (ImGui::IsItemClicked()) context.push(command::ToggleHelp{});
}

}  // namespace tv
