#include "ui/panels/timeline/timeline_tooltip.h"

#include <cmath>

#include "core/analysis/gpu/gpu_marks.h"
#include "core/view/details/slice_tooltip.h"
#include "ui/widgets/text/letters.h"

namespace tv {
namespace {

// The exposed-communication line below a lane, if the mouse is on it.
const ExposedSpans* exposed_line(const PanelContext& context, const Pick& under) {
  const GpuMarks* const marks = context.workspace.results().gpu_marks;
  return marks && under.place.part == LaneLayout::Place::Part::Gap ? marks->exposed.of(under.place.lane) : nullptr;
}

}  // namespace

void TimelineTooltip::draw_slice(const PanelContext& context, const Pick& under) {
  const Workspace& workspace = context.workspace;
  const SliceId slice = under.merged ? under.merged->longest : *under.slice;
  const TextKey of{workspace.snapshot().generation, slice, under.merged ? under.merged->count : 0,
                     workspace.results().rollout, workspace.results().collectives, workspace.results().gpu_marks};
  if (text_key_ != of) {
    text_ = under.merged ? merged_tooltip(workspace.trace(), *under.merged)
                         : slice_tooltip(workspace.trace(), of.rollout, of.waits, slice, of.marks);
    text_key_ = of;
  }
  ImGui::TextUnformatted(with_letters(text_.title.c_str()));
  for (const SliceTooltip::Line& each : text_.lines) {
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
    ImGui::TextUnformatted(each.word.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine(context.theme.px(84));
    ImGui::TextUnformatted(with_letters(each.value.c_str()));
  }
}

void TimelineTooltip::draw(const PanelContext& context, const LanesPlace& place, const Pick& under) {
  const Trace& trace = context.workspace.trace();
  const bool on_name = ImGui::GetIO().MousePos.x < place.area.x;
  const ExposedSpans* const exposed = exposed_line(context, under);
  if (on_name || (!under.slice && !under.merged && !under.value && !under.gap && !exposed)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(context.theme.px(520));
  if (exposed) {
    const Viewport& view = place.view;
    ImGui::TextUnformatted(
        exposed_text(*exposed, {static_cast<Ns>(view.begin), static_cast<Ns>(std::ceil(view.end()))}).c_str());
  } else if (under.slice || under.merged) {
    draw_slice(context, under);
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
