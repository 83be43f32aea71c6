#include "core/store/trace/fit_segments.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/store/clock/unit_clocks.h"

namespace tv {
namespace {

class SegmentFitting {
 public:
  explicit SegmentFitting(Trace& view)
      : view_(view), names_(collective_names(view.labels)), unit_of_(view.sources.size(), SIZE_MAX) {}

  std::vector<Ns> run() {
    leave_out_logs();
    for (std::size_t s = 0; s < view_.sources.size(); ++s) {
      if (compared_[s]) unit_of_[s] = units_.add(view_.sources[s]);
    }
    std::vector<Ns> before;
    for (const SourceInfo& source : view_.sources) before.push_back(source.clock_fit.offset);
    if (units_.units().size() > 1) {
      for (const ViewPart& part : view_.parts) collect(part);
      fit_units(units_.units());
    }
    return moves(before);
  }

 private:
  void leave_out_logs() {
    for (const SourceInfo& source : view_.sources) compared_.push_back(source.wall_clock);
    for (const ViewPart& part : view_.parts) {
      const Trace& segment = *part.segment;
      const auto leave_out = [&](std::uint32_t source) { compared_[part.first_source + source] = false; };
      for (const RolloutFile& file : segment.rollout.files) leave_out(file.source);
      for (const MetricFile& file : segment.metrics.files) leave_out(file.source);
      for (const PipelineDevice& device : segment.pipeline.devices) leave_out(device.source);
    }
  }

  void collect(const ViewPart& part) {
    const Trace& segment = *part.segment;
    std::vector<std::uint32_t> name_of;  // by label of the segment
    for (std::size_t l = 0; l < segment.labels.size(); ++l) {
      name_of.push_back(names_[idx(part.label.empty() ? id_at<LabelId>(l) : part.label[l])]);
    }
    if (std::ranges::all_of(name_of, [](std::uint32_t name) { return name == kNoCollective; })) return;
    std::vector<Ns> to_recorded;  // by source of the segment
    for (const SourceInfo& source : segment.sources) {
      to_recorded.push_back(segment.origin_ns + part.by_hand - source.clock_fit.offset - source.aligned);
    }
    std::map<std::pair<std::size_t, LaneId>, std::size_t> streams;  // by unit and lane
    for (const Row& row : segment.rows) {
      if (row.kind != RowKind::Slices || segment.lane(row.lane).kind != LaneKind::Stream) continue;
      for (const SliceId slice : segment.ids_of(row)) {
        const std::uint32_t name = name_of[idx(segment.label_of(slice))];
        const ItemRef ref = segment.ref_of(slice);
        const std::size_t source = idx(ref.source()), unit = unit_of_[part.first_source + source];
        if (name == kNoCollective || ref.is(kUnfinished) || unit == SIZE_MAX) continue;
        std::vector<CollectiveStream>& of_unit = units_.units()[unit].clock.streams;
        const std::size_t stream = streams.emplace(std::pair(unit, row.lane), of_unit.size()).first->second;
        if (stream == of_unit.size()) of_unit.emplace_back();
        const Ns begin = segment.begin_of(slice) + to_recorded[source];
        of_unit[stream].push_back({name, begin, begin + segment.duration_of(slice)});
      }
    }
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
  const std::vector<std::uint32_t> names_;  // by label of the view
  std::vector<bool> compared_;              // by source of the view
  std::vector<std::size_t> unit_of_;        // likewise; SIZE_MAX: it is not compared
  ClockUnits units_;
};

}  // namespace

std::vector<Ns> fit_segments(Trace& view) { return SegmentFitting(view).run(); }

}  // namespace tv
