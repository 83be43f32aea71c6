// Findings about training logs and pipelines: steps that stand out and why, where the time goes, whether it gets slower, bubbles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/findings/findings_parts.h"
#include "core/analysis/statistics/summary.h"
#include "core/analysis/statistics/usual_length.h"
#include "core/analysis/training/step_breakdown.h"

namespace tv {
namespace {

constexpr std::size_t kFewestTrainingSteps = 4;
constexpr std::size_t kFewestForTrend = 12;
constexpr double kTrendErrors = 3;    // least difference of first and last quarter, in standard errors
constexpr double kLeastTrend = 0.03;  // least difference as a share of the first quarter
constexpr double kLargePart = 0.1;    // parts of at least this share, of the step or of its excess, are named

std::string step_name(const TrainingRun& run, std::size_t s) { return fmt::format("{} {}", run.unit, run.steps[s]); }

TimeRange range_of(const Training& training, const TrainingRun& run, std::size_t s) {
  const MetricStep& step = training.log().steps[run.records[s]];
  return {step.begin, step.begin + step.duration};
}

// " of NAME" if there are several, each with a name.
template <class All>
std::string of_one(const All& all, const std::string& name) {
  return all.size() > 1 ? " of " + name : std::string();
}

// The parts that take more time than usual: "testing 60 s, save_checkpoint 25 s".
std::string reasons(const StepBreakdown& breakdown, std::size_t s, double over) {
  struct Over {
    const BreakdownPart* part;
    double seconds, usual;
  };
  std::vector<Over> all;
  for (const BreakdownPart& part : breakdown.parts) {
    if (part.outside || std::isnan(part.seconds[s])) continue;
    std::vector<double> seconds = part.seconds;
    std::ranges::replace_if(seconds, [](double v) { return std::isnan(v); }, 0.0);  // a step without the part counts as 0
    const double usual = summarize(seconds).median;
    if (part.seconds[s] - usual >= over * kLargePart) all.push_back({&part, part.seconds[s], usual});
  }
  std::ranges::stable_sort(all, [](const Over& a, const Over& b) { return a.seconds - a.usual > b.seconds - b.usual; });
  std::string text;
  for (const Over& one : all) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", one.part->name, said_seconds(one.seconds));
    text += one.usual > 0 ? fmt::format(" (usually {})", said_seconds(one.usual)) : " (usually not there)";
  }
  return text;
}

void find_slow_training_steps(const Training& training, const TrainingRun& run, const StepBreakdown& breakdown,
                              const std::string& of_run, std::vector<Finding>& out) {
  const std::vector<double> sorted = sorted_measured(breakdown.total);
  if (sorted.size() < kFewestTrainingSteps) return;
  const UsualLength usual(breakdown.total);
  const double median = usual.median();
  double all = 0, over = 0;
  std::size_t count = 0, longest = 0;
  for (std::size_t s = 0; s < breakdown.total.size(); ++s) {
    const double seconds = breakdown.total[s];
    if (std::isnan(seconds)) continue;
    all += seconds;
    if (std::isnan(breakdown.total[longest]) || seconds > breakdown.total[longest]) longest = s;
    if (!usual.stands_out(seconds)) continue;
    ++count;
    over += seconds - median;
  }
  if (!(median > 0)) return;
  const double seconds = breakdown.total[longest];
  Finding found;
  found.chart = "training";
  found.range = range_of(training, run, longest);
  found.numbers = {
      {"steps", static_cast<double>(sorted.size()), {}}, {"longest", seconds, "s"}, {"median", median, "s"}};
  if (count == 0) {
    found.id = "even_training";
    found.sentence = fmt::format("No {}{} stands out: the longest, {}, took {}, the median is {}.", run.unit, of_run,
                                 run.steps[longest], said_seconds(seconds), said_seconds(median));
    out.push_back(std::move(found));
    return;
  }
  found.id = "slow_training_step";
  found.sentence =
      fmt::format("{}{} took {} times as long as usual: {}, the median is {}.", step_name(run, longest), of_run,
                  said_factor(seconds / median), said_seconds(seconds), said_seconds(median));
  found.sentence = capitalized(std::move(found.sentence));
  if (const std::string why = reasons(breakdown, longest, seconds - median); !why.empty()) {
    found.sentence += fmt::format(" More than usual: {}.", why);
  }
  found.share = over / all;
  if (count > 1) {
    found.sentence +=
        fmt::format(" {} of {} {}s stand out; together they took {} more than the median, {:.1f} % of the time.", count,
                    sorted.size(), run.unit, said_seconds(over), 100 * found.share);
  }
  found.numbers.push_back({"stand out", static_cast<double>(count), {}});
  found.numbers.push_back({"more than the median", over, "s"});
  found.level = level_of(found.share, 0.01, 0.1);
  out.push_back(std::move(found));
}

void find_parts(const StepBreakdown& breakdown, const TrainingRun& run, const std::string& of_run,
                std::vector<Finding>& out) {
  const double total = summarize(breakdown.total).sum;
  if (breakdown.parts.empty() || !(total > 0)) return;
  std::vector<std::pair<double, std::string>> parts;
  for (const BreakdownPart& part : breakdown.parts) {
    if (!part.outside) parts.emplace_back(summarize(part.seconds).sum, part.name);
  }
  if (const double rest = summarize(breakdown.unaccounted).sum; rest > 0) parts.emplace_back(rest, "not accounted for");
  std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.first > b.first; });
  Finding found;
  found.id = "training_parts";
  found.chart = "training";
  std::string text;
  for (const auto& [seconds, name] : parts) {
    found.numbers.push_back({name, 100 * seconds / total, "%"});
    if (seconds < kLargePart * total && !text.empty()) continue;
    text += fmt::format("{}{:.0f} % {}", text.empty() ? "" : ", ", 100 * seconds / total, name);
  }
  found.sentence =
      fmt::format("{} {}{} takes {} on average: {}.", run.unit.find_first_of("aeiou") == 0 ? "An" : "A", run.unit,
                  of_run, said_seconds(summarize(breakdown.total).mean), text);
  found.share = parts.front().first / total;
  out.push_back(std::move(found));
}

