#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/text/count_text.h"
#include "core/store/clock/clock_offset.h"
#include "core/view/lists/sources_table.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/table_commands.h"
#include "ui/widgets/text/label.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

Rgba color_of(Severity severity, const Theme& theme) {
  switch (severity) {
    case Severity::Info: return theme.text_dim;
    case Severity::Warning: return theme.warning;
    case Severity::DataLoss: return theme.loss;
  }
  return theme.text;
}

void wrapped(std::string_view text) {
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
}

// Draws a line that can be unfolded. It is never cut, however narrow the panel is: the rest wraps onto lines below. Returns whether
// the line is unfolded. `copy`: the text that the line's menu copies; empty: there is no menu.
bool folded_line(const PanelContext& context, const char* id, std::string_view text, ImGuiTreeNodeFlags flags = 0,
                 const std::string& copy = {}) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::GetTreeNodeToLabelSpacing() - ImGui::GetStyle().FramePadding.x;
  const std::size_t first = first_line_of(text, room);
  const bool open = ImGui::TreeNodeEx(id, flags, "%.*s", static_cast<int>(first), text.data());
  if (!copy.empty() && ImGui::BeginPopupContextItem("copy")) {
    if (ImGui::MenuItem("Copy")) context.push(command::CopyText{copy});
    ImGui::EndPopup();
  }
  const std::size_t rest = text.find_first_not_of(' ', first);
  if (rest == std::string_view::npos) return open;
  const float indent = open ? 0 : ImGui::GetTreeNodeToLabelSpacing();
  if (indent > 0) ImGui::Indent(indent);
  wrapped(text.substr(rest));
  if (indent > 0) ImGui::Unindent(indent);
  return open;
}

std::string summary_of(const SourceInfo& source, std::string_view placing) {
  std::string text = source.path + "   ";
  if (source.state == SourceState::Ready || source.state == SourceState::Part) {
    text += fmt::format("{} slices, {} instants, {} arrows", format_count(source.slices), format_count(source.instants),
                        format_count(source.flows));
    if (source.rank) text += fmt::format(", rank {}", *source.rank);
    if (source.step) text += fmt::format(", step {}", *source.step);
    if (source.clock_offset != 0) text += ", clock moved by " + format_clock_offset(source.clock_offset);
    const ClockFit& fit = source.clock_fit;
    if (fit.offset != 0) text += fmt::format(", clock moved by {} (collectives)", format_clock_offset(fit.offset));
    if (fit.evidence == ClockEvidence::WallClock) text += ", wall clock, uncertainty unknown";
    if (!placing.empty()) text += fmt::format("; steps are {}", placing);
    if (source.state == SourceState::Part) text += "; " + source.reason;
    if (source.problems.lost() > 0) text += fmt::format(", {} LOST", source.problems.lost());
  } else {
    text += fmt::format("{}{}{}", name(source.state), source.reason.empty() ? "" : ": ", source.reason);
  }
  return text;
}

// Draws the line of a file. A summary that does not fit into one line follows below the path. Returns whether the line is unfolded.
bool source_line(const PanelContext& context, const std::string& path, const std::string& summary,
                 ImGuiTreeNodeFlags flags) {
  const bool one_line =
      ImGui::CalcTextSize(summary.c_str()).x + ImGui::GetTreeNodeToLabelSpacing() <= ImGui::GetContentRegionAvail().x;
  const bool open = folded_line(context, "file", one_line ? summary : path, flags, summary);
  if (one_line) return open;
  const float indent = open ? 0 : ImGui::GetTreeNodeToLabelSpacing();
  if (indent > 0) ImGui::Indent(indent);
  wrapped(summary.substr(std::min(summary.size(), summary.find_first_not_of(' ', path.size()))));
  if (indent > 0) ImGui::Unindent(indent);
  return open;
}

void source_details(const PanelContext& context, const SourceInfo& source) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::PushTextWrapPos(0);
  const auto line = [](const std::string& text) { ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size()); };
  if (!source.host.empty()) line("host " + source.host);
  for (const SourceFact& fact : source.facts) line(fmt::format("{} {} ({})", fact.what, fact.value, fact.evidence));
  if (!source.clock_fit.text.empty()) line(source.clock_fit.text);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

// Draws one line for many files that were left unread for the same reason. It unfolds to their names.
void unread_kind(const PanelContext& context, const UnreadKind& kind) {
  constexpr std::size_t kMostNames = 500;
  const Trace& trace = context.workspace.trace();
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  const bool open = folded_line(context, whole_label(kind.reason).c_str(),
                                fmt::format("{} files: {}", format_count(kind.sources.size()), kind.reason));
  ImGui::PopStyleColor();
  if (!open) return;
  for (std::size_t i = 0; i < std::min(kind.sources.size(), kMostNames); ++i) {
    wrapped(trace.sources[kind.sources[i]].path);
  }
  if (kind.sources.size() > kMostNames)
    ImGui::TextUnformatted(("... and " + format_count(kind.sources.size() - kMostNames) + " more").c_str());
  ImGui::TreePop();
}

