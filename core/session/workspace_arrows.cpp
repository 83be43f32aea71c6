// Along arrows, and where there is none, from what waited to what was waited for.
#include "core/analysis/collective_waits.h"
#include "core/session/workspace.h"

namespace tv {

void Workspace::look_for_waits() {
  const RunData& data = run_.data();
  const bool known = data.waits && data.waits->trace == snapshot_->trace && selection_.has_slice();
  const std::pair of(known ? data.waits : nullptr, known ? selection_.slice : kNone<SliceId>);
  if (waits_of_ == of) return;
  waits_ = known ? wait_details(*data.waits, selection_.slice) : WaitDetails();
  waits_of_ = of;
  ++waits_version_;
}

void Workspace::follow_flow(bool forward) {
  if (!details_) return;
  const std::vector<RelatedSlice>& ends = forward ? details_->outgoing : details_->incoming;
  if (!ends.empty()) return select(ends.front().slice, true);
  look_for_waits();  // of a slice selected in this frame
  if (waits_of_.first) {
    if (const auto other = across_collective(*waits_of_.first, selection_.slice)) return select(*other, true);
  }
  const Rollout* const rollout = run_.rollout();
  if (rollout && rollout->trace == snapshot_->trace) step_selection(run_.across_barrier(selection_.slice));
}

}  // namespace tv
