// The clocks of the open traces: a row for each process, or file, with its offset, the number of collectives that show it, and
// how well they agree. Shows the results of fit_segments.h in `info`, the panel and reports. Unit: nanoseconds. Cost: O(sources).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct ClockRow {
  std::vector<std::uint32_t> sources;  ///< indices into Trace::sources; all of one process
  ClockFit fit;
  Ns manual_offset = 0;  ///< SourceInfo::clock_offset of the first source that was moved
};

struct ClockTable {
  std::vector<ClockRow> rows;  ///< in the order of their first sources; either none or at least two
  std::vector<ClockRow> zones;  ///< the same for local times: one for each log, or for the rollouts of a folder
  bool zones_matter = false;    ///< one was moved, or a source in UTC is open
  std::uint32_t known = 0;     ///< clocks compared by collectives
  std::uint32_t moved = 0;
  std::uint32_t groups = 0;  ///< groups that collectives connect; between groups only the wall clock counts
  Ns most = 0;               ///< the largest offset, without sign
  Ns residual_p90 = 0;       ///< the largest residual of any clock
};

ClockTable clock_table(const Trace& trace);

/// Whether the clocks agree, and how that was determined: one or two sentences. Empty: there is nothing to compare.
std::string verdict(const ClockTable& table);

/// Which local times were moved to UTC, why, and whose zone is unknown. Empty: it does not matter.
std::string zone_verdict(const ClockTable& table);

}  // namespace tv
