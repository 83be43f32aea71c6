#include "core/store/segments/fit_segments.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "core/store/clock/unit_clocks.h"
#include "core/store/segments/told_names.h"
#include "core/store/trace/lane_tree.h"

namespace tv {
namespace {

class SegmentFitting {
 public:
  SegmentFitting(Trace& view, ComparedClocks& compared, ThreadPool* pool)
      : view_(view), compared_(compared), pool_(pool), unit_of_(view.sources.size(), SIZE_MAX) {}

  std::vector<Ns> run() {
    leave_out_logs();
    for (std::size_t s = 0; s < view_.sources.size(); ++s) {
      if (is_compared_[s]) unit_of_[s] = units_.add(view_.sources[s]);
    }
    std::vector<Ns> before;
    for (const SourceInfo& source : view_.sources) before.push_back(source.clock_fit.offset);
    if (units_.units().size() > 1) {
      find_collectives();
      fit_units(units_.units(), compared_.pairs);
      compared_.pairs.forget_unused();
    } else {
      compared_ = {};
    }
    return moves(before);
  }

 private:
  void leave_out_logs() {
    for (const SourceInfo& source : view_.sources) is_compared_.push_back(source.wall_clock);
    for (const ViewPart& part : view_.parts) {
      const Trace& segment = *part.segment;
      const auto leave_out = [&](std::uint32_t source) { is_compared_[part.first_source + source] = false; };
      for (const RolloutFile& file : segment.rollout.files) leave_out(file.source);
      for (const MetricFile& file : segment.metrics.files) leave_out(file.source);
      for (const PipelineDevice& device : segment.pipeline.devices) leave_out(device.source);
    }
  }

  // The collectives of a unit's stream, in several pieces if several files have the stream. Each piece has its own clock.
  using StreamParts = std::vector<std::pair<const std::vector<LaneKernel>*, ClockShift<SegmentTime, RecordedTime>>>;

  void find_collectives() {
    const auto known = std::exchange(compared_.collectives, {});
    std::vector<ComparedClocks::Unit> places(units_.units().size());
    for (const ViewPart& part : view_.parts) {
      for (std::uint32_t s = 0; s < part.segment->sources.size(); ++s) {
        const std::size_t unit = unit_of_[part.first_source + s];
        if (unit == SIZE_MAX) continue;
        const bool has_one = !places[unit].empty() && places[unit].back().segment == part.segment;
        if (!has_one) places[unit].push_back({part.segment, part.manual_offset, s});
      }
    }
    streams_.resize(places.size());
    place_of_.resize(places.size());
    is_new_.resize(places.size());
    for (std::size_t u = 0; u < places.size(); ++u) {
      const auto found = known.find(places[u]);
      is_new_[u] = found == known.end();
      if (!is_new_[u]) units_.units()[u].clock.collectives = found->second;
    }
    for (const ViewPart& part : view_.parts) collect(part);
    const auto sort_new = [&](std::size_t u) {
      if (is_new_[u]) units_.units()[u].clock.collectives = std::make_shared<const UnitCollectives>(recorded_streams(streams_[u]));
    };
    if (pool_) pool_->parallel_for(places.size(), sort_new);
    for (std::size_t u = 0; u < places.size() && !pool_; ++u) sort_new(u);
    for (std::size_t u = 0; u < places.size(); ++u) {
      compared_.collectives.emplace(std::move(places[u]), units_.units()[u].clock.collectives);
    }
  }

  void collect(const ViewPart& part) {
    const Trace& segment = *part.segment;
    std::vector<bool> is_new;  // by source of the segment
    for (std::size_t s = 0; s < segment.sources.size(); ++s) {
      const std::size_t unit = unit_of_[part.first_source + s];
      is_new.push_back(unit != SIZE_MAX && is_new_[unit]);
    }
    if (!std::ranges::count(is_new, true)) return;
    if (!segment.collectives) in_slices_.push_back(lane_collectives(segment));
    for (const LaneCollectives& found : segment.collectives ? *segment.collectives : in_slices_.back()) {
      const std::size_t source = idx(found.source);
      if (!is_new[source]) continue;
      const SourceInfo& info = segment.sources[source];
      const std::size_t unit = unit_of_[part.first_source + source];
      const auto [place, is_first] = place_of_[unit].try_emplace(stream_of(segment, found.lane, info), streams_[unit].size());
      if (is_first) streams_[unit].emplace_back();
      streams_[unit][place->second].emplace_back(&found.kernels, to_recorded(segment, info) + part.manual_offset);
    }
  }

