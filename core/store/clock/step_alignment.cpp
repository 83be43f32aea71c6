#include "core/store/clock/step_alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

namespace tv {
namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostZones = 8;          // if more zones are possible, known places would show little, and are not used
constexpr std::size_t kMostPairs = 4'000'000;  // steps x rollouts
constexpr std::size_t kMostBetween = 4;   // rollouts between two steps: validations
constexpr std::size_t kMostMissing = 16;  // steps in a row without a rollout
constexpr double kStepWithout = 1.5;      // cost of a step without a rollout
constexpr double kUsual = 3;              // limit of gen minus rollout length, in scales around the median
constexpr double kRolloutWithout = 0.5;   // cost of a rollout without a step: a validation, or an interrupted one
constexpr int kCounted = 4;               // maximum number of such rollouts in a row that are charged

// A heavy-tailed cost, so that a single pause does not rule out an alignment.
double distance_cost(double distance, double scale) {
  const double times = distance / scale;
  return 0.5 * std::log1p(times * times);
}

double scale_of_gen(double gen) { return 0.05 + 0.01 * gen; }
double scale_of_step(double duration) { return 0.1 + 0.01 * duration; }
double slack_of(double duration) { return 0.5 + 0.02 * duration; }

// The graph of all alignments. A node is a step with a rollout; gap (s, r) is the state after all sessions before s, with rollout r
// next. A session is a stretch of the log with rising step numbers.
class Alignments {
 public:
  Alignments(const std::vector<LoggedStep>& steps, const std::vector<RolloutSpan>& rollouts) : steps_(steps) {
    for (const RolloutSpan& rollout : rollouts) {
      begin_.push_back(to_seconds(rollout.extent.begin - rollouts.front().extent.begin));
      end_.push_back(to_seconds(rollout.extent.end - rollouts.front().extent.begin));
    }
    before_.push_back(0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i == 0 || steps[i].number <= steps[i - 1].number) sessions_.push_back(i);
      session_of_.push_back(sessions_.size() - 1);
      before_.push_back(before_.back() + steps[i].duration);
    }
    sessions_.push_back(steps.size());
    possible_.assign(size(), 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (std::size_t r = 0; r < begin_.size(); ++r) possible_[node(i, r)] = fits(i, r) ? 1 : 0;
    }
  }

  std::size_t size() const { return steps_.size() * begin_.size(); }
  std::size_t sessions() const { return sessions_.size() - 1; }
  std::size_t session_of(std::size_t step) const { return session_of_[step]; }
  bool possible(std::size_t step, std::size_t rollout) const { return possible_[node(step, rollout)] != 0; }
  void forbid(std::size_t step, std::size_t rollout) { possible_[node(step, rollout)] = 0; }
  /// How much longer gen is than the rollout.
  double longer(std::size_t step, std::size_t rollout) const {
    return steps_[step].gen - (end_[rollout] - begin_[rollout]);
  }
  /// Begin of the step if it has this rollout, relative to the first rollout.
  double begins(std::size_t step, std::size_t rollout) const { return begin_[rollout] - steps_[step].lead; }

  /// Finds the cheapest paths to each node and gap, and from each to the end.
  void weigh() {
    forward_.assign(size(), kImpossible);
    back_.assign(size(), kImpossible);
    const std::size_t gaps = (sessions() + 1) * (begin_.size() + 1) * kGapKinds;
    gap_forward_.assign(gaps, kImpossible);
    gap_back_.assign(gaps, kImpossible);
    gap_forward_[gap(0, 0, 0)] = 0;
    for (std::size_t s = 0; s <= sessions(); ++s) {
      for (std::size_t r = 0; r <= begin_.size(); ++r) {
        for (int kind = 0; kind < kGapKinds; ++kind) {
          const double here = gap_forward_[gap(s, r, kind)];
          if (here < kImpossible)
            from_gap(s, r, kind, [&](double& to, const double&, double cost) { relax(to, here, cost); });
        }
      }
      if (s == sessions()) break;
      for (std::size_t i = sessions_[s]; i < sessions_[s + 1]; ++i) {
        for (std::size_t r = 0; r < begin_.size(); ++r) {
          const double here = forward_[node(i, r)];
          if (here < kImpossible)
            from_node(i, r, [&](double& to, const double&, double cost) { relax(to, here, cost); });
        }
      }
    }
    for (int kind = 0; kind < kGapKinds; ++kind) gap_back_[gap(sessions(), begin_.size(), kind)] = 0;
    for (std::size_t s = sessions() + 1; s-- > 0;) {
      if (s < sessions()) {
        for (std::size_t i = sessions_[s + 1]; i-- > sessions_[s];) {
          for (std::size_t r = begin_.size(); r-- > 0;) {
            double& here = back_[node(i, r)];
            if (forward_[node(i, r)] < kImpossible) {
              from_node(i, r, [&](double&, const double& to, double cost) { relax(here, to, cost); });
            }
          }
        }
      }
      for (std::size_t r = begin_.size() + 1; r-- > 0;) {
        for (int kind = 0; kind < kGapKinds; ++kind) {
          double& here = gap_back_[gap(s, r, kind)];
          from_gap(s, r, kind, [&](double&, const double& to, double cost) { relax(here, to, cost); });
        }
      }
    }
  }

