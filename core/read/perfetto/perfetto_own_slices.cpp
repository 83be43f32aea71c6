#include "core/read/perfetto/perfetto_own_slices.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/store/draft/item_ref.h"

namespace tv {

void PerfettoOwnSlices::begin(const PerfettoEvent& event, const std::string& track, std::uint64_t slot,
                              std::uint8_t mark) {
  OwnTrack& pending = tracks_[track];
  pending.open.push_back(pending.slices.size());
  pending.slices.push_back({event.time, kOpenEnd, event.name, event.category, event.offset, slot,
                        static_cast<std::uint8_t>(mark & kClamped)});
}

void PerfettoOwnSlices::end(const PerfettoEvent& event, const std::string& track, EventBatch& batch,
                            SliceColumns& slices) {
  OwnTrack& pending = tracks_[track];
  if (pending.open.empty()) return batch.problems.add(ProblemKind::unmatched_end, event.offset, event.name);
  OwnSlice& slice = pending.slices[pending.open.back()];
  slice.duration = std::max<Ns>(event.time - slice.begin, 0);
  pending.open.pop_back();
  if (pending.open.empty()) add(track, pending, batch, slices);
}

void PerfettoOwnSlices::finish(EventBatch& batch, SliceColumns& slices) {
  for (auto& [track, pending] : tracks_) add(track, pending, batch, slices);
}

void PerfettoOwnSlices::add(const std::string& track, OwnTrack& pending, EventBatch& batch, SliceColumns& slices) {
  for (const OwnSlice& slice : pending.slices) {
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
  pending.slices.clear();
}

}  // namespace tv