void find_trend(const TrainingRun& run, const std::string& of_run, std::vector<Finding>& out) {
  const Metric* const throughput = run.find("perf/throughput");
  if (!throughput) return;
  std::vector<double> values;
  std::ranges::copy_if(throughput->values, std::back_inserter(values), [](double v) { return !std::isnan(v); });
  if (values.size() < kFewestForTrend) return;
  const std::size_t quarter = values.size() / 4;
  const Summary first = summarize(std::span(values).first(quarter)), last = summarize(std::span(values).last(quarter));
  const double change = last.mean - first.mean;
  const double error = std::sqrt((first.std * first.std + last.std * last.std) / static_cast<double>(quarter));
  if (!(first.mean > 0) || std::abs(change) < kTrendErrors * error || std::abs(change) < kLeastTrend * first.mean)
    return;
  Finding found;
  found.id = "throughput";
  found.sentence = fmt::format(
      "Throughput{} {} by {:.1f} % from the first quarter of its {}s to the last: {:.4g} to {:.4g} tokens "
      "per second and GPU.",
      of_run, change < 0 ? "fell" : "rose", 100 * std::abs(change) / first.mean, run.unit, first.mean, last.mean);
  found.numbers = {{"first quarter", first.mean, "tokens/s/GPU"},
                   {"last quarter", last.mean, "tokens/s/GPU"},
                   {"change", 100 * change / first.mean, "%"}};
  found.level = change < 0 ? level_of(-change / first.mean, kLeastTrend, 0.1) : FindingLevel::Note;
  found.share = std::abs(change) / first.mean;
  found.chart = "training";
  out.push_back(std::move(found));
}

}  // namespace

void find_in_training(const Training& training, std::vector<Finding>& out) {
  for (const TrainingRun& run : training.runs) {
    const StepBreakdown breakdown = step_breakdown(training, run);
    const std::string of_run = of_one(training.runs, run.name);
    find_slow_training_steps(training, run, breakdown, of_run, out);
    find_parts(breakdown, run, of_run, out);
    find_trend(run, of_run, out);
  }
}

void find_in_pipelines(const std::vector<PipelineSummary>& pipelines, std::vector<Finding>& out) {
  for (const PipelineSummary& pipeline : pipelines) {
    double idle = 0, ideal = 0, worst = 0;
    std::size_t worst_step = 0, with_ideal = 0;
    for (std::size_t s = 0; s < pipeline.steps.size(); ++s) {
      const PipelineStepSummary& step = pipeline.steps[s];
      idle += step.bubble;
      if (step.ideal) {
        ideal += step.ideal_interleaved.value_or(*step.ideal);
        ++with_ideal;
      }
      if (step.bubble < worst) continue;
      worst = step.bubble;
      worst_step = s;
    }
    if (pipeline.steps.empty()) continue;
    const auto count = static_cast<double>(pipeline.steps.size());
    idle /= count;
    ideal /= std::max(static_cast<double>(with_ideal), 1.0);
    const PipelineStepSummary& step = pipeline.steps[worst_step];
    Finding found;
    found.id = "bubble";
    const std::string run = of_one(pipelines, pipeline.name);
    found.numbers = {{"idle", 100 * idle, "%"}};
    const std::string who = pipeline.stages.size() == 1 ? pipeline.stages.front() : fmt::format("The {} stages", pipeline.stages.size());
    if (with_ideal > 0) {
      found.sentence = fmt::format("{}{} stood idle {:.1f} % of their steps on average; {:.1f} % is what the schedule cannot avoid.", who,
                                   run, 100 * idle, 100 * ideal);
      found.numbers.push_back({"unavoidable", 100 * ideal, "%"});
    } else {
      found.sentence = fmt::format("{}{} stood idle {:.1f} % of the time from the first to the last job of a step; {}.", who, run,
                                   100 * idle, step.no_ideal);
    }
    if (step.slowest < step.stages.size() && step.stages[step.slowest].factor >= 1 + kLeastOver) {
      const StageStep& slowest = step.stages[step.slowest];
      found.sentence += fmt::format(
          " In step {}, stage {} ({}) was busy {} times as long as the median stage: the others waited for it.",
          step.number, step.slowest, pipeline.stages[step.slowest], said_factor(slowest.factor));
      found.numbers.push_back({"slowest stage", static_cast<double>(step.slowest), {}});
      found.numbers.push_back({"slowest over the median", slowest.factor, "times"});
    }
    found.share = std::max(0.0, idle - ideal);
    found.level = with_ideal > 0 ? level_of(found.share, 0.05, 0.2) : FindingLevel::Note;
    found.chart = "pipeline";
    found.range = step.span;
    out.push_back(std::move(found));
  }
}

}  // namespace tv
