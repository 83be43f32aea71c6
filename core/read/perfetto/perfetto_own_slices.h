// Pairs begins and ends of slices on tracks that traceview wrote into a Perfetto trace. The packets of a track are in the order
// of time. Several tracks may be slots of one lane, so that overlapping slices keep their rows. Memory: for each track, the
// slices since the last time that none was open. Source: core/export/parts/export_tracks.h.
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
  /// Opens a slice. `mark`: the packet's ItemFlags.
  void begin(const PerfettoEvent& event, const std::string& track, std::uint64_t slot, std::uint8_t mark);
  /// Ends the slice that was opened last, and adds the track's slices to the batch once none is open.
  void end(const PerfettoEvent& event, const std::string& track, EventBatch& batch, SliceColumns& slices);
  /// Adds the slices that never ended, and the slices inside these.
  void finish(EventBatch& batch, SliceColumns& slices);

 private:
  struct OwnSlice {
    Ns begin, duration;
    std::string name, category;
    std::uint64_t offset, slot;
    std::uint8_t flags;
  };
  struct OwnTrack {
    std::vector<OwnSlice> slices;   // since the last time that none was open
    std::vector<std::size_t> open;  // indices into `slices`
  };
  static void add(const std::string& track, OwnTrack& pending, EventBatch& batch, SliceColumns& slices);

  std::map<std::string, OwnTrack> tracks_;
};

}  // namespace tv
