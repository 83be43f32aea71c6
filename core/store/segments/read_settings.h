// How files are read and put into one view: which part of them, and on which clocks. The value is saved and restored unchanged. A
// change of it requires reading the files again.
#pragma once

#include <set>
#include <string>

#include "core/store/clock/align_runs.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/clock_fit.h"
#include "core/store/draft/load_choice.h"

namespace tv {

struct ReadSettings {
  LoadChoice choice = {};                ///< the part of the files that is read
  std::set<std::string> closed = {};     ///< paths of files in opened folders that are not read
  ClockOffsets clocks = {};              ///< added to the times of files
  PlaceBy place_by = PlaceBy::Collectives;
  AlignChoice align = Align::Recorded;   ///< with zero or fold, no intermediate views, except when reading rank by rank
  bool operator==(const ReadSettings&) const = default;
};

}  // namespace tv
