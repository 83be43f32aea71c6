// The name that charts of slices are about, and its brushed slices.
#include "core/query/find_slice.h"
#include "core/session/workspace/run_state.h"

namespace tv {
// Finds the name again: label numbers are valid within one trace only.
void RunState::carry_label(const Trace* before) {
  label_.reset();
  last_brushed_.reset();
  if (!slice_brush_ || before == data_.trace.get()) return;
  slice_brush_->label = before && data_.trace ? same_label(*before, slice_brush_->label, *data_.trace) : kNone<LabelId>;
  if (slice_brush_->label == kNone<LabelId>) slice_brush_.reset();
}

// While slices are brushed, their name; otherwise the singled-out name, or that of the selected slice.
void RunState::follow_label(const Selection& selection) {
  std::optional<LabelId> label;
  if (slice_brush_) {
    label = slice_brush_->label;
  } else if (selection.same_name != kNone<LabelId>) {
    label = selection.same_name;
  } else if (selection.has_slice() && idx(selection.slice) < data_.trace->items()) {
    label = data_.trace->label_of(selection.slice);
  }
  if (label == label_) return;
  label_ = label;
  ask_about_label();
}

void RunState::ask_about_label() {
  ChartQuestion question;
  question.area = area_;
  question.label = label_;
  question.settings = question_.settings;
  update_question(of_name_, std::move(question));
}

// A brush of slices does not change the charts, except when it replaces a brush of requests.
void RunState::set_slice_brush(const SliceBrush& brush, const std::string& chart) {
  if (!data_.trace || idx(brush.label) >= data_.trace->labels.size()) return;
  const bool of_requests = !brush_.empty();
  brush_.clear();
  slice_brush_ = brush;
  brushed_chart_ = chart;
  if (of_requests) select_again();
}

std::shared_ptr<const BrushedSlices> RunState::brushed_slices() {
  if (!slice_brush_ || !data_.trace) return nullptr;
  const auto before = last_brushed_;
  const auto view =
      brushed_.get({generation_, area_, *slice_brush_}, [before, trace = data_.trace](const BrushKey& key) {
        Brushed made{key.generation, key.area, nullptr, nullptr};
        const bool known = before && before->generation == key.generation && before->area == key.area &&
                           before->durations->label == key.brush.label;
        made.durations = before ? before->durations : nullptr;
        if (!known)
          made.durations = std::make_shared<const Durations>(durations_or_all(*trace, key.brush.label, key.area));
        made.slices = std::make_shared<const BrushedSlices>(tv::brushed_slices(*made.durations, key.brush));
        return made;
      });
  if (!view.value || view.value->generation != generation_) return nullptr;
  last_brushed_ = view.value;
  return view.value->slices;
}

std::function<std::optional<SliceId>()> RunState::slowest_slice_after(SliceId from, bool forward) {
  if (slice_brush_) {
    const auto brushed = brushed_slices();
    if (!brushed) return {};
    return [trace = data_.trace, brushed, from, forward] { return tv::next_slowest(*trace, brushed->slices, from, forward); };
  }
  if (data_.rollout || !label_) return {};
  return [trace = data_.trace, label = *label_, from, forward] {
    return tv::next_slowest(*trace, counted_together(trace->labels, label), from, forward);
  };
}

}  // namespace tv