  double best() const { return gap_back_[gap(0, 0, 0)]; }
  /// The cost of the best alignment in which the step has that rollout.
  double through(std::size_t step, std::size_t rollout) const {
    return forward_[node(step, rollout)] + back_[node(step, rollout)];
  }

  /// Whether two steps follow each other without an unlogged pause.
  bool is_link(std::size_t i, std::size_t r, std::size_t next, std::size_t to) const {
    constexpr double kPause = 10;
    return idle(i, r, next, to) <= kPause * scale_of_step(before_[next] - before_[i]);
  }

  /// How much better than by chance two consecutive steps fit at these rollouts.
  double evidence(std::size_t i, std::size_t r, std::size_t next, std::size_t to) const {
    const double scale = scale_of_gen(std::max(steps_[i].gen, steps_[next].gen));
    const double took = before_[next] - before_[i], step_scale = scale_of_step(took);
    const double actual = distance_cost(longer(next, to) - longer(i, r), scale) + distance_cost(idle(i, r, next, to), step_scale);
    const double gen_grows = steps_[next].gen - steps_[i].gen;
    const std::size_t pairs = begin_.size() - 1;
    const std::size_t stride = std::max<std::size_t>(1, pairs / 200);
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t a = 0; a < pairs; a += stride, ++count) {
      const double grows = (end_[a + 1] - begin_[a + 1]) - (end_[a] - begin_[a]);
      sum += distance_cost(gen_grows - grows, scale) + distance_cost(begin_[a + 1] - begin_[a] - took, step_scale);
    }
    return count == 0 ? 0 : sum / static_cast<double>(count) - actual;
  }

 private:
  // In a gap of kind 0, each further rollout that is skipped is charged. In one of kind 1, kCounted are paid for and more are free.
  static constexpr int kGapKinds = 2;

  std::size_t node(std::size_t step, std::size_t rollout) const { return step * begin_.size() + rollout; }
  std::size_t gap(std::size_t session, std::size_t rollout, int kind) const {
    return (session * (begin_.size() + 1) + rollout) * kGapKinds + static_cast<std::size_t>(kind);
  }
  static void relax(double& to, double from, double cost) { to = std::min(to, from + cost); }

  // The trainer's gen contains the rollout and its hand-over to the trainer.
  bool fits(std::size_t i, std::size_t r) const {
    const double more = longer(i, r);
    return more >= -slack_of(end_[r] - begin_[r]) && more <= 2 + 0.25 * steps_[i].gen;
  }

  // The time between two steps that is not explained by the logged steps between them, nor by rollouts, which are validations.
  double idle(std::size_t i, std::size_t r, std::size_t next, std::size_t to) const {
    const double ends = begins(i, r) + before_[next] - before_[i];
    double rest = begins(next, to) - ends;
    for (std::size_t v = r + 1; v < to; ++v) {
      if (end_[v] > ends + slack_of(0)) rest -= end_[v] - std::max(begin_[v], ends);
    }
    return rest;
  }

  static double steps_without(std::size_t count) { return static_cast<double>(count) * kStepWithout; }

  // Visits the edges that leave a gap: they skip the next rollout, skip the session, or lead to a step of the session.
  template <class Visit>
  void from_gap(std::size_t s, std::size_t r, int kind, Visit visit) {
    if (r < begin_.size()) {
      visit(gap_forward_[gap(s, r + 1, kind)], gap_back_[gap(s, r + 1, kind)], kind == 0 ? kRolloutWithout : 0);
      if (kind == 0) {
        visit(gap_forward_[gap(s, r + 1, 1)], gap_back_[gap(s, r + 1, 1)], kRolloutWithout * kCounted);
      }
    }
    if (s == sessions()) return;
    visit(gap_forward_[gap(s + 1, r, kind)], gap_back_[gap(s + 1, r, kind)],
          steps_without(sessions_[s + 1] - sessions_[s]));
    if (r == begin_.size()) return;
    for (std::size_t i = sessions_[s]; i < sessions_[s + 1]; ++i) {
      if (!possible(i, r)) continue;
      // Earlier steps of the session lack a rollout only if none was logged yet: then rollout r - 1 ends before the session.
      const double since = before_[i] - before_[sessions_[s]];
      if (r > 0 && end_[r - 1] > begins(i, r) - since + slack_of(since)) {
        if (i == sessions_[s]) continue;
        break;
      }
      visit(forward_[node(i, r)], back_[node(i, r)], steps_without(i - sessions_[s]));
    }
  }

  // Visits the edges that leave a node: they lead to later steps of the session, or to the gap after it.
  template <class Visit>
  void from_node(std::size_t i, std::size_t r, Visit visit) {
    const std::size_t rollouts = begin_.size(), last = sessions_[session_of_[i] + 1];
    const LoggedStep& step = steps_[i];
    const double busy_until = begins(i, r) + step.duration - step.testing - slack_of(step.duration);
    if (r + 1 < rollouts && begin_[r + 1] < busy_until) return;  // the next rollout would begin within the step
    for (std::size_t to = r + 1; i + 1 < last && to < std::min(rollouts, r + 2 + kMostBetween); ++to) {
      if (possible(i + 1, to)) follow(i, r, i + 1, to, visit);
    }
    for (std::size_t next = i + 2; r + 1 < rollouts && next < std::min(last, i + 2 + kMostMissing); ++next) {
      if (before_[next] - before_[i] > begin_[r + 1] - begins(i, r) + slack_of(before_[next] - before_[i])) break;
      if (possible(next, r + 1)) follow(i, r, next, r + 1, visit);
    }
    const double rest = before_[last] - before_[i];
    if (i + 1 < last && r + 1 < rollouts && begin_[r + 1] < begins(i, r) + rest - slack_of(rest)) return;
    const std::size_t closed = gap(session_of_[i] + 1, r + 1, 0);
    visit(gap_forward_[closed], gap_back_[closed], steps_without(last - i - 1));
  }

  template <class Visit>
  void follow(std::size_t i, std::size_t r, std::size_t next, std::size_t to, Visit visit) {
    const double took = before_[next] - before_[i], idles = idle(i, r, next, to);
    if (idles < -slack_of(took)) return;
    const double cost = distance_cost(longer(next, to) - longer(i, r), scale_of_gen(std::max(steps_[i].gen, steps_[next].gen))) +
                        distance_cost(idles, scale_of_step(took)) + kStepWithout * static_cast<double>(next - i - 1) +
                        kRolloutWithout * static_cast<double>(to - r - 1);
    visit(forward_[node(next, to)], back_[node(next, to)], cost);
  }

  const std::vector<LoggedStep>& steps_;
  std::vector<double> begin_, end_;                 // of rollouts
  std::vector<double> before_;                      // durations of all steps before each step, and of all steps
  std::vector<std::size_t> sessions_, session_of_;  // first step of each session and one past the last; session of each step
  std::vector<std::uint8_t> possible_;
  std::vector<double> forward_, back_, gap_forward_, gap_back_;
};

