// What can be done with what was clicked with the right button: the commands that exist for it, with their keys.
#include <fmt/format.h>

#include "core/query/lane_filter.h"
#include "core/view/keymap.h"
#include "core/view/short_name.h"
#include "ui/panels/timeline_panel.h"

namespace tv {

bool TimelinePanel::bound_item(const char* title, Action action) { return menu_item(title, text(binding(action).chord)); }

void TimelinePanel::slice_menu(const PanelContext& context, SliceId slice) {
  const Trace& trace = context.workspace.trace();
  const LabelId label = trace.slices.label[idx(slice)];
  const std::string name(trace.labels.name(label));
  const std::string brief = name_forms(trace.labels.category(label), name)[1];
  const auto with_it = [&](auto command) {
    context.push(command::SelectSlice{slice, false});
    context.push(command);
  };
  ImGui::TextDisabled("%s", brief.size() > 60 ? (brief.substr(0, 60) + "...").c_str() : brief.c_str());
  ImGui::Separator();
  if (bound_item("Fit", Action::FitSelection)) with_it(command::FitSelection{});
  if (bound_item("Its time as an area", Action::RangeOfSelection)) with_it(command::RangeOfSelection{});
  if (bound_item("Keep its time as a measured span", Action::KeepSpan)) with_it(command::KeepSpan{});
  if (ImGui::MenuItem("Select beside what is selected", "Ctrl+Click")) context.push(command::AddSlice{slice});
  if (ImGui::MenuItem("Single out all of this name", "Ctrl+Double-click")) with_it(command::SelectSameName{});
  if (ImGui::MenuItem("Search this name")) {
    context.push(command::OpenSearch{});
    context.push(command::Search{name, false});
  }
  ImGui::Separator();
  if (bound_item("Parent", Action::ParentSlice)) with_it(command::ParentSlice{});
  if (bound_item("First child", Action::ChildSlice)) with_it(command::ChildSlice{});
  if (bound_item("Follow the arrow", Action::FlowForward)) with_it(command::FollowFlow{true});
  if (bound_item("Follow it back", Action::FlowBack)) with_it(command::FollowFlow{false});
  ImGui::Separator();
  if (ImGui::MenuItem("Copy the name")) context.push(command::CopyText{name});
  if (bound_item("Copy all that is known", Action::Copy)) with_it(command::CopyText{});
}

void TimelinePanel::gap_menu(const PanelContext& context, const Gap& gap) {
  const auto with_it = [&](auto command) {
    context.push(command::SelectGap{gap});
    context.push(command);
  };
  ImGui::TextDisabled("gap of %s", format_duration(gap.time.length()).c_str());
  ImGui::Separator();
  if (bound_item("Why", Action::GapUnderMouse)) context.push(command::SelectGap{gap});
  if (bound_item("Fit", Action::FitSelection)) with_it(command::FitSelection{});
  if (bound_item("Its time as an area", Action::RangeOfSelection)) with_it(command::RangeOfSelection{});
  if (bound_item("Keep as a measured span", Action::KeepSpan)) with_it(command::KeepSpan{});
  if (bound_item("The next shorter gap of the lane", Action::NextGap)) with_it(command::NextGap{true});
  if (bound_item("Copy all that is known", Action::Copy)) with_it(command::CopyText{});
}

void TimelinePanel::draw_menu(const PanelContext& context) {
  if (std::exchange(open_menu_, false)) ImGui::OpenPopup("what can be done");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.theme.px(8), context.theme.px(6)});
  if (ImGui::BeginPopup("what can be done")) {
    if (context.keys.pressed(binding(Action::ClearSelection))) ImGui::CloseCurrentPopup();
    const Trace& trace = context.workspace.trace();
    // What was clicked may be gone when something else was opened meanwhile.
    if (menu_on_ruler_) {
      if (bound_item("Fit everything", Action::FitAll)) context.push(command::FitAll{});
      if (bound_item("Go to ...", Action::OpenGoTo)) context.push(command::OpenGoTo{});
      if (ImGui::MenuItem("Mark here")) context.push(command::AddMark{static_cast<Ns>(press_time_)});
      ImGui::Separator();
      const RunData& data = context.workspace.run().data();
      const bool steps = data.steps && !data.steps->empty();
      for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) {
        const auto format = static_cast<TimeFormat>(f);
        const std::string title = fmt::format("Times: {}", name(format));
        const bool now = context.workspace.time_words().format == format;
        if (has_format(trace, format, steps) && ImGui::MenuItem(title.c_str(), nullptr, now)) {
          context.push(command::SetTimeFormat{format});
        }
      }
    } else if (menu_of_ && menu_of_->slice && idx(*menu_of_->slice) < trace.slices.size()) {
      slice_menu(context, *menu_of_->slice);
    } else if (menu_of_ && menu_of_->gap && idx(menu_of_->gap->after) < trace.slices.size()) {
      gap_menu(context, *menu_of_->gap);
    } else if (menu_of_ && idx(menu_of_->place.lane) < trace.lanes.size()) {
      if (bound_item("Fit everything", Action::FitAll)) context.push(command::FitAll{});
    }
    if (!menu_on_ruler_ && menu_of_ && idx(menu_of_->place.lane) < trace.lanes.size()) {
      ImGui::Separator();
      const LaneId lane = menu_of_->place.lane;
      if (ImGui::MenuItem("Copy the lane's name")) context.push(command::CopyText{joined_path(trace, lane)});
      if (ImGui::MenuItem("Only lanes with this name")) context.push(command::FilterLanes{trace.lane(lane).name});
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace tv
