#include <algorithm>
#include <cmath>

#include "core/view/navigation/navigation.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/timeline/notes_colors.h"
#include "ui/widgets/bar.h"

namespace tv {
namespace {

constexpr float kWindowEdgeReach = 5;

}  // namespace

void MinimapPanel::draw(const PanelContext& context, const Area& area, const Area& lanes) {
  const BarWindow bar("minimap", area, context.backdrop, context.theme.panel);
  const Workspace& workspace = context.workspace;
  if (workspace.trace().lanes.empty()) return;
  const Area strip{lanes.x, area.y, lanes.width, area.height};
  const auto width = static_cast<std::uint32_t>(std::max(1.0f, strip.width));
  if (overview_of_ != workspace.snapshot().generation || layout_of_ != workspace.state().halves.layout_version) {
    overview_of_ = workspace.snapshot().generation;
    layout_of_ = workspace.state().halves.layout_version;
    const LaneLayout* const below = workspace.state().split() ? &workspace.state().layout(SplitHalf::Lower) : nullptr;
    overview_ = overview_of(workspace.snapshot(), workspace.state().layout(), below);
  }
  build_minimap(workspace.snapshot(), overview_, workspace.palette(), workspace.state().view(), workspace.search().hits().spread(), width, minimap_,
                workspace.coloring().colors());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bottom = strip.y + strip.height - 2, most = strip.height - 4;
  for (std::size_t x = 0; x < minimap_.columns.size(); ++x) {
    const Rgba column = minimap_.columns[x];
    const auto height = static_cast<float>(column >> 24) / 255.0f * most;
    if (height <= 0) continue;
    const float left = strip.x + static_cast<float>(x);
    list.AddRectFilled({left, bottom - std::max(1.0f, height)}, {left + 1, bottom}, with_alpha(column, 255));
  }
  const auto x_of = [&](Ns t) {
    const double x = minimap_x(workspace.trace(), static_cast<double>(t), width);
    return strip.x + static_cast<float>(std::clamp(x, 0.0, static_cast<double>(width)));
  };
  if (const auto& range = workspace.state().selection.range) {
    const float x0 = x_of(range->begin), x1 = std::max(x_of(range->end), x0 + 1);
    list.AddRectFilled({x0, strip.y}, {x1, strip.y + strip.height}, context.theme.selection_fill);
    for (const float x : {x0, x1}) list.AddLine({x, strip.y}, {x, strip.y + strip.height}, context.theme.selection);
  }
  const ImVec2 a{strip.x + minimap_.window_x0, strip.y}, b{strip.x + minimap_.window_x1, strip.y + strip.height};
  // Everything outside of the view is dimmed, so that the view is the brightest part: towards the background in the dark theme,
  // towards grey in the light one.
  const bool dark = context.theme.kind == ThemeKind::Dark;
  const Rgba shade = dark ? with_alpha(context.theme.window, 120) : with_alpha(context.theme.text_dim, 46);
  ImVec2 below_a = a, below_b = b;  // the view of the lower of two timelines
  if (workspace.state().split()) {
    const auto [x0, x1] = minimap_window(workspace.trace(), workspace.state().view(SplitHalf::Lower), width);
    below_a.x = strip.x + x0;
    below_b.x = strip.x + x1;
  }
  const ImVec2 &first = below_a.x < a.x ? below_a : a, &last = below_b.x > b.x ? below_b : b;
  list.AddRectFilled(strip.min(), {first.x, b.y}, shade);
  list.AddRectFilled({last.x, a.y}, strip.max(), shade);
  if (below_a.x > b.x) list.AddRectFilled({b.x, a.y}, {below_a.x, b.y}, shade);
  if (below_b.x < a.x) list.AddRectFilled({below_b.x, a.y}, {a.x, b.y}, shade);
  below_a.y += context.theme.px(2);  // keeps both frames visible if they coincide
  below_b.y -= context.theme.px(2);
  if (workspace.state().split()) list.AddRect(below_a, below_b, context.theme.warning, context.theme.px(2), 0, context.theme.px(1.5f));
  list.AddRect(a, b, context.theme.accent, context.theme.px(2), 0, context.theme.px(1.5f));
  const float tick = context.theme.px(6);
  for (std::size_t x = 0; x < minimap_.hits.size(); ++x) {
    if (!minimap_.hits[x]) continue;
    const float left = strip.x + static_cast<float>(x);
    list.AddRectFilled({left, strip.y}, {left + std::max(1.0f, context.theme.px(1.5f)), strip.y + tick}, context.theme.selection);
  }
  for (const Note& note : workspace.state().notes.all()) {
    const Rgba color = color_of(context.theme, note.color);
    const float x0 = x_of(note.time.begin), x1 = std::max(x_of(note.time.end), x0 + 1);
    if (note.is_span()) list.AddRectFilled({x0, bottom - context.theme.px(3)}, {x1, bottom}, color);
    if (!note.is_span()) list.AddLine({x0, strip.y}, {x0, strip.y + strip.height}, color);
  }
  drag(context, strip);
}

void MinimapPanel::drag(const PanelContext& context, const Area& strip) {
  const Workspace& workspace = context.workspace;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto width = static_cast<std::uint32_t>(std::max(1.0f, strip.width));
  const auto x = static_cast<double>(mouse.x - strip.x);
  const Split* const split = workspace.state().split();
  const double in_lower = split ? static_cast<double>(split->later(SplitHalf::Lower)) : 0;
  const double at = minimap_time(workspace.trace(), x, width);
  const bool over = ImGui::IsWindowHovered() && mouse.x >= strip.x - context.theme.px(kWindowEdgeReach) &&
                    mouse.x < strip.x + strip.width + context.theme.px(kWindowEdgeReach);
  const MinimapGrip under =
      over ? minimap_grip(minimap_, x, static_cast<double>(context.theme.px(kWindowEdgeReach))) : MinimapGrip::None;
  const MinimapGrip shown = grip_ != MinimapGrip::None ? grip_ : under;
  if (shown == MinimapGrip::Begin || shown == MinimapGrip::End) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (shown == MinimapGrip::Window) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const Viewport lower = workspace.state().view(SplitHalf::Lower);
    const bool of_lower = split && under == MinimapGrip::Beside && at >= lower.begin && at < lower.end();
    grabbed_half_ = of_lower ? SplitHalf::Lower : SplitHalf::Upper;
    grip_ = of_lower ? MinimapGrip::Window : under;
    grabbed_ = workspace.state().view();
    grabbed_at_ = at - (of_lower ? in_lower : 0);
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) grip_ = MinimapGrip::None;
  if (grip_ != MinimapGrip::None) {
    const double t = at - (grabbed_half_ == SplitHalf::Lower ? in_lower : 0);
    const Viewport to = dragged_window(grabbed_, grip_, grabbed_at_, t, workspace.reach());
    if (!(to == workspace.state().view())) context.push(command::ShowTime{to.begin, to.span});
  }
  if (over && ImGui::GetIO().MouseWheel != 0) {
    context.push(command::ZoomBy{wheel_zoom_factor(static_cast<double>(ImGui::GetIO().MouseWheel)), 0.5});
  }
}

}  // namespace tv
