// The menu of a lane, and the menu above the names for their order.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text/path_parts.h"
#include "core/query/lane_filter.h"
#include "core/view/lanes/lane_choice.h"
#include "core/view/lanes/lane_file.h"
#include "core/view/lanes/row_choice.h"
#include "ui/panels/timeline/timeline_panel.h"
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

void TimelinePanel::sort_items(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const auto sorted = workspace.lanes().sort;
  const auto order = workspace.lanes().order;
  if (menu_item("As they come", "", !sorted && !order)) context.push(command::SortLanes{});
  for (std::size_t s = 0; s < kLaneSorts; ++s) {
    const auto sort = static_cast<LaneSort>(s);
    std::string title(meaning(sort));
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    if (menu_item(title.c_str(), "", sorted == sort)) context.push(command::SortLanes{sort});
  }
}

// Row height and number of stack levels of the lane; for a group, those of all lanes in it.
void TimelinePanel::row_items(const PanelContext& context, const LaneBox& box) {
  const Workspace& workspace = context.workspace;
  const std::uint32_t levels = levels_of(workspace.trace(), menu_lane_);
  if (levels == 0) return;
  ImGui::Separator();
  const bool lane_alone = box.lane == menu_lane_ && !box.group && !box.collapsed;
  for (const RowSizeWord& each : kRowSizes) {
    const bool now = lane_alone && box.row_size == each.size;
    const std::string key = text(binding(Action::NextRowSize).chord);
    if (menu_item(each.title, now ? std::string_view() : std::string_view(key), now)) {
      context.push(command::SizeRows{menu_lane_, each.size});
    }
  }
  if (levels < 2) return;
  ImGui::Separator();
  const std::uint32_t limit = depth_limit(workspace.trace(), menu_lane_, workspace.lanes().state);
  const std::string all = fmt::format("All {} levels", levels);
  if (menu_item(all.c_str(), "", limit == 0)) context.push(command::LimitDepth{menu_lane_, 0});
  bool listed = limit == 0;
  for (const std::uint32_t depth : kDepths) {
    if (depth >= levels) break;
    listed |= limit == depth;
    const std::string title =
        depth == 1 ? std::string("Only the outermost level") : fmt::format("Only {} levels", depth);
    if (menu_item(title.c_str(), "", limit == depth)) context.push(command::LimitDepth{menu_lane_, depth});
  }
  if (!listed) menu_item(fmt::format("Only {} levels ({})", limit, text(binding(Action::CutLane).chord)).c_str(), "", true);
}

void TimelinePanel::draw_lane_menu(const PanelContext& context) {
  using What = command::ChooseLanes::What;
  const Workspace& workspace = context.workspace;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.theme.px(8), context.theme.px(6)});
  if (ImGui::BeginPopup("menu of a lane")) {
    items_.clear();
    if (menu_lane_ == kNone<LaneId> || !still_there(context, menu_lane_)) {
      ImGui::CloseCurrentPopup();
    } else {
      const LaneBox& box = workspace.layout(half_).box_of(menu_lane_);
      const auto choose = [&](What what) { context.push(command::ChooseLanes{what, {menu_lane_}}); };
      ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
      ImGui::TextUnformatted(with_letters(joined_path(workspace.trace(), menu_lane_).c_str()));
      ImGui::PopStyleColor();
      ImGui::Separator();
      if (menu_item(is_pinned(workspace.trace(), menu_lane_, workspace.lanes().state) ? "Unpin" : "Pin to the top",
                    Action::PinLanes))
        choose(What::Pin);
      if (menu_item("Hide", Action::HideLanes)) choose(What::Hide);
      if (menu_item("Only this", Action::IsolateLanes)) choose(What::Isolate);
      if (!workspace.halves().of(half_).lanes_text.empty() && menu_item("Show all lanes", Action::ShowAllLanes)) choose(What::ShowAll);
      if (box.can_fold && menu_item(box.collapsed ? "Open" : "Fold", "double-click")) {
        context.push(command::ToggleLane{menu_lane_});
      }
      if (menu_item("Overview / all rows", Action::Overview)) context.push(command::ToggleOverview{});
      row_items(context, box);
      ImGui::Separator();
      sort_items(context);
      ImGui::Separator();
      if (const auto file = file_of_lane(workspace.trace(), menu_lane_)) {
        const std::string& path = workspace.trace().sources[*file].path;
        if (menu_item(fmt::format("Close {}", last_part(path)).c_str(), "")) context.push(command::CloseFiles{{path}});
      }
      if (menu_item("Copy name", "")) context.push(command::CopyText{joined_path(workspace.trace(), menu_lane_)});
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

// Above the names, at their right end; returns its width.
float TimelinePanel::draw_order_menu(const PanelContext& context, const Area& corner) {
  const RunState& state = context.workspace.run();
  const bool workers = state.rollout() && state.rollout()->workers.size() > 1;
  if (context.workspace.layout(half_).boxes().size() < 2) return 0;
  const std::optional<HeatMeasure> order = context.workspace.lanes().order;
  const std::optional<LaneSort> sorted = context.workspace.lanes().sort;
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
      if (menu_item(item.c_str(), "", order == measure)) context.push(command::OrderLanes{measure});
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s In the step that is looked at.", meaning(measure).data());
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return width;
}

}  // namespace tv
