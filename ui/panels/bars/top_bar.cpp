#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/count_text.h"
#include "core/query/lane_filter.h"
#include "core/session/desk/open_title.h"
#include "ui/panels/side_panels.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kNarrowBar = 1100, kVeryNarrowBar = 820;  // window widths
constexpr double kProgressAfter_s = 0.2;  // shorter loads need no progress display
constexpr float kShortSearch = 140, kLeastSearch = 80, kLeastTitle = 40;

std::string title_of(const Workspace& workspace) {
  const std::string open = open_title(workspace.session().paths());
  return open.empty() ? "traceview" : open;
}

std::string progress_text(const LoadStatus& status) {
  constexpr double kMega = 1e6;
  switch (status.stage) {
    case LoadStatus::Stage::Finding: return "looking for files";
    case LoadStatus::Stage::Waiting: return "another tab is loading";
    case LoadStatus::Stage::Measuring: return "finding the time range";
    case LoadStatus::Stage::Building: return "building the view";
    default: break;
  }
  const double left = status.seconds_left();
  return fmt::format("{:.0f} of {:.0f} MB, {:.0f} MB/s{}", static_cast<double>(status.bytes_done) / kMega,
                     static_cast<double>(status.bytes_total) / kMega, status.bytes_per_second() / kMega,
                     left >= 0 ? fmt::format(", {:.0f} s left", left) : std::string());
}

// Used if there is little room.
std::string short_progress_text(const LoadStatus& status) {
  if (status.stage == LoadStatus::Stage::Measuring) return "finding the time";
  if (status.stage != LoadStatus::Stage::Reading) return progress_text(status);
  const double left = status.seconds_left();
  const double done = static_cast<double>(status.bytes_done) / static_cast<double>(std::max<std::uint64_t>(status.bytes_total, 1));
  return fmt::format("{:.0f} %{}", 100 * done, left >= 0 ? fmt::format(", {:.0f} s left", left) : std::string());
}

bool is_moved(const SourceInfo& source) { return source.clock_offset != 0 || source.clock_fit.offset != 0; }

}  // namespace

void TopBar::draw(const PanelContext& context, const Area& area) {
  const BarWindow bar("top", area, context.backdrop, context.theme.header);
  const Workspace& workspace = context.workspace;
  const Theme& theme = context.theme;
  ImGui::AlignTextToFramePadding();
  menus_.draw_buttons(context, area.width);
  std::string title = title_of(workspace);
  const LoadChoice& choice = workspace.session().read().choice;
  if (!choice.everything()) title += "  (only " + choice.text() + ")";
  if (const auto moved = std::ranges::count_if(workspace.trace().sources, is_moved); moved > 0) {
    title += fmt::format("  (clocks of {} moved)", count_text(static_cast<std::uint64_t>(moved), "file"));
  }
  // The boxes at the right become narrower before the title is cut.
  const bool narrow = area.width < theme.px(kNarrowBar), very_narrow = area.width < theme.px(kVeryNarrowBar);
  const LoadStatus status = workspace.session().status();
  const bool loading = workspace.session().loading() && status.seconds > kProgressAfter_s;
  // Room for the buttons next to the search box is reserved even before a search, except in a narrow window.
  const bool searching = SearchBox::open(workspace) || !narrow;
  const float title_x = ImGui::GetCursorPosX(), between = theme.px(14);
  const float room = area.width - title_x - theme.px(kLeastTitle + 16);
  bool colored = false, filtered = false;
  float box = 0, filter_width = 0, progress = 0, controls_x = 0, title_room = 0;
  constexpr float kBoxes[] = {260, 215, 180}, kFilters[] = {190, 165, 140};  // from the second size on, their hints fit
  for (std::size_t size = narrow ? 2 : 0; size < std::size(kBoxes); ++size) {
    colored = workspace.coloring().offered().size() > 1 && !very_narrow;
    filtered = true;
    box = theme.px(very_narrow ? 140.0f : kBoxes[size]);
    filter_width = theme.px(very_narrow ? 110.0f : kFilters[size]);
    progress = theme.px(size > 0 ? 140.0f : 280.0f);
    const auto needed = [&] {
      const float other_items = theme.px(colored ? 146.0f : 6.0f) + (filtered ? filter_width + between : 0);
      return SearchBox::width(context, box, searching) + other_items + theme.px(8);
    };
    const auto shorten_box = [&](float least_box) {
      box = std::min(box, std::max(box - std::max(needed() - room, 0.0f), theme.px(least_box)));
    };
    // A search needs the number of hits, so less important items make room for it.
    shorten_box(kShortSearch);
    if (needed() > room) colored = false;
    if (needed() > room && SearchBox::open(workspace)) filtered = !workspace.state().lanes.state.filter.empty();
    shorten_box(kLeastSearch);
    controls_x = area.width - needed();
    title_room = controls_x - title_x - theme.px(16) - (loading ? progress + theme.px(90) : 0);
    if (text_width(title) <= title_room) break;
  }
  const ImVec2 title_at = ImGui::GetCursorScreenPos();
  const float title_width = draw_text_fitted(*ImGui::GetWindowDrawList(), {title_at.x, title_at.y + ImGui::GetStyle().FramePadding.y},
                                             std::max(title_room, theme.px(kLeastTitle)), theme.text, title);
  ImGui::Dummy({title_width, ImGui::GetFontSize()});
  if (title_width < text_width(title) && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", with_letters(title.c_str()));

  if (loading) {
    ImGui::SameLine(0, theme.px(20));
    const float done = status.bytes_total > 0
                           ? static_cast<float>(static_cast<double>(status.bytes_done) / static_cast<double>(status.bytes_total))
                           : 0.0f;
    const std::string text = progress_text(status);
    const bool fits = text_width(text) + theme.px(8) <= progress;
    ImGui::ProgressBar(done, {progress, 0}, fits ? text.c_str() : short_progress_text(status).c_str());
    if (!fits && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text.c_str());
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) context.push(command::CancelLoading{});
  } else if (status.stage == LoadStatus::Stage::Cancelled) {
    ImGui::SameLine(0, theme.px(20));
    ImGui::PushStyleColor(ImGuiCol_Text, theme.warning);
    ImGui::TextUnformatted("loading was cancelled: only a part is shown");
    ImGui::PopStyleColor();
  } else if (!workspace.snapshot().complete && !workspace.session().loading()) {
    ImGui::SameLine(0, theme.px(20));
    ImGui::TextUnformatted("partial");
  }

  // The start page has nothing to search, and no lanes.
  if (!workspace.session().anything_open()) return;
  draw_runs(context, controls_x);
  const float used = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + theme.px(12);
  ImGui::SameLine(std::max(used, controls_x));
  if (colored) draw_colors(context);
  if (filtered) {
    draw_lane_filter(context, filter_width);
    ImGui::SameLine(0, between);
  }
  search_.draw(context, box);
}

