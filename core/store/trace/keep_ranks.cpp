#include "core/store/trace/keep_ranks.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>

namespace tv {
namespace {

// By track of the source.
std::vector<bool> unwanted_tracks(const SourceView& view, const std::vector<RankSpan>& ranks) {
  std::vector<bool> unwanted;
  const StringTable& tracks = view.names->tracks;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto lane = view.lanes.find(tracks[id_at<StrId>(t)]);
    unwanted.push_back(lane != view.lanes.end() && !chosen(ranks, lane->second.rank()));
  }
  return unwanted;
}

StoredBatch without(StoredBatch stored, const std::vector<bool>& unwanted) {
  const auto is_unwanted = [&](std::uint32_t track) { return unwanted[stored.ids->track[track]]; };
  const SliceBlock& slices = *stored.slices;
  SliceColumns wanted;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (is_unwanted(slices.track[i])) continue;
    wanted.add(slices.track[i], slices.begin[i], slices.duration[i], slices.label[i], slices.group_of(i), slices.offset[i],
               slices.flags_of(i));
  }
  EventBatch rest;
  rest.problems = stored.rest->problems;
  const auto copy_wanted = [&](const auto& from, auto& to) {
    std::ranges::copy_if(from, std::back_inserter(to), [&](const auto& item) { return !is_unwanted(item.track); });
  };
  copy_wanted(stored.rest->halves, rest.halves);
  copy_wanted(stored.rest->instants, rest.instants);
  copy_wanted(stored.rest->flows, rest.flows);
  copy_wanted(stored.rest->samples, rest.samples);
  stored.slices = std::make_shared<const SliceBlock>(wanted);
  stored.rest = std::make_shared<const BatchRest>(std::move(rest));
  return stored;
}

}  // namespace

bool any_wanted(const LaneSpecs& lanes, const std::vector<RankSpan>& ranks) {
  return lanes.empty() || std::ranges::any_of(lanes, [&](const auto& lane) { return chosen(ranks, lane.second.rank()); });
}

void keep_ranks(SourceView& view, const std::vector<RankSpan>& ranks) {
  if (ranks.empty()) return;
  const std::vector<bool> unwanted = unwanted_tracks(view, ranks);
  if (std::ranges::find(unwanted, true) == unwanted.end()) return;
  for (StoredBatch& stored : view.batches) stored = without(std::move(stored), unwanted);
  // Tracks without contents go to a lane that stays, so that no empty lanes remain.
  const auto stays = std::ranges::find_if(view.lanes, [&](const auto& lane) { return chosen(ranks, lane.second.rank()); });
  if (stays == view.lanes.end()) return;
  for (auto& [track, lane] : view.lanes) {
    if (!chosen(ranks, lane.rank())) lane = stays->second;
  }
}

}  // namespace tv