class StepAligning {
 public:
  StepAligning(const std::vector<LoggedStep>& steps, const std::vector<RolloutSpan>& rollouts,
               const std::vector<KnownPlace>& known, bool local)
      : steps_(steps), rollouts_(rollouts), known_(known), local_(local) {}

  StepAlignment run() {
    StepAlignment out;
    if (steps_.size() * rollouts_.size() > kMostPairs) {
      out.why_not = "there are too many steps and rollouts to compare";
      return out;
    }
    std::vector<Ns> zones = known_.empty() ? std::vector<Ns>{0} : possible_zones();
    if (zones.size() > kMostZones) {
      zones = {0};
      known_.clear();
    }
    if (zones.empty()) {
      out.why_not = fmt::format("{} would lie outside its step {}", known_.front().name,
                                steps_[known_.front().logged].number);
      return out;
    }
    std::vector<Alignments> of_zone;
    std::vector<double> best;
    for (const Ns east : zones) {
      Alignments& all = of_zone.emplace_back(steps_, rollouts_);
      constrain(all, east);
      all.weigh();
      best.push_back(all.best());
    }
    const auto first = static_cast<std::size_t>(std::ranges::min_element(best) - best.begin());
    if (!known_.empty() && local_) {
      double second = kImpossible;
      for (std::size_t z = 0; z < best.size(); ++z) {
        if (z != first) second = std::min(second, best[z]);
      }
      if (second - best[first] >= kAlignmentMargin) out.east = zones[first];
    }
    choose(of_zone, first);
    judge(of_zone[first], out);
    if (out.steps.empty()) out.east.reset();
    return out;
  }

