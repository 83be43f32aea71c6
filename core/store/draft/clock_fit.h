// The offset of a source's clock from other clocks, with the evidence for it, for reports. SourceInfo::shift includes the offset.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace tv {

/// How the clocks of sources are aligned.
enum class PlaceBy : std::uint8_t {
  Recorded,     ///< by recorded times and the user's offsets
  Collectives,  ///< also by the ends of collective kernels, if several sources have them
};

enum class ClockEvidence : std::uint8_t {
  None,         ///< the clock was not compared with others
  WallClock,    ///< wall clock, uncertainty unknown: the source shares no collectives with others
  Collectives,  ///< matched collectives (collective_clock.h)
  Zone,         ///< local time, and the user or other open files show the zone (time_zones.h)
  NoZone,       ///< local time, zone unknown
  kCount,
};

/// Stable name for --json: "none", "wall_clock", "collectives", "zone", "no_zone".
std::string_view name(ClockEvidence evidence);

/// Units from here on are local clocks of logs; lower ones come from unit_clocks.h.
inline constexpr std::uint32_t kFirstLocalUnit = 1U << 31;

struct ClockFit {
  ClockEvidence evidence = ClockEvidence::None;
  std::uint32_t unit = 0;     ///< equal for sources of one process, which have one clock
  std::uint32_t group = 0;    ///< equal for units that collectives connect
  std::string name;           ///< of the unit: "rank 3", or its file
  Ns found = 0;               ///< the offset that collectives or the evidence for the zone show
  Ns offset = 0;              ///< the offset that was applied: 0 if `found` may be chance, or if the user moved the clock
  std::uint32_t matched = 0;  ///< number of collectives that were matched with others
  Ns residual = 0, residual_p90 = 0;  ///< distance between their ends with the offset `found`: median, 90th percentile
  std::string partners;               ///< the units with matching collectives: "rank 0, rank 2"
  std::string text;                   ///< a sentence for the report

  /// The part of SourceInfo::shift that was found from collectives.
  Ns by_collectives() const { return evidence == ClockEvidence::Collectives ? offset : 0; }
  bool operator==(const ClockFit&) const = default;
};

}  // namespace tv
