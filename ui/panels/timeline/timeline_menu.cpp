#include "ui/panels/timeline/timeline_menu.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/text/utf8.h"
#include "core/query/lane_filter.h"
#include "core/view/keys/keymap.h"
#include "core/view/words/short_name.h"

namespace tv {

void TimelineMenu::open(const std::optional<Pick>& of) {
  of_ = of;
  on_ruler_ = false;
  opens_ = of.has_value();
}

void TimelineMenu::open_on_ruler(std::optional<std::size_t> note, Ns t) {
  of_.reset();
  note_ = note;
  time_ = t;
  on_ruler_ = opens_ = true;
}

void TimelineMenu::slice_items(const PanelContext& context, SliceId slice) {
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
  if (items_.item("Fit", Action::FitSelection)) with_it(command::FitSelection{});
  if (items_.item("Its time as an area", Action::RangeOfSelection)) with_it(command::RangeOfSelection{});
  if (items_.item("Keep its time as a measured span", Action::KeepSpan)) with_it(command::KeepSpan{});
  if (items_.item("Select up to this one on its lane", "Shift+Click")) context.push(command::SelectThrough{slice});
  if (items_.item("Add to the selection", "Ctrl+Click")) context.push(command::AddSlice{slice});
  if (items_.item("Single out all of this name", "Ctrl+Double-click")) with_it(command::SelectSameName{});
  if (items_.item("Search this name")) {
    context.push(command::OpenSearch{});
    context.push(command::Search{name, false, true});
  }
  ImGui::Separator();
  if (items_.item("Parent", Action::ParentSlice)) with_it(command::ParentSlice{});
  if (items_.item("First child", Action::ChildSlice)) with_it(command::ChildSlice{});
  if (items_.item("Follow the arrow", Action::FlowForward)) with_it(command::FollowFlow{true});
  if (items_.item("Follow it back", Action::FlowBack)) with_it(command::FollowFlow{false});
  ImGui::Separator();
  if (items_.item("Copy the name")) context.push(command::CopyText{name});
  if (items_.item("Copy all details", Action::Copy)) with_it(command::CopyText{});
}

void TimelineMenu::gap_items(const PanelContext& context, const Gap& gap) {
  const auto with_it = [&](auto command) {
    context.push(command::SelectGap{gap});
    context.push(command);
  };
  ImGui::TextDisabled("gap of %s", format_duration(gap.time.length()).c_str());
  ImGui::Separator();
  if (items_.item("Why", Action::GapUnderMouse)) context.push(command::SelectGap{gap});
  if (items_.item("Fit", Action::FitSelection)) with_it(command::FitSelection{});
  if (items_.item("Its time as an area", Action::RangeOfSelection)) with_it(command::RangeOfSelection{});
  if (items_.item("Keep as a measured span", Action::KeepSpan)) with_it(command::KeepSpan{});
  if (items_.item("The next shorter gap of the lane", Action::NextGap)) with_it(command::NextGap{true});
  if (items_.item("Copy all details", Action::Copy)) with_it(command::CopyText{});
}

// Items for the clicked note, or one that adds a note.
void TimelineMenu::note_items(const PanelContext& context) {
  using command::EditNote;
  const std::vector<Note>& notes = context.workspace.state().notes.all();
  if (!note_ || *note_ >= notes.size()) {
    if (items_.item("Mark here")) context.push(command::AddMark{time_});
    return;
  }
  ImGui::Separator();
  ImGui::TextDisabled("%s", shortened_utf8(title(notes[*note_])).c_str());
  if (items_.item("Name and colour ...", Action::NameNote)) context.push(EditNote{EditNote::What::AskName, note_});
  if (items_.item("Go to it")) context.push(EditNote{EditNote::What::GoTo, note_});
  if (items_.item("Delete", Action::DeleteMark)) context.push(EditNote{EditNote::What::Delete, note_});
}

void TimelineMenu::ruler_items(const PanelContext& context) {
  if (items_.item("Fit everything", Action::FitAll)) context.push(command::FitAll{});
  if (items_.item("Go to ...", Action::OpenGoTo)) context.push(command::OpenGoTo{});
  note_items(context);
  ImGui::Separator();
  const RunData& data = context.workspace.run().data();
  const bool steps = data.steps && !data.steps->empty();
  for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) {
    const auto format = static_cast<TimeFormat>(f);
    const std::string title = fmt::format("Times: {}", name(format));
    const bool now = context.workspace.state().time_style().format == format;
    if (has_format(context.workspace.trace(), format, steps) && items_.item(title.c_str(), "", now)) {
      context.push(command::SetTimeFormat{format});
    }
  }
}

void TimelineMenu::lane_items(const PanelContext& context, LaneId lane) {
  const Trace& trace = context.workspace.trace();
  ImGui::Separator();
  if (items_.item("Copy the lane's name")) context.push(command::CopyText{joined_path(trace, lane)});
  if (items_.item("Only lanes with this name")) context.push(command::FilterLanes{trace.lane(lane).name});
}

void TimelineMenu::draw(const PanelContext& context) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup("what can be done");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.theme.px(8), context.theme.px(6)});
  if (ImGui::BeginPopup("what can be done")) {
    items_.clear();
    const Trace& trace = context.workspace.trace();
    // What was clicked may be gone, because something else may have been opened in the meantime.
    const bool on_lane = of_ && idx(of_->place.lane) < trace.lanes.size();
    if (on_ruler_) {
      ruler_items(context);
    } else if (of_ && of_->slice && idx(*of_->slice) < trace.items()) {
      slice_items(context, *of_->slice);
    } else if (of_ && of_->gap && idx(of_->gap->after) < trace.items()) {
      gap_items(context, *of_->gap);
    } else if (on_lane) {
      if (items_.item("Fit everything", Action::FitAll)) context.push(command::FitAll{});
    }
    if (!on_ruler_ && on_lane) lane_items(context, of_->place.lane);
    picture_items(context);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

void TimelineMenu::picture_items(const PanelContext& context) {
  if (!ImGui::BeginMenu("Picture of the timeline")) return;
  command::Screenshot shot;
  shot.name = shot.of = "timeline";
  if (items_.item("Save as PNG")) context.push(shot);
  shot.scale = 2;
  if (items_.item("Save as PNG, 2x resolution", Action::TimelinePicture)) context.push(shot);
  shot.scale = 4;
  if (items_.item("Save as PNG, 4x resolution")) context.push(shot);
  shot.scale = 2;
  shot.copy = true;
  if (items_.item("Copy, 2x resolution")) context.push(shot);
  shot.copy = false;
  shot.svg = true;
  if (items_.item("Save as SVG")) context.push(shot);
  ImGui::EndMenu();
}

}  // namespace tv
