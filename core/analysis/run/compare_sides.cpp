#include "core/analysis/run/compare_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/analysis/filter/request_filter.h"
#include "core/analysis/rollout/rollout_parts.h"

namespace tv {
namespace {

RequestSet difference(const RequestSet& all, const RequestSet& without) {
  RequestSet out;
  std::ranges::set_difference(all, without, std::back_inserter(out));
  return out;
}

RequestSet in_steps(const Rollout& rollout, const RequestSet& among, std::size_t first, std::size_t end) {
  if (first >= end) return {};
  const RequestIx begin = rollout.steps[first].first, limit = rollout.steps[end - 1].end;
  return {std::ranges::lower_bound(among, begin), std::ranges::lower_bound(among, limit)};
}

bool is_filter(std::string_view side) { return !side.empty() && side != kSelectedSide && side != kOtherSide; }

std::string name_of(const Rollout& rollout, std::string_view filter) {
  const std::vector<NamedFilter> known = side_choices(rollout);
  const auto at = std::ranges::find(known, filter, &NamedFilter::filter);
  return at == known.end() ? std::string(filter) : at->name;
}

CompareSide side_of(const Rollout& rollout, const RequestSet& among, std::string_view side) {
  if (side == kSelectedSide) return {"selected", among};
  const auto filter = parse_filter(side);
  return {name_of(rollout, side), filter ? apply(rollout, filter.value(), among) : RequestSet()};
}

CompareSide others_of(const Rollout& rollout, const RequestSet& among, std::string_view side, const RequestSet& requests) {
  if (side == kSelectedSide) return {"not selected", difference(all_requests(rollout), requests)};
  return {"all others", difference(among, requests)};
}

}  // namespace

CompareSides default_sides(const Rollout& rollout, const RequestSet& among, std::optional<std::uint32_t> step,
                           bool singled_out) {
  const std::size_t steps = rollout.steps.size();
  const CompareSides selected = {{"not selected", difference(all_requests(rollout), among)}, {"selected", among}};
  const bool part = !among.empty() && among.size() < rollout.size();
  if (singled_out && part) return selected;
  const auto second_run =
      std::ranges::find_if(rollout.steps, [&](const RolloutStep& s) { return s.run != rollout.steps[0].run; });
  if (second_run != rollout.steps.end()) {
    const auto first_steps = static_cast<std::size_t>(second_run - rollout.steps.begin());
    CompareSides runs = {
        {rollout.runs[static_cast<std::size_t>(rollout.steps[0].run)], in_steps(rollout, among, 0, first_steps)},
        {rollout.runs.size() == 2 ? rollout.runs[static_cast<std::size_t>(second_run->run)] : "the other runs",
         in_steps(rollout, among, first_steps, steps)}};
    if (!runs.a.requests.empty() && !runs.b.requests.empty()) return runs;
  }
  if (step && *step < steps) {
    RequestSet of_step = requests_of_step(rollout, among, *step);
    return {{"all other steps", difference(among, of_step)}, {rollout.step_name(*step), std::move(of_step)}};
  }
  if (part) return selected;
  if (steps < 2) return {{"A", among}, {"B", {}}};
  const std::string middle = rollout.step_name(static_cast<std::uint32_t>(steps / 2));
  return {{"before " + middle, in_steps(rollout, among, 0, steps / 2)},
          {fmt::format("from {} on", middle), in_steps(rollout, among, steps / 2, steps)}};
}

CompareSides compare_sides(const Rollout& rollout, const RequestSet& among, std::optional<std::uint32_t> step,
                           std::string_view a, std::string_view b, bool singled_out) {
  const bool given_a = is_filter(a) || a == kSelectedSide, given_b = is_filter(b) || b == kSelectedSide;
  if (!given_a && !given_b) return default_sides(rollout, among, step, singled_out);
  CompareSides out;
  if (given_a) out.a = side_of(rollout, among, a);
  if (given_b) out.b = side_of(rollout, among, b);
  if (!given_a) out.a = others_of(rollout, among, b, out.b.requests);
  if (!given_b) out.b = others_of(rollout, among, a, out.a.requests);
  return out;
}

Result<void> check_side(const Rollout& rollout, std::string_view name, std::string_view side) {
  if (!is_filter(side)) return {};
  const auto filter = parse_filter(side);
  if (!filter) return filter.error();
  if (!apply(rollout, filter.value(), all_requests(rollout)).empty()) return {};
  std::string choices = rollout.runs.size() > 1 ? "runs count from 1: " : "";
  for (std::size_t r = 0; rollout.runs.size() > 1 && r < rollout.runs.size(); ++r) {
    choices += fmt::format("{}run=={} or run=={}", r == 0 ? "" : ", ", r + 1, quoted_text(rollout.runs[r]));
  }
  if (!rollout.steps.empty()) {
    const auto [least, most] = std::ranges::minmax(rollout.steps, {}, &RolloutStep::step);
    choices += fmt::format("{}steps {} to {}, workers {} to {}", choices.empty() ? "there are " : "; ", least.step, most.step,
                           rollout.workers.front(), rollout.workers.back());
  }
  return Error{fmt::format("{}: no complete request matches {}", name, side), {}, {}, choices};
}

std::vector<NamedFilter> side_choices(const Rollout& rollout) {
  std::vector<NamedFilter> out;
  const bool several_runs = rollout.runs.size() > 1;
  for (std::size_t r = 0; several_runs && r < rollout.runs.size(); ++r) {
    out.push_back({fmt::format("run=={}", r + 1), rollout.runs[r]});
  }
  for (const std::int32_t worker : rollout.workers) {
    out.push_back({fmt::format("worker=={}", worker), fmt::format("worker {}", worker)});
  }
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    out.push_back({step_filter(rollout, s), rollout.step_name(s)});
  }
  return out;
}

}  // namespace tv
