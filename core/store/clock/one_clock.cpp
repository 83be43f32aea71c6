#include "core/store/clock/one_clock.h"

#include <algorithm>
#include <limits>

#include "core/store/clock/clock_offset.h"

namespace tv {
namespace {

void move_source(SourceParts& source, Ns by) {
  source.extent = {source.extent.begin + by, source.extent.end + by};
  source.work = {source.work.begin + by, source.work.end + by};
}

std::optional<Align> align_sources(std::vector<SourceParts>& sources, AlignChoice align) {
  std::vector<SourceParts*> placed;
  std::vector<RecordedSource> recorded;
  for (SourceParts& source : sources) {
    // A window was cut out of a trace that was already placed.
    if (align == Align::Recorded || source.view.window || !source.has_content) continue;
    placed.push_back(&source);
    recorded.push_back(recorded_source(source.view.info, source.extent, source.work));
  }
  const AlignedRuns runs = align_as_chosen(recorded, align);
  for (std::size_t s = 0; s < placed.size(); ++s) {
    placed[s]->view.info.aligned = runs.shift[s];
    placed[s]->shift += runs.shift[s];
    move_source(*placed[s], runs.shift[s]);
  }
  const auto is_aligned = [](const SourceParts& source) { return source.view.info.aligned != 0; };
  if (std::ranges::none_of(sources, is_aligned)) return std::nullopt;
  return align.value_or(Align::Fold);
}

}  // namespace

std::optional<Align> place_on_one_clock(std::vector<SourceParts>& sources, AlignChoice align) {
  constexpr Ns kNever = std::numeric_limits<Ns>::max();
  Ns wall_begin = kNever;
  for (const SourceParts& source : sources) {
    const Ns begins = source.extent.begin + source.view.info.clock_offset + source.fitted;
    if (source.wall_clock) wall_begin = std::min(wall_begin, begins);
  }
  for (SourceParts& source : sources) {
    const Ns offset = source.view.info.clock_offset + source.fitted;
    source.shift = source.view.clock_base + offset;  // set for every source: a log can have times and nothing to draw
    if (!source.has_content) continue;
    const Ns moved = wall_begin != kNever && !source.wall_clock ? wall_begin - source.extent.begin : 0;
    if (moved != 0) source.problems.add(ProblemKind::no_wall_clock, 0, "moved by " + format_clock_offset(moved));
    source.shift += moved;
    move_source(source, moved + offset);
  }
  return align_sources(sources, align);
}

}  // namespace tv
