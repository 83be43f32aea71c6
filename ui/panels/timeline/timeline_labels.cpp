// Text on the lanes: names on slices, ends of arrows, tooltips.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/gpu/gpu_marks.h"
#include "core/view/words/request_label.h"
#include "ui/panels/timeline/timeline_panel.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kArrowHead = 5;

ImVec2 operator+(ImVec2 a, ImVec2 b) { return {a.x + b.x, a.y + b.y}; }

// "worker 3 / phases": lanes of several groups have the same name.
std::string place_text(const Trace& trace, LaneId lane) {
  const LaneId group = trace.lane(lane).parent;
  return group == kNone<LaneId> ? trace.lane(lane).name : trace.lane(group).name + " / " + trace.lane(lane).name;
}

}  // namespace

// For lanes that the user has cut: how much of them is hidden.
void TimelinePanel::draw_cuts(const PanelContext& context, ImDrawList& list) const {
  const double scroll = std::floor(context.workspace.scroll_y(half_));
  for (const LaneBox& box :
       context.workspace.layout(half_).boxes_between(scroll, scroll + static_cast<double>(lanes_.height))) {
    if (box.hidden_lines == 0) continue;
    const std::string text = fmt::format("{} more rows ({})", box.hidden_lines, tv::text(binding(Action::CutLane).chord));
    const float y = lanes_.y + static_cast<float>(box.line_y(box.line_count) - scroll), width = text_width(text);
    draw_line(list, {lanes_.x, y}, {lanes_.x + lanes_.width, y}, context.theme.text_disabled);
    const ImVec2 at{lanes_.x + lanes_.width - width - context.theme.px(6), y - ImGui::GetFontSize() - 1};
    fill_box(list, {at.x - 3, at.y}, {at.x + width + 3, y}, context.theme.panel);
    draw_text(list, at, context.theme.text_dim, text);
  }
}

void TimelinePanel::draw_texts(const PanelContext& context, ImDrawList& list) {
  const std::uint64_t generation = context.workspace.snapshot().generation;
  if (std::exchange(names_of_, generation) != generation) names_.clear();
  if (DrawingRecord::runs()) return record_names(context, list);
  for (const TextItem& text : panes_[pane_].frame.texts) draw_label(context, list, text);
}

void TimelinePanel::draw_label(const PanelContext& context, ImDrawList& list, const TextItem& text) {
  const ImVec2 at = lanes_.min() + ImVec2{text.x, text.y};
  if (const Rollout* const rollout = context.workspace.rollout()) {
    if (const auto request = request_of_bar(*rollout, text.slice)) {
      RequestLabel label;
      for (std::size_t form = 0; form < kRequestForms; ++form) {
        label = request_label(*rollout, *request, form);
        if (text_fits(label, text.width / text.scale)) break;
      }
      draw_text_fitted(list, at, text.width, text.color, label, text.scale);
      return;
    }
  }
  const NameForms& forms = names_.of(context.workspace.trace().labels, text.label);
  const std::string_view name =
      form_that_fits(forms, [&](std::string_view form) { return text_fits(form, text.width / text.scale); });
  draw_text_fitted(list, at, text.width, text.color, name, text.scale);
}

void TimelinePanel::draw_arrows(const PanelContext& context, ImDrawList& list) const {
  const float head = context.theme.px(kArrowHead), thickness = context.theme.px(1.5f);
  for (const ArrowItem& arrow : panes_[pane_].frame.arrows) {
    const ImVec2 from = lanes_.min() + ImVec2{arrow.x0, arrow.y0}, to = lanes_.min() + ImVec2{arrow.x1, arrow.y1};
    const std::array<ImVec2, 3> path = {from, ImVec2{from.x, to.y}, to};
    list.AddPolyline(path.data(), static_cast<int>(path.size()), arrow.color, 0, thickness);
    const float tip = arrow.down ? head : -head;
    list.AddTriangleFilled({to.x - head * 0.7f, to.y}, {to.x + head * 0.7f, to.y}, {to.x, to.y + tip}, arrow.color);
  }
}

