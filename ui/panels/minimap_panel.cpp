#include <algorithm>
#include <cmath>

#include "ui/panels/side_panels.h"
#include "ui/widgets/bar.h"

namespace tv {

void MinimapPanel::draw(const PanelContext& context, const Area& area) {
  const BarWindow bar("minimap", area, context.backdrop, context.theme.header);
  const Workspace& workspace = context.workspace;
  if (workspace.trace().lanes.empty()) return;
  const auto width = static_cast<std::uint32_t>(std::max(1.0f, area.width));
  build_minimap(workspace.snapshot(), workspace.palette(), workspace.view(), workspace.search_hits(), width,
                minimap_);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bottom = area.y + area.height - 2, most = area.height - 4;
  for (std::size_t x = 0; x < minimap_.columns.size(); ++x) {
    const Rgba column = minimap_.columns[x];
    const auto height = static_cast<float>(column >> 24) / 255.0f * most;
    if (height <= 0) continue;
    const float left = area.x + static_cast<float>(x);
    list.AddRectFilled({left, bottom - std::max(1.0f, height)}, {left + 1, bottom}, with_alpha(column, 200));
  }
  const ImVec2 a{area.x + minimap_.window_x0, area.y}, b{area.x + minimap_.window_x1, area.y + area.height};
  const Rgba shade = with_alpha(context.theme.window, 150);
  list.AddRectFilled(area.min(), {a.x, b.y}, shade);
  list.AddRectFilled({b.x, a.y}, area.max(), shade);
  list.AddRect(a, b, context.theme.accent, context.theme.px(2), 0, context.theme.px(1.5f));
  const float tick = context.theme.px(6);
  for (std::size_t x = 0; x < minimap_.hits.size(); ++x) {
    if (!minimap_.hits[x]) continue;
    const float left = area.x + static_cast<float>(x);
    list.AddRectFilled({left, area.y}, {left + std::max(1.0f, context.theme.px(1.5f)), area.y + tick}, context.theme.selection);
  }
  for (const Ns mark : workspace.marks()) {
    const TimeRange whole = shown_extent(workspace.trace());
    const double part = static_cast<double>(mark - whole.begin) / static_cast<double>(whole.length());
    const float x = area.x + static_cast<float>(part) * area.width;
    list.AddLine({x, area.y}, {x, area.y + area.height}, context.theme.playhead);
  }

  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsWindowHovered() && area.contains(mouse);
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragging_ = true;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragging_ = false;
  if (dragging_) {
    const double t = minimap_time(workspace.trace(), static_cast<double>(mouse.x - area.x), width);
    const double middle = workspace.view().begin + workspace.view().span / 2;
    context.push(command::PanBy{(t - middle) / workspace.view().span});
  }
  if (over && ImGui::GetIO().MouseWheel != 0) {
    context.push(command::ZoomBy{wheel_zoom_factor(static_cast<double>(ImGui::GetIO().MouseWheel)), 0.5});
  }
}

}  // namespace tv
