// Slice colours: the control in the top bar, and the legend below the lanes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/side_panels.h"
#include "ui/panels/timeline/timeline_panel.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kLegendPadding = 6, kSwatch = 10;

}  // namespace

// Draws as much of the legend as there is room for.
void TimelinePanel::draw_legend(const PanelContext& context, ImDrawList& list) {
  const SliceColors* const colors = context.workspace.coloring().colors();
  if (!colors || colors->trace() != &context.workspace.trace()) return;
  const Theme& theme = context.theme;
  const float height = std::floor(theme.px(LaneMetrics{}.group_header)), pad = theme.px(kLegendPadding),
              swatch = theme.px(kSwatch);
  const Area line{lanes_.x, lanes_.y + lanes_.height - height, lanes_.width, height};
  fill_box(list, line.min(), line.max(), theme.header);
  draw_line(list, line.min(), {line.x + line.width, line.y}, theme.border);
  const float text_y = line.y + (height - ImGui::GetFontSize()) / 2;
  const std::string title = fmt::format("{}:", meaning(colors->rule()));
  float x = line.x + pad;
  draw_text(list, {x, text_y}, theme.text_dim, title);
  x += text_width(title) + 2 * pad;
  const auto classes = colors->legend();
  const auto entry = [&](const ColorClass& each) {
    const std::string& shown = each.name;
    const float width = std::ceil(std::min(text_width(shown), theme.px(220))) + 1;  // rounded up, or the text would be cut
    const float y = line.y + std::floor((height - swatch) / 2);
    fill_box(list, {x, y}, {x + swatch, y + swatch}, each.fill, theme.px(2));
    draw_text_fitted(list, {x + swatch + pad * 0.7f, text_y}, width, theme.text, shown);
    x += swatch + pad * 0.7f + width + 2.5f * pad;
  };
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const float wanted = swatch + pad * 3.2f + std::min(text_width(classes[c].name), theme.px(220));
    const bool last = c + 1 == classes.size();
    const std::string more = fmt::format("and {} more", classes.size() - c);
    if (x + wanted + (last ? 0 : text_width(more)) > line.x + line.width) {
      draw_text(list, {x, text_y}, theme.text_dim, more);
      return;
    }
    entry(classes[c]);
  }
  const ColorClass& rest = colors->look(SIZE_MAX);
  if (x + swatch + pad * 3.2f + text_width(rest.name) < line.x + line.width) entry(rest);
}

// Offers only rules that distinguish slices of this trace.
void TopBar::draw_colors(const PanelContext& context) {
  const SliceColoring& coloring = context.workspace.coloring();
  if (coloring.offered().size() < 2) return;
  const SliceColors* const colors = coloring.colors();
  const ColorRule now = colors ? colors->rule() : ColorRule::Name;
  const std::string title = fmt::format("Colour: {}##colours", name(now));
  if (colors) ImGui::PushStyleColor(ImGuiCol_Button, context.theme.accent_soft);
  if (ImGui::Button(title.c_str())) ImGui::OpenPopup("by what slices are coloured");
  if (colors) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("By what slices are coloured (%s: the next)", text(binding(Action::NextColors).chord).c_str());
  }
  if (ImGui::BeginPopup("by what slices are coloured")) {
    for (const ColorRule rule : coloring.offered()) {
      const std::string item = fmt::format("{}: {}", name(rule), meaning(rule));
      if (ImGui::MenuItem(item.c_str(), nullptr, rule == now)) context.push(command::ColorSlices{rule});
    }
    ImGui::EndPopup();
  }
  ImGui::SameLine(0, context.theme.px(14));
}

}  // namespace tv
