#include "core/session/load/kept_segments.h"

#include <algorithm>

#include "core/session/load/given_sources.h"
#include "core/session/load/segment_groups.h"

namespace tv {

Segments segments_of(const std::shared_ptr<const Trace>& trace) {
  if (!trace) return {};
  if (trace->parts.empty()) return {trace};
  Segments segments;
  for (const ViewPart& part : trace->parts) segments.push_back(part.segment);
  return segments;
}

bool is_whole(const std::shared_ptr<const Trace>& segment) { return std::ranges::all_of(segment->sources, read_whole); }

bool stands_alone(const Trace& segment) { return std::ranges::none_of(segment.sources, is_log); }

}  // namespace tv
