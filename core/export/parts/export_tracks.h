// Lanes in the terms of other viewers: processes and threads, on which slices nest strictly. Perfetto drops or moves a slice that
// begins inside another and ends after it (Trace Event Format), so a lane whose slices overlap becomes several threads: one for
// each slot (of a packed lane, or where several segments run at once), and more for slices that still overlap there.
//
// Groups become processes, numbered from 1; threads continue the numbering, so that all numbers are distinct. The source's own ids
// are known from the lanes ("GPU 0", "stream 7" stay 0 and 7); if several have the same id, only the first keeps it. Cost: 2 bytes
// per slice of lanes with overlaps, and sorting these slices by time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/export/parts/export_choice.h"
#include "core/store/trace/trace.h"

namespace tv {

struct ExportTrack {
  LaneId lane;
  std::uint32_t slot = 0;  ///< as in Row
  std::uint32_t pid = 0, tid = 0;
  std::string name;  ///< the lane's name, with a number from its second track on
  std::int64_t source_tid = 0;  ///< unique in the process
};

struct ExportProcess {
  LaneId group;  ///< the lane itself if it has no group
  std::uint32_t pid = 0;
  std::string name;
  std::int64_t source_pid = 0;  ///< unique in the file
};

/// The lane's own description (core/read/chrome/exported_lane.h).
LaneSpec exported_spec(const Trace& trace, LaneId lane);
/// Whether the lane's slices are packed into slots, each with one request or async span at a time.
bool packs(const Trace& trace, LaneId lane);

class ExportTracks {
 public:
  ExportTracks(const Trace& trace, const ExportChoice& choice, ThreadPool& pool);

  std::span<const ExportProcess> processes() const { return processes_; }
  std::int64_t source_pid(const ExportTrack& track) const { return processes_[track.pid - 1].source_pid; }
  /// In display order; chosen lanes with slices, instants or samples.
  std::span<const ExportTrack> all() const { return tracks_; }
  const ExportTrack& of(RowId row, SliceId id) const {
    const LaneTracks& lane = of_lane_[idx(trace_.row(row).lane)];
    const std::size_t part = lane.part.empty() ? 0 : lane.part[lane.first_part[idx(row) - lane.first_row] + (idx(id) - trace_.row(row).first)];
    return tracks_[first_of_row_[idx(row)] + part];
  }
  const ExportTrack& of(SliceId id) const { return of(trace_.row_of(id), id); }
  /// The track of a counter's lane.
  const ExportTrack& of_counter(LaneId lane) const { return tracks_[of_lane_[idx(lane)].first_track]; }

 private:
  void keep_source_ids();
  struct LaneTracks {
    std::uint32_t first_track = 0;
    std::uint32_t first_row = 0;
    std::vector<std::size_t> first_part;  // by row: index of its first slice in `part`
    std::vector<std::uint16_t> part;      // which of its slot's tracks a slice is on; empty = all 0
    std::vector<std::uint32_t> counts;  // number of tracks, by slot
  };
  LaneTracks split(const Lane& lane) const;

  const Trace& trace_;
  std::vector<ExportProcess> processes_;
  std::vector<ExportTrack> tracks_;
  std::vector<LaneTracks> of_lane_;
  std::vector<std::uint32_t> first_of_row_;  // by row: the first track of its slot
};

}  // namespace tv
