// The clocks of the open traces, as `info`, the panel Clocks and reports show them. Each process or file has a row with the offset
// of its clock, the number of collectives that determined the offset, and how well they agree. The offsets come from
// fit_segments.h. Unit: nanoseconds. Cost: O(sources).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct ClockRow {
  std::vector<std::uint32_t> sources;  ///< indices into Trace::sources; all belong to one process
  ClockFit fit;
  Ns manual_offset = 0;  ///< how far the user moved the clock; if its sources differ, the first one that was moved
};

struct ClockTable {
  std::vector<ClockRow> rows;    ///< in the order of their first sources; either none or at least two
  std::vector<ClockRow> zones;   ///< the same for logs in local time; the rollouts of a folder share a row
  bool zones_matter = false;     ///< whether a local time was moved, or a trace in UTC is open
  std::uint32_t compared = 0;    ///< clocks that were compared by collectives
  std::uint32_t moved = 0;       ///< those of them whose offset is not 0
  std::uint32_t groups = 0;      ///< sets of clocks that collectives connect; between sets only the wall clock counts
  Ns largest_offset = 0;         ///< without sign
  Ns largest_residual_p90 = 0;
};

ClockTable clock_table(const Trace& trace);

/// Says whether the clocks agree and how that was determined, in a few sentences. Empty if there is nothing to compare.
std::string verdict(const ClockTable& table);

/// Says which local times were moved to UTC and why, and which zones are unknown. Empty if zones do not matter.
std::string zone_verdict(const ClockTable& table);

}  // namespace tv
