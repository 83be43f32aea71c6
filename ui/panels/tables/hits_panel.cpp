#include "ui/panels/tables/hits_panel.h"

#include <algorithm>

#include "core/base/text/ascii.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/view/menus/go_to.h"
#include "ui/panels/table_commands.h"
#include "ui/widgets/text/label.h"

namespace tv {

void HitsPanel::draw(const PanelContext& context) {
  Workspace& workspace = context.workspace;
  const SliceSearch& search = workspace.search();
  const std::string& complaint = search.complaint();
  if (search.asked().text.empty() || !complaint.empty()) {
    list_.reset();
    const std::string how = around_key(Action::OpenSearch, "Press ", " and type", "Search for");
    const std::string hint = how + " a part of a name: its slices are listed here";
    ImGui::TextUnformatted(complaint.empty() ? hint.c_str() : complaint.c_str());
    if (complaint.empty() && ImGui::Button("Search")) context.push(command::OpenSearch{});
    return;
  }
  if (auto list = workspace.search().list()) list_ = std::move(list);
  if (list_ && list_->trace.get() != &workspace.trace()) list_.reset();
  if (!list_) {
    ImGui::TextUnformatted("searching ...");
    return;
  }
  draw_summary(context);
  if (!list_->slices.empty()) draw_table(context);
}

// Draws the number of hits, then everything else with a matching name: a step, notes, lanes.
void HitsPanel::draw_summary(const PanelContext& context) {
  constexpr std::size_t kMostNamed = 4;
  const Trace& trace = context.workspace.trace();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(words_of(*list_).c_str());
  draw_step_and_notes(context);
  if (list_->lanes.empty()) return;
  ImGui::SameLine(0, context.theme.px(14));
  ImGui::Text("also: %s", count_text(list_->lanes.size(), "lane").c_str());
  for (std::size_t i = 0; i < std::min(list_->lanes.size(), kMostNamed); ++i) {
    const LaneId lane = list_->lanes[i];
    ImGui::SameLine();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Button(whole_label(shortened_utf8(trace.lane(lane).name, 30)).c_str())) context.push(command::ScrollToLane{lane});
    ImGui::PopID();
  }
}

// Draws buttons for a step and for notes with a matching name.
void HitsPanel::draw_step_and_notes(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const std::string& text = workspace.search().asked().text;
  if (step_text_ != text) {
    step_text_ = text;
    auto place = find_place(workspace.trace(), context.workspace.run().data(), workspace.state().time_style(), text);
    const bool step = place && (place->rollout_step || place->training_line || (place->range && !place->time));
    step_name_ = step ? place->description : std::string();
  }
  if (!step_name_.empty()) {
    ImGui::SameLine(0, context.theme.px(14));
    if (ImGui::Button(whole_label(step_name_).c_str())) context.push(command::GoTo{text});
  }
  const std::vector<Note>& notes = workspace.state().notes.all();
  const std::string wanted = lower_case(text);
  for (std::size_t n = 0, shown = 0; n < notes.size() && shown < 4; ++n) {
    if (notes[n].name.empty() || lower_case(notes[n].name).find(wanted) == std::string::npos) continue;
    ++shown;
    ImGui::SameLine(0, context.theme.px(14));
    ImGui::PushID(static_cast<int>(n));
    if (ImGui::Button(whole_label("note " + shortened_utf8(notes[n].name, 30)).c_str())) {
      context.push(command::EditNote{command::EditNote::What::GoTo, n});
    }
    ImGui::PopID();
  }
}

void HitsPanel::draw_table(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  if (model_of_ != list_ || !(style_ == workspace.state().time_style())) {
    model_of_ = list_;
    style_ = workspace.state().time_style();
    model_.emplace(list_, style_);
    ++version_;
  }
  TableLook look;
  look.file = "hits";
  look.lit = workspace.state().selection.slice == kNone<SliceId> ? TableTarget() : slice_row(workspace.state().selection.slice);
  take_table(context, table_, "hits");
  const TableAction action = table_.draw("hits", *model_, version_, context.keys, context.theme, look);
  keep_table(context, table_, "hits");
  push_files(context, action);
  if (const auto row = action.chosen ? action.chosen : action.go) context.push(command::GoToHit{list_->slices[*row]});
  if (action.go) context.push(command::FitSelection{});
}

}  // namespace tv
