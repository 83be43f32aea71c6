#include "ui/panels/lanes/slice_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/view/words/request_label.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

// "worker 3 / phases": names the group too, because lanes of several groups can have the same name.
std::string place_text(const Trace& trace, LaneId lane) {
  const LaneId group = trace.lane(lane).parent;
  return group == kNone<LaneId> ? trace.lane(lane).name : trace.lane(group).name + " / " + trace.lane(lane).name;
}

}  // namespace

void SliceLabels::draw(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame, std::vector<DrawnShape>* recorded) {
  const Trace& trace = context.workspace.trace();
  const std::uint64_t generation = context.workspace.snapshot().generation;
  if (std::exchange(names_generation_, generation) != generation) names_.clear();
  for (const TextItem& text : frame.texts) {
    const std::size_t before = recorded ? recorded->size() : 0;
    draw_label(context, place, text);
    // A cut name is two shapes: the letters, which get the title, and the dots.
    if (recorded && recorded->size() > before) {
      (*recorded)[before].title = std::string(trace.labels.name(text.label)) + "\n" + format_duration(trace.duration_of(text.slice));
    }
  }
}

void SliceLabels::draw_label(const PanelContext& context, const LanesPlace& place, const TextItem& text) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = place.area.at(text.x, text.y);
  if (const Rollout* const rollout = context.workspace.results().rollout) {
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

void SliceLabels::draw_arrow_ends(const PanelContext& context, const LanesPlace& place, const TimelineFrame& frame) {
  constexpr std::size_t kMost = 6;
  const Workspace& workspace = context.workspace;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Area& lanes = place.area;
  const Trace& trace = workspace.trace();
  const SliceId selected = workspace.state().selection.slice;
  const float line = ImGui::GetFontSize(), pad = context.theme.px(4), height = line + 2;
  std::array<float, kMost> taken{};
  std::size_t shown = 0;
  for (const ArrowItem& arrow : frame.arrows) {
    const bool out = arrow.from == selected;
    if ((!out && arrow.to != selected) || shown == kMost) continue;
    const float other_x = out ? arrow.x1 : arrow.x0, other_y = out ? arrow.y1 : arrow.y0;
    const auto within = [&](float x, float y) { return x >= 0 && x <= lanes.width && y >= 0 && y <= lanes.height; };
    if (within(other_x, other_y) || !within(out ? arrow.x0 : arrow.x1, out ? arrow.y0 : arrow.y1)) continue;
    const SliceId other = out ? arrow.to : arrow.from;
    const Ns apart = trace.begin_of(other) - trace.begin_of(selected);
    const NameForms& forms = names_.of(trace.labels, trace.label_of(other));
    const Rollout* const rollout = workspace.results().rollout;
    const auto request = rollout ? request_of_bar(*rollout, other) : std::nullopt;
    const std::string text = fmt::format("{} {} on {}, {} {}", out ? "to" : "from",
                                         request ? std::string(request_label(*rollout, *request, 1)) : forms[1],
                                         place_text(trace, trace.row(trace.row_of(other)).lane),
                                         format_duration(apart < 0 ? -apart : apart), apart < 0 ? "earlier" : "later");
    const float width = text_width(text);
    // The label stands where the arrow leaves the pane: at the side if it leaves along the row, else above or below.
    const bool along = arrow.y1 >= 0 && arrow.y1 <= lanes.height && (other_x < 0 || other_x > lanes.width);
    const float x = along ? other_x : arrow.x0, y = along ? arrow.y1 : other_y;
    const float left = std::clamp(x - width / 2, pad, std::max(pad, lanes.width - width - pad));
    // Along a row, the label is on the side that the arrow comes from, where it does not cover the names in the row.
    const float gap = context.theme.px(2), wanted_top = !along ? y - height / 2 : arrow.y0 > arrow.y1 ? y + gap : y - height - gap;
    float top = std::clamp(wanted_top, pad, std::max(pad, lanes.height - height - pad));
    while (std::any_of(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(shown),
                       [&](float t) { return std::abs(t - top) < height; }))
      top += height + 1;
    taken[shown++] = top;
    const ImVec2 at = lanes.at(left, top);
    fill_box(list, {at.x - pad, at.y - 1}, {at.x + width + pad, at.y + height}, context.theme.panel,
                       context.theme.px(3));
    outline_box(list, {at.x - pad, at.y - 1}, {at.x + width + pad, at.y + height}, arrow.color, context.theme.px(3));
    draw_text(list, at, context.theme.text, text);
  }
}

}  // namespace tv
