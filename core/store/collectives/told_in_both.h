// Selects the kernels of two streams that can belong together, if records identify the collectives or groups of kernels
// (told_collectives.h). Without this, the kernels of a group that is rare on its stream would be lost among the others. Names of
// collectives are hashes, so the first ones by name are a sample that is the same on all ranks.
// Cost: up to 8,192 comparisons of names; O(kernels) if records identify only groups, and the streams have different ones.
#pragma once

#include <algorithm>

#include "core/store/collectives/stream_match.h"

namespace tv {

struct ToldInBoth {
  CollectiveStream a, b;

  ToldInBoth(const StreamProbe& of_a, const StreamProbe& of_b);
  /// False if too few kernels were selected: records say nothing, or both streams have the same groups. Then the whole streams
  /// are to be compared.
  bool are_enough() const { return std::min(a.size(), b.size()) >= kLeastCollectives; }

 private:
  void take_collectives(const StreamProbe& of_a, const StreamProbe& of_b);
  void take_groups(const StreamProbe& of_a, const StreamProbe& of_b);
};

}  // namespace tv
