#include "ui/panels/lanes/lane_menu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text/path_parts.h"
#include "core/query/lane_filter.h"
#include "core/view/lanes/lane_choice.h"
#include "core/view/lanes/lane_file.h"
#include "core/view/lanes/row_choice.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kOrderPadding = 6;

struct RowSizeWord {
  const char* title;
  RowSize size;
};
constexpr std::array<RowSizeWord, 3> kRowSizes = {
    {{"Rows compact", RowSize::Compact}, {"Rows normal", RowSize::Normal}, {"Rows tall", RowSize::Tall}}};
constexpr std::array<std::uint32_t, 5> kDepths = {1, 2, 4, 8, 16};

}  // namespace

void LaneMenu::sort_items(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const auto sorted = workspace.state().lanes.sort;
  const auto order = workspace.state().lanes.order;
  if (items_.item("As they come", "", !sorted && !order)) context.push(command::SortLanes{});
  for (std::size_t s = 0; s < kLaneSorts; ++s) {
    const auto sort = static_cast<LaneSort>(s);
    std::string title(meaning(sort));
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    if (items_.item(title.c_str(), "", sorted == sort)) context.push(command::SortLanes{sort});
  }
}

// Items for the row height and the number of stack levels of the lane; for a group, of all lanes in it.
void LaneMenu::row_items(const PanelContext& context, const LaneBox& box) {
  const Workspace& workspace = context.workspace;
  const std::uint32_t levels = levels_of(workspace.trace(), of_.lane);
  if (levels == 0) return;
  ImGui::Separator();
  const bool lane_alone = box.lane == of_.lane && !box.group && !box.collapsed;
  for (const RowSizeWord& each : kRowSizes) {
    const bool now = lane_alone && box.row_size == each.size;
    const std::string key = text(binding(Action::NextRowSize).chord);
    if (items_.item(each.title, now ? std::string_view() : std::string_view(key), now)) {
      context.push(command::SizeRows{of_.lane, each.size});
    }
  }
  if (levels < 2) return;
  ImGui::Separator();
  const std::uint32_t limit = depth_limit(workspace.trace(), of_.lane, workspace.state().lanes.state);
  const std::string all = fmt::format("All {} levels", levels);
  if (items_.item(all.c_str(), "", limit == 0)) context.push(command::LimitDepth{of_.lane, 0});
  bool listed = limit == 0;
  for (const std::uint32_t depth : kDepths) {
    if (depth >= levels) break;
    listed |= limit == depth;
    const std::string title =
        depth == 1 ? std::string("Only the outermost level") : fmt::format("Only {} levels", depth);
    if (items_.item(title.c_str(), "", limit == depth)) context.push(command::LimitDepth{of_.lane, depth});
  }
  if (!listed) items_.item(fmt::format("Only {} levels{}", limit, key_in_brackets(Action::CutLane)).c_str(), "", true);
}

void LaneMenu::open(const Workspace& workspace, LaneId lane) {
  of_ = PointedLane(workspace, lane);
  ImGui::OpenPopup("menu of a lane");
}

void LaneMenu::draw(const PanelContext& context, SplitHalf half) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.theme.px(8), context.theme.px(6)});
  if (ImGui::BeginPopup("menu of a lane")) {
    items_.clear();
    if (of_.still_there(context.workspace, half)) {
      items_of_lane(context, half);
    } else {
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

void LaneMenu::items_of_lane(const PanelContext& context, SplitHalf half) {
  using What = command::ChooseLanes::What;
  const Workspace& workspace = context.workspace;
  const LaneBox& box = workspace.state().layout(half).box_of(of_.lane);
  const std::string name = joined_path(workspace.trace(), of_.lane);
  const auto choose = [&](What what) { context.push(command::ChooseLanes{what, {of_.lane}}); };
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(with_letters(name.c_str()));
  ImGui::PopStyleColor();
  ImGui::Separator();
  const bool pinned = is_pinned(workspace.trace(), of_.lane, workspace.state().lanes.state);
  if (items_.item(pinned ? "Unpin" : "Pin to the top", Action::PinLanes)) choose(What::Pin);
  if (items_.item("Hide", Action::HideLanes)) choose(What::Hide);
  if (items_.item("Only this", Action::IsolateLanes)) choose(What::Isolate);
  if (!workspace.state().halves.of(half).lanes_text.empty() && items_.item("Show all lanes", Action::ShowAllLanes)) choose(What::ShowAll);
  if (box.can_fold && items_.item(box.collapsed ? "Open" : "Fold", "double-click")) context.push(command::ToggleLane{of_.lane});
  if (items_.item("Overview / all rows", Action::Overview)) context.push(command::ToggleOverview{});
  row_items(context, box);
  ImGui::Separator();
  sort_items(context);
  ImGui::Separator();
  if (const auto file = file_of_lane(workspace.trace(), of_.lane)) {
    const std::string& path = workspace.trace().sources[*file].path;
    if (items_.item(fmt::format("Close {}", last_part(path)).c_str())) context.push(command::CloseFiles{{path}});
  }
  if (items_.item("Copy name")) context.push(command::CopyText{name});
}

float LaneMenu::draw_order_button(const PanelContext& context, SplitHalf half, const Area& corner) {
  const RunState& state = context.workspace.run();
  const bool workers = state.rollout() && state.rollout()->workers.size() > 1;
  if (context.workspace.state().layout(half).boxes().size() < 2) return 0;
  const std::optional<HeatMeasure> order = context.workspace.state().lanes.order;
  const std::optional<LaneSort> sorted = context.workspace.state().lanes.sort;
  const std::string title = order    ? fmt::format("by {}", word_of(*order))
                            : sorted ? fmt::format("by {}", name(*sorted))
                                     : "order";
  const float width = text_width(title) + context.theme.px(2 * kOrderPadding);
  if (width > corner.width) return 0;
  ImGui::SetCursorScreenPos({corner.x + corner.width - width - context.theme.px(2), corner.y});
  ImGui::PushStyleColor(ImGuiCol_Button, order || sorted ? context.theme.accent_soft : 0);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {context.theme.px(kOrderPadding), (corner.height - ImGui::GetFontSize()) / 2});
  if (ImGui::Button((title + "##order").c_str())) ImGui::OpenPopup("order of lanes");
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  // The timeline has no window padding, but menus that open over it have.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.theme.px(8), context.theme.px(6)});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("The order of the lanes");
  if (ImGui::BeginPopup("order of lanes")) {
    items_.clear();
    sort_items(context);
    if (workers) ImGui::Separator();
    for (std::size_t m = 0; workers && m < kHeatMeasures; ++m) {
      const auto measure = static_cast<HeatMeasure>(m);
      const std::string item = fmt::format("Workers by {} in the step, most first", name(measure));
      if (items_.item(item.c_str(), "", order == measure)) context.push(command::OrderLanes{measure});
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s Counts only the current step.", meaning(measure).data());
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return width;
}

}  // namespace tv
