#include "core/store/segments/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/store/clock/clock_offset.h"
#include "core/store/clock/view_clock.h"
#include "core/store/logs/table_bytes.h"
#include "core/store/segments/lane_slots.h"
#include "core/store/segments/process_lanes.h"
#include "core/store/segments/view_counters.h"
#include "core/store/segments/view_logs.h"
#include "core/store/trace/lane_tree.h"
#include "core/store/trace/tell_recordings.h"

namespace tv {
namespace {

// A segment's lane that is part of a lane of the view.
struct LanePiece {
  std::size_t part;
  std::size_t lane;  // of the segment
};

// Whether all times, counted from the earliest, are small enough for exact arithmetic, as those from readers are. `begins`: of the
// segments.
bool within_reach(const Segments& segments, const std::vector<AlignedTime>& begins) {
  const AlignedTime first = begins.empty() ? AlignedTime{} : std::ranges::min(begins);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    Ns begin = 0, end = 0;
    if (__builtin_sub_overflow(begins[s].ns, first.ns, &begin) || __builtin_add_overflow(begin, segments[s]->extent.end, &end) ||
        !can_count_with(end)) {
      return false;
    }
  }
  return true;
}

// The sources of a segment as view_clock() needs them. `manual_offset`: how far the user moved them since the segment was made.
ClockedSegment clocked(const Trace& segment, Ns manual_offset = 0, Ns fitted = 0) {
  ClockedSegment sources;
  for (const SourceInfo& source : segment.sources) {
    if (!source.extent) continue;
    const ClockShift<SegmentTime, BuiltTime> unmoved = segment_origin(segment) - source.clock_offset;
    const auto built = [&](TimeRange range) { return unmoved(SegmentRange::of(range)); };
    sources.push_back({built(*source.extent), built(source.work), source.wall_clock, source.clock_offset + manual_offset, fitted,
                       source.run, source.process});
  }
  if (segment.align == Align::Recorded || sources.empty()) return sources;
  // The sources were already aligned with each other, so they count as one.
  ClockedSource one = sources.front();
  for (const ClockedSource& source : sources) one.wall_clock |= source.wall_clock;
  const ClockShift<SegmentTime, BuiltTime> unmoved = segment_origin(segment) - (one.manual_offset - manual_offset);
  one.extent = unmoved(SegmentRange::of(segment.extent));
  one.work = unmoved(SegmentRange::of(segment.work));
  return {one};
}

class Composer {
 public:
  Composer(const Segments& segments, std::size_t placed) : view_(std::make_shared<Trace>()), placed_(placed) {
    for (const auto& segment : segments) view_->parts.emplace_back().segment = segment;
  }

  std::shared_ptr<Trace> run(PlaceBy clocks, AlignChoice choice, const std::vector<Ns>& manual_offsets, const EarlierView& earlier, ThreadPool* pool) {
    for (std::size_t p = 0; p < manual_offsets.size(); ++p) view_->parts[p].manual_offset = manual_offsets[p];
    add_labels(earlier.view);
    add_sources();
    processes_ = ProcessLanes(*view_);
    fitted_ = clocks == PlaceBy::Collectives ? fit_segments(*view_, *earlier.clocks, pool) : std::vector<Ns>(view_->parts.size(), 0);
    put_on_one_clock(choice);
    place();
    move_sources();
    set_work();
    make_lanes();
    add_rows();
    add_counters(earlier.view);
    finish_lanes();
    add_flows();
    add_logs(*view_, earlier.view);
    tell_recordings(*view_);
    return view_;
  }

  void put_on_one_clock(AlignChoice choice) {
    std::vector<ClockedSegment> segments;
    for (std::size_t p = 0; p < view_->parts.size(); ++p) {
      const ViewPart& part = view_->parts[p];
      segments.push_back(clocked(*part.segment, part.manual_offset, fitted_[p]));
      if (part.segment->align == Align::Recorded) set_processes(part, segments.back());
    }
    clock_ = view_clock(segments, choice);
    if (!clock_fits()) clock_ = ViewClock{std::vector<ViewClock::Shift>(segments.size())};
    view_->align = clock_.align;
  }

  ClockShift<SegmentTime, AlignedTime> placed(std::size_t p) const {
    const auto [to_wall, aligned] = clock_.of_segment[p];
    const ClockShift<BuiltTime, CommonTime> to_common{view_->parts[p].manual_offset + fitted_[p] + to_wall};
    return segment_origin(*view_->parts[p].segment) + to_common + aligned;
  }
  AlignedTime begin_of(std::size_t p) const { return placed(p)(SegmentTime{0}); }
  Ns moved(std::size_t p) const { return begin_of(p).ns - view_->parts[p].segment->origin_ns; }

