// Files whose times are known to be UTC. They show the time zone of logs (time_zones.h), and when the steps of training logs ran
// (step_places.h).
// Cost: O(batches) for each view; to find steps, O(slices) of the batches that have any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock_time.h"
#include "core/store/draft/source_draft.h"

namespace tv {

struct TimedFile {
  std::string path;
  std::optional<std::int64_t> pid, rank, step;  ///< as in SourceInfo
  std::string phase;                            ///< as in SourceInfo
  std::optional<Ns> zone_east;                  ///< as in SourceInfo
  RecordedRange extent;
  /// NVTX ranges around steps, by lane (verl under Nsight Systems). Sorted by begin, without overlaps.
  std::vector<std::vector<RecordedRange>> steps;
};

/// The files of these views that have known times or steps, sorted by path. `steps`: whether to look for steps.
std::vector<TimedFile> timed_files(const std::vector<SourceView>& views, bool steps);

/// Whether the source is a log in local time whose zone was already searched for, with all files as evidence.
bool was_measured(const SourceInfo& source);

/// A TimedFile with the members that SourceInfo has, without times.
TimedFile timed_file(const SourceInfo& source);

/// Makes the order independent of the order in which files were opened.
void sort_by_path(std::vector<TimedFile>& files);

/// Whether slices with this label are steps, as in TimedFile::steps.
bool marks_step(const LabelTable& labels, LabelId label);
/// Removes ranges that begin within another. The result is sorted by begin.
std::vector<RecordedRange> outermost(std::vector<RecordedRange> ranges);

/// The extent of what was read from a source. {0, 0}: no times were read yet.
FileRange extent_in_file(const SourceView& view);

}  // namespace tv
