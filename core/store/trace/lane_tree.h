// Builds the display tree of lanes from the readers' LaneSpecs: equal paths become one lane, siblings are sorted by their
// sort key, then naturally by name; groups without content disappear.
#pragma once

#include <cstdint>
#include <vector>

#include "core/store/draft/lane_spec.h"
#include "core/store/trace/trace.h"

namespace tv {

struct LaneTree {
  std::vector<Lane> lanes;      ///< preorder; names, kinds, parents, depths and subtree ends are set
  std::vector<LaneId> of_spec;  ///< lane of each spec given
};

LaneTree build_lane_tree(const std::vector<const LaneSpec*>& specs);

}  // namespace tv
