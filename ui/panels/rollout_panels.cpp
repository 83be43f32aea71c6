#include "ui/panels/rollout_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/count_text.h"
#include "core/view/chart_palette.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/chart_table.h"
#include "ui/widgets/text.h"

namespace tv {
namespace {

constexpr float kLeastChart = 420, kWithTable = 640, kLeastChartHeight = 240, kTableShare = 0.42f;
constexpr float kStripName = 210, kStripLegend = 330;  // left and right of the bars

// Of the strip's parts: colours of the chart palette that say the same there.
constexpr int kPartColor[kStepParts] = {4, 0, 9, 8, 2};

void dim_text(const PanelContext& context, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

}  // namespace

void StepStripPanel::draw(const PanelContext& context, const Area& area) {
  const BarWindow bar("steps", area, context.backdrop, context.theme.header);
  const RolloutState& state = context.workspace.rollouts();
  const Rollout* const rollout = state.rollout();
  if (!rollout) return;
  if (of_ != rollout->trace) {
    of_ = rollout->trace;
    strip_ = step_strip(*rollout);
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = area.x + context.theme.px(kStripName),
              width = std::max(1.0f, area.width - context.theme.px(kStripName) - context.theme.px(kStripLegend));
  const auto steps = static_cast<float>(strip_.bars.size());
  // Bars fill the width, but few steps do not make walls.
  const float pitch = std::min(width / steps, context.theme.px(64));
  bars_ = {left, area.y, width, area.height};
  pitch_ = pitch;
  const float bottom = area.y + area.height - context.theme.px(3), most = area.height - context.theme.px(15);
  const std::optional<std::uint32_t> looked_at = state.question().step;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsWindowHovered() && mouse.x >= left && mouse.x < left + pitch * steps;
  const auto hovered = static_cast<std::uint32_t>(std::clamp((mouse.x - left) / pitch, 0.0f, steps - 1));
  for (std::uint32_t s = 0; s < strip_.bars.size(); ++s) {
    const StepBar& step = strip_.bars[s];
    const float x0 = std::floor(left + pitch * static_cast<float>(s));
    const float x1 = std::max(x0 + 1, std::floor(left + pitch * static_cast<float>(s + 1)) - (pitch > 3 ? 1 : 0));
    if (looked_at == s) list.AddRectFilled({x0 - 1, area.y}, {x1 + 1, area.y + area.height}, context.theme.accent_soft);
    if (over && hovered == s)
      list.AddRectFilled({x0, area.y}, {x1, area.y + area.height}, with_alpha(context.theme.text, 24));
    float y = bottom;
    for (std::size_t p = 0; p < kStepParts && strip_.most > 0; ++p) {
      const float height = static_cast<float>(step.part[p] / strip_.most) * most;
      if (height <= 0) continue;
      list.AddRectFilled({x0, y - height}, {x1, y}, chart_color(kPartColor[p], context.theme.kind));
      y -= height;
    }
    if (step.factor > 0) {
      const float middle = (x0 + x1) / 2, size = context.theme.px(4);
      list.AddTriangleFilled({middle - size, area.y + context.theme.px(2)},
                             {middle + size, area.y + context.theme.px(2)},
                             {middle, area.y + context.theme.px(2) + size * 1.4f}, context.theme.warning);
    }
  }
  if (looked_at) {
    const StepBar& step = strip_.bars[*looked_at];
    std::string text = rollout->step_name(*looked_at);
    if (step.factor > 0) text += fmt::format("  {:.1f}x", step.factor);
    const ImVec2 at{area.x + context.theme.px(8), area.y + context.theme.px(5)};
    draw_text(list, at, context.theme.text, text);
    draw_text(list, {at.x, at.y + ImGui::GetFontSize() * 1.15f}, context.theme.text_dim,
              fmt::format("{:.1f} s", strip_.bars[*looked_at].seconds));
  }
  draw_legend(context, {area.x + area.width - context.theme.px(kStripLegend - 12), area.y,
                        context.theme.px(kStripLegend), area.height});
  if (!over) return;
  ImGui::SetTooltip("%s", step_text(*rollout, strip_, hovered).c_str());
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) context.push(command::GoToStep{hovered});
}

// Three beside each other, in two lines.
void StepStripPanel::draw_legend(const PanelContext& context, const Area& area) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = ImGui::GetFontSize() * 0.65f, line = ImGui::GetFontSize() * 1.3f, column = context.theme.px(108);
  for (std::size_t p = 0; p < kStepParts; ++p) {
    const ImVec2 at{area.x + column * static_cast<float>(p % 3),
                    area.y + context.theme.px(5) + line * static_cast<float>(p / 3)};
    const float top = at.y + (ImGui::GetFontSize() - size) / 2;
    list.AddRectFilled({at.x, top}, {at.x + size, top + size}, chart_color(kPartColor[p], context.theme.kind));
    draw_text(list, {at.x + size * 1.5f, at.y}, context.theme.text_dim, name(static_cast<StepPart>(p)));
  }
}

std::optional<ImVec2> StepStripPanel::place_of(std::uint32_t step) const {
  if (step >= strip_.bars.size()) return std::nullopt;
  return ImVec2{bars_.x + pitch_ * (static_cast<float>(step) + 0.5f), bars_.y + bars_.height * 0.7f};
}

void FilterBar::draw(const PanelContext& context, bool two_readings) {
  const RolloutState& state = context.workspace.rollouts();
  const Rollout* const rollout = state.rollout();
  if (!rollout) return;
  const auto chip = [&](const std::string& text, auto remove) {
    ImGui::PushID(text.c_str());
    ImGui::PushStyleColor(ImGuiCol_Button, context.theme.accent_soft);
    if (ImGui::SmallButton((text + "  x").c_str())) remove();
    ImGui::PopStyleColor();
    ImGui::PopID();
    ImGui::SameLine();
  };
  const std::string count = state.everything()
                                ? fmt::format("{} requests", format_count(rollout->size()))
                                : fmt::format("{} of {} requests", format_count(state.question().requests.size()),
                                              format_count(rollout->size()));
  ImGui::AlignTextToFramePadding();
  dim_text(context, count);
  ImGui::SameLine();
  for (std::size_t c = 0; c < state.chips().size(); ++c) {
    chip(state.chips()[c], [&] { context.push(command::RemoveFilter{c}); });
  }
  if (!state.brush().empty()) {
    chip(state.brush(), [&] { context.push(command::BrushRequests{}); });
    if (ImGui::SmallButton("keep")) {
      context.push(command::FilterRequests{state.brush()});
      context.push(command::BrushRequests{});
    }
    ImGui::SameLine();
  }
  ImGui::SetNextItemWidth(context.theme.px(220));
  typed_.resize(std::max<std::size_t>(typed_.size(), 200));
  if (ImGui::InputTextWithHint("##filter", "filter: dur>2s && turns>=3", typed_.data(), typed_.size(),
                               ImGuiInputTextFlags_EnterReturnsTrue)) {
    context.push(command::FilterRequests{typed_.c_str()});
    typed_.assign(200, '\0');
  }
  if (!state.complaint().empty()) {
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
    ImGui::TextUnformatted(state.complaint().c_str());
    ImGui::PopStyleColor();
  }
  if (two_readings) {
    ImGui::SameLine();
    bool as_script = state.question().as_script;
    if (ImGui::Checkbox("as verl's script computes it", &as_script)) context.push(command::ToggleScriptReading{});
  }
}

std::optional<ImVec2> ChartPanel::place_of(std::size_t chart, double x, double y) const {
  if (chart >= views_.size() || chart >= origins_.size()) return std::nullopt;
  const ChartPicture& picture = views_[chart]->picture();
  return ImVec2{origins_[chart].x + static_cast<float>(picture.x.px(x)),
                origins_[chart].y + static_cast<float>(picture.y.px(y))};
}

void ChartPanel::draw(const PanelContext& context, const ChartKind& kind) {
  RolloutState& state = context.workspace.rollouts();
  if (!state.rollout()) {
    dim_text(context, state.pending() ? "computing ..." : "No rollout log is open: step_N/worker_M.jsonl.");
    return;
  }
  const RolloutState::Charts made = state.charts(kind);
  if (!made.charts) return dim_text(context, "computing ...");
  if (of_ != kind.id) {
    of_ = kind.id;
    views_.clear();
  }
  while (views_.size() < made.charts->size()) views_.push_back(std::make_unique<ChartView>());
  origins_.assign(views_.size(), {});
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = context.theme.px(8);
  const std::size_t count = std::max<std::size_t>(made.charts->size(), 1);
  const bool tables = std::ranges::any_of(*made.charts, [](const Chart& chart) { return chart.table.has_value(); });
  const float least = context.theme.px(tables ? kWithTable : kLeastChart);
  const std::size_t columns = std::clamp<std::size_t>(static_cast<std::size_t>(room.x / least), 1, count);
  const std::size_t rows = (count + columns - 1) / columns;
  const ImVec2 size{std::floor((room.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns)),
                    std::max(std::floor(room.y / static_cast<float>(rows)) - (rows > 1 ? gap : 0),
                             context.theme.px(kLeastChartHeight))};
  for (std::size_t c = 0; c < made.charts->size(); ++c) {
    if (c % columns != 0) ImGui::SameLine(0, gap);
    ImGui::PushID((*made.charts)[c].id.c_str());  // ImGui remembers the columns of tables by it
    draw_chart(context, kind, (*made.charts)[c], made.version, *views_[c], size);
    ImGui::PopID();
  }
}

void ChartPanel::draw_chart(const PanelContext& context, const ChartKind& kind, const Chart& chart,
                            std::uint64_t version, ChartView& view, ImVec2 size) {
  const bool picture = !chart.series.empty() || chart.cells || !chart.table;
  const float table_width = !chart.table ? 0 : picture ? std::floor(size.x * kTableShare) : size.x;
  ImGui::BeginChild("chart", size);
  if (picture) {
    if (context.workspace.rollouts().brush().empty()) view.set_brush({});
    for (std::size_t v = 0; v < views_.size(); ++v) {
      if (views_[v].get() == &view) origins_[v] = ImGui::GetCursorScreenPos();
    }
    const ChartAction action =
        view.draw("picture", chart, version, {size.x - table_width - (chart.table ? context.theme.px(8) : 0), size.y},
                  context.theme);
    if (action.clicked) act(context, chart, *action.clicked);
    if (action.brush && !chart.x.field.empty() && (action.brushing || action.brush_ended)) {
      context.push(command::BrushRequests{range_filter(chart.x.field, action.brush->first, action.brush->second),
                                          std::string(kind.id)});
    }
    if (action.brush_cleared) context.push(command::BrushRequests{});
  }
  if (chart.table) {
    if (picture) ImGui::SameLine(0, context.theme.px(8));
    ImGui::BeginChild("table", {table_width, size.y});
    if (!picture) dim_text(context, chart.title);
    const ChartAction action = chart_table("rows", *chart.table, {0, 0});
    if (action.clicked) act(context, chart, *action.clicked);
    ImGui::EndChild();
  }
  ImGui::EndChild();
}

void ChartPanel::act(const PanelContext& context, const Chart& chart, const ChartTarget& target) const {
  switch (target.kind) {
    case ChartTarget::Kind::None: return;
    case ChartTarget::Kind::Request: return context.push(command::SelectRequest{target.id, true});
    case ChartTarget::Kind::Step: return context.push(command::GoToStep{target.id});
    case ChartTarget::Kind::WorkerStep: return context.push(command::GoToWorkerStep{target.id});
    case ChartTarget::Kind::Filter:
      if (target.id < chart.filters.size()) context.push(command::FilterRequests{chart.filters[target.id]});
      return;
  }
}

}  // namespace tv
