#include "core/analysis/filter/fail_if.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/analysis/rollout/step_overview.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/statistics/summary.h"
#include "core/base/text/ascii.h"

namespace tv {
namespace {

using Aggregate = FailIf::Aggregate;

bool read_aggregate(std::string_view word, FailIf& rule) {
  constexpr std::array<std::pair<std::string_view, Aggregate>, 7> kNames = {{{"count", Aggregate::Count},
                                                                              {"sum", Aggregate::Sum},
                                                                              {"mean", Aggregate::Mean},
                                                                              {"median", Aggregate::Median},
                                                                              {"std", Aggregate::Std},
                                                                              {"min", Aggregate::Min},
                                                                              {"max", Aggregate::Max}}};
  for (const auto& [name, aggregate] : kNames) {
    if (word != name) continue;
    rule.aggregate = aggregate;
    return true;
  }
  if (!word.starts_with('p')) return false;
  rule.aggregate = Aggregate::Percentile;
  rule.percentile = whole_decimal(word.substr(1)).value_or(-1);
  return rule.percentile >= 0 && rule.percentile <= 100;
}

bool read_value(std::string_view word, FailIf& rule) {
  rule.unit = "s";
  if (word == "request") return true;
  if (word == "rollout") rule.value = FailIf::Value::Rollout;
  if (word == "interval") rule.value = FailIf::Value::Interval;
  if (word == "wait") rule.value = FailIf::Value::Wait;
  if (rule.value != FailIf::Value::Field) return true;
  const auto field = request_field(word);
  if (!field || (info(*field).text && rule.aggregate != Aggregate::Count)) return false;
  rule.field = *field;
  rule.unit = info(*field).unit;
  return true;
}

std::vector<double> values_of(const Rollout& rollout, const FailIf& rule, const RequestSet& requests) {
  std::vector<double> values;
  switch (rule.value) {
    case FailIf::Value::Field:
      if (info(rule.field).text) {
        for (const RequestIx r : requests) {
          if (!field_text(rollout, r, rule.field).empty()) values.push_back(0);  // only their number matters
        }
        return values;
      }
      return field_values(rollout, rule.field, requests);
    case FailIf::Value::Rollout:
      for (const StepDurations& step : step_overview(rollout).steps) values.push_back(step.rollout);
      return values;
    case FailIf::Value::Interval:
      for (const StepDurations& step : step_overview(rollout).steps) values.push_back(step.interval);
      return values;
    case FailIf::Value::Wait:
      for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
        for (const WorkerPhases& worker : worker_phases(rollout, s).workers) values.push_back(worker.wait);
      }
      return values;
  }
  return values;
}

double value_of(const Summary& summary, const FailIf& rule) {
  switch (rule.aggregate) {
    case Aggregate::Count: return static_cast<double>(summary.n);
    case Aggregate::Sum: return summary.n == 0 ? kNotMeasured : summary.sum;
    case Aggregate::Mean: return summary.mean;
    case Aggregate::Median: return summary.median;
    case Aggregate::Std: return summary.std;
    case Aggregate::Min: return summary.min;
    case Aggregate::Max: return summary.max;
    case Aggregate::Percentile: return summary.quantiles[0];
  }
  return kNotMeasured;
}

}  // namespace

Result<FailIf> parse_fail_if(std::string_view text) {
  FailIf rule;
  ExpressionText in(text);
  const std::string_view aggregate = in.word();
  const auto begin_of = [&](std::string_view word) { return static_cast<std::size_t>(word.data() - text.data()); };
  if (!read_aggregate(aggregate, rule)) {
    return in.expected("count, sum, mean, median, std, min, max or a percentile such as p99", begin_of(aggregate));
  }
  if (!in.take("(")) return in.expected("(");
  const std::size_t value_at = in.position();
  const std::string_view value = in.word();
  if (!read_value(value, rule)) {
    return in.expected("request, rollout, interval, wait or a field that is a number", value_at);
  }
  if (!in.take(")")) return in.expected(")");
  rule.left = fmt::format("{}({})", aggregate, value);
  if (rule.aggregate == Aggregate::Count) rule.unit.clear();
  const std::size_t relation_at = in.position();
  const auto relation = in.relation();
  if (!relation || *relation == Relation::Like) return in.expected("< <= > >= == or !=", relation_at);
  rule.relation = *relation;
  const auto limit = in.number(rule.unit);
  if (!limit) return limit.error();
  rule.limit = limit.value();
  if (!in.at_end()) return in.expected("the end");
  return rule;
}

FailVerdict evaluate(const Rollout& rollout, const FailIf& rule, const RequestSet& requests) {
  const Summary summary = summarize(values_of(rollout, rule, requests), std::array{rule.percentile / 100});
  FailVerdict out;
  out.n = summary.n;
  out.value = value_of(summary, rule);
  if (std::isnan(out.value)) {
    out.text = fmt::format("{}: there are no values, so it does not fail", rule.left);
    return out;
  }
  out.fails = compare(out.value, rule.relation, rule.limit);
  const std::string limit = fmt::format("{} {}", text_of(rule.relation), number_text(rule.limit, rule.unit));
  out.text = fmt::format("{} = {} of {} values: {} {}", rule.left, number_text(out.value, rule.unit), out.n,
                         out.fails ? "fails, as it is" : "passes, as it is not", limit);
  return out;
}

}  // namespace tv
