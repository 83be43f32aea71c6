// The parts of two streams that can belong together, if records identify the collectives or groups of their kernels
// (told_collectives.h). This finds a group that is rare on its stream, which would be lost among the others. Names of collectives
// are hashes, so the first ones by name are a sample that is the same on all ranks.
// Cost: up to 8,192 comparisons of names; O(kernels) if only groups are known, and those of the streams differ.
#pragma once

#include <algorithm>

#include "core/store/collectives/stream_match.h"

namespace tv {

struct ToldInBoth {
  CollectiveStream a, b;

  ToldInBoth(const StreamProbe& of_a, const StreamProbe& of_b);
  /// False if records say nothing, or all kernels belong to the same groups: then the whole streams are compared.
  bool are_enough() const { return std::min(a.size(), b.size()) >= kLeastCollectives; }

 private:
  void take_collectives(const StreamProbe& of_a, const StreamProbe& of_b);
  void take_groups(const StreamProbe& of_a, const StreamProbe& of_b);
};

}  // namespace tv