  // Whether the sums of times are small enough for exact arithmetic. Those of times that readers accept are.
  bool clock_fits() const {
    Segments segments;
    std::vector<AlignedTime> begins;
    for (std::size_t p = 0; p < view_->parts.size(); ++p) {
      const ViewPart& part = view_->parts[p];
      segments.push_back(part.segment);
      begins.push_back(begin_of(p));
      for (const SourceInfo& source : part.segment->sources) {
        Ns sum = 0;
        if (__builtin_add_overflow(source.shift.by, moved(p), &sum)) return false;
        if (__builtin_add_overflow(source.aligned.by, clock_.of_segment[p].aligned.by, &sum)) return false;
      }
    }
    return within_reach(segments, begins);
  }

  // Sets the processes that were found for the view, in the segment's sources with content.
  void set_processes(const ViewPart& part, ClockedSegment& segment) const {
    auto clocked = segment.begin();
    for (std::size_t s = 0; s < part.segment->sources.size(); ++s) {
      if (part.segment->sources[s].extent) (clocked++)->process = view_->sources[part.first_source + s].process;
    }
  }

  void place() {
    std::optional<AlignedTime> origin;
    for (std::size_t p = 0; p < view_->parts.size(); ++p) {
      if (!has_content(*view_->parts[p].segment)) continue;
      const AlignedTime begin = begin_of(p);
      origin = std::min(origin.value_or(begin), begin);
    }
    view_->origin_ns = origin.value_or(AlignedTime{}).ns;
    for (std::size_t p = 0; p < view_->parts.size(); ++p) {
      ViewPart& part = view_->parts[p];
      const Trace& segment = *part.segment;
      part.shift = placed(p) + view_origin(*view_).inverse();
      part.first_slice = view_->slice_count + view_->instant_count;
      view_->slice_count += segment.slice_count;
      view_->instant_count += segment.instant_count;
      view_->sample_count += segment.sample_count;
      if (view_->align == Align::Recorded) view_->align = segment.align;
      if (has_content(segment)) view_->extent.end = std::max(view_->extent.end, in_view(segment.extent, part).end);
    }
  }

  void set_work() {
    std::optional<TimeRange> work;
    for (const SourceInfo& source : view_->sources) {
      if (!source.extent) continue;
      if (!work) work = source.work;
      work->include(source.work.begin, source.work.end);
    }
    view_->work = work.value_or(TimeRange{});
  }

  static TimeRange in_view(TimeRange range, const ViewPart& part) {
    return part.shift(SegmentRange::of(range)).plain();
  }

  void add_labels(const Trace* earlier) {
    const std::size_t known = earlier ? take_labels(*earlier) : 0;
    for (ViewPart& part : std::span(view_->parts).subspan(known)) {
      const LabelTable& labels = part.segment->labels;
      // The first segment needs no label map, because its labels keep their ids. But a map is needed to check unchecked ids.
      const bool same = &part == &view_->parts.front() && part.segment->columns_are != ColumnsAre::Unchecked;
      for (std::size_t l = 0; l < labels.size(); ++l) {
        const LabelId label = view_->labels.intern_from(labels, id_at<LabelId>(l));
        if (!same) part.label.push_back(label);
      }
    }
  }

  // Reuses the labels of the first parts, as far as both views have the same ones. Labels are numbered in order of appearance, so
  // these are a prefix of the earlier table. Returns the number of common parts.
  std::size_t take_labels(const Trace& earlier) {
    std::size_t parts = 0, labels = 0;
    for (; parts < std::min(earlier.parts.size(), view_->parts.size()); ++parts) {
      const ViewPart& known = earlier.parts[parts];
      ViewPart& part = view_->parts[parts];
      if (known.segment != part.segment) break;
      part.label = known.label;
      const std::size_t last = known.label.empty() ? known.segment->labels.size() : idx(std::ranges::max(known.label)) + 1;
      labels = std::max(labels, last);
    }
    view_->labels = LabelTable(earlier.labels, labels);
    return parts;
  }

