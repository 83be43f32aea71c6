#include "core/read/perfetto/perfetto_own_slices.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/store/draft/item_ref.h"

namespace tv {

void PerfettoOwnSlices::begin(const PerfettoEvent& event, const std::string& track, std::uint64_t slot,
                              std::uint8_t mark) {
  OwnTrack& own = tracks_[track];
  own.open.push_back(own.slices.size());
  own.slices.push_back({event.time, kOpenEnd, event.name, event.category, event.offset, slot,
                        static_cast<std::uint8_t>(mark & kClamped)});
}

void PerfettoOwnSlices::end(const PerfettoEvent& event, const std::string& track, EventBatch& batch,
                            SliceColumns& slices) {
  OwnTrack& own = tracks_[track];
  if (own.open.empty()) return batch.problems.add(ProblemKind::unmatched_end, event.offset, event.name);
  OwnSlice& slice = own.slices[own.open.back()];
  slice.duration = std::max<Ns>(event.time - slice.begin, 0);
  own.open.pop_back();
  if (own.open.empty()) add(track, own, batch, slices);
}

void PerfettoOwnSlices::finish(EventBatch& batch, SliceColumns& slices) {
  for (auto& [track, own] : tracks_) add(track, own, batch, slices);
}

void PerfettoOwnSlices::add(const std::string& track, OwnTrack& own, EventBatch& batch, SliceColumns& slices) {
  for (const OwnSlice& slice : own.slices) {
    std::uint8_t flags = slice.flags;
    if (slice.duration == kOpenEnd) {
      flags |= kUnfinished;
      batch.problems.add(ProblemKind::unclosed_slice, slice.offset, slice.name);
    }
    std::uint32_t group = kNoGroup;
    if (slice.slot > 0) group = static_cast<std::uint32_t>(batch.keys.intern(fmt::format("slot {}", slice.slot)));
    slices.add(static_cast<std::uint32_t>(batch.tracks.intern(track)), slice.begin, slice.duration,
               batch.labels.intern(slice.category, slice.name), group, slice.offset, flags);
  }
  own.slices.clear();
}

}  // namespace tv
