// Following arrows; without arrows, going from a wait to its cause.
#include <algorithm>

#include "core/analysis/collectives/collective_waits.h"
#include "core/session/workspace/workspace.h"
#include "core/view/words/request_label.h"

namespace tv {
namespace {

// For a barrier wait: the request that all waited for. For a request: the waits for it.
WaitDetails barrier_details(const Rollout& rollout, SliceId slice, std::vector<Flow> arrows) {
  WaitDetails out;
  const Trace& trace = *rollout.trace;
  const auto related = [&](SliceId other, SliceId wait) {
    const auto request = request_of_bar(rollout, other);
    const LaneId lane = trace.row(trace.row_of(other)).lane;
    const LaneId worker = trace.lane(lane).parent == kNone<LaneId> ? lane : trace.lane(lane).parent;
    const LabelId label = trace.label_of(other);
    return RelatedSlice{other, request ? std::string(request_label(rollout, *request, 1)) : std::string(trace.labels.name(label)),
                        trace.lane(worker).name, trace.duration_of(wait)};
  };
  for (const Flow& arrow : arrows) {
    if (arrow.from == slice) {
      out.last = related(arrow.to, slice);
      out.text = "waited " + format_duration(out.last->gap) + " for " + out.last->name + ", " + out.last->lane;
    } else {
      out.waited.push_back(related(arrow.from, arrow.from));
    }
  }
  out.arrows = std::move(arrows);
  return out;
}

}  // namespace

void Workspace::look_for_waits() {
  const RunData& data = run_.data();
  const SliceId slice = state_.selection.slice;
  const bool has_waits = data.waits && data.waits->trace == snapshot_->trace && state_.selection.has_slice();
  const bool has_rollout = data.rollout && data.rollout->trace == snapshot_->trace && state_.selection.has_slice();
  const SelectedDetails::WaitsOf of{has_waits ? data.waits : nullptr, has_rollout ? data.rollout : nullptr,
                                    has_waits || has_rollout ? slice : kNone<SliceId>};
  if (state_.selected.waits_of == of) return;
  state_.selected.waits = has_waits ? wait_details(*data.waits, slice) : WaitDetails();
  if (has_rollout && state_.selected.waits.arrows.empty()) state_.selected.waits = barrier_details(*data.rollout, slice, run_.barrier_arrows(slice));
  state_.selected.waits_of = of;
  ++state_.selected.waits_version;
}

ShownResults Workspace::results() const {
  const auto& [rollout, waits, marks] = std::tie(run_.data().rollout, run_.data().waits, run_.gpu_marks());
  ShownResults shown;
  if (rollout && rollout->trace == snapshot_->trace) shown.rollout = rollout.get();
  if (waits && waits->trace == snapshot_->trace) shown.collectives = waits.get();
  if (marks && marks->activity->trace == snapshot_->trace) shown.gpu_marks = marks.get();
  return shown;
}

// The slices at the other ends of a slice's arrows in this direction. If there are none, the slices that its waits lead to, in
// either direction.
std::vector<SliceId> Workspace::flow_ends(SliceId slice, bool forward) const {
  const SliceDetails details = slice_details(trace(), slice);
  std::vector<SliceId> ends;
  for (const RelatedSlice& end : forward ? details.outgoing : details.incoming) ends.push_back(end.slice);
  if (!ends.empty()) return ends;
  if (const auto& waits = state_.selected.waits_of.collectives) {
    if (const auto other = across_collective(*waits, slice)) {
      ends.push_back(*other);
      for (const RelatedSlice& waited : wait_details(*waits, slice).waited) {
        if (waited.slice != *other) ends.push_back(waited.slice);
      }
      return ends;
    }
  }
  if (!state_.selected.waits_of.rollout) return ends;
  for (const Flow& arrow : run_.barrier_arrows(slice)) ends.push_back(arrow.from == slice ? arrow.to : arrow.from);
  if (ends.empty()) {
    if (const auto other = run_.across_barrier(slice)) ends.push_back(*other);
  }
  return ends;
}

void Workspace::follow_flow(bool forward) {
  if (!state_.selected.details) return;
  look_for_waits();  // for a slice selected in this frame
  const SliceId from = state_.selection.slice;
  const std::vector<SliceId> ends = flow_ends(from, forward);
  if (ends.empty()) return;
  select(ends.front(), true);
  state_.selected.walked = WalkedFlow{from, state_.selection.slice, forward, 0};
}

// Goes from the end of one arrow to the end of the next arrow of the same slice. If no arrow was followed yet, follows the first.
void Workspace::next_flow(bool forward) {
  const std::optional<WalkedFlow>& walked = state_.selected.walked;
  if (!walked || walked->arrived != state_.selection.slice || walked->forward != forward) return follow_flow(forward);
  const std::vector<SliceId> ends = flow_ends(state_.selected.walked->from, forward);
  if (ends.empty()) return;
  state_.selected.walked->at = (state_.selected.walked->at + 1) % ends.size();
  select(ends[state_.selected.walked->at], true);
  state_.selected.walked->arrived = state_.selection.slice;
}

void Workspace::on(const command::FollowFlow& c) { c.next ? next_flow(c.forward) : follow_flow(c.forward); }

}  // namespace tv
