// Slices of the tracks that traceview wrote into a Perfetto trace: packets of a track come in the order of time, and
// several tracks are slots of one lane, which is how slices that overlap keep their rows. They are paired here and not
// with others' halves. Memory: the slices of a track since nothing was open on it. Source: core/export/parts/export_tracks.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/read/perfetto/perfetto_event.h"
#include "core/store/draft/source_draft.h"

namespace tv {

class PerfettoOwnSlices {
 public:
  /// `mark`: the ItemFlags that the packet says.
  void begin(const PerfettoEvent& event, const std::string& track, std::uint64_t slot, std::uint8_t mark);
  /// Adds slices once nothing is open on the track.
  void end(const PerfettoEvent& event, const std::string& track, EventBatch& batch, SliceColumns& slices);
  /// Adds those that never ended, and what they hold.
  void finish(EventBatch& batch, SliceColumns& slices);

 private:
  struct OwnSlice {
    Ns begin, duration;
    std::string name, category;
    std::uint64_t offset, slot;
    std::uint8_t flags;
  };
  struct OwnTrack {
    std::vector<OwnSlice> slices;   // since nothing was open
    std::vector<std::size_t> open;  // of those
  };
  static void add(const std::string& track, OwnTrack& own, EventBatch& batch, SliceColumns& slices);

  std::map<std::string, OwnTrack> tracks_;
};

}  // namespace tv
