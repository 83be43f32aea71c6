#include "core/store/collectives/lane_collectives.h"

#include <cstdint>

#include "core/store/logs/table_bytes.h"

namespace tv {

std::string collective_bytes(const std::vector<LaneCollectives>& lanes) {
  ByteWriter bytes;
  bytes(std::uint64_t{lanes.size()});
  for (const LaneCollectives& of_lane : lanes) {
    bytes(of_lane.source, of_lane.lane, std::uint64_t{of_lane.kernels.size()});
    for (const auto& [name, time] : of_lane.kernels) bytes(name, time.begin.ns, time.end.ns);
  }
  return bytes.bytes();
}

void take_collectives(ByteReader& bytes, std::size_t sources, std::size_t lanes, std::vector<LaneCollectives>& out) {
  out.resize(bytes.count(16));
  for (LaneCollectives& of_lane : out) {
    bytes(of_lane.source, of_lane.lane);
    of_lane.kernels.resize(bytes.count(24));
    if (idx(of_lane.source) >= sources || idx(of_lane.lane) >= lanes) bytes.fail();
    for (auto& [name, time] : of_lane.kernels) {
      bytes(name, time.begin.ns, time.end.ns);
      if (!can_count_with(time.begin.ns) || !can_count_with(time.end.ns)) bytes.fail();
    }
  }
}

}  // namespace tv