// For arrows of the selected slice whose other end is out of sight: names it at the edge, with the distance.
void TimelinePanel::draw_arrow_ends(const PanelContext& context, ImDrawList& list) {
  constexpr std::size_t kMost = 6;
  const Workspace& workspace = context.workspace;
  const Trace& trace = workspace.trace();
  const SliceId selected = workspace.selection().slice;
  const float line = ImGui::GetFontSize(), pad = context.theme.px(4), height = line + 2;
  std::array<float, kMost> taken{};
  std::size_t shown = 0;
  for (const ArrowItem& arrow : panes_[pane_].frame.arrows) {
    const bool out = arrow.from == selected;
    if ((!out && arrow.to != selected) || shown == kMost) continue;
    const float other_x = out ? arrow.x1 : arrow.x0, other_y = out ? arrow.y1 : arrow.y0;
    const auto within = [&](float x, float y) { return x >= 0 && x <= lanes_.width && y >= 0 && y <= lanes_.height; };
    if (within(other_x, other_y) || !within(out ? arrow.x0 : arrow.x1, out ? arrow.y0 : arrow.y1)) continue;
    const SliceId other = out ? arrow.to : arrow.from;
    const Ns apart = trace.begin_of(other) - trace.begin_of(selected);
    const NameForms& forms = names_.of(trace.labels, trace.label_of(other));
    const Rollout* const rollout = workspace.rollout();
    const auto request = rollout ? request_of_bar(*rollout, other) : std::nullopt;
    const std::string text = fmt::format("{} {} on {}, {} {}", out ? "to" : "from",
                                         request ? std::string(request_label(*rollout, *request, 1)) : forms[1],
                                         place_text(trace, trace.row(trace.row_of(other)).lane),
                                         format_duration(apart < 0 ? -apart : apart), apart < 0 ? "earlier" : "later");
    const float width = text_width(text);
    // The point where the line leaves the lanes: along the row, else up or down.
    const bool along = arrow.y1 >= 0 && arrow.y1 <= lanes_.height && (other_x < 0 || other_x > lanes_.width);
    const float x = along ? other_x : arrow.x0, y = along ? arrow.y1 : other_y;
    const float left = std::clamp(x - width / 2, pad, std::max(pad, lanes_.width - width - pad));
    // Along a row the label is on the side that the arrow comes from, away from the row's own names.
    const float gap = context.theme.px(2), beside = !along ? y - height / 2 : arrow.y0 > arrow.y1 ? y + gap : y - height - gap;
    float top = std::clamp(beside, pad, std::max(pad, lanes_.height - height - pad));
    while (std::any_of(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(shown),
                       [&](float t) { return std::abs(t - top) < height; }))
      top += height + 1;
    taken[shown++] = top;
    const ImVec2 at = lanes_.min() + ImVec2{left, top};
    fill_box(list, {at.x - pad, at.y - 1}, {at.x + width + pad, at.y + height}, context.theme.panel,
                       context.theme.px(3));
    outline_box(list, {at.x - pad, at.y - 1}, {at.x + width + pad, at.y + height}, arrow.color, context.theme.px(3));
    draw_text(list, at, context.theme.text, text);
  }
}

void TimelinePanel::draw_slice_tooltip(const PanelContext& context, const Pick& under) {
  const Workspace& workspace = context.workspace;
  const SliceId slice = under.merged ? under.merged->longest : *under.slice;
  const TooltipOf of{workspace.snapshot().generation, slice, under.merged ? under.merged->count : 0,
                     workspace.rollout(), workspace.collectives(), workspace.gpu_marks()};
  if (tooltip_of_ != of) {
    tooltip_ = under.merged ? merged_tooltip(workspace.trace(), *under.merged)
                            : slice_tooltip(workspace.trace(), of.rollout, of.waits, slice, of.marks);
    tooltip_of_ = of;
  }
  ImGui::TextUnformatted(with_letters(tooltip_.title.c_str()));
  for (const SliceTooltip::Line& each : tooltip_.lines) {
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
    ImGui::TextUnformatted(each.word.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine(context.theme.px(84));
    ImGui::TextUnformatted(with_letters(each.value.c_str()));
  }
}

// The exposed-communication line below a lane, if the mouse is on it.
const ExposedSpans* TimelinePanel::exposed_line(const PanelContext& context, const Pick& under) const {
  const GpuMarks* const marks = context.workspace.gpu_marks();
  return marks && under.place.part == LaneLayout::Place::Part::Gap ? marks->exposed.of(under.place.lane) : nullptr;
}

void TimelinePanel::draw_tooltip(const PanelContext& context, const Pick& under) {
  const Trace& trace = context.workspace.trace();
  const bool on_name = ImGui::GetIO().MousePos.x < lanes_.x;
  const ExposedSpans* const exposed = exposed_line(context, under);
  if (on_name || (!under.slice && !under.merged && !under.value && !under.gap && !exposed)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(context.theme.px(520));
  if (exposed) {
    const Viewport view = context.workspace.view(half_);
    ImGui::TextUnformatted(
        exposed_text(*exposed, {static_cast<Ns>(view.begin), static_cast<Ns>(std::ceil(view.end()))}).c_str());
  } else if (under.slice || under.merged) {
    draw_slice_tooltip(context, under);
  } else if (under.value) {
    const std::uint32_t counter = trace.lane(under.place.lane).counter;
    const CounterScale& scale = context.workspace.snapshot().index->scale(counter);
    ImGui::TextUnformatted(counter_text(trace, counter, scale, *under.value).c_str());
  } else if (under.gap) {
    ImGui::TextUnformatted(gap_tooltip(trace, *under.gap).c_str());
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace tv
