// Slices of one name: singled out, brushed by how long they are, walked from the slowest on.
#include "core/session/workspace/workspace.h"

namespace tv {

LabelId Workspace::selected_label() const {
  return selection_.has_slice() ? trace().label_of(selection_.slice) : kNone<LabelId>;
}

void Workspace::select_same_name(LabelId label) {
  if (label == kNone<LabelId> || idx(label) >= trace().labels.size()) return;
  selection_.stretch.reset();
  selection_.same_name = label;
}

// Numbers of slices are those of one snapshot.
std::shared_ptr<const BrushedSlices> Workspace::brushed_slices() {
  return run_.data().trace == snapshot_->trace ? run_.brushed_slices() : nullptr;
}

std::shared_ptr<const std::vector<SliceId>> Workspace::lit_slices() {
  if (const auto brushed = brushed_slices()) return {brushed, &brushed->slices};
  const auto filtered = slice_filter_.slices(snapshot_);
  return filtered ? std::shared_ptr<const std::vector<SliceId>>(filtered, &filtered->slices) : nullptr;
}

// Of slices that are brushed, of requests, of the name that is selected; the name stays singled out.
void Workspace::next_slowest(bool forward) {
  if (run_.data().trace != snapshot_->trace) return;
  if (const auto slice = run_.next_slowest_slice(selection_.slice, forward)) {
    const LabelId singled_out = selection_.same_name;
    select(*slice, true);
    if (singled_out == selected_label()) select_same_name(singled_out);
  } else if (const auto request = run_.next_slowest(forward); request && !run_.slice_brush()) {
    select_request(*request, true);
  }
}

}  // namespace tv
