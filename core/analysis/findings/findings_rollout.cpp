// Findings about a rollout: steps that stand out, who held the barrier, which request, how long the tail is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/analysis/findings/findings_parts.h"
#include "core/analysis/requests/request_breakdown.h"
#include "core/analysis/requests/request_cdf.h"
#include "core/analysis/rollout/blame.h"
#include "core/analysis/rollout/rollout_parts.h"
#include "core/analysis/rollout/step_overview.h"
#include "core/analysis/statistics/usual_length.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"

namespace tv {
namespace {

constexpr std::size_t kMostSlowSteps = 3;
constexpr double kTailFrom = 0.8;  // the tail begins when this share of the requests is done
constexpr double kLongTail = 0.5;  // a tail that takes at least this share of the time is notable
constexpr std::array<std::string_view, kRequestPhases> kPhaseWords = {
    "the engine", "tools", "the reward", "processing", "setting up", "no event of the log"};
constexpr double kOneReason = 0.5;  // a phase that takes at least this share of a request's time is named

void find_slow_steps(const Rollout& rollout, const StepOverview& overview, std::vector<Finding>& out) {
  struct Slow {
    std::uint32_t step;
    const StandsOut* stands_out;
    double seconds;
    bool training;
  };
  std::vector<Slow> slow;
  for (std::uint32_t s = 0; s < overview.steps.size(); ++s) {
    const StepDurations& step = overview.steps[s];
    const auto add = [&](const std::optional<StandsOut>& stands_out, double seconds, bool training) {
      if (stands_out && stands_out->factor >= 1 + kLeastOver) slow.push_back({s, &*stands_out, seconds, training});
    };
    add(step.slow_rollout, step.rollout, false);
    add(step.slow_training, step.training, true);
  }
  std::ranges::stable_sort(slow, [](const Slow& a, const Slow& b) {
    const auto over = [](const Slow& x) { return x.seconds - x.seconds / x.stands_out->factor; };
    return over(a) > over(b);
  });
  const std::string_view the_median = rollout.runs.size() > 1 ? "the median of its run" : "the median";
  for (std::size_t i = 0; i < std::min(slow.size(), kMostSlowSteps); ++i) {
    const Slow& slow_step = slow[i];
    const double factor = slow_step.stands_out->factor, usual = slow_step.seconds / factor;
    Finding found;
    found.id = "slow_step";
    found.sentence = fmt::format("{} of {} took {} times as long as usual: {}, {} is {}.",
                                 slow_step.training ? "The work after the rollout" : "The rollout", rollout.step_name(slow_step.step),
                                 said_factor(factor), said_seconds(slow_step.seconds), the_median, said_seconds(usual));
    if (slow_step.stands_out->reason) {
      found.sentence += fmt::format(" {}.", capitalized(text_of(rollout, *slow_step.stands_out->reason)));
    }
    if (i == 0 && slow.size() > kMostSlowSteps) {
      found.sentence += fmt::format(" {} more steps stand out.", slow.size() - kMostSlowSteps);
    }
    if (slow_step.stands_out->reason) found.numbers.push_back({"reason", slow_step.stands_out->reason->seconds, "s"});
    found.numbers.insert(found.numbers.begin(), {{"step", static_cast<double>(rollout.steps[slow_step.step].step), {}},
                                                 {"factor", factor, "times"},
                                                 {"took", slow_step.seconds, "s"},
                                                 {"median", usual, "s"}});
    found.level = level_of(factor - 1, kLeastOver, 1);
    found.share = (slow_step.seconds - usual) / slow_step.seconds;
    found.chart = "steps";
    found.range = rollout.steps[slow_step.step].extent;
    if (slow_step.training)
      found.range->end = std::max(found.range->end, found.range->begin + to_ns(overview.steps[slow_step.step].interval));
    out.push_back(std::move(found));
  }
  if (!slow.empty() || overview.steps.size() < 2) return;
  // A step without a total lies below all others, because a comparison with NaN is no order.
  const auto longest = std::ranges::max_element(
      overview.steps, {}, [](const StepDurations& step) { return std::isnan(step.rollout) ? -HUGE_VAL : step.rollout; });
  const auto s = static_cast<std::uint32_t>(longest - overview.steps.begin());
  if (std::isnan(longest->rollout)) return;
  std::vector<double> rollouts_of_run;
  for (std::size_t i = 0; i < overview.steps.size(); ++i) {
    if (rollout.steps[i].run == rollout.steps[s].run) rollouts_of_run.push_back(overview.steps[i].rollout);
  }
  if (rollouts_of_run.size() < 2) return;  // a run of one step has nothing to compare it with
  const double median = summarize(rollouts_of_run).median;
  Finding found;
  found.id = "even_steps";
  found.sentence =
      fmt::format("No step stands out: the longest rollout, of {}, took {}, {} is {}.", rollout.step_name(s),
                  said_seconds(longest->rollout), the_median, said_seconds(median));
  found.numbers = {{"longest", longest->rollout, "s"}, {"median", median, "s"}};
  found.chart = "steps";
  out.push_back(std::move(found));
}

// The total time of all workers in the steps of a run.
double worker_seconds(const Rollout& rollout, std::int32_t run) {
  double sum = 0;
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    if (rollout.steps[s].run != run) continue;
    sum += to_seconds(rollout.steps[s].extent.length()) * static_cast<double>(worker_count(files_of_step(rollout, s)));
  }
  return sum;
}

// The worker of one run for which the others waited longest. Workers with the same number in several runs are not the same.
void find_culprit(const Rollout& rollout, const BlameLedger& ledger, std::vector<Finding>& out) {
  struct Waiting {
    double lost = 0;
    std::size_t steps = 0;
  };
  std::map<std::int32_t, Waiting> by_run;
  std::map<std::pair<std::int32_t, std::uint32_t>, Waiting> by_worker;
  for (const Blame& entry : ledger.entries) {
    const std::int32_t run = rollout.steps[entry.step].run;
    for (Waiting* const waiting : {&by_run[run], &by_worker[{run, entry.worker}]}) {
      waiting->lost += entry.lost;
      ++waiting->steps;
    }
  }
  std::erase_if(by_worker, [&](const auto& worker) { return by_run[worker.first.first].steps < 2; });  // find_request() reports these
  if (by_worker.empty()) return;
  const auto& [culprit, waiting] =
      *std::ranges::max_element(by_worker, [](const auto& a, const auto& b) { return a.second.lost < b.second.lost; });
  const auto& [run, worker] = culprit;
  const Waiting& of_run = by_run[run];
  if (!(of_run.lost > 0)) return;
  const auto worst = std::ranges::find_if(ledger.entries, [&, run = run, worker = worker](const Blame& entry) {
    return entry.worker == worker && rollout.steps[entry.step].run == run;
  });
  Finding found;
  found.id = "culprit";
  found.sentence = fmt::format(
      "Worker {}{} came last to the barrier in {} of {} steps: the others waited {:.4g} worker-seconds for it, {:.0f} % "
      "of all waiting ({:.4g}); {:.4g} of them in {}.",
      rollout.workers[worker], rollout.runs.size() > 1 ? " of " + rollout.runs[static_cast<std::size_t>(run)] : std::string(),
      waiting.steps, of_run.steps, waiting.lost, 100 * waiting.lost / of_run.lost, of_run.lost, worst->lost,
      rollout.step_name(worst->step));
  const double all = worker_seconds(rollout, run);
  found.share = all > 0 ? of_run.lost / all : 0;
  found.numbers = {{"worker", static_cast<double>(rollout.workers[worker]), {}},
                   {"steps", static_cast<double>(waiting.steps), {}},
                   {"lost", waiting.lost, "worker-s"},
                   {"lost in all", of_run.lost, "worker-s"},
                   {"of the workers' time", 100 * found.share, "%"}};
  found.level = level_of(found.share, 0.02, 0.1);
  found.chart = "blame";
  found.step = worst->step;
  found.range = rollout.steps[worst->step].extent;
  found.slice = rollout.slice[worst->request];
  out.push_back(std::move(found));
}

void find_request(const Rollout& rollout, const BlameLedger& ledger, std::vector<Finding>& out) {
  if (ledger.entries.empty() || !(ledger.entries.front().lost > 0)) return;
  const Blame& entry = ledger.entries.front();
  const RequestIx request = entry.request;
  const double seconds = rollout.seconds[request];
  Finding found;
  found.id = "request";
  found.sentence = fmt::format("Request {} of worker {} held up {}: the others waited {:.4g} worker-seconds for it. It took {}",
                               utf8_prefix(rollout.id(request), 8), rollout.workers[entry.worker], rollout.step_name(entry.step),
                               entry.lost, said_seconds(seconds));
  found.numbers = {{"lost", entry.lost, "worker-s"}, {"took", seconds, "s"}};
  const RequestSet all = requests_of_step(rollout, all_requests(rollout), entry.step);
  if (const auto median = median_request(rollout, all)) {
    const double usual = rollout.seconds[*median];
    found.sentence += fmt::format(" (the step's median: {})", said_seconds(usual));
    found.numbers.push_back({"median of the step", usual, "s"});
  }
  const PhaseShares shares = phase_shares(rollout, request);
  const auto most = std::ranges::max_element(shares.percent);
  const auto phase = static_cast<RequestPhase>(most - shares.percent.begin());
  if (*most >= 100 * kOneReason) {
    found.sentence += fmt::format(", {:.0f} % of it in {}", *most, kPhaseWords[static_cast<std::size_t>(phase)]);
  }
  found.numbers.push_back({std::string(name(phase)), *most, "%"});
  const std::int32_t tokens = rollout.tokens[request], turns = rollout.turns[request];
  if (tokens >= 0) found.sentence += fmt::format("; {} tokens", format_count(static_cast<std::uint64_t>(tokens)));
  if (turns >= 0) found.sentence += fmt::format(", {} {}", turns, turns == 1 ? "turn" : "turns");
  found.sentence += '.';
  const double step = to_seconds(rollout.steps[entry.step].extent.length()) *
                      static_cast<double>(worker_count(files_of_step(rollout, entry.step)));
  found.share = step > 0 ? entry.lost / step : 0;
  // For a single step this finding replaces find_culprit's, so it uses the same limits.
  found.level = ledger.entries.size() == 1 ? level_of(found.share, 0.02, 0.1) : level_of(found.share, 0.05, 0.2);
  found.chart = "requests";
  found.step = entry.step;
  found.slice = rollout.slice[request];
  found.range = TimeRange{rollout.begin[request], rollout.end[request]};
  out.push_back(std::move(found));
}

void find_tail(const Rollout& rollout, std::vector<Finding>& out) {
  if (rollout.steps.empty() || rollout.size() < 10) return;
  const auto longest =
      std::ranges::max_element(rollout.steps, {}, [](const RolloutStep& s) { return s.extent.length(); });
  const auto s = static_cast<std::uint32_t>(longest - rollout.steps.begin());
  const RequestCdf cdf = request_cdf(rollout, requests_of_step(rollout, all_requests(rollout), s));
  if (cdf.seconds.size() < 10) return;
  const double at = quantile(cdf.seconds, kTailFrom), last = cdf.seconds.back();
  if (!(last > 0)) return;
  Finding found;
  found.id = "tail";
  found.share = 1 - at / last;
  found.sentence = fmt::format(
      "In {}{}, 80 % of the {} requests took no more than {}; the slowest took {}: the last fifth makes up "
      "{:.0f} % of the time.",
      rollout.step_name(s), rollout.steps.size() > 1 ? ", the longest" : "", format_count(cdf.seconds.size()), said_seconds(at),
      said_seconds(last), 100 * found.share);
  found.numbers = {{"80 % within", at, "s"}, {"slowest", last, "s"}, {"tail", 100 * found.share, "%"}};
  found.level = level_of(found.share, kLongTail, 2);
  found.chart = "cdf";
  found.step = s;
  found.range = longest->extent;
  out.push_back(std::move(found));
}

}  // namespace

void find_in_rollout(const Rollout& rollout, std::vector<Finding>& out) {
  find_slow_steps(rollout, step_overview(rollout), out);
  const BlameLedger ledger = blame(rollout);
  find_culprit(rollout, ledger, out);
  find_request(rollout, ledger, out);
  find_tail(rollout, out);
  if (rollout.in_flight.empty()) return;
  Finding found;
  found.id = "in_flight";
  found.sentence = fmt::format("{} {} still under way when the log ends.", format_count(rollout.in_flight.size()),
                               rollout.in_flight.size() == 1 ? "request was" : "requests were");
  found.numbers = {{"requests", static_cast<double>(rollout.in_flight.size()), {}}};
  found.chart = "in_flight";
  out.push_back(std::move(found));
}

}  // namespace tv
