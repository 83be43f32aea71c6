#include "ui/panels/timeline/step_strip_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/view/charts/training/charts_training.h"
#include "core/view/color/chart_palette.h"
#include "core/view/timeline/time_axis.h"
#include "core/view/words/number_words.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kStripName = 210, kStripLegend = 375;  // width left and right of the bars

// Idle and unrecorded time are faint, because no work is known there.
Rgba part_color(StepPart part, ThemeKind theme) {
  const Rgba color = chart_color(color_of(part), theme);
  return part == StepPart::Idle || part == StepPart::Unrecorded ? with_alpha(color, 90) : color;
}

float widest_number(const StepStrip& strip) {
  std::size_t most = 1;
  for (const StepBar& bar : strip.bars) most = std::max(most, bar.number.size());
  return static_cast<float>(most) * ImGui::GetFontSize() * 0.55f;
}

}  // namespace

void StepStripPanel::draw(const PanelContext& context, const Area& area) {
  const BarWindow bar("steps", area, context.backdrop, context.theme.header);
  make_strip(context.workspace);
  if (strip_.bars.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = area.x + context.theme.px(kStripName),
              width = std::max(1.0f, area.width - context.theme.px(kStripName) - context.theme.px(kStripLegend));
  const auto steps = static_cast<float>(strip_.bars.size());
  // Bars fill the width, but a few steps should not get huge bars: three bars take half of it.
  const float pitch = std::min(width / steps, std::max(context.theme.px(64), width / 6));
  bars_ = {left, area.y, width, area.height};
  pitch_ = pitch;
  // The numbers below the bars need room, so there is one for every bar, or for every 2nd, 5th or 10th.
  const float small = ImGui::GetFontSize() * 0.8f;
  const float number_room = widest_number(strip_) * 0.8f + context.theme.px(8);
  std::uint32_t numbered = 1;
  while (static_cast<float>(numbered) * pitch < number_room && numbered < strip_.bars.size()) {
    numbered = static_cast<std::uint32_t>(nice_step(numbered + 1));
  }
  const float bottom = area.y + area.height - context.theme.px(2) - small, most = area.height - context.theme.px(10) - small;
  const std::uint32_t looked_at = looked_at_ = looked_at_in(context.workspace);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsWindowHovered() && mouse.x >= left && mouse.x < left + pitch * steps;
  const auto hovered = static_cast<std::uint32_t>(std::clamp((mouse.x - left) / pitch, 0.0f, steps - 1));
  // If several steps share a pixel, the longest is drawn.
  const auto together = std::max(1u, static_cast<std::uint32_t>(1 / std::max(pitch, 1e-6f)));
  for (std::uint32_t s = 0; s < strip_.bars.size(); s += together) {
    const auto first = strip_.bars.begin() + s;
    const StepBar& step =
        *std::max_element(first, first + std::min<std::ptrdiff_t>(together, strip_.bars.end() - first),
                          [](const StepBar& a, const StepBar& b) { return a.seconds < b.seconds; });
    const float x0 = std::floor(left + pitch * static_cast<float>(s));
    const float x1 = std::max(x0 + 1, std::floor(left + pitch * static_cast<float>(s + together)) - (pitch > 3 ? 1 : 0));
    const bool here = looked_at - s < together;  // looked_at can be less than s: the difference of unsigned numbers is then large
    if (here) list.AddRectFilled({x0 - 1, area.y}, {x1 + 1, area.y + area.height}, context.theme.accent_soft);
    if (over && hovered - s < together)
      list.AddRectFilled({x0, area.y}, {x1, area.y + area.height}, with_alpha(context.theme.text, 24));
    float y = bottom;
    for (std::size_t p = 0; p < kStepParts && strip_.most > 0; ++p) {
      const float height = static_cast<float>(step.part[p] / strip_.most) * most;
      if (height <= 0) continue;
      list.AddRectFilled({x0, y - height}, {x1, y}, part_color(static_cast<StepPart>(p), context.theme.kind));
      y -= height;
    }
    const std::uint32_t next_numbered = (s + numbered - 1) / numbered * numbered;
    if (next_numbered < std::min<std::size_t>(s + together, strip_.bars.size())) {
      const std::string& number = strip_.bars[next_numbered].number;
      const float text_x = numbered > 1 ? x0 : (x0 + x1 - text_width(number) * 0.8f) / 2;
      list.AddText(nullptr, small, {text_x, bottom}, here ? context.theme.text : context.theme.text_dim,
                   number.c_str());
    }
    if (step.factor > 0) {
      const float middle = (x0 + x1) / 2, size = context.theme.px(4);
      list.AddTriangleFilled({middle - size, area.y + context.theme.px(2)},
                             {middle + size, area.y + context.theme.px(2)},
                             {middle, area.y + context.theme.px(2) + size * 1.4f}, context.theme.warning);
    }
  }
  const ImVec2 at{area.x + context.theme.px(8), area.y + context.theme.px(5)}, below{at.x, at.y + ImGui::GetFontSize() * 1.15f};
  const float room = left - at.x - context.theme.px(8);
  if (looked_at < strip_.bars.size()) {
    const StepBar& step = strip_.bars[looked_at];
    std::string text = step.name;
    if (step.factor > 0) text += fmt::format("  {:.1f}x", step.factor);
    draw_text_fitted(list, at, room, context.theme.text, text);
    draw_text_fitted(list, below, room, context.theme.text_dim,
                     seconds_text(step.seconds) + (strip_.of.empty() ? "" : ", " + strip_.of));
  } else if (marked_) {
    const char* const steps_word = marked_->steps.size() == 1 ? "step" : "steps";
    draw_text_fitted(list, at, room, context.theme.text, fmt::format("{} {}: {}", marked_->steps.size(), steps_word, marked_->unit));
    draw_text_fitted(list, below, room, context.theme.text_dim, strip_.of.empty() ? marked_->of : strip_.of);
  }
  draw_legend(context, {area.x + area.width - context.theme.px(kStripLegend - 12), area.y,
                        context.theme.px(kStripLegend), area.height});
  if (pressed_) drag(context, list, hovered);
  if (!over) return;
  if (!pressed_) ImGui::SetTooltip("%s", with_letters(strip_.bars[hovered].text.c_str()));
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  pressed_ = hovered;
  if (marked_) context.push(command::GoToMarkedStep{hovered});
  else if (run_) context.push(command::GoToTrainingStep{run_->records[hovered]});
  else context.push(command::GoToStep{hovered});
}

// Highlights the bars from the one where the drag began to this one. When the mouse is released, selects their time as an area and
// fits the view to it.
void StepStripPanel::drag(const PanelContext& context, ImDrawList& list, std::uint32_t to) {
  const std::uint32_t first = std::min(*pressed_, to);
  const std::uint32_t last = std::min<std::uint32_t>(std::max(*pressed_, to), static_cast<std::uint32_t>(strip_.bars.size()) - 1);
  if (first >= strip_.bars.size()) return pressed_.reset();
  if (first != last) {
    const float x0 = bars_.x + pitch_ * static_cast<float>(first), x1 = bars_.x + pitch_ * static_cast<float>(last + 1);
    list.AddRectFilled({x0, bars_.y}, {x1, bars_.y + bars_.height}, context.theme.selection_fill);
    ImGui::SetTooltip("%s to %s", with_letters(strip_.bars[first].name.c_str()), with_letters(strip_.bars[last].name.c_str()));
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  pressed_.reset();
  if (const auto range = steps_range(strip_, first, last); range && first != last) {
    context.push(command::SelectRange{*range, {}});
    context.push(command::FitSelection{});
  }
}

std::uint32_t StepStripPanel::looked_at_in(const Workspace& workspace) const {
  const ChartQuestion& question = workspace.run().question();
  if (marked_) return workspace.marked_step().value_or(UINT32_MAX);
  if (!run_) return question.step.value_or(UINT32_MAX);
  return question.training_step ? run_->index_of(*question.training_step).value_or(UINT32_MAX) : UINT32_MAX;
}

void StepStripPanel::make_strip(const Workspace& workspace) {
  const RunData& data = workspace.run().data();
  const StepSource* const marked = workspace.step_source();
  const TrainingRun* const run = data.rollout || !data.training
                                     ? nullptr
                                     : &run_in_question(*data.training, workspace.run().question().settings);
  const std::shared_ptr<const GpuMarks>& marks = workspace.run().gpu_marks();
  if (data_ == data && run_ == run && marked_ == marked && marks_ == marks) return;
  data_ = data;
  run_ = run;
  marked_ = marked;
  marks_ = marks;
  strip_ = data.rollout ? step_strip(*data.rollout)
           : run        ? step_strip(*data.training, *run)
           : marked     ? marked_strip(*marked)
                        : StepStrip();
}

StepStrip StepStripPanel::marked_strip(const StepSource& marked) const {
  if (marked.kind == StepsOf::Pipeline && data_.pipelines) {
    if (auto strip = step_strip(marked, *data_.pipelines)) return std::move(*strip);
  }
  if (marked.kind == StepsOf::Marked && marks_ && marks_->steps.size() == data_.steps->size()) {
    return step_strip(*marks_->activity, *data_.steps, marks_->steps, static_cast<std::uint32_t>(&marked - data_.steps->data()));
  }
  return step_strip(marked);
}

// The entries stand next to each other as far as there is room, and continue on the next line.
void StepStripPanel::draw_legend(const PanelContext& context, const Area& area) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = ImGui::GetFontSize() * 0.65f, line = ImGui::GetFontSize() * 1.3f, room = context.theme.px(14);
  ImVec2 at{area.x, area.y + context.theme.px(5)};
  for (std::size_t p = 0; p < kStepParts; ++p) {
    const auto part = static_cast<StepPart>(p);
    if (!strip_.has(part)) continue;
    const float width = size * 1.5f + text_width(name(part));
    if (at.x > area.x && at.x + width > area.x + area.width) at = {area.x, at.y + line};
    const float top = at.y + (ImGui::GetFontSize() - size) / 2;
    list.AddRectFilled({at.x, top}, {at.x + size, top + size}, part_color(part, context.theme.kind));
    draw_text(list, {at.x + size * 1.5f, at.y}, context.theme.text_dim, name(part));
    at.x += width + room;
  }
}

std::optional<ImVec2> StepStripPanel::place_of(std::uint32_t step) const {
  if (step >= strip_.bars.size()) return std::nullopt;
  return ImVec2{bars_.x + pitch_ * (static_cast<float>(step) + 0.5f), bars_.y + bars_.height * 0.7f};
}

}  // namespace tv
