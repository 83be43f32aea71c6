// How files are read and put into one view: which part of them, and on which clocks. A value that is saved and restored as it is; other settings than those
// that files were read with mean to read them again.
#pragma once

#include <set>
#include <string>

#include "core/store/clock/align_runs.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/clock_fit.h"
#include "core/store/draft/load_choice.h"

namespace tv {

struct ReadSettings {
  LoadChoice choice = {};                ///< the part
  std::set<std::string> closed = {};     ///< files of opened folders that are not read, by their paths
  ClockOffsets clocks = {};              ///< added to the times of files
  PlaceBy place_by = PlaceBy::Collectives;
  AlignChoice align = Align::Recorded;   ///< zero, fold: no pictures on the way, but of ranks that are read one by one
  bool operator==(const ReadSettings&) const = default;
};

}  // namespace tv
