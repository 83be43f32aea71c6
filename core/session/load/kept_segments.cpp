#include "core/session/load/kept_segments.h"

#include <algorithm>

#include "core/session/load/given_sources.h"
#include "core/session/load/segment_groups.h"
#include "core/store/trace/lane_tree.h"
#include "core/store/trace/process_lanes.h"

namespace tv {
namespace {

bool is_report(std::string_view format) { return format.starts_with("nsys_"); }

std::string_view without_ending(std::string_view path) { return path.substr(0, path.rfind('.')); }

std::vector<std::string> lanes_with_content(const Trace& segment) {
  std::vector<std::string> lanes;
  for_each_lane(segment, [&](const Lane& lane, const std::string& identity) {
    if (lane.row_count > 0 || lane.counter != UINT32_MAX) lanes.push_back(identity);
  });
  return lanes;
}

}  // namespace

Segments segments_of(const std::shared_ptr<const Trace>& trace) {
  if (!trace) return {};
  if (trace->parts.empty()) return {trace};
  Segments segments;
  for (const ViewPart& part : trace->parts) segments.push_back(part.segment);
  return segments;
}

bool is_whole(const std::shared_ptr<const Trace>& segment) { return std::ranges::all_of(segment->sources, read_whole); }

bool stands_alone(const Trace& segment) {
  return segment.align == Align::Recorded && std::ranges::none_of(segment.sources, is_log);
}

bool lie_beside_each_other(const Segments& segments) {
  PlaceBeside place({});
  for (const auto& segment : segments) {
    if (!place.admits(*segment)) return false;
    place.add(*segment);
  }
  return true;
}

PlaceBeside::PlaceBeside(const Segments& segments) {
  for (const auto& segment : segments) add(*segment);
}

void PlaceBeside::add(const Trace& segment) {
  for (const SourceInfo& source : segment.sources) {
    if (is_report(source.format)) reports_.emplace(without_ending(source.path));
    if (source.pid) by_pid_.emplace(*source.pid, &source);
  }
  for (std::string& lane : lanes_with_content(segment)) lanes_.insert(std::move(lane));
}

bool PlaceBeside::has_process_of(const SourceInfo& source) const {
  const auto [first, last] = by_pid_.equal_range(source.pid.value_or(0));
  return std::any_of(first, last, [&](const auto& of_pid) { return may_be_of_one_process(*of_pid.second, source); });
}

bool PlaceBeside::admits(const Trace& segment) const {
  const auto is_there = [&](const SourceInfo& source) {
    return (is_report(source.format) && reports_.contains(without_ending(source.path))) || has_process_of(source);
  };
  return std::ranges::none_of(segment.sources, is_there) &&
         std::ranges::none_of(lanes_with_content(segment), [&](const std::string& lane) { return lanes_.contains(lane); });
}

// A report and the database that was exported from it are one.
bool PlaceBeside::admits(const std::string& path, const Reader& reader) const {
  return !(is_report(reader.id) && reports_.contains(without_ending(path)));
}

// Not a lane or a process that is there.
bool PlaceBeside::admits(const SourceView& file) const {
  if (has_process_of(file.info)) return false;
  return std::ranges::none_of(file.lanes, [&](const auto& lane) { return lanes_.contains(lane_identity(lane.second)); });
}

}  // namespace tv