 private:
  // Whether a step at this rollout agrees with the known place, if the rollouts' clock is `east` ahead of UTC.
  bool agrees(const Alignments& all, const KnownPlace& known, std::size_t rollout, Ns east) const {
    const RecordedTime begins = rollouts_.front().extent.begin + seconds(all.begins(known.logged, rollout)) - east;
    const Ns before = std::max<Ns>(0, seconds(all.longer(known.logged, rollout)));
    return begins >= known.earliest - kAgree && begins - before <= known.latest + kAgree;
  }

  void constrain(Alignments& all, Ns east) const {
    for (const KnownPlace& known : known_) {
      for (std::size_t r = 0; r < rollouts_.size(); ++r) {
        if (!agrees(all, known, r, east)) all.forbid(known.logged, r);
      }
    }
  }

  // Zones in which every known place has a rollout.
  std::vector<Ns> possible_zones() const {
    const Alignments all(steps_, rollouts_);
    std::set<Ns> candidates{0};
    if (local_) {
      candidates.clear();
      for (const KnownPlace& known : known_) {
        for (std::size_t r = 0; r < rollouts_.size(); ++r) {
          if (!all.possible(known.logged, r)) continue;
          const RecordedTime begins = rollouts_.front().extent.begin + seconds(all.begins(known.logged, r));
          const Ns before = std::max<Ns>(0, seconds(all.longer(known.logged, r)));
          const Ns least = begins - before - known.latest - kAgree, most = begins - known.earliest + kAgree;
          for (Ns east = nearest_zone(least) - kZoneStep; east <= most; east += kZoneStep) {
            if (east >= least && is_zone(east)) candidates.insert(east);
          }
        }
      }
    }
    std::vector<Ns> zones;
    for (const Ns east : candidates) {
      const bool all_agree = std::ranges::all_of(known_, [&](const KnownPlace& known) {
        for (std::size_t r = 0; r < rollouts_.size(); ++r) {
          if (all.possible(known.logged, r) && agrees(all, known, r, east)) return true;
        }
        return false;
      });
      if (all_agree) zones.push_back(east);
    }
    return zones;
  }

