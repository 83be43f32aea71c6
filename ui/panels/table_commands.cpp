#include "ui/panels/table_commands.h"

namespace tv {

void push_files(const PanelContext& context, const TableAction& action) {
  if (action.copy) context.push(command::CopyText{*action.copy});
  if (action.save) context.push(command::SaveText{action.save->name, action.save->text});
}

void take_table(const PanelContext& context, Table& table, std::string_view id) {
  const TableStates::Kept* const kept = context.workspace.state().tables.find(id);
  table.take(kept ? &kept->state : nullptr, kept ? kept->version : 0);
}

void keep_table(const PanelContext& context, const Table& table, std::string_view id) {
  const TableStates::Kept* const kept = context.workspace.state().tables.find(id);
  const bool same = kept ? kept->state == table.state() : table.as_at_first();
  if (!same) context.push(command::KeepTable{std::string(id), table.state()});
}

void push_target(const PanelContext& context, const TableTarget& target, bool fit) {
  switch (target.kind) {
    case TableTarget::Kind::None:
    case TableTarget::Kind::Other:
      return;
    case TableTarget::Kind::Slice:
      context.push(command::SelectSlice{static_cast<SliceId>(target.id), true});
      if (fit) context.push(command::FitSelection{});
      return;
    case TableTarget::Kind::Name:
      return context.push(command::SelectName{static_cast<LabelId>(target.id)});
    case TableTarget::Kind::Request:
      return context.push(command::SelectRequest{static_cast<RequestIx>(target.id), fit});
    case TableTarget::Kind::Step:
      return context.push(command::GoToStep{static_cast<std::uint32_t>(target.id)});
    case TableTarget::Kind::Lane:
      return context.push(command::ScrollToLane{static_cast<LaneId>(target.id)});
    case TableTarget::Kind::Place:
      return context.push(command::ZoomTo{target.range});
  }
}

}  // namespace tv
