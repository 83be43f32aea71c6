#include <algorithm>
#include <string>

#include "core/view/chart_kinds.h"
#include "ui/panels/side_panels.h"

namespace tv {
namespace {

Rgba level_color(FindingLevel level, const Theme& theme) {
  switch (level) {
    case FindingLevel::Costly:
      return theme.loss;
    case FindingLevel::Notable:
      return theme.warning;
    case FindingLevel::Note:
      return theme.text_dim;
  }
  return theme.text;
}

void go_there(const PanelContext& context, const Finding& one) {
  if (one.step) context.push(command::GoToStep{*one.step});
  if (one.slice != kNone<SliceId>) context.push(command::SelectSlice{one.slice, true});
  if (const auto view = view_of(one)) context.push(command::ZoomTo{*view});
}

void draw_finding(const PanelContext& context, const Finding& one, float chart_x) {
  const float mark = context.theme.px(4), gap = context.theme.px(10);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wrap = chart_x - gap * 2;
  const ImVec2 size =
      ImGui::CalcTextSize(one.sentence.data(), one.sentence.data() + one.sentence.size(), false, wrap - gap);
  const bool leads = one.range || one.step || one.slice != kNone<SliceId>;
  if (leads && ImGui::Selectable("##go", false, ImGuiSelectableFlags_AllowItemOverlap, {chart_x, size.y}))
    go_there(context, one);
  if (leads && ImGui::IsItemHovered()) ImGui::SetTooltip("Go there");
  if (!leads) ImGui::Dummy({chart_x, size.y});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + mark, at.y + size.y}, level_color(one.level, context.theme), mark / 2);
  const bool quiet = one.level == FindingLevel::Note;
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + gap, at.y},
               quiet ? context.theme.text_dim : context.theme.text, one.sentence.data(),
               one.sentence.data() + one.sentence.size(), wrap - gap);
  const auto kind = std::ranges::find(chart_kinds(), one.chart, &ChartKind::id);
  if (kind == chart_kinds().end()) return;
  ImGui::SameLine(chart_x + gap);
  if (ImGui::SmallButton(kind->title.data())) {
    if (one.step) context.push(command::GoToStep{*one.step});
    context.push(command::ShowPanel{std::string(kind->id)});
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", kind->hint.data());
}

}  // namespace

void draw_findings(const PanelContext& context) {
  const std::span<const Finding> found = context.workspace.run().findings();
  if (found.empty()) {
    const bool waits = context.workspace.run().busy() || context.workspace.session().status().running();
    ImGui::TextDisabled(waits ? "Looking..." : "Nothing stands out");
    return;
  }
  const float button = context.theme.px(140), chart_x = ImGui::GetContentRegionAvail().x - button;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    draw_finding(context, found[i], chart_x);
    ImGui::PopID();
  }
}

}  // namespace tv
