#include "ui/panels/boxes/export_dialog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"
#include "core/view/timeline/minimap.h"
#include "ui/widgets/text/text.h"
#include "ui/widgets/text_box.h"

namespace tv {
namespace {

constexpr float kExportWidth = 620;

std::string file_stem(const Workspace& workspace) {
  const std::vector<std::string>& paths = workspace.session().paths();
  if (paths.empty()) return "trace";
  std::string first = paths.front();
  while (first.size() > 1 && first.back() == '/') first.pop_back();
  std::string stem(last_part(first));
  stem = stem.substr(0, stem.find('.', 1));
  return stem.empty() ? "trace" : stem;
}

}  // namespace

void ExportDialog::toggle(const Workspace& workspace) {
  open_ = !open_;
  if (!open_) return;
  const bool area = workspace.state().selection.range.has_value();
  part_ = area ? Part::SelectedArea : part_ == Part::SelectedArea ? Part::View : part_;
  if (!can_export(workspace.trace(), format_)) format_ = ExportFormat::Chrome;
  typed_ = false;
}

std::optional<TimeRange> ExportDialog::range(const Workspace& workspace) const {
  const auto& area = workspace.state().selection.range;
  if (part_ == Part::SelectedArea && area) return area;
  if (part_ == Part::Everything) return std::nullopt;
  const TimeRange view = range_of(workspace.state().view()), all = reachable_extent(workspace.trace());
  return TimeRange{std::max(view.begin, all.begin), std::min(view.end, all.end + 1)};
}

// By lane: whether it is exported. Takes the lanes of the area, or those shown; a collapsed group includes all of its lanes.
// Empty: all lanes.
std::vector<bool> ExportDialog::lanes(const Workspace& workspace) const {
  const Trace& trace = workspace.trace();
  const Selection& selection = workspace.state().selection;
  std::vector<bool> chosen;
  const auto add = [&](LaneId lane) {
    chosen[idx(lane)] = true;
  };
  if (part_ == Part::SelectedArea && selection.range && !selection.lanes.empty()) {
    chosen.assign(trace.lanes.size(), false);
    for (const LaneId lane : selection.lanes) add(lane);
  } else if (shown_lanes_) {
    chosen.assign(trace.lanes.size(), false);
    for (const LaneBox& box : workspace.state().layout().boxes()) {
      if (!box.group || box.collapsed) add(box.lane);
    }
  } else {
    return {};
  }
  // One pass is enough: parents precede children.
  for (std::size_t l = 0; l < chosen.size(); ++l) {
    const LaneId parent = trace.lanes[l].parent;
    if (parent != kNone<LaneId> && chosen[idx(parent)]) chosen[l] = true;
  }
  return std::ranges::all_of(chosen, [](bool each) { return each; }) ? std::vector<bool>() : chosen;
}

ExportOrder ExportDialog::order(const Workspace& workspace) const {
  return {workspace.shared_snapshot()->trace, {range(workspace), lanes(workspace)}, format_, file_};
}

std::string ExportDialog::command_line(const Workspace& workspace) const {
  const std::vector<bool> chosen = lanes(workspace);
  const auto filter = chosen.empty() ? std::optional(std::string()) : filter_of_lanes(workspace.trace(), chosen);
  const ReadSettings& read = workspace.session().read();
  std::string line = export_command({workspace.session().paths(), format_, range(workspace), filter.value_or(std::string()), file_,
                                     read.clocks, read.place_by, workspace.trace().align});
  if (!filter) line += "   # all lanes: no short --lanes filter selects exactly the chosen ones";
  if (!read.choice.everything()) line += "   # only a part is loaded: " + read.choice.text();
  if (!read.closed.empty()) line += "   # also writes what is closed in the window: " + count_text(read.closed.size(), "file");
  return line;
}

bool ExportDialog::radio(const char* title, std::string_view place, bool on) {
  const bool pressed = ImGui::RadioButton(title, on);
  places_.emplace_back(place, middle_of_item());
  return pressed;
}

std::optional<ImVec2> ExportDialog::place_of(std::string_view widget) const {
  return place_in(places_, widget);
}

void ExportDialog::draw_choices(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const float at = context.theme.px(90);
  const auto heading = [&](const char* word) {
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
    ImGui::TextUnformatted(word);
    ImGui::PopStyleColor();
    ImGui::SameLine(at);
  };
  heading("Time");
  if (radio("Everything", "part everything", part_ == Part::Everything)) part_ = Part::Everything;
  ImGui::SameLine();
  if (radio(fmt::format("The view ({})", format_duration(static_cast<Ns>(workspace.state().view().span))).c_str(), "part view", part_ == Part::View)) {
    part_ = Part::View;
  }
  const auto& area = workspace.state().selection.range;
  if (!area && part_ == Part::SelectedArea) part_ = Part::View;
  ImGui::SameLine();
  if (area) {
    if (radio(fmt::format("The area ({})", format_duration(area->length())).c_str(), "part area", part_ == Part::SelectedArea)) part_ = Part::SelectedArea;
  } else {
    ImGui::TextDisabled("The area: drag over the lanes");
  }
  heading("Lanes");
  const bool of_area = part_ == Part::SelectedArea && area && !workspace.state().selection.lanes.empty();
  if (of_area) {
    ImGui::Text("the %zu in the area", workspace.state().selection.lanes.size());
  } else {
    if (radio("All", "lanes all", !shown_lanes_)) shown_lanes_ = false;
    ImGui::SameLine();
    if (radio("Those shown", "lanes shown", shown_lanes_)) shown_lanes_ = true;
  }
  for (const ExportFormat each : {ExportFormat::Chrome, ExportFormat::Perfetto, ExportFormat::Csv, ExportFormat::Paddle}) {
    if (!can_export(workspace.trace(), each)) continue;
    heading(each == ExportFormat::Chrome ? "Format" : "");
    if (radio(std::string(meaning(each)).c_str(), fmt::format("format {}", name(each)), format_ == each)) format_ = each;
  }
}

void ExportDialog::draw_file(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  if (!typed_) {
    std::error_code none;
    const std::string_view what = part_ == Part::Everything ? "" : part_ == Part::View ? "_view" : "_area";
    file_ = (std::filesystem::current_path(none) / fmt::format("{}{}_export{}", file_stem(workspace), what, file_ending(format_))).string();
  }
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted("File");
  ImGui::PopStyleColor();
  ImGui::SameLine(context.theme.px(90));
  ImGui::SetNextItemWidth(-1);
  const std::string before = file_;
  const bool entered = text_box("##file", file_, "", ImGuiInputTextFlags_EnterReturnsTrue);
  typed_ = typed_ || file_ != before;
  std::error_code none;
  if (std::filesystem::exists(file_, none)) {
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
    ImGui::TextUnformatted("This file exists and will be replaced");
    ImGui::PopStyleColor();
  }
  const std::string line = command_line(workspace);
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted("The same on the command line:");
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(line.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::Spacing();
  const bool pressed = ImGui::Button("Write");
  places_.emplace_back("write", middle_of_item());
  if (pressed || entered) begin(context);
  ImGui::SameLine();
  if (ImGui::Button("Copy the command")) context.push(command::CopyText{line});
  ImGui::SameLine();
  if (ImGui::Button("Close")) open_ = false;
}

void ExportDialog::begin(const PanelContext& context) {
  if (running() || context.workspace.trace().lanes.empty()) return;
  job_ = std::make_unique<ExportJob>(order(context.workspace), context.workspace.pool(), wake_);
  reported_ = false;
}

void ExportDialog::draw_progress(const PanelContext& context) {
  ImGui::TextUnformatted(fmt::format("Writing {}", job_->path()).c_str());
  ImGui::TextUnformatted(fmt::format("{:.1f} MB so far", static_cast<double>(job_->bytes()) / 1e6).c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted("Writing continues if you close this dialog (Esc)");
  ImGui::PopStyleColor();
  if (ImGui::Button("Cancel")) job_->cancel();
  places_.emplace_back("cancel", middle_of_item());
}

std::string ExportDialog::take_message() {
  if (reported_ || !job_ || job_->running()) return {};
  reported_ = true;
  const Result<ExportTotals>& result = job_->result();
  if (!result) return job_->cancelled() ? "the export was cancelled: nothing was written" : "export: " + result.error().text();
  open_ = false;
  const ExportTotals& totals = result.value();
  if (totals.slices + totals.instants + totals.samples == 0) return job_->path() + " was written but is empty: nothing was selected";
  return "wrote " + totals_text(job_->path(), totals);
}

void ExportDialog::draw(const PanelContext& context, const Area& window) {
  places_.clear();
  if (!open_) return;
  const Theme& theme = context.theme;
  const float width = std::min(window.width - theme.px(40), theme.px(kExportWidth));
  ImGui::SetNextWindowPos({window.x + std::floor((window.width - width) / 2), window.y + std::floor(window.height * 0.15f)});
  ImGui::SetNextWindowSize({width, 0});
  if (ImGui::Begin("Export a part", nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                                 ImGuiWindowFlags_NoSavedSettings)) {
    if (context.workspace.trace().lanes.empty()) {
      ImGui::Text("Nothing is open, so there is nothing to export. Open a trace first%s.", key_in_brackets(Action::Open).c_str());
    } else if (running()) {
      draw_progress(context);
    } else {
      draw_choices(context);
      draw_file(context);
    }
  }
  ImGui::End();
}

}  // namespace tv
