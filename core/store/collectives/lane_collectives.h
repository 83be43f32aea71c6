// The collectives on the GPU streams of a segment. A packed trace can store them, so that its clock is compared with others
// without reading its slices. Cost: 24 bytes per collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/clock_time.h"
#include "core/base/ids.h"

namespace tv {

struct LaneKernel {
  std::uint64_t name = 0;  ///< CollectiveKernel::name
  SegmentRange time;
};

/// The collectives of one source on one lane.
struct LaneCollectives {
  SourceId source{};
  LaneId lane{};
  std::vector<LaneKernel> kernels;
};

std::string collective_bytes(const std::vector<LaneCollectives>& lanes);
/// The reader fails if the data do not fit a segment with this many sources and lanes.
void take_collectives(ByteReader& bytes, std::size_t sources, std::size_t lanes, std::vector<LaneCollectives>& out);

}  // namespace tv