  // A stream's name is its path of lanes, without the outermost group of a file: files of one process have separate groups, which
  // a view joins (process_lanes.h).
  static std::string stream_of(const Trace& segment, LaneId lane, const SourceInfo& source) {
    std::string stream;
    for (; lane != kNone<LaneId>; lane = segment.lane(lane).parent) {
      const Lane& level = segment.lane(lane);
      if (level.depth > 0 || level.key != source.path) add_level(stream, level.key.empty() ? level.name : level.key);
    }
    return stream;
  }

  static std::vector<CollectiveStream> recorded_streams(const std::vector<StreamParts>& of_unit) {
    std::vector<CollectiveStream> streams;
    for (const StreamParts& parts : of_unit) {
      CollectiveStream& stream = streams.emplace_back();
      std::size_t n = 0;
      for (const auto& [kernels, to_recorded] : parts) n += kernels->size();
      stream.reserve(n);
      for (const auto& [kernels, to_recorded] : parts) {
        for (const auto& [name, time] : *kernels) stream.push_back({name, to_recorded(time.begin).ns, to_recorded(time.end).ns});
      }
    }
    return streams;
  }

  std::vector<Ns> moves(const std::vector<Ns>& before) {
    std::vector<Ns> of_part;
    for (const ViewPart& part : view_.parts) {
      std::vector<Ns> wanted;
      const std::size_t first = part.first_source, end = first + part.segment->sources.size();
      for (std::size_t s = first; s < end; ++s) {
        if (unit_of_[s] != SIZE_MAX) wanted.push_back(view_.sources[s].clock_fit.offset - before[s]);
      }
      std::ranges::nth_element(wanted, wanted.begin() + static_cast<std::ptrdiff_t>(wanted.size() / 2));
      of_part.push_back(wanted.empty() ? 0 : wanted[wanted.size() / 2]);
      for (std::size_t s = first; s < end; ++s) {
        if (unit_of_[s] != SIZE_MAX) view_.sources[s].clock_fit.offset = before[s] + of_part.back();
      }
    }
    return of_part;
  }

  Trace& view_;
  ComparedClocks& compared_;
  ThreadPool* pool_;
  std::vector<bool> is_compared_;           // by source of the view
  std::vector<std::size_t> unit_of_;        // by source; SIZE_MAX: not compared
  ClockUnits units_;
  std::vector<bool> is_new_;                // by unit: its collectives must be found
  std::vector<std::vector<StreamParts>> streams_;           // by unit: the collectives found for new ones
  std::vector<std::map<std::string, std::size_t>> place_of_;  // by unit and stream
  std::deque<std::vector<LaneCollectives>> in_slices_;      // of segments without stored collectives
};

}  // namespace

std::vector<LaneCollectives> lane_collectives(const Trace& segment) {
  std::vector<LaneCollectives> out;
  const std::vector<std::uint64_t> name_of = collective_names(segment.labels);
  if (std::ranges::all_of(name_of, [](std::uint64_t name) { return name == kNoCollective; })) return out;
  std::map<std::pair<LaneId, SourceId>, std::size_t> place;
  const ToldNames told(segment);
  for (const Row& row : segment.rows) {
    if (row.kind != RowKind::Slices || segment.lane(row.lane).kind != LaneKind::Stream) continue;
    const std::vector<std::uint64_t> told_of = told.of(row);
    for (const SliceId slice : segment.ids_of(row)) {
      std::uint64_t name = name_of[idx(segment.label_of(slice))];
      if (name == kNoCollective) continue;
      const std::uint64_t recorded_name = told_of.empty() ? 0 : told_of[idx(slice) - row.first];
      if (recorded_name != 0) name = recorded_name;
      const ItemRef ref = segment.ref_of(slice);
      if (ref.is(kUnfinished)) continue;
      const auto [found, is_new] = place.try_emplace({row.lane, ref.source()}, out.size());
      if (is_new) out.push_back({ref.source(), row.lane, {}});
      const Ns end = std::min(segment.end_of(slice), segment.extent.end);  // unchecked columns may hold later ends
      out[found->second].kernels.push_back({name, SegmentRange::of({segment.begin_of(slice), end})});
    }
  }
  return out;
}

std::vector<Ns> fit_segments(Trace& view, ComparedClocks& compared, ThreadPool* pool) { return SegmentFitting(view, compared, pool).run(); }

}  // namespace tv
