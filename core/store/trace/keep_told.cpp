#include "core/store/trace/keep_told.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/store/clock/unit_clocks.h"
#include "core/store/logs/told_collectives.h"

namespace tv {
namespace {

// The kernels of a piece, with their lanes. `names`: by label of the trace.
std::vector<std::pair<LaneId, LaneKernel>> kernels_of(const SourceParts& source, const BatchPiece& piece, const Trace& trace,
                                                  const std::vector<std::uint64_t>& names) {
  std::vector<std::pair<LaneId, LaneKernel>> kernels;
  const SliceBlock& slices = *piece.slices;
  // One byte per label of the piece, so that the table stays in the L1 cache: nearly all slices have other labels.
  const std::size_t labels = piece.label.empty() ? names.size() : piece.label.size();
  std::vector<std::uint8_t> is_collective(labels);
  for (std::size_t l = 0; l < labels; ++l) is_collective[l] = names[idx(piece.label_of(id_at<LabelId>(l)))] != kNoCollective ? 1 : 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (is_collective[idx(slices.label[i])] == 0) continue;
    const std::uint64_t name = names[idx(piece.label_of(slices.label[i]))];
    if (slices.duration[i] == kOpenEnd || (slices.flags_of(i) & kUnfinished) != 0) continue;
    const LaneId lane = source.lane_of_track[piece.track_of(slices.track[i])];
    if (trace.lane(lane).kind != LaneKind::Stream) continue;
    const SegmentTime begin = source.shift(FileTime{slices.begin[i]});
    kernels.push_back({lane, {told_name(name, source.told_of(piece, i)), {begin, begin + slices.duration[i]}}});
  }
  return kernels;
}

}  // namespace

std::optional<std::vector<LaneCollectives>> collectives_by_record(std::span<const SourceParts> sources, const Trace& trace, ThreadPool& pool) {
  const auto tells = [](const SourceParts& source) { return !source.told.empty(); };
  if (std::ranges::none_of(sources, tells)) return std::nullopt;
  const std::vector<std::uint64_t> names = collective_names(trace.labels);
  std::vector<std::pair<std::size_t, const BatchPiece*>> pieces;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    for (const BatchPiece& piece : sources[s].pieces) pieces.push_back({s, &piece});
  }
  std::vector<std::vector<std::pair<LaneId, LaneKernel>>> kernels(pieces.size());
  pool.parallel_for(pieces.size(), [&](std::size_t p) {
    kernels[p] = kernels_of(sources[pieces[p].first], *pieces[p].second, trace, names);
  });
  std::vector<LaneCollectives> lanes;
  std::map<std::pair<LaneId, SourceId>, std::size_t> place;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const auto source = id_at<SourceId>(pieces[p].first);
    for (const auto& [lane, kernel] : kernels[p]) {
      const auto [known, is_new] = place.try_emplace({lane, source}, lanes.size());
      if (is_new) lanes.push_back({source, lane, {}});
      lanes[known->second].kernels.push_back(kernel);
    }
  }
  return lanes;
}

}  // namespace tv
