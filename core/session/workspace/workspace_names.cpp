// Slices of one name: singled out, brushed by length, walked from the slowest on.
#include "core/session/workspace/workspace.h"

namespace tv {

LabelId Workspace::selected_label() const {
  return state_.selection.has_slice() ? trace().label_of(state_.selection.slice) : kNone<LabelId>;
}

void Workspace::select_same_name(LabelId label) {
  if (label == kNone<LabelId> || idx(label) >= trace().labels.size()) return;
  state_.selection.stretch.reset();
  state_.selection.same_name = label;
}

// Slice ids are valid within one snapshot only.
std::shared_ptr<const BrushedSlices> Workspace::brushed_slices() {
  return run_.data().trace == snapshot_->trace ? run_.brushed_slices() : nullptr;
}

std::shared_ptr<const std::vector<SliceId>> Workspace::lit_slices() {
  if (const auto brushed = brushed_slices()) return {brushed, &brushed->slices};
  const auto filtered = slice_filter_.slices(snapshot_);
  return filtered ? std::shared_ptr<const std::vector<SliceId>>(filtered, &filtered->slices) : nullptr;
}

// Walks through brushed slices, requests, or slices with the selected name. A singled-out name stays singled out.
void Workspace::on(const command::NextSlowest& c) {
  if (run_.data().trace != snapshot_->trace) return;
  const bool forward = c.forward;
  const SliceId from = state_.selection.slice;
  auto find = run_.slowest_slice_after(from, forward);
  if (!find) return slowest_request(forward);
  count_first("looking for the slowest", [this, find = std::move(find), from, forward, asked = snapshot_](ThreadPool&,
                                                                                                          std::stop_token) {
    const auto slice = find();
    return [this, slice, from, forward, asked] {
      if (snapshot_ != asked || state_.selection.slice != from) return;  // the selection has changed meanwhile
      if (!slice) return slowest_request(forward);
      const LabelId singled_out = state_.selection.same_name;
      select(*slice, true);
      if (singled_out == selected_label()) select_same_name(singled_out);
    };
  });
}

void Workspace::slowest_request(bool forward) {
  if (run_.slice_brush()) return;
  if (const auto request = run_.next_slowest(forward)) select_request(*request, true);
}

void Workspace::on(const command::SelectSameName&) { select_same_name(selected_label()); }
void Workspace::on(const command::SelectName& c) { select_same_name(c.label); }
void Workspace::on(const command::BrushSlices& c) { run_.set_slice_brush(c.brush, c.chart); }
void Workspace::on(const command::FilterSlices& c) { slice_filter_.set(c.expression); }

}  // namespace tv
