// Turns the ends of collectives (collective_clock.h) into clocks of sources, and reports them. Collectives are the kernels of
// work_rules.h on the lanes of GPU streams, in PyTorch traces and Nsight Systems reports alike. Sources of one process, by host
// and pid, form a unit with one clock; every other source is its own unit. Sources without wall clock are left alone, and so are
// logs, which are placed by barriers and steps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/collectives/collective_clock.h"
#include "core/store/draft/label_table.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// Whether ranks leave this kernel together, or in pairs: the collectives and sends of work_rules.h.
bool is_collective(std::string_view category, std::string_view kernel);

inline constexpr std::uint64_t kNoCollective = 0;
/// By label: a number shared by equal kernels, also across tables, or kNoCollective.
std::vector<std::uint64_t> collective_names(const LabelTable& labels);

struct FittedUnit {
  ClockUnit clock;                   ///< by recorded times and the user's offsets
  std::vector<SourceInfo*> sources;  ///< never empty; the result goes into the clock_fit of all of them
};

/// The units that sources belong to. The caller fills in their collectives.
class ClockUnits {
 public:
  /// Adds a source to be compared, and returns the unit it belongs to.
  std::size_t add(SourceInfo& source);
  std::vector<FittedUnit>& units() { return units_; }

 private:
  std::map<std::string, std::size_t> by_process_;
  std::vector<FittedUnit> units_;
};

/// Compares the units, if there are several, and writes the result to their sources.
void fit_units(std::vector<FittedUnit>& units, ComparedPairs& pairs);

}  // namespace tv
