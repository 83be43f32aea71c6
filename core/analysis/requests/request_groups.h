// Groups of a prompt's samples (GRPO): does the slowest sibling dominate? The trainer needs all of them.
//
// A group is the requests of the same run and step with the same batch_data_id (>= 0). The meaning of that number depends on the
// writer. verl numbers the prompts of each worker's own share, and all samples of a prompt share one number. If samples are
// repeated before they are dealt out, each has its own number and `siblings` neighbours form a group. The log does not say which
// applies, so the user chooses the rule; likely_group_rule() guesses it from the numbers.
// Invariant: every group has at least two members, ordered as in the Rollout; no request is in two groups.
// Cost: O(n log n). Units: seconds. Source: rollout logs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct GroupRule {
  bool across_workers = true;  ///< the same number on two workers is the same prompt
  std::int64_t siblings = 1;   ///< how many consecutive numbers are one prompt
  bool operator==(const GroupRule&) const = default;
};

/// Within workers if some worker has a number twice in a step, because its numbers are then those of its own prompts; else across
/// workers.
GroupRule likely_group_rule(const Rollout& rollout);

struct RequestGroup {
  std::uint32_t step = 0;
  std::int64_t batch_id = 0;   ///< the lowest id in the group
  RequestSet members;
  RequestIx slowest = 0;       ///< the first one, if several are equally slow
  double max = 0, median = 0, min = 0;
  double ratio = 1;            ///< max / median; 1 when both are 0
  double lost = 0;  ///< sibling-seconds: how long the other answers wait for the slowest one, added up

  double spread() const { return max - min; }
};

struct RequestGroups {
  std::vector<RequestGroup> groups;  ///< by step, then batch id
  std::size_t alone = 0;             ///< requests without a sibling
  std::size_t without_id = 0;
  std::vector<std::uint32_t> by_ratio, by_lost;  ///< indices into groups, greatest first
};

RequestGroups request_groups(const Rollout& rollout, const RequestSet& requests, const GroupRule& rule = {});

}  // namespace tv
