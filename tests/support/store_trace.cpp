#include "tests/support/store_trace.h"

#include <algorithm>
#include <string>

#include "tests/support/gen_trace.h"

namespace tv::test {

std::shared_ptr<Trace> make_store_trace(std::size_t slices, std::size_t lanes) {
  auto trace = std::make_shared<Trace>();
  SourceInfo source;
  source.path = "generated";
  source.state = SourceState::Ready;
  trace->sources.push_back(source);
  Random random(1);
  std::vector<LabelId> labels;
  for (int i = 0; i < 200; ++i) labels.push_back(trace->labels.intern("kernel", "kernel_" + std::to_string(i)));
  const std::size_t per_lane = slices / lanes;
  SliceTable& table = trace->slices = SliceTable(per_lane * lanes);
  for (std::size_t l = 0; l < lanes; ++l) {
    const std::size_t first = l * per_lane;
    Ns t = 0;
    for (std::size_t i = first; i < first + per_lane; ++i) {
      t += random.chance(0.001) ? random.in(0, 1'000'000) : random.in(0, 2'000);
      const Ns duration = random.chance(0.01) ? random.in(0, 500'000) : random.in(500, 20'000);
      table.begin[i] = t;
      table.duration[i] = table.self[i] = duration;
      table.label[i] = labels[random.next() % labels.size()];
      table.ref[i] = ItemRef(SourceId{0}, 0, 0);
      t += duration;
    }
    Lane lane;
    lane.name = "stream " + std::to_string(l);
    lane.kind = LaneKind::Stream;
    lane.subtree_end = id_at<LaneId>(l + 1);
    lane.first_row = static_cast<std::uint32_t>(l);
    lane.row_count = 1;
    lane.slices = per_lane;
    lane.extent = {0, t};
    trace->lanes.push_back(lane);
    trace->rows.push_back({id_at<LaneId>(l), RowKind::Slices, 0, 0, static_cast<std::uint32_t>(first),
                           static_cast<std::uint32_t>(per_lane)});
    trace->extent.end = std::max(trace->extent.end, t);
  }
  trace->slice_count = trace->slices.size();
  trace->sources[0].slices = trace->slice_count;
  return trace;
}

}  // namespace tv::test
