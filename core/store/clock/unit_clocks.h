// Finds the clock offsets of sources from the ends of collectives (collective_clock.h), and reports them. Collectives are the
// kernels on lanes of GPU streams that work_rules.h says are collectives, in PyTorch traces and Nsight Systems reports alike.
// Sources of one process (SourceInfo::process) form a unit with one clock; any other source is a unit of its own. The caller
// leaves out sources without a wall clock, and logs, which are placed by their steps.
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

/// Whether ranks leave this kernel together, all or in pairs: the collectives and point-to-point kernels of work_rules.h.
bool is_collective(std::string_view category, std::string_view kernel);

inline constexpr std::uint64_t kNoCollective = 0;
/// By label: a number for its kernel, which is the same in all tables, or kNoCollective.
std::vector<std::uint64_t> collective_names(const LabelTable& labels);

struct FittedUnit {
  ClockUnit clock;                   ///< in RecordedTime
  std::vector<SourceInfo*> sources;  ///< never empty; the result goes into the clock_fit of each
};

/// The units of sources. The caller sets the collectives of each unit.
class ClockUnits {
 public:
  /// Adds a source, and returns the index of its unit.
  std::size_t add(SourceInfo& source);
  std::vector<FittedUnit>& units() { return units_; }

 private:
  std::map<std::string, std::size_t> by_process_;
  std::vector<FittedUnit> units_;
};

/// Compares the units with each other, if there are several, and sets the clock_fit of their sources.
void fit_units(std::vector<FittedUnit>& units, ComparedPairs& pairs);

}  // namespace tv