  // Finds the best rollout of each step, and the best alternative in any zone.
  void choose(const std::vector<Alignments>& of_zone, std::size_t first) {
    const double best = of_zone[first].best();
    constexpr double kRounding = 1e-6;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      AlignedStep found{i, SIZE_MAX, kImpossible, -1, 0};
      for (std::size_t r = 0; r < rollouts_.size(); ++r) {
        if (found.rollout == SIZE_MAX && of_zone[first].through(i, r) <= best + kRounding) found.rollout = r;
      }
      if (found.rollout == SIZE_MAX) continue;
      for (const Alignments& all : of_zone) {
        for (std::size_t r = 0; r < rollouts_.size(); ++r) {
          const double more = all.through(i, r) - best;
          if (r == found.rollout || !(more < found.margin)) continue;
          found.margin = more;
          found.second_best = static_cast<std::int64_t>(r);
        }
      }
      found.longer = of_zone[first].longer(i, found.rollout);
      chosen_.push_back(found);
    }
  }

  // Finds stretches of steps without a pause for which there is evidence, and the steps in them whose place is clear.
  void judge(const Alignments& all, StepAlignment& out) const {
    out.evidence = out.margin = kImpossible;
    double most_evidence = 0;
    const AlignedStep* doubtful = nullptr;
    for (std::size_t from = 0, end = 0; from < chosen_.size(); from = end) {
      const std::size_t session = all.session_of(chosen_[from].logged);
      do ++end;
      while (end < chosen_.size() && all.session_of(chosen_[end].logged) == session &&
             all.is_link(chosen_[end - 1].logged, chosen_[end - 1].rollout, chosen_[end].logged, chosen_[end].rollout));
      double evidence = 0;
      for (std::size_t c = from; c + 1 < end; ++c) {
        evidence += all.evidence(chosen_[c].logged, chosen_[c].rollout, chosen_[c + 1].logged, chosen_[c + 1].rollout);
      }
      for (std::size_t c = from; c < end; ++c) evidence += evidence_of_known(chosen_[c]);
      most_evidence = std::max(most_evidence, evidence);
      if (evidence < kAlignmentEvidence) continue;
      const double usual = median_longer(from, end);
      // A step that closely follows or precedes a clear one needs less margin.
      std::vector<char> is_clear(end - from, 0);
      const auto judge_step = [&](std::size_t c, bool next_to_clear) {
        // The step's rollout may be missing, and a validation may have been taken for it.
        const double apart = std::abs(chosen_[c].longer - usual);
        if (apart > kUsual * scale_of_gen(steps_[chosen_[c].logged].gen)) return;
        if (chosen_[c].margin >= (next_to_clear ? kAlignmentMargin / 2 : kAlignmentMargin)) is_clear[c - from] = 1;
      };
      for (std::size_t c = from; c < end; ++c) judge_step(c, false);
      for (std::size_t c = from + 1; c < end; ++c) judge_step(c, is_clear[c - 1 - from] != 0);
      for (std::size_t c = end - 1; c-- > from;) judge_step(c, is_clear[c + 1 - from] != 0);
      std::vector<AlignedStep> clear;
      for (std::size_t c = from; c < end; ++c) {
        if (is_clear[c - from]) clear.push_back(chosen_[c]);
        else if (chosen_[c].margin < kAlignmentMargin) doubtful = &chosen_[c];
      }
      if (clear.size() < 2 || clear.size() * 2 < end - from) continue;  // too few are clear: other stretches must decide
      for (const AlignedStep& step : clear) {
        out.steps.push_back(step);
        out.margin = std::min(out.margin, step.margin);
        out.evidence = std::min(out.evidence, evidence);
      }
    }
    if (out.steps.empty()) return refuse(most_evidence, doubtful, out);
    std::vector<double> longer;
    for (const AlignedStep& step : out.steps) longer.push_back(step.longer);
    std::ranges::sort(longer);
    out.longer = longer[longer.size() / 2];
    out.longer_least = longer.front();
    out.longer_most = longer.back();
  }

  double median_longer(std::size_t from, std::size_t end) const {
    std::vector<double> longer;
    for (std::size_t c = from; c < end; ++c) longer.push_back(chosen_[c].longer);
    std::ranges::sort(longer);
    return longer[longer.size() / 2];
  }

  // A known place is evidence, because a rollout rarely lies so near it by chance: among all times of the rollouts or, if the
  // zone is unknown, those of one zone step.
  double evidence_of_known(const AlignedStep& step) const {
    const double among =
        local_ ? to_seconds(kZoneStep) : to_seconds(rollouts_.back().extent.end - rollouts_.front().extent.begin);
    double sum = 0;
    for (const KnownPlace& known : known_) {
      if (known.logged != step.logged) continue;
      const double room =
          to_seconds(known.latest - known.earliest) + 2 * to_seconds(kAgree) + std::max(0.0, step.longer);
      sum = std::max(sum, std::log(std::max(1.0, among / std::max(room, 1e-3))));
    }
    return sum;
  }

  void refuse(double evidence, const AlignedStep* doubtful, StepAlignment& out) const {
    if (chosen_.empty()) {
      out.why_not = "no order of the steps fits: timing_s/gen must be as long as a rollout, and steps must not overlap";
    } else if (chosen_.size() == 1) {
      out.why_not = "a single step that fits is no evidence";
    } else if (doubtful && doubtful->second_best >= 0) {
      out.why_not =
          fmt::format("step {} fits step_{} and step_{} about equally well", steps_[doubtful->logged].number,
                      rollouts_[doubtful->rollout].step, rollouts_[static_cast<std::size_t>(doubtful->second_best)].step);
    } else {
      out.why_not = fmt::format(
          "{} steps fit no better than by chance: they are too few or too similar (evidence {:.1f}, {} is needed)",
          chosen_.size(), std::max(0.0, evidence), kAlignmentEvidence);
    }
  }

  static Ns seconds(double s) { return static_cast<Ns>(std::llround(s * 1e9)); }

  static constexpr Ns kAgree = kSecond / 2;  // tolerance for clocks of hosts and for time between the parts of a step

  const std::vector<LoggedStep>& steps_;
  const std::vector<RolloutSpan>& rollouts_;
  std::vector<KnownPlace> known_;
  const bool local_;
  std::vector<AlignedStep> chosen_;
};

}  // namespace

StepAlignment align_steps(const std::vector<LoggedStep>& steps, const std::vector<RolloutSpan>& rollouts,
                          const std::vector<KnownPlace>& known, bool local) {
  if (steps.empty() || rollouts.empty()) return {};
  return StepAligning(steps, rollouts, known, local).run();
}

}  // namespace tv
