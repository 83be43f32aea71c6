#include "core/analysis/requests/request_groups.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/analysis/rollout/rollout_parts.h"
#include "core/analysis/statistics/summary.h"

namespace tv {
namespace {

struct Member {
  std::uint32_t step, worker;
  std::int64_t prompt;
  RequestIx request;

  auto prompt_key() const { return std::tuple(step, prompt, worker); }
};

// An unknown duration counts as 0, because it does not show who was slow.
double seconds_of(const Rollout& rollout, RequestIx r) { return rollout.seconds[r] > 0 ? rollout.seconds[r] : 0; }

RequestGroup group_of(const Rollout& rollout, std::span<const Member> members) {
  RequestGroup out;
  out.step = members.front().step;
  out.batch_id = rollout.request(members.front().request).batch_id;
  for (const Member& member : members) {
    out.members.push_back(member.request);
    out.batch_id = std::min(out.batch_id, rollout.request(member.request).batch_id);
  }
  std::ranges::sort(out.members);
  std::vector<double> seconds;
  for (const RequestIx r : out.members) seconds.push_back(seconds_of(rollout, r));
  const auto slowest = std::ranges::max_element(seconds);
  out.slowest = out.members[static_cast<std::size_t>(slowest - seconds.begin())];
  std::ranges::sort(seconds);
  out.min = seconds.front();
  out.max = seconds.back();
  out.median = quantile(seconds, 0.5);
  // If the median is 0 and a sibling is slow, the ratio is infinite, and the group ranks first, as it should.
  out.ratio = out.max > 0 ? out.max / out.median : 1;
  for (const double s : seconds) out.lost += out.max - s;
  return out;
}

std::vector<std::uint32_t> ranked(const std::vector<RequestGroup>& groups, double RequestGroup::*by) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t g = 0; g < groups.size(); ++g) order.push_back(g);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return groups[a].*by > groups[b].*by; });
  return order;
}

}  // namespace

GroupRule likely_group_rule(const Rollout& rollout) {
  // Batch ids are usually small: storing for each the last file that had it is cheaper than sorting them.
  constexpr std::int64_t kMostRemembered = 1 << 16;
  std::vector<std::uint32_t> last_seen;  // by id: the file, from 1
  for (std::uint32_t f = 0; f < rollout.worker_steps.size(); ++f) {
    const WorkerStep& file = rollout.worker_steps[f];
    std::vector<std::int64_t> large;
    for (RequestIx r = file.first; r < file.end; ++r) {
      const std::int64_t id = rollout.request(r).batch_id;
      if (id < 0) continue;
      if (id >= kMostRemembered) {
        large.push_back(id);
        continue;
      }
      const auto at = static_cast<std::size_t>(id);
      if (at >= last_seen.size()) last_seen.resize(at + 1);
      if (std::exchange(last_seen[at], f + 1) == f + 1) return {false, 1};
    }
    std::ranges::sort(large);
    if (std::ranges::adjacent_find(large) != large.end()) return {false, 1};
  }
  return {};
}

RequestGroups request_groups(const Rollout& rollout, const RequestSet& requests, const GroupRule& rule) {
  RequestGroups out;
  std::vector<Member> members;
  for (const RequestIx r : requests) {
    const std::int64_t id = rollout.request(r).batch_id;
    if (id < 0) {
      ++out.without_id;
      continue;
    }
    const std::uint32_t worker = rule.across_workers ? 0 : rollout.worker[r];
    members.push_back({rollout.step[r], worker, id / std::max<std::int64_t>(rule.siblings, 1), r});
  }
  std::ranges::stable_sort(members, {}, &Member::prompt_key);
  for (std::size_t first = 0, last = 0; first < members.size(); first = last) {
    while (last < members.size() && members[last].prompt_key() == members[first].prompt_key()) ++last;
    if (last - first == 1) {
      ++out.without_sibling;
    } else {
      out.groups.push_back(group_of(rollout, std::span(members).subspan(first, last - first)));
    }
  }
  out.by_ratio = ranked(out.groups, &RequestGroup::ratio);
  out.by_lost = ranked(out.groups, &RequestGroup::lost);
  return out;
}

}  // namespace tv
