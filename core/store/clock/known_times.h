// Files whose times are known to be UTC. They show the time zone of logs (time_zones.h), and when the steps of training logs ran
// (step_places.h). Times are as recorded, plus the user's offsets, and not yet fitted by collectives.
// Cost: O(batches) for each view; to find steps, O(slices) of the batches that have any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/store/draft/source_draft.h"

namespace tv {

struct TimedFile {
  std::string path;
  std::optional<std::int64_t> pid, rank, step;  ///< as in SourceInfo
  std::string phase;                            ///< as in SourceInfo
  std::optional<Ns> zone_east;                  ///< as in SourceInfo
  TimeRange extent;
  /// NVTX ranges around steps, by lane (verl under Nsight Systems). Sorted by begin, without overlaps.
  std::vector<std::vector<TimeRange>> steps;
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
std::vector<TimeRange> outermost(std::vector<TimeRange> ranges);

/// The extent of what was read from a source, in the file's clock. {0, 0}: no times were read yet.
TimeRange recorded_extent(const SourceView& view);

}  // namespace tv