// Shows how runs that were recorded at different times are aligned. A click changes it.
void TopBar::draw_runs(const PanelContext& context, float end_x) const {
  const Workspace& workspace = context.workspace;
  const RunsInView& runs = workspace.runs_in_view();
  const Align align = workspace.trace().align;
  if (runs.runs < 2 && align == Align::Recorded) return;
  constexpr const char* kTitles[] = {"Runs as recorded", "Runs from 0", "Runs folded"};
  static_assert(std::size(kTitles) == static_cast<std::size_t>(Align::kCount));
  ImGui::SameLine(0, context.theme.px(20));
  ImGui::BeginDisabled(workspace.trace().is_one_packed() || workspace.session().loading());
  if (ImGui::Button(kTitles[static_cast<std::size_t>(align)])) context.push(command::AlignRuns{});
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
    const std::string alignment = align_text(workspace.trace(), runs);
    ImGui::SetTooltip("%s%sShows runs that were recorded at different times where their clocks put them,\n"
                      "each from 0, or one after the other without the idle time between them%s",
                      alignment.c_str(), alignment.empty() ? "" : "\n", key_in_brackets(Action::NextAlign).c_str());
  }
  const std::string note =
      runs.sparse            ? fmt::format("mostly empty: {} runs fill {:.2g} %", runs.runs, 100 * runs.filled)
      : align == Align::Fold ? fmt::format("{} idle between {} runs left out", format_duration(runs.folded()), runs.runs)
                             : std::string();
  ImGui::SameLine();
  const ImVec2 corner = ImGui::GetCursorScreenPos(), at{corner.x, corner.y + ImGui::GetStyle().FramePadding.y};
  const float room = ImGui::GetWindowPos().x + end_x - context.theme.px(12) - at.x;
  constexpr float kLeastRoom = 60;
  if (note.empty() || room < context.theme.px(kLeastRoom)) return;  // the button's tooltip says it
  draw_text_fitted(*ImGui::GetWindowDrawList(), at, room, runs.sparse ? context.theme.warning : context.theme.text_dim, note);
  ImGui::Dummy({std::min(room, text_width(note)), ImGui::GetFontSize()});
}

void TopBar::draw_lane_filter(const PanelContext& context, float width) {
  const std::string& now = context.workspace.state().lanes.state.filter;
  char buffer[256];
  buffer[now.copy(buffer, sizeof(buffer) - 1)] = '\0';
  ImGui::SetNextItemWidth(width);
  const std::string& complaint = context.workspace.state().lanes.complaint;
  if (!now.empty()) ImGui::PushStyleColor(ImGuiCol_FrameBg, context.theme.accent_soft);
  if (!complaint.empty()) ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
  const bool typed = ImGui::InputTextWithHint("##lanes", fitting_hint({"Lanes: rank 0..3 nccl", "Lanes: rank 0..3", "Lanes: rank 0", "Lanes"}, width), buffer,
                                              sizeof(buffer), ImGuiInputTextFlags_AutoSelectAll);
  if (!now.empty()) ImGui::PopStyleColor();
  if (!complaint.empty()) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("%s%sShows only lanes that have all of these in their name or in the name of a group around them:\n%s", complaint.c_str(),
                      complaint.empty() ? "" : "\n\n", std::string(kLaneFilterHelp).c_str());
  }
  if (typed && now != buffer) context.push(command::FilterLanes{buffer});
}

// Offers only rules that distinguish slices of this trace.
void TopBar::draw_colors(const PanelContext& context) {
  const SliceColoring& coloring = context.workspace.coloring();
  if (coloring.offered().size() < 2) return;
  const SliceColors* const colors = coloring.colors();
  const ColorRule now = colors ? colors->rule() : ColorRule::Name;
  const std::string title = fmt::format("Colour: {}##colours", name(now));
  if (colors) ImGui::PushStyleColor(ImGuiCol_Button, context.theme.accent_soft);
  if (ImGui::Button(title.c_str())) ImGui::OpenPopup("by what slices are coloured");
  if (colors) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("What slices are coloured by%s", around_key(Action::NextColors, " (", ": next)").c_str());
  }
  if (ImGui::BeginPopup("by what slices are coloured")) {
    for (const ColorRule rule : coloring.offered()) {
      const std::string item = fmt::format("{}: {}", name(rule), meaning(rule));
      if (ImGui::MenuItem(item.c_str(), nullptr, rule == now)) context.push(command::ColorSlices{rule});
    }
    ImGui::EndPopup();
  }
  ImGui::SameLine(0, context.theme.px(14));
}

}  // namespace tv