// Offers to open only a part of files that do not fit into memory.
void offer_parts(const PanelContext& context, const TooLarge& too_large) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.loss);
  wrapped(fmt::format("The files do not fit into memory: {}. What you see was read first.", too_large.amounts()));
  ImGui::PopStyleColor();
  const LoadChoice& now = context.workspace.session().read().choice;
  if (!too_large.ranks.empty()) {
    LoadChoice fewer = now;
    fewer.ranks = too_large.ranks;
    if (ImGui::Button(fmt::format("Open only ranks {}", ranks_text(fewer.ranks)).c_str())) {
      context.push(command::OpenPart{fewer});
    }
    ImGui::SameLine();
  }
  const Ns origin = context.workspace.trace().origin_ns;
  const TimeRange shown = range_of(context.workspace.state().view());
  if (ImGui::Button(fmt::format("Open only the {} in view, of all files", format_duration(shown.length())).c_str())) {
    LoadChoice visible = now;
    visible.window = TimeRange{shown.begin + origin, shown.end + origin};
    visible.clock = LoadChoice::Clock::Absolute;
    context.push(command::OpenPart{visible});
  }
}

}  // namespace

ProblemsPanel::ProblemsPanel(Workspace& workspace, std::function<void()> wake) : lines_(workspace.pool(), std::move(wake)) {}

// Asks for the lines of the files that are drawn. Until they are known, examples show byte offsets, or lines from an earlier
// answer about the same snapshot.
void ProblemsPanel::ask_for_lines(const Workspace& workspace, std::size_t first, std::size_t count) {
  const auto asked = lines_.get({generation_, first, count}, [snapshot = workspace.shared_snapshot()](const Drawn& drawn) {
    return problem_lines(std::span(snapshot->trace->sources).subspan(drawn.first, drawn.count));
  });
  if (asked.fresh) known_lines_ = asked.value;
}

