#include "core/session/load/kept_segments.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/read/registry.h"
#include "core/store/clock/align_runs.h"
#include "core/store/clock/time_zones.h"
#include "core/store/trace/process_lanes.h"

namespace tv {
namespace {

bool is_log(std::string_view format) {
  const Reader* const reader = find_reader(format);
  return reader && reader->is_log;
}

bool is_report(std::string_view format) { return format.starts_with("nsys_"); }

std::string_view without_ending(std::string_view path) { return path.substr(0, path.rfind('.')); }

// What a lane is told by among all others: of each group on its way the same.
void add_identity(std::string& text, const LaneSegment& segment) { text.append(segment.identity()).push_back('\0'); }

TimeRange work_of(const SourceView& file) {
  TimeRange work{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
  for (const StoredBatch& batch : file.batches) {
    if (batch.slices->lasting > 0) work.include(batch.slices->work_first, batch.slices->work_last);
    for (const Half& half : batch.rest->halves) work.include(half.time, half.time);
  }
  return work.begin <= work.end ? work : recorded_extent(file);
}

}  // namespace

bool stands_alone(const Trace& segment) {
  return segment.align == Align::Recorded &&
         std::ranges::none_of(segment.sources, [](const SourceInfo& source) { return is_log(source.format); });
}

PlaceBeside::PlaceBeside(const Segments& segments) {
  for (const auto& segment : segments) {
    for (const SourceInfo& source : segment->sources) {
      if (is_report(source.format)) reports_.emplace(without_ending(source.path));
      if (source.pid) by_pid_.emplace(*source.pid, &source);
    }
    std::vector<std::string> path;
    for (const Lane& lane : segment->lanes) {
      path.resize(lane.depth);
      std::string text = path.empty() ? std::string() : path.back();
      add_identity(text, {lane.name, lane.sort, lane.key});
      if (lane.row_count > 0 || lane.counter != UINT32_MAX) lanes_.insert(text);
      path.push_back(std::move(text));
    }
  }
}

// A report and the database that was exported from it are one.
bool PlaceBeside::admits(const std::string& path, const Reader& reader) const {
  return !reader.is_log && !(is_report(reader.id) && reports_.contains(without_ending(path)));
}

// Not a lane or a process that is there.
bool PlaceBeside::admits(const SourceView& file) const {
  const auto [first, last] = by_pid_.equal_range(file.info.pid.value_or(0));
  const auto is_of_one = [&](const auto& of_pid) { return may_be_of_one_process(*of_pid.second, file.info); };
  if (std::any_of(first, last, is_of_one)) return false;
  return std::ranges::none_of(file.lanes, [&](const auto& lane) {
    std::string text;
    for (const LaneSegment& part : lane.second.path) add_identity(text, part);
    return lanes_.contains(text);
  });
}

bool places_stay(const Segments& segments, const std::vector<SourceView>& files, bool runs_may_move) {
  std::vector<RecordedSource> recorded;
  std::vector<std::size_t> last;  // of each segment, the files being the last one
  for (const auto& segment : segments) {
    for (const SourceInfo& source : segment->sources) {
      if (source.work == TimeRange{}) continue;
      const TimeRange work{source.work.begin + segment->origin_ns, source.work.end + segment->origin_ns};
      recorded.push_back(recorded_source(source, work, work));
    }
    last.push_back(recorded.size());
  }
  for (const SourceView& file : files) {
    const TimeRange own = work_of(file);
    const Ns base = file.clock_base + file.info.clock_offset;
    const TimeRange work{own.begin + base, own.end + base};
    if (own != TimeRange{}) recorded.push_back(recorded_source(file.info, work, work));
  }
  last.push_back(recorded.size());
  const auto is_wall = [](const RecordedSource& source) { return source.work.begin >= kYear2001; };
  Ns wall_begin = std::numeric_limits<Ns>::max();
  for (const RecordedSource& source : recorded) {
    if (is_wall(source)) wall_begin = std::min(wall_begin, source.work.begin);
  }
  if (wall_begin != std::numeric_limits<Ns>::max()) {
    std::size_t first = 0;
    for (const std::size_t end : last) {
      const auto of_segment = std::span(recorded).subspan(first, end - first);
      if (of_segment.size() > 1 && !std::ranges::all_of(of_segment, is_wall)) return false;
      first = end;
    }
    for (RecordedSource& source : recorded) {
      if (!is_wall(source)) source.work = source.extent = {wall_begin, wall_begin + source.work.length()};
    }
  }
  return !runs_may_move || !is_mostly_empty(align_runs(recorded, Align::Recorded));
}

}  // namespace tv
