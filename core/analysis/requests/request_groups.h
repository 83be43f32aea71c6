// Groups siblings: the requests that sample the same prompt (GRPO). The trainer needs all of them, so the slowest one makes the
// others wait. How much time is lost by that?
//
// A group consists of the requests of a run and step whose batch_data_id (>= 0) stands for the same prompt. What the id stands for
// depends on the writer. verl numbers the prompts of each worker separately, and all samples of a prompt have its number. If
// prompts are repeated before they are distributed to workers, each sample has its own number, and consecutive numbers belong to
// one prompt. The log does not say which applies, so the user chooses the rule; likely_group_rule() proposes one.
// Invariant: every group has at least two members, ordered as in the Rollout; no request is in two groups.
// Cost: O(n log n). Units: seconds. Source: rollout logs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct GroupRule {
  bool across_workers = true;  ///< the same id on two workers is the same prompt
  std::int64_t siblings = 1;   ///< how many consecutive ids belong to one prompt
  bool operator==(const GroupRule&) const = default;
};

/// Groups within workers if some worker has an id twice in a step, because it then numbers its own prompts; else across workers.
GroupRule likely_group_rule(const Rollout& rollout);

struct RequestGroup {
  std::uint32_t step = 0;
  std::int64_t batch_id = 0;   ///< the lowest id in the group
  RequestSet members;
  RequestIx slowest = 0;       ///< of several equally slow requests, the first
  double max = 0, median = 0, min = 0;
  double ratio = 1;            ///< max / median; 1 when both are 0
  double lost = 0;             ///< sibling-seconds: the sum of the times that the others wait for the slowest

  double spread() const { return max - min; }
};

struct RequestGroups {
  std::vector<RequestGroup> groups;  ///< by step, then batch id
  std::size_t without_sibling = 0;   ///< number of requests that are alone in their group
  std::size_t without_id = 0;        ///< number of requests without a batch_data_id
  std::vector<std::uint32_t> by_ratio, by_lost;  ///< indices into `groups`, largest value first
};

RequestGroups request_groups(const Rollout& rollout, const RequestSet& requests, const GroupRule& rule = {});

}  // namespace tv
