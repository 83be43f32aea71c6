#include "ui/panels/tables/statistics_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/count_text.h"
#include "ui/panels/table_commands.h"
#include "ui/widgets/named_places.h"

namespace tv {
namespace {

constexpr float kByWidth = 92, kWhereWidth = 250;

// Puts the next item into the same row, unless the item does not fit, as in half of a drawer.
void same_line_for(float width) {
  const float end = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
  if (end <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine();
}

}  // namespace

StatisticsPanel::StatisticsPanel(Workspace& workspace, std::function<void()> wake)
    : job_(workspace.pool(), std::move(wake)) {}

std::optional<ImVec2> StatisticsPanel::place_of(std::string_view what) const {
  const auto known = [](ImVec2 at) { return at.x < 0 ? std::nullopt : std::optional(at); };
  if (what == "by") return known(by_place_);
  if (what == "arg") return known(arg_place_);
  if (what == "where") return known(where_place_);
  if (const auto found = by_places_.find(what); found != by_places_.end()) return found->second;
  return table_.place_of(what);
}

std::string StatisticsPanel::first_name() const {
  if (row_count() == 0) return {};
  std::string name;
  model_->text(table_.rows().shown().front(), 0, name);
  return name;
}

void StatisticsPanel::draw(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const Selection& selection = workspace.state().selection;
  const SliceFilterState& filter = workspace.slice_filter();
  StatisticsQuestion asked{workspace.snapshot().generation, selection.range, selection.lanes, grouping_};
  if (grouping_.by == GroupBy::Arg && grouping_.arg.empty()) asked.by = {};  // not before the argument has been typed
  if (filter.complaint().empty()) asked.where = filter.expression();
  const StatisticsJob::Answer answer = job_.get(workspace.shared_snapshot(), asked);
  by_place_ = arg_place_ = where_place_ = {-1, -1};
  by_places_.clear();
  if (!answer.made) {
    ImGui::TextUnformatted(counting_text(answer.part).c_str());
    return;
  }
  // Labels of an older snapshot may not exist in this one, and figures of another area do not apply.
  if (!answer.fresh) {
    model_.reset();
  } else if (!model_ || made_ != answer.made) {
    made_ = answer.made;
    version_ = answer.version;
    model_ = std::make_unique<StatisticsModel>(workspace.snapshot().trace, made_);
  }
  StatsQuery query;
  query.range = asked.range;
  query.lanes = asked.lanes;
  std::string scope = model_                          ? statistics_headline(*made_, query)
                      : asked.by.by == GroupBy::Arg ? "reading arguments ..."
                                                    : counting_text(answer.part);
  if (!selection.range) scope += "; drag over lanes to select an area";
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(scope.c_str(), scope.c_str() + scope.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  draw_controls(context);
  draw_filter(context);
  if (!model_) return;
  if (filter.complaint().empty()) same_line_for(table_.bar_width());
  take_table(context, table_, "statistics");
  table_.draw_bar(*model_, version_, context.theme);
  TableLook look;
  look.file = "statistics";
  look.nothing = "No slice is in the area";
  look.bar = false;
  look.lit = lit(context);
  const TableAction action = table_.draw("statistics", *model_, version_, context.keys, context.theme, look);
  keep_table(context, table_, "statistics");
  push_files(context, action);
  if (const auto row = action.chosen ? action.chosen : action.go) {
    const LabelStats& stats = model_->stats(*row);
    context.push(command::SelectSlice{stats.longest, true});
    if (action.go) context.push(command::FitSelection{});
    if (asked.by.by == GroupBy::Name) context.push(command::SelectName{stats.label});
  }
}

// Chooses the grouping.
void StatisticsPanel::draw_controls(const PanelContext& context) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("by");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(context.theme.px(kByWidth));
  if (ImGui::BeginCombo("##by", info(grouping_.by).title.data())) {
    for (const GroupByInfo& one : group_by_infos()) {
      if (ImGui::Selectable(one.title.data(), one.by == grouping_.by)) grouping_ = {one.by, one.by == GroupBy::Arg ? arg_ : ""};
      by_places_["by " + std::string(one.id)] = middle_of_item();
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", one.meaning.data());
    }
    ImGui::EndCombo();
  }
  by_place_ = middle_of_item();
  if (grouping_.by != GroupBy::Arg) return;
  ImGui::SameLine();
  char buffer[128];
  buffer[arg_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  ImGui::SetNextItemWidth(context.theme.px(kByWidth));
  if (ImGui::InputTextWithHint("##arg", "its name", buffer, sizeof(buffer), ImGuiInputTextFlags_EnterReturnsTrue)) {
    grouping_.arg = buffer;
  }
  arg_ = buffer;
  arg_place_ = middle_of_item();
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("The name of an argument, as Details shows it. Enter reads this argument of the area's slices from the files");
  }
}

// Chooses which slices count here; the timeline dims all others.
void StatisticsPanel::draw_filter(const PanelContext& context) {
  const SliceFilterState& filter = context.workspace.slice_filter();
  same_line_for(context.theme.px(kWhereWidth));
  char buffer[512];
  buffer[where_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  const bool on = !filter.expression().empty();
  if (on) ImGui::PushStyleColor(ImGuiCol_FrameBg, context.theme.accent_soft);
  ImGui::SetNextItemWidth(std::min(context.theme.px(kWhereWidth), ImGui::GetContentRegionAvail().x));
  if (ImGui::InputTextWithHint("##where", "Only slices with: dur > 2ms", buffer, sizeof(buffer),
                               ImGuiInputTextFlags_EnterReturnsTrue)) {
    context.push(command::FilterSlices{buffer});
  }
  where_ = buffer;
  where_place_ = middle_of_item();
  if (on) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("Enter: count only slices for which this holds, and dim all others on the timeline; empty: all\n"
                      "name category lane   == != ~ (contains)      dur self begin end   > 2ms\n"
                      "depth stream thread gpu rank worker pid tid   == 7      arg.KEY   >= 1e6\n"
                      "joined by && || ! ( )");
  }
  if (on) {
    ImGui::SameLine();
    if (ImGui::SmallButton("x##where")) {
      where_.clear();
      context.push(command::FilterSlices{});
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Count all slices again");
  }
  if (filter.complaint().empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(filter.complaint().c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

// The row of the selected slice's name; none if the rows are not names.
TableTarget StatisticsPanel::lit(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const SliceId slice = workspace.state().selection.slice;
  if (lit_slice_ == slice && lit_version_ == version_) return lit_;
  lit_slice_ = slice;
  lit_version_ = version_;
  lit_ = {};
  if (slice == kNone<SliceId> || made_->groups) return lit_;
  const LabelTable& labels = workspace.trace().labels;
  const LabelId label = workspace.trace().label_of(slice);
  for (std::size_t row = 0; row < model_->rows() && !lit_; ++row) {
    const LabelId row_label = model_->stats(row).label;
    const bool same = row_label == label || (labels.category(row_label) == labels.category(label) &&
                                             counted_name(labels, row_label) == counted_name(labels, label));
    if (same) lit_ = model_->target(row);
  }
  return lit_;
}

}  // namespace tv