void ProblemsPanel::draw_problem(const PanelContext& context, const SourceInfo& source, const ProblemCount& problem) {
  const ProblemInfo& kind = info(problem.kind);
  ImGui::PushStyleColor(ImGuiCol_Text, color_of(kind.severity, context.theme));
  const ImGuiTreeNodeFlags first = kind.severity == Severity::DataLoss ? ImGuiTreeNodeFlags_DefaultOpen : 0;
  const bool open = folded_line(context, kind.help.data(), fmt::format("{} x {}", problem.count, kind.help), first);
  ImGui::PopStyleColor();
  if (!open) return;
  for (const ProblemExample& example : problem.examples) {
    if (!is_placed_in_text(source, problem.kind)) {
      wrapped(source.by_row ? example.excerpt
                            : fmt::format("byte {} of the file on disk: {}", example.byte_offset, example.excerpt));
      continue;
    }
    const auto line = known_lines_ ? line_at(*known_lines_, source, example.byte_offset) : std::nullopt;
    const std::string place = fmt::format("{} {}", line ? "line" : "byte", line.value_or(example.byte_offset));
    ImGui::PushID(&example);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (ImGui::SmallButton((place + "###place").c_str())) {
      const auto at = static_cast<std::size_t>(&source - context.workspace.trace().sources.data());
      context.push(command::ShowText{{at, example.byte_offset}});
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Show these lines of the file");
    places_.emplace_back(place, ImVec2{corner.x + 2, corner.y + 2});
    ImGui::PopID();
    ImGui::SameLine();
    wrapped(example.excerpt);
  }
  if (problem.count > problem.examples.size() && !problem.examples.empty()) {
    ImGui::Text("... and %llu more", static_cast<unsigned long long>(problem.count - problem.examples.size()));
  }
  ImGui::TreePop();
}

std::optional<ImVec2> ProblemsPanel::place_of(std::string_view example) const {
  const auto place = place_in(places_, example);
  return place ? place : table_.place_of(example);
}

void ProblemsPanel::follow(const Workspace& workspace) {
  if (generation_ == workspace.snapshot().generation) return;
  const Trace& trace = workspace.trace();
  generation_ = workspace.snapshot().generation;
  known_lines_.reset();  // the files may have been rewritten
  kinds_ = unread_kinds(trace.sources);
  std::erase_if(kinds_, [](const UnreadKind& kind) { return kind.sources.size() <= kUnreadNamed; });
  files_.emplace(sources_table(trace));
  ++version_;
  // The first file with losses is probably the one of interest.
  const auto worst = std::ranges::find_if(trace.sources, [](const SourceInfo& source) { return source.problems.lost() > 0; });
  chosen_ = worst == trace.sources.end() ? 0 : static_cast<std::size_t>(worst - trace.sources.begin());
}

void ProblemsPanel::draw_buttons(const PanelContext& context, bool same_line) {
  const bool any = std::ranges::any_of(context.workspace.trace().sources, [](const SourceInfo& source) { return !source.problems.empty(); });
  if (!any) return;
  if (same_line) ImGui::SameLine();
  if (ImGui::SmallButton("Copy problems")) context.push(command::TakeProblems{});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("All problems of all files, one per row, for a spreadsheet");
  ImGui::SameLine();
  if (ImGui::SmallButton("Save as CSV")) context.push(command::TakeProblems{true});
}

void ProblemsPanel::draw_source(const PanelContext& context, std::size_t s, bool unfolded) {
  const Trace& trace = context.workspace.trace();
  const SourceInfo& source = trace.sources[s];
  const bool bad = source.state == SourceState::Rejected || source.state == SourceState::Part || source.problems.lost() > 0;
  ImGui::PushID(static_cast<int>(s));
  ImGui::PushStyleColor(ImGuiCol_Text, bad ? context.theme.loss : context.theme.text);
  const bool nothing_more = source.problems.empty() && source.facts.empty() && source.clock_fit.text.empty();
  const ImGuiTreeNodeFlags leaf = nothing_more ? ImGuiTreeNodeFlags_Leaf : 0;
  const ImGuiTreeNodeFlags first = unfolded ? ImGuiTreeNodeFlags_DefaultOpen : 0;
  const bool open = source_line(context, source.path, summary_of(source, trace.metrics.placing_of(s)), leaf | first);
  ImGui::PopStyleColor();
  if (open) {
    source_details(context, source);
    if (ImGui::SmallButton("Close this file")) context.push(command::CloseFiles{{source.path}});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("All other files stay open");
    for (const ProblemCount& problem : source.problems.entries()) draw_problem(context, source, problem);
    ImGui::TreePop();
  }
  ImGui::PopID();
}

// The list of files gets about half of the room, and the details of one file the rest.
void ProblemsPanel::draw_files(const PanelContext& context) {
  TableLook look;
  look.file = "files";
  look.size.y = std::floor(ImGui::GetContentRegionAvail().y * 0.55f);
  take_table(context, table_, "files");
  const TableAction action = table_.draw("files", *files_, version_, context.keys, context.theme, look);
  keep_table(context, table_, "files");
  push_files(context, action);
  if (action.chosen) chosen_ = *action.chosen;
  const std::vector<SourceInfo>& sources = context.workspace.trace().sources;
  if (action.go && sources[*action.go].work.begin < sources[*action.go].work.end) {
    context.push(command::ZoomTo{sources[*action.go].work});
  }
}

void ProblemsPanel::draw(const PanelContext& context) {
  constexpr std::size_t kFewFiles = 4;
  constexpr float kButtons = 280;  // approximate width of the buttons
  places_.clear();
  const Trace& trace = context.workspace.trace();
  if (const auto too_large = context.workspace.session().too_large()) offer_parts(context, *too_large);
  const std::string sums = fmt::format("{} file{}, {} slices, {} instants, {} counter samples, {} arrows; {} lost", trace.sources.size(),
                                       trace.sources.size() == 1 ? "" : "s", format_count(trace.slice_count), format_count(trace.instant_count),
                                       format_count(trace.sample_count), format_count(trace.flows.size()), format_count(trace.lost()));
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(sums.c_str()).x;
  ImGui::PushStyleColor(ImGuiCol_Text, trace.lost() > 0 ? context.theme.loss : context.theme.text_dim);
  wrapped(sums);
  ImGui::PopStyleColor();
  if (const std::size_t closed = context.workspace.session().read().closed.size(); closed > 0) {
    wrapped(fmt::format("{} file{} closed; the others of the folder are shown.", format_count(closed), closed == 1 ? " is" : "s are"));
    ImGui::SameLine();
    if (ImGui::SmallButton("Open again")) context.push(command::OpenClosed{});
  }
  follow(context.workspace);
  draw_buttons(context, room > context.theme.px(kButtons));
  const bool few = trace.sources.size() <= kFewFiles;
  if (!few) draw_files(context);
  ImGui::BeginChild("sources");
  if (few) {
    ask_for_lines(context.workspace, 0, trace.sources.size());
    for (std::size_t s = 0; s < trace.sources.size(); ++s) draw_source(context, s, true);
  } else if (chosen_ < trace.sources.size()) {
    ask_for_lines(context.workspace, chosen_, 1);
    draw_source(context, chosen_, true);
  }
  for (const UnreadKind& kind : kinds_) unread_kind(context, kind);
  ImGui::EndChild();
}

}  // namespace tv
