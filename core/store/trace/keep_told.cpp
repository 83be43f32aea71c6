#include "core/store/trace/keep_told.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/store/clock/unit_clocks.h"
#include "core/store/logs/told_collectives.h"

namespace tv {
namespace {

class ToldLanes {
 public:
  explicit ToldLanes(const Trace& trace) : trace_(trace), names_(collective_names(trace.labels)) {}

  void add(const SourceParts& source, SourceId id) {
    for (const BatchPiece& piece : source.pieces) add(source, piece, id);
  }
  std::vector<LaneCollectives> take() { return std::move(lanes_); }

 private:
  void add(const SourceParts& source, const BatchPiece& piece, SourceId id) {
    const SliceBlock& slices = *piece.slices;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::uint64_t name = names_[idx(piece.label_of(slices.label[i]))];
      if (name == kNoCollective || slices.duration[i] == kOpenEnd || (slices.flags_of(i) & kUnfinished) != 0) continue;
      const LaneId lane = source.lane_of_track[piece.track_of(slices.track[i])];
      if (trace_.lane(lane).kind != LaneKind::Stream) continue;
      const auto [known, is_new] = place_.try_emplace({lane, id}, lanes_.size());
      if (is_new) lanes_.push_back({id, lane, {}});
      const Ns begin = slices.begin[i] + source.shift;
      lanes_[known->second].kernels.push_back({told_name(name, source.told_of(piece, i)), begin, begin + slices.duration[i]});
    }
  }

  const Trace& trace_;
  const std::vector<std::uint64_t> names_;  // by label
  std::map<std::pair<LaneId, SourceId>, std::size_t> place_;
  std::vector<LaneCollectives> lanes_;
};

}  // namespace

std::optional<std::vector<LaneCollectives>> told_lanes(std::span<const SourceParts> sources, const Trace& trace) {
  const auto tells = [](const SourceParts& source) { return !source.told.empty(); };
  if (std::ranges::none_of(sources, tells)) return std::nullopt;
  ToldLanes lanes(trace);
  for (std::size_t s = 0; s < sources.size(); ++s) lanes.add(sources[s], id_at<SourceId>(s));
  return lanes.take();
}

}  // namespace tv