  // Packed segments number their clocks independently, so the numbers of each continue after those of earlier segments. Clocks of
  // files that were placed together keep their numbers.
  void add_sources() {
    std::uint32_t next = 0, next_local = kFirstLocalUnit;
    for (std::size_t p = 0; p < view_->parts.size(); ++p) {
      ViewPart& part = view_->parts[p];
      part.first_source = static_cast<std::uint32_t>(view_->sources.size());
      const std::uint32_t base = p < placed_ ? 0 : next, base_local = p < placed_ ? 0 : next_local - kFirstLocalUnit;
      for (SourceInfo source : part.segment->sources) {
        source.clock_offset += part.manual_offset;
        ClockFit& fit = source.clock_fit;
        if (fit.unit >= kFirstLocalUnit) {
          fit.unit += base_local;
          next_local = std::max(next_local, fit.unit + 1);
        } else if (fit != ClockFit{}) {
          fit.unit += base;
          fit.group += base;
          next = std::max({next, fit.unit + 1, fit.group + 1});
        }
        view_->sources.push_back(std::move(source));
      }
    }
  }

  void move_sources() {
    for (std::size_t p = 0; p < view_->parts.size(); ++p) {
      const ViewPart& part = view_->parts[p];
      const Trace& segment = *part.segment;
      const std::set<std::uint32_t> with_lines = sources_with_lines(segment);
      for (std::size_t s = part.first_source; s < part.first_source + segment.sources.size(); ++s) {
        SourceInfo& source = view_->sources[s];
        const bool moves = source.extent || with_lines.contains(static_cast<std::uint32_t>(s - part.first_source));
        source.shift += moves ? moved(p) : part.manual_offset;
        if (!moves) continue;
        const auto [to_wall, aligned] = clock_.of_segment[p];
        source.aligned += aligned.by;
        if (!source.extent) continue;
        source.work = in_view(source.work, part);
        source.extent = in_view(*source.extent, part);
        if (to_wall != 0) source.problems.add(ProblemKind::no_wall_clock, 0, "moved by " + format_clock_offset(to_wall));
      }
    }
  }

  static std::set<std::uint32_t> sources_with_lines(const Trace& segment) {
    std::set<std::uint32_t> sources;
    for (const RolloutFile& file : segment.rollout.files) sources.insert(file.source);
    for (const MetricFile& file : segment.metrics.files) sources.insert(file.source);
    for (const PipelineStep& step : segment.pipeline.steps) sources.insert(segment.pipeline.devices[step.device].source);
    return sources;
  }

  // Keys of files that occur in several segments: these files have one path, but were packed at different times or on different
  // machines.
  std::set<std::string_view> keys_of_several() const {
    std::set<std::string_view> known, several;
    for (const ViewPart& part : view_->parts) {
      const LaneFiles files(*part.segment);
      for (std::size_t l = 0; l < part.segment->lanes.size(); l = idx(part.segment->lanes[l].subtree_end)) {
        const std::string_view key = part.segment->lanes[l].key;
        if (files.by_key(key) && !known.insert(key).second) several.insert(key);
      }
    }
    return several;
  }

  void make_lanes() {
    std::size_t most = 0;
    for (const ViewPart& part : view_->parts) most += part.segment->lanes.size();
    std::vector<LaneSpec> specs;
    std::vector<LanePiece> pieces;
    // Outermost groups are ordered by segment. Groups of one segment keep its order, which follows its sources.
    std::vector<std::uint32_t> order;
    std::uint32_t groups = 0;
    specs.reserve(most);
    pieces.reserve(most);
    const std::set<std::string_view> taken = keys_of_several();
    for (std::size_t p = 0; p < view_->parts.size(); ++p) {
      const Trace& segment = *view_->parts[p].segment;
      const LaneFiles files(segment);
      std::vector<LaneSegment> path;
      for (std::size_t l = 0; l < segment.lanes.size(); ++l) {
        const Lane& lane = segment.lanes[l];
        path.resize(lane.depth);
        path.push_back({lane.name, lane.sort, lane.key, lane.owner});
        if (lane.depth == 0) {
          ++groups;
          path.front().name = files.name_alone(id_at<LaneId>(l));
          path.front() = processes_.of(p, std::move(path.front()));
          const auto& packed = segment.sources.front().packed;
          if (packed && taken.contains(path.front().key)) path.front().key += " in " + packed->path;
        }
        if (lane.kind == LaneKind::Group && !lane.holds_anything()) continue;
        specs.push_back({.path = path, .kind = lane.kind});
        order.push_back(groups);
        pieces.push_back({p, l});
      }
    }
    std::vector<const LaneSpec*> named;
    for (const LaneSpec& spec : specs) named.push_back(&spec);
    LaneTree tree = build_lane_tree(named, order);
    view_->lanes = std::move(tree.lanes);
    pieces_.resize(view_->lanes.size());
    for (std::size_t s = 0; s < pieces.size(); ++s) pieces_[idx(tree.of_spec[s])].push_back(pieces[s]);
  }

