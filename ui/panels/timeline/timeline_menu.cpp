// The context menu for the item that was right-clicked: the available commands with their keys.
#include <fmt/format.h>

#include "core/base/text/utf8.h"
#include "core/query/lane_filter.h"
#include "core/view/keys/keymap.h"
#include "core/view/words/short_name.h"
#include "ui/panels/timeline/timeline_panel.h"

namespace tv {

bool TimelinePanel::menu_item(const char* title, std::string_view keys, bool on) {
  const bool chosen = ImGui::MenuItem(title, keys.empty() ? nullptr : std::string(keys).c_str(), on);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  items_.emplace_back(title, ImVec2{(low.x + high.x) / 2, (low.y + high.y) / 2});
  return chosen;
}

bool TimelinePanel::menu_item(const char* title, Action action, bool on) {
  return menu_item(title, text(binding(action).chord), on);
}

void TimelinePanel::slice_menu(const PanelContext& context, SliceId slice) {
  const Trace& trace = context.workspace.trace();
  const LabelId label = trace.label_of(slice);
  const std::string name(trace.labels.name(label));
  const std::string brief = name_forms(trace.labels.category(label), name)[1];
  const auto with_it = [&](auto command) {
    context.push(command::SelectSlice{slice, false});
    context.push(command);
  };
  ImGui::TextDisabled("%s", shortened_utf8(brief).c_str());
  ImGui::Separator();
  if (menu_item("Fit", Action::FitSelection)) with_it(command::FitSelection{});
  if (menu_item("Its time as an area", Action::RangeOfSelection)) with_it(command::RangeOfSelection{});
  if (menu_item("Keep its time as a measured span", Action::KeepSpan)) with_it(command::KeepSpan{});
  if (menu_item("Select all up to this on the lane", "Shift+Click")) context.push(command::SelectThrough{slice});
  if (menu_item("Select beside what is selected", "Ctrl+Click")) context.push(command::AddSlice{slice});
  if (menu_item("Single out all of this name", "Ctrl+Double-click")) with_it(command::SelectSameName{});
  if (menu_item("Search this name", "")) {
    context.push(command::OpenSearch{});
    context.push(command::Search{name, false});
  }
  ImGui::Separator();
  if (menu_item("Parent", Action::ParentSlice)) with_it(command::ParentSlice{});
  if (menu_item("First child", Action::ChildSlice)) with_it(command::ChildSlice{});
  if (menu_item("Follow the arrow", Action::FlowForward)) with_it(command::FollowFlow{true});
  if (menu_item("Follow it back", Action::FlowBack)) with_it(command::FollowFlow{false});
  ImGui::Separator();
  if (menu_item("Copy the name", "")) context.push(command::CopyText{name});
  if (menu_item("Copy all that is known", Action::Copy)) with_it(command::CopyText{});
}

void TimelinePanel::gap_menu(const PanelContext& context, const Gap& gap) {
  const auto with_it = [&](auto command) {
    context.push(command::SelectGap{gap});
    context.push(command);
  };
  ImGui::TextDisabled("gap of %s", format_duration(gap.time.length()).c_str());
  ImGui::Separator();
  if (menu_item("Why", Action::GapUnderMouse)) context.push(command::SelectGap{gap});
  if (menu_item("Fit", Action::FitSelection)) with_it(command::FitSelection{});
  if (menu_item("Its time as an area", Action::RangeOfSelection)) with_it(command::RangeOfSelection{});
  if (menu_item("Keep as a measured span", Action::KeepSpan)) with_it(command::KeepSpan{});
  if (menu_item("The next shorter gap of the lane", Action::NextGap)) with_it(command::NextGap{true});
  if (menu_item("Copy all that is known", Action::Copy)) with_it(command::CopyText{});
}

// On the ruler: items for the clicked note, else for a new one.
void TimelinePanel::note_items(const PanelContext& context, std::size_t note) {
  using command::EditNote;
  const std::vector<Note>& notes = context.workspace.notes().all();
  if (note >= notes.size()) {
    if (menu_item("Mark here", "")) context.push(command::AddMark{static_cast<Ns>(press_time_)});
    return;
  }
  ImGui::Separator();
  ImGui::TextDisabled("%s", shortened_utf8(title(notes[note])).c_str());
  if (menu_item("Name and colour ...", Action::NameNote)) context.push(EditNote{EditNote::What::AskName, note});
  if (menu_item("Go to it", "")) context.push(EditNote{EditNote::What::GoTo, note});
  if (menu_item("Delete", Action::DeleteMark)) context.push(EditNote{EditNote::What::Delete, note});
}

void TimelinePanel::draw_menu(const PanelContext& context) {
  if (std::exchange(open_menu_, false)) ImGui::OpenPopup("what can be done");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.theme.px(8), context.theme.px(6)});
  if (ImGui::BeginPopup("what can be done")) {
    items_.clear();
    const Trace& trace = context.workspace.trace();
    // The clicked item may be gone if something else was opened in the meantime.
    if (menu_on_ruler_) {
      if (menu_item("Fit everything", Action::FitAll)) context.push(command::FitAll{});
      if (menu_item("Go to ...", Action::OpenGoTo)) context.push(command::OpenGoTo{});
      note_items(context, menu_note_.value_or(SIZE_MAX));
      ImGui::Separator();
      const RunData& data = context.workspace.run().data();
      const bool steps = data.steps && !data.steps->empty();
      for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) {
        const auto format = static_cast<TimeFormat>(f);
        const std::string title = fmt::format("Times: {}", name(format));
        const bool now = context.workspace.time_words().format == format;
        if (has_format(trace, format, steps) && menu_item(title.c_str(), "", now)) {
          context.push(command::SetTimeFormat{format});
        }
      }
    } else if (menu_of_ && menu_of_->slice && idx(*menu_of_->slice) < trace.items()) {
      slice_menu(context, *menu_of_->slice);
    } else if (menu_of_ && menu_of_->gap && idx(menu_of_->gap->after) < trace.items()) {
      gap_menu(context, *menu_of_->gap);
    } else if (menu_of_ && idx(menu_of_->place.lane) < trace.lanes.size()) {
      if (menu_item("Fit everything", Action::FitAll)) context.push(command::FitAll{});
    }
    if (!menu_on_ruler_ && menu_of_ && idx(menu_of_->place.lane) < trace.lanes.size()) {
      ImGui::Separator();
      const LaneId lane = menu_of_->place.lane;
      if (menu_item("Copy the lane's name", "")) context.push(command::CopyText{joined_path(trace, lane)});
      if (menu_item("Only lanes with this name", "")) context.push(command::FilterLanes{trace.lane(lane).name});
    }
    picture_items(context);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

void TimelinePanel::picture_items(const PanelContext& context) {
  if (!ImGui::BeginMenu("Picture of the timeline")) return;
  command::Screenshot shot;
  shot.name = shot.of = "timeline";
  if (menu_item("Save as PNG", "")) context.push(shot);
  shot.scale = 2;
  if (menu_item("Save as PNG, 2x as sharp", Action::TimelinePicture)) context.push(shot);
  shot.scale = 4;
  if (menu_item("Save as PNG, 4x as sharp", "")) context.push(shot);
  shot.scale = 2;
  shot.copy = true;
  if (menu_item("Copy, 2x as sharp", "")) context.push(shot);
  shot.copy = false;
  shot.svg = true;
  if (menu_item("Save as SVG", "")) context.push(shot);
  ImGui::EndMenu();
}

}  // namespace tv
