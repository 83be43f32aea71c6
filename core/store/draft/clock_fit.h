// The offset of a source's clock from the other clocks, with the evidence for it. Reports print it. SourceInfo::shift already
// includes the offset.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace tv {

/// How the clocks of sources are aligned.
enum class PlaceBy : std::uint8_t {
  Recorded,     ///< by their own times and clock offsets
  Collectives,  ///< and in addition by the ends of collective kernels, if several sources have them
};

enum class ClockEvidence : std::uint8_t {
  None,         ///< nothing to compare it with, or not compared
  WallClock,    ///< wall clock, uncertainty unknown: no collectives that others have too
  Collectives,  ///< matched collectives (collective_clock.h)
  Zone,         ///< local time, and what else is open tells the zone (time_zones.h)
  NoZone,       ///< local time, zone unknown
  kCount,
};

/// Stable name for --json: "none", "wall_clock", "collectives", "zone", "no_zone".
std::string_view name(ClockEvidence evidence);

/// Units from here on are local times of logs, others those of unit_clocks.h.
inline constexpr std::uint32_t kFirstLocalUnit = 1U << 31;

struct ClockFit {
  ClockEvidence evidence = ClockEvidence::None;
  std::uint32_t unit = 0;     ///< sources of one process have one clock; equal for those
  std::uint32_t group = 0;    ///< equal for units that collectives connect
  std::string name;           ///< of the unit: "rank 3", or its file
  Ns found = 0;               ///< the offset that the collectives, or the evidence for the zone, give
  Ns offset = 0;              ///< the part of it that was applied: 0 if it cannot be told from 0, or if the user moved it
  std::uint32_t matched = 0;  ///< collectives that others have too
  Ns residual = 0, residual_p90 = 0;  ///< of their ends, with the found offset: median, 90th percentile
  std::string partners;               ///< whose collectives they are: "rank 0, rank 2 .. rank 7"
  std::string text;                   ///< a sentence about it
  bool operator==(const ClockFit&) const = default;
};

}  // namespace tv