  // A lane's slices come before its instants, ordered by segment.
  void add_rows() {
    for (ViewPart& part : view_->parts) part.row.resize(part.segment->rows.size());
    std::vector<LaneShare> shares;
    for (std::size_t l = 0; l < view_->lanes.size(); ++l) {
      Lane& lane = view_->lanes[l];
      lane.first_row = static_cast<std::uint32_t>(view_->rows.size());
      shares.assign(pieces_[l].size(), {});
      for (std::size_t p = 0; p < shares.size() && shares.size() > 1; ++p) shares[p] = share_of(pieces_[l][p]);
      const std::vector<std::uint32_t> first = first_slots(shares);
      for (std::size_t p = 0; p < first.size(); ++p) add_rows(pieces_[l][p], id_at<LaneId>(l), RowKind::Slices, first[p]);
      for (const LanePiece& piece : pieces_[l]) add_rows(piece, id_at<LaneId>(l), RowKind::Instants, 0);
      lane.row_count = static_cast<std::uint32_t>(view_->rows.size()) - lane.first_row;
    }
  }

  LaneShare share_of(const LanePiece& piece) const {
    const ViewPart& part = view_->parts[piece.part];
    const Lane& lane = part.segment->lanes[piece.lane];
    LaneShare share{in_view(lane.extent, part)};
    for (const Row& row : part.segment->rows_of(lane)) {
      if (row.kind == RowKind::Slices) share.slots = std::max(share.slots, row.slot + 1);
    }
    return share;
  }

  void add_rows(const LanePiece& piece, LaneId lane, RowKind kind, std::uint32_t first_slot) {
    ViewPart& part = view_->parts[piece.part];
    const Lane& from = part.segment->lanes[piece.lane];
    for (std::uint32_t r = from.first_row; r < from.first_row + from.row_count; ++r) {
      Row row = part.segment->rows[r];
      if (row.kind != kind) continue;
      part.row[r] = id_at<RowId>(view_->rows.size());
      row.lane = lane;
      row.first += part.first_slice;
      row.slot += first_slot;
      view_->rows.push_back(row);
    }
  }

  void add_counters(const Trace* earlier) {
    ViewCounters counters(*view_, earlier);
    std::vector<CounterPiece> pieces;
    for (std::size_t l = 0; l < view_->lanes.size(); ++l) {
      pieces.clear();
      for (const LanePiece& piece : pieces_[l]) {
        const Trace& segment = *view_->parts[piece.part].segment;
        const std::uint32_t counter = segment.lanes[piece.lane].counter;
        if (counter == UINT32_MAX || segment.counters[counter].time.empty()) continue;
        pieces.push_back({static_cast<std::uint32_t>(piece.part), counter});
      }
      if (pieces.empty()) continue;
      view_->lanes[l].counter = static_cast<std::uint32_t>(view_->counters.size());
      counters.add(id_at<LaneId>(l), pieces);
    }
  }

  void finish_lanes() {
    std::vector<bool> shows(view_->lanes.size());
    for (std::size_t l = view_->lanes.size(); l-- > 0;) {
      Lane& lane = view_->lanes[l];
      std::optional<TimeRange> extent;
      const auto include = [&](TimeRange range) {
        if (!extent) extent = range;
        extent->include(range.begin, range.end);
      };
      bool at_once = false;
      for (const LanePiece& piece : pieces_[l]) {
        const ViewPart& part = view_->parts[piece.part];
        const Lane& from = part.segment->lanes[piece.lane];
        lane.slices += from.slices;
        lane.instants += from.instants;
        if (from.overlaps > 0) {
          add_overlaps(lane, from.overlaps, id_at<SourceId>(part.first_source + idx(from.first_overlap_in)), piece.part < placed_);
        }
        // Sums of segments that overlap are not used.
        if (__builtin_add_overflow(lane.busy, from.busy, &lane.busy)) lane.busy = std::numeric_limits<Ns>::max();
        lane.nest_tolerance = std::max(lane.nest_tolerance, from.nest_tolerance);
        if (!from.holds_anything()) continue;
        const TimeRange range = in_view(from.extent, part);
        at_once |= extent && range.begin < extent->end && extent->begin < range.end;
        include(range);
      }
      if (at_once) lane.busy = busy_of(lane);
      for (std::size_t child = l + 1; child < idx(lane.subtree_end); child = idx(view_->lanes[child].subtree_end)) {
        if (shows[child]) include(view_->lanes[child].extent);
      }
      shows[l] = extent.has_value();
      if (extent) lane.extent = *extent;
    }
  }

