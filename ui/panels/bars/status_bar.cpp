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

constexpr float kFollowTextShare = 0.4f;  // of the bar's width, at most

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

void status_item(const PanelContext& context, const std::string& text, Rgba color) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(with_letters(text.c_str()));
  ImGui::PopStyleColor();
  ImGui::SameLine(0, context.theme.px(18));
}

// Cuts the text in the middle, because the important part may be at either end.
void shortened_status_item(const PanelContext& context, const std::string& text, float width, Rgba color) {
  status_item(context, chart_elided(text, width, ImGui::GetFontSize(), imgui_chart_measure()), color);
}

void show_in_tooltip(const std::string& text) {
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", with_letters(text.c_str()));
}

void toggle_on_click(const PanelContext& context, const char* panel) {
  if (ImGui::IsItemClicked()) context.push(command::TogglePanel{panel});
}

void draw_losses(const PanelContext& context, const LossSummary& losses) {
  status_item(context, losses.lost, color_of(context.theme, losses.tone));
  toggle_on_click(context, "problems");
  for (const std::string* const part : {&losses.unread, &losses.early, &losses.repaired}) {
    if (part->empty()) continue;
    status_item(context, *part, context.theme.warning);
    toggle_on_click(context, "problems");
  }
}

void draw_following(const PanelContext& context, float bar_width) {
  const Session& session = context.workspace.session();
  const std::string follow_text = session.follow_text();
  if (follow_text.empty()) return;
  shortened_status_item(context, follow_text, bar_width * kFollowTextShare,
                        session.follow_troubled() ? context.theme.warning : context.theme.good);
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("%s%s", with_letters(follow_text.c_str()), around_key(Action::Follow, "\n", " stops following").c_str());
  }
}

// An incomplete recording is reported even if a worse finding is the main sentence.
void draw_incomplete_capture(const PanelContext& context) {
  const std::span<const Finding> findings = context.workspace.run().findings();
  const auto after_worst = findings.subspan(std::min<std::size_t>(findings.size(), 1));
  const auto capture = std::ranges::find(after_worst, "capture", &Finding::id);
  if (capture == after_worst.end()) return;
  status_item(context, "capture incomplete", context.theme.warning);
  toggle_on_click(context, "findings");
  show_in_tooltip(capture->sentence);
}

// Draws the worst finding, or without findings the messages about the files. A click shows all of them.
void draw_main_sentence(const PanelContext& context, const LossSummary& losses, float width) {
  const std::span<const Finding> findings = context.workspace.run().findings();
  const std::string& sentence = findings.empty() ? losses.sentences : findings.front().sentence;
  if (sentence.empty() || !context.workspace.session().anything_open() || width <= context.theme.px(200)) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rgba loss_color = losses.tone == LossSummary::Tone::Whole ? context.theme.text_dim : context.theme.warning;
  const Rgba color = findings.empty() ? loss_color : color_of(context.theme, findings.front().level);
  const auto fits = [&](std::string_view text) { return text_fits(text, width); };
  draw_text(*ImGui::GetWindowDrawList(), at, color, fitted_sentence(chart_one_line(sentence), fits));
  ImGui::InvisibleButton("found", {width, ImGui::GetFontSize()});
  toggle_on_click(context, findings.empty() ? "problems" : "findings");
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("%s%s", with_letters(sentence.c_str()), findings.size() > 1 ? "\nClick to show the other findings" : "");
  }
  ImGui::SameLine();
}

}  // namespace

void StatusBar::draw(const PanelContext& context, const Area& area, const std::string& notice) {
  const BarWindow bar("status", area, context.backdrop, context.theme.header);
  const Workspace& workspace = context.workspace;
  const Trace& trace = workspace.trace();
  if (workspace.session().anything_open()) {
    status_item(context, count_text(trace.slice_count, "slice"), context.theme.text);
    const bool growing = workspace.session().following();
    if (counted_.lock() != workspace.shared_snapshot() || growing != growing_) {
      counted_ = workspace.shared_snapshot();
      growing_ = growing;
      losses_ = loss_summary(trace, growing);
    }
    draw_losses(context, losses_);
  }
  if (workspace.session().too_large() && !workspace.session().is_old()) {
    status_item(context, "partial: the rest does not fit into memory", context.theme.loss);
    toggle_on_click(context, "problems");
  }
  draw_following(context, area.width);
  if (!trace.lanes.empty()) {
    status_item(context, "view " + format_duration(static_cast<Ns>(workspace.state().view().span)), context.theme.text_dim);
  }
  if (const auto brushed = context.workspace.brushed_slices()) {
    const std::string count = format_count(brushed->slices.size());
    const std::string key = key_in_brackets(Action::ClearSelection);
    status_item(context, fmt::format("{} of {} slices highlighted{}", count, format_count(brushed->name_count), key), context.theme.accent);
  }
  if (const std::string selected = selection_text(workspace); !selected.empty()) {
    status_item(context, selected, context.theme.text_dim);
  }
  const std::string help_words = around_key(Action::ToggleHelp, "", " ") + "help";
  const char* const help = help_words.c_str();
  const float help_width = ImGui::CalcTextSize(help).x;
  const auto room_left = [&] { return area.width - help_width - context.theme.px(40) - ImGui::GetCursorPosX(); };
  if (!notice.empty()) {
    shortened_status_item(context, notice, std::max(room_left(), 0.0f), context.theme.accent);
    show_in_tooltip(notice);
  }
  draw_incomplete_capture(context);
  // Names the damaged files that prevented the analysis.
  if (const std::string damage = damaged_words(workspace.run().data().damaged); !damage.empty()) {
    shortened_status_item(context, damage, std::max(room_left(), 0.0f), context.theme.loss);
    show_in_tooltip(damage);
  }
  draw_main_sentence(context, losses_, room_left());
  ImGui::SameLine(area.width - help_width - context.theme.px(12));
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(help);
  ImGui::PopStyleColor();
  if (ImGui::IsItemClicked()) context.push(command::ToggleHelp{});
}

}  // namespace tv
