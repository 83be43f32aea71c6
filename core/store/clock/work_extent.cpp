#include "core/store/clock/work_extent.h"

#include <algorithm>
#include <limits>

#include "core/store/clock/source_parts.h"

namespace tv {
namespace {

constexpr Ns kLatest = std::numeric_limits<Ns>::max(), kEarliest = std::numeric_limits<Ns>::min();

struct Hull {
  Ns first = kLatest, last = kEarliest;
  void include(Ns t) { include(t, t); }
  void include(Ns from, Ns to) {
    first = std::min(first, from);
    last = std::max(last, to);
  }
};

// The numbers of marks before and after the hull.
struct Beyond {
  std::size_t before = 0, after = 0;
  void count(Ns t, const Hull& hull) {
    before += t < hull.first ? 1 : 0;
    after += t > hull.last ? 1 : 0;
  }
};

Beyond marks_beyond(const SourceParts& source, const Hull& hull) {
  Beyond beyond;
  for (const BatchPiece& piece : source.pieces) {
    const SliceBlock& slices = *piece.slices;
    if (slices.first < hull.first || slices.last > hull.last) {
      for (std::size_t i = 0; i < slices.size(); ++i) {
        if (slices.duration[i] == 0) beyond.count(slices.begin[i], hull);
      }
    }
    if (!piece.batch) continue;
    for (const Instant& instant : piece.batch->instants) beyond.count(instant.time, hull);
  }
  return beyond;
}

}  // namespace

// Slices without an end have a flag, and most batches have no flags at all.
bool any_open(const SliceBlock& slices) {
  return !slices.flags.empty() && std::ranges::find(slices.duration, kOpenEnd) != slices.duration.end();
}

void measure(SourceParts& source) {
  Hull all, work;
  std::size_t lasting = 0;
  for (const BatchPiece& piece : source.pieces) {
    const SliceBlock& slices = *piece.slices;
    all.include(slices.first, slices.last);
    work.include(slices.lasting_first, slices.lasting_last);
    lasting += slices.lasting;
    source.slices += slices.size();
    if (!piece.batch) continue;  // joined slices, which come from the begin and end events of other pieces
    for (const Instant& instant : piece.batch->instants) all.include(instant.time);
    for (const CounterSample& sample : piece.batch->samples) work.include(sample.time);
  }
  all.include(work.first, work.last);
  source.has_content = all.first <= all.last;
  if (!source.has_content) return;
  if (work.first >= work.last) {
    work = all;
  } else if (all.first < work.first || all.last > work.last) {
    const Beyond marks = marks_beyond(source, work);
    const std::size_t few = std::min(kFewMarks, lasting);
    if (marks.before > few) work.first = all.first;
    const auto has_open = [](const BatchPiece& piece) { return any_open(*piece.slices); };
    if (marks.after > few || std::ranges::any_of(source.pieces, has_open)) work.last = all.last;
  }
  const ClockShift<FileTime, BuiltTime> to_built = source.view.to_built();
  source.extent = to_built(FileRange{{all.first}, {all.last}});
  source.work = to_built(FileRange{{work.first}, {work.last}});
  source.wall_clock = source.view.has_wall_clock({all.first});
}

}  // namespace tv
