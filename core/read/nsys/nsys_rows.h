// Reads rows of an Nsight Systems table as events: a range of rowids becomes a batch, independent of all others.
//
// In addition to events, each batch has the data that joins tables: work on the GPU with the key of the call that launched it,
// and these calls (nvtx_projection.h). Device tables are read before tables of calls, so that a call gets an arrow only if the
// other end exists. Both are read before NVTX ranges, which are projected onto the GPU. Cost: 0.5 to 1 us per row, most of it in
// SQLite.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/read/nsys/nsys_lanes.h"
#include "core/read/nsys/nsys_process.h"
#include "core/read/nsys/nsys_table.h"
#include "core/read/nsys/nvtx_projection.h"
#include "core/store/draft/event_batch.h"

namespace tv {

/// Process and correlation id in one number; none if the correlation id does not fit or is not positive.
std::optional<std::uint64_t> launch_key(std::int64_t global_pid, std::int64_t correlation);

struct NsysBatch {
  EventBatch events;
  std::vector<NsysTrack> tracks;  ///< as in events.tracks
  NsysEvidence evidence;
  std::vector<GpuWork> work;
  std::vector<ThreadLaunches> launches;
};

/// Results of the tables read so far, needed by the following ones.
struct NsysKnown {
  LaunchedWork work;
  bool ranges = false;  ///< the report has NVTX ranges, which are projected onto the GPU
  GpuProjection projection;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> device_of_context;  ///< by global pid and context
};

/// Memory that calls on one thread reuse, because fresh pages each time took a third of the processor time.
struct NsysRoom {
  SliceColumns slices;
  std::vector<GpuWork> work;  ///< moved into the batch
};

struct RowRange {
  std::int64_t first = 0, last = 0;  ///< rowids, both included
};

NsysBatch read_nsys_rows(SqliteFile& file, NsysRoom& room, const NsysReportInfo& info, const NsysTable& table,
                         std::size_t table_index, RowRange range, const NsysKnown& known, std::stop_token stop);

}  // namespace tv
