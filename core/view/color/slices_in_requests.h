// Finds the request and the turn of each slice on the lanes of requests, to colour them. A request may have thousands of turns,
// each with slices. Cost: O(slices log slices), and O(turns) for each row of a request.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/base/time.h"
#include "core/store/trace/trace.h"

namespace tv {

/// Calls f(slice, label, request) for all slices within requests, including the requests' own bars. The slices of a row come
/// request by request.
template <class F>
void for_slices_in_requests(const Rollout& rollout, F f) {
  const Trace& trace = *rollout.trace;
  struct Bar {
    Ns begin, end;
    RequestIx request;
  };
  for (const Lane& lane : trace.lanes) {
    if (lane.kind != LaneKind::Requests) continue;
    std::map<std::uint32_t, std::vector<Bar>> bars;  // by slot
    for (const Row& row : trace.rows_of(lane)) {
      if (row.kind != RowKind::Slices) continue;
      auto at = std::ranges::lower_bound(rollout.by_slice, id_at<SliceId>(row.first), {},
                                         [](const auto& pair) { return pair.first; });
      for (; at != rollout.by_slice.end() && idx(at->first) < row.first + row.count; ++at) {
        const Ns begin = trace.begin_of(at->first);
        bars[row.slot].push_back({begin, begin + trace.duration_of(at->first), at->second});
      }
    }
    for (auto& [slot, of_slot] : bars) std::ranges::sort(of_slot, {}, &Bar::begin);
    for (const Row& row : trace.rows_of(lane)) {
      const auto found = bars.find(row.slot);
      if (row.kind != RowKind::Slices || found == bars.end()) continue;
      const std::vector<Bar>& of_slot = found->second;
      const RowSlices slices = trace.slices_of(row);
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const auto after = std::ranges::upper_bound(of_slot, slices.begin(i), {}, &Bar::begin);
        if (after == of_slot.begin() || std::prev(after)->end < slices.begin(i)) continue;
        f(slices.id(i), slices.label(i), std::prev(after)->request);
      }
    }
  }
}

/// Finds the turns of slices within requests. It remembers the turns of the last request, so ask request by request.
class TurnFinder {
 public:
  explicit TurnFinder(const Rollout& rollout) : rollout_(rollout) {}

  /// The turn of a slice; -1: none. Engine and pre-processing slices belong to the engine call that ends next. Tool slices and
  /// other slices of a turn belong to the call that ended last.
  std::int32_t turn_of(SliceId slice, LabelId label, RequestIx request) {
    const Trace& trace = *rollout_.trace;
    const std::string_view category = trace.labels.category(label), called = trace.labels.name(label);
    const bool leads_to = category == "engine" || called == "turn_pre_process";
    if (!leads_to && category != "tool" && category != "turn") return -1;
    if (request != request_) look_at(request);
    if (leads_to) {
      const auto next = std::ranges::lower_bound(ends_, trace.end_of(slice) - kMicrosecond, {}, &EngineEnd::latest);
      return next == ends_.end() ? -1 : next->turn;
    }
    const auto next = std::ranges::upper_bound(ends_, trace.begin_of(slice) + kMicrosecond, {}, &EngineEnd::latest);
    return next == ends_.begin() ? -1 : std::prev(next)->turn;
  }

 private:
  // `latest` is the latest end up to this turn. So it grows from turn to turn, even if the log's times do not.
  struct EngineEnd {
    Ns latest;
    std::int32_t turn;
  };

  void look_at(RequestIx request) {
    request_ = request;
    ends_.clear();
    for (const RolloutTurn& turn : rollout_.turns_of(request)) {
      if (turn.engine_end < 0) continue;
      ends_.push_back({ends_.empty() ? turn.engine_end : std::max(ends_.back().latest, turn.engine_end), turn.turn});
    }
  }

  const Rollout& rollout_;
  std::optional<RequestIx> request_;
  std::vector<EngineEnd> ends_;
};

}  // namespace tv
