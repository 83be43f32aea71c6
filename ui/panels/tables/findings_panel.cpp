#include "ui/panels/tables/findings_panel.h"

#include <algorithm>

#include "core/view/charts/chart_kinds.h"
#include "ui/panels/table_commands.h"

namespace tv {
namespace {

constexpr float kLeastLines = 8;  // even if the other contents of Details leave less room

void go_there(const PanelContext& context, const Finding& one) {
  if (one.step) context.push(command::GoToStep{*one.step});
  if (one.slice != kNone<SliceId>) context.push(command::SelectSlice{one.slice, true});
  if (const auto view = view_of(one)) context.push(command::ZoomTo{*view});
}

}  // namespace

void FindingsPanel::draw(const PanelContext& context) {
  Workspace& workspace = context.workspace;
  const std::span<const Finding> found = workspace.run().findings();
  if (found.empty()) {
    const bool waits = workspace.run().busy() || workspace.session().loading();
    ImGui::TextDisabled(waits ? "Looking..." : "Nothing stands out");
    return;
  }
  const bool same = model_ && model_findings_.data() == found.data() && model_findings_.size() == found.size() &&
                    generation_ == workspace.snapshot().generation && style_ == workspace.state().time_style();
  if (!same) {
    model_findings_ = found;
    generation_ = workspace.snapshot().generation;
    style_ = workspace.state().time_style();
    model_.emplace(findings_table(found, style_));
    ++version_;
  }
  TableLook look;
  look.file = "findings";
  look.size.y = std::max(ImGui::GetContentRegionAvail().y, ImGui::GetTextLineHeightWithSpacing() * kLeastLines);
  take_table(context, table_, "findings");
  const TableAction action = table_.draw("findings", *model_, version_, context.keys, context.theme, look);
  keep_table(context, table_, "findings");
  push_files(context, action);
  if (action.go) go_there(context, found[*action.go]);
  if (!action.pressed) return;
  const Finding& one = found[*action.pressed];
  if (one.step) context.push(command::GoToStep{*one.step});
  context.push(command::ShowPanel{std::string(one.chart)});
}

}  // namespace tv
