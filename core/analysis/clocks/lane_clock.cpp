#include "core/analysis/clocks/lane_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/base/text/path_parts.h"
#include "core/store/draft/lane_owner.h"

namespace tv {
namespace {

// Sources with slices on these rows, in the order of the view.
std::set<std::uint32_t> sources_of_rows(const Trace& trace, std::span<const Row> rows) {
  std::set<std::uint32_t> sources;
  for (const Row& row : rows) {
    if (row.count == 0) continue;
    const SliceId first = id_at<SliceId>(row.first);
    if (!trace.parts.empty()) {
      const ViewPart& part = trace.part_of(first);
      // If only one source of the segment has slices, none of them needs to be read.
      const auto has_extent = [](const SourceInfo& source) { return source.extent.has_value(); };
      const auto& of_segment = part.segment->sources;
      if (std::ranges::count_if(of_segment, has_extent) == 1) {
        const auto only = std::ranges::find_if(of_segment, has_extent);
        sources.insert(part.first_source + static_cast<std::uint32_t>(only - of_segment.begin()));
        continue;
      }
    }
    const SegmentSlices slices(trace, first);
    for (const SliceId slice : trace.ids_of(row)) sources.insert(static_cast<std::uint32_t>(idx(slices.ref_of(slice).source())));
  }
  return sources;
}

// All of a packed trace moves together, under the name of its file.
LaneClock::File file_of(const Trace& trace, std::uint32_t s) {
  const SourceInfo& source = trace.sources[s];
  const ClockFit& fit = source.clock_fit;
  const Ns fitted = fit.by_collectives();
  const Ns zone = fit.evidence == ClockEvidence::Zone ? fit.offset : 0;
  if (!source.packed) return {source.path, source.clock_offset + fitted, zone};
  return {source.packed->path, manual_offset_of(trace, s) + fitted, 0};
}

}  // namespace

Ns manual_offset_of(const Trace& trace, std::uint32_t source) {
  Ns manual_offset = 0;
  for (const ViewPart& part : trace.parts) {
    if (part.first_source <= source) manual_offset = part.manual_offset;
  }
  return manual_offset;
}

LaneClock clock_of_lane(const Trace& trace, LaneId id) {
  LaneClock clock;
  if (trace.is_one_packed()) {
    clock.why_fixed = kPackedClocks;
    return clock;
  }
  const Lane& last = trace.lane(id_at<LaneId>(idx(trace.lane(id).subtree_end) - 1));
  const std::size_t first_row = trace.lane(id).first_row, end_row = last.first_row + last.row_count;
  std::set<std::string> known;
  const auto sources = sources_of_rows(trace, std::span(trace.rows).subspan(first_row, end_row - first_row));
  for (const std::uint32_t source : sources) {
    LaneClock::File file = file_of(trace, source);
    if (known.insert(file.path).second) clock.files.push_back(std::move(file));
  }
  const auto is_compared = [&](std::uint32_t s) { return trace.sources[s].clock_fit.evidence == ClockEvidence::Collectives; };
  clock.compared = std::ranges::any_of(sources, is_compared);
  for (std::uint32_t s = 0; clock.compared && s < trace.sources.size(); ++s) {
    if (!is_compared(s)) continue;
    LaneClock::File file = file_of(trace, s);
    if (known.insert(file.path).second) clock.others.push_back(std::move(file));
  }
  if (clock.files.empty()) {
    clock.why_fixed = "no file has slices here: there is no clock to move";
  } else if (clock.files.size() > 1) {
    clock.name = fmt::format("{} files", clock.files.size());
  } else {
    const auto rank = trace.sources[*sources.begin()].rank;
    clock.name = rank && sources.size() == 1 ? owned_by_rank(*rank).member : std::string(last_part(clock.files.front().path));
  }
  return clock;
}

ClockOffsets moved_by(const LaneClock& clock, Ns by, const ClockOffsets& now) {
  if (by == 0) return now;  // the lane is back at its old position: no user offsets are needed
  std::vector<FileClock> files;
  for (const LaneClock::File& file : clock.files) {
    Ns to = 0;
    if (__builtin_add_overflow(file.offset, by, &to)) to = by < 0 ? -kLongestClockOffset : kLongestClockOffset;
    if (std::abs(to) >= kZoneStep / 2) to += file.zone;
    files.push_back({file.path, to});
  }
  for (const LaneClock::File& file : clock.others) {
    if (file.offset != 0) files.push_back({file.path, file.offset});
  }
  return with_clocks(files, now);
}

std::string drag_text(const LaneClock& clock, Ns by) {
  if (!clock.why_fixed.empty()) return clock.why_fixed;
  std::string text = fmt::format("{}: clock moved by {}", clock.name, format_clock_offset(by));
  const Ns before = clock.files.front().offset;
  if (clock.files.size() == 1 && before != 0) text += fmt::format(", now {}", format_clock_offset(before + by));
  return text + "  (Esc: as it was)";
}

}  // namespace tv
