// Files with known times. Logs learn from them when they were written (time_zones.h), and when their steps were
// (step_places.h). Times are UTC, as recorded and with the user's offsets, but not yet fitted by collectives.
// Cost: of a view O(instants + samples + begin and end events); its steps: O(slices) of batches that have some.
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
  std::optional<std::int64_t> pid, rank, step;
  std::string phase;
  std::optional<Ns> zone_east;
  TimeRange extent;
  /// NVTX ranges around steps, by lane (verl under Nsight Systems). Sorted by begin; none lies within another.
  std::vector<std::vector<TimeRange>> steps;
};

/// The files among these that have known times, by path. `steps`: whether their steps are wanted.
std::vector<TimedFile> timed_files(const std::vector<SourceView>& views, bool steps);

/// Whether this is a log whose zone an earlier look at all files has found, as far as possible.
bool was_measured(const SourceInfo& source);

/// As SourceInfo knows it, without times.
TimedFile timed_file(const SourceInfo& source);

/// As a place among others that does not depend on when each was opened.
void sort_by_path(std::vector<TimedFile>& files);

/// Whether slices with this label are such steps.
bool marks_step(const LabelTable& labels, LabelId label);
/// By begin, without those within others, which are parts of these.
std::vector<TimeRange> outermost(std::vector<TimeRange> ranges);

/// From when to when a source has something, in the file's clock; empty: it has nothing, or is read to its end later.
TimeRange recorded_extent(const SourceView& view);

}  // namespace tv
