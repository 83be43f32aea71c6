// The collectives on the GPU streams of a segment. A packed trace can store them, so that its clock is compared with others
// without reading its slices. Cost: 24 bytes per collective.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/ids.h"
#include "core/store/collectives/stream_match.h"

namespace tv {

/// The collectives of one source on one lane, in the segment's time.
struct LaneCollectives {
  SourceId source{};
  LaneId lane{};
  CollectiveStream kernels;
};

std::string collective_bytes(const std::vector<LaneCollectives>& lanes);
/// The reader fails if the data do not fit a segment with this many sources and lanes.
void take_collectives(ByteReader& bytes, std::size_t sources, std::size_t lanes, std::vector<LaneCollectives>& out);

}  // namespace tv