  // All overlaps of a lane are reported for the file with the first one. But packed traces do not record which file that is.
  void add_overlaps(Lane& lane, std::uint64_t overlaps, SourceId in, bool is_placed) {
    if (lane.overlaps == 0) {
      lane.first_overlap_in = in;
    } else if (is_placed) {
      view_->sources[idx(in)].problems.subtract_count(ProblemKind::overlapping_slices, overlaps);
      view_->sources[idx(lane.first_overlap_in)].problems.add_count(ProblemKind::overlapping_slices, overlaps);
    }
    lane.overlaps += overlaps;
  }

  Ns busy_of(const Lane& lane) const {
    std::vector<TimeRange> all;
    for (const Row& row : view_->rows_of(lane)) {
      for (const SliceId slice : view_->ids_of(row)) {
        if (!view_->ref_of(slice).is(kUnfinished)) all.push_back(view_->range_of(slice));
      }
    }
    std::ranges::sort(all, {}, &TimeRange::begin);
    Ns busy = 0, until = std::numeric_limits<Ns>::min();
    for (const TimeRange& range : all) {
      busy += std::max<Ns>(range.end - std::max(range.begin, until), 0);
      until = std::max(until, range.end);
    }
    return busy;
  }

  // Flows are sorted by slice number, and later segments have higher numbers.
  void add_flows() {
    for (const ViewPart& part : view_->parts) view_->flows.append(part.segment->flows, part.first_slice);
  }

  std::shared_ptr<Trace> view_;
  const std::size_t placed_;
  ProcessLanes processes_;
  std::vector<Ns> fitted_;  // by part: is added to its times, in addition to clock_
  ViewClock clock_;
  std::vector<std::vector<LanePiece>> pieces_;  // by lane of the view
};

// Fails if the times are too far apart, or the files too many, for one view.
Result<void> check(const Segments& segments, const std::vector<Ns>& manual_offsets) {
  const Error too_far{"the times are too far apart for one view", {}, {}, "open the files separately"};
  std::vector<AlignedTime> begins(segments.size());
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (__builtin_add_overflow(segments[s]->origin_ns, manual_offsets[s], &begins[s].ns)) return too_far;
  }
  if (!within_reach(segments, begins)) return too_far;
  std::size_t files = 0;
  for (const auto& segment : segments) files += segment->sources.size();
  if (files > idx(kNone<SourceId>)) {
    return Error{fmt::format("{} files are more than one view can hold", files), {}, {}, "open fewer at once"};
  }
  return {};
}

}  // namespace

bool has_content(const Trace& segment) {
  return std::ranges::any_of(segment.sources, [](const SourceInfo& source) { return source.extent.has_value(); });
}

Result<std::shared_ptr<const Trace>> compose(const Segments& segments, PlaceBy clocks, const std::vector<Ns>& manual_offsets,
                                             EarlierView earlier, AlignChoice align, std::size_t placed, ThreadPool* pool) {
  ComparedClocks nothing;
  if (!earlier.clocks) earlier.clocks = &nothing;
  if (segments.size() == 1 || clocks == PlaceBy::Recorded) *earlier.clocks = {};  // drops segments that are no longer needed
  const bool moved = std::ranges::any_of(manual_offsets, [](Ns by) { return by != 0; });
  const auto is_right_alone = [&](const Trace& segment) {
    return !moved && segment.columns_are != ColumnsAre::Unchecked &&
           view_clock({clocked(segment)}, align).of_segment.front().aligned.by == 0;
  };
  if (segments.size() == 1 && is_right_alone(*segments.front())) return segments.front();
  const std::vector<Ns> by = moved ? manual_offsets : std::vector<Ns>(segments.size(), 0);
  if (auto fits = check(segments, by); !fits) return fits.error();
  return std::shared_ptr<const Trace>(Composer(segments, placed).run(clocks, align, by, earlier, pool));
}

std::shared_ptr<Trace> view_as_recorded(const Segments& segments) {
  const std::vector<Ns> by(segments.size(), 0);
  return check(segments, by) ? Composer(segments, segments.size()).run(PlaceBy::Recorded, Align::Recorded, by, {}, nullptr) : nullptr;
}

}  // namespace tv
