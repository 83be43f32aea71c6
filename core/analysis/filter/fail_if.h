// Rules such as "p99(request) > 60s": an aggregate of a measured value, compared with a limit. For gates in CI (--fail-if).
//
//   AGGREGATE(VALUE) < <= > >= == != NUMBER      times may have a unit: ns us ms s min h
//   AGGREGATE  count sum mean median std min max, or a percentile: p50 p95 p99.9
//   VALUE      a field of requests (request_fields.h); request: their durations; rollout, interval: one per step
//              (step_overview.h); wait: how long each worker waited at the barrier in a step, in seconds
// A rule fails if its relation holds. Without values, a rule does not fail, and its text says so; but a count is then 0 and is
// compared. Percentiles interpolate linearly. Cost: that of computing the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/analysis/filter/expression_text.h"
#include "core/analysis/requests/request_fields.h"
#include "core/analysis/rollout/rollout.h"
#include "core/base/result.h"

namespace tv {

struct FailIf {
  enum class Aggregate : std::uint8_t {
    Count,
    Sum,
    Mean,
    Median,
    Std,
    Min,
    Max,
    Percentile
  } aggregate = Aggregate::Mean;
  enum class Value : std::uint8_t { Field, Rollout, Interval, Wait } value = Value::Field;
  RequestField field = RequestField::dur;  ///< for Value::Field
  double percentile = 0;                   ///< 0 to 100
  Relation relation = Relation::Greater;
  double limit = 0;
  std::string left;  ///< as written: "p99(request)"
  std::string unit;  ///< of the value and the limit
};

Result<FailIf> parse_fail_if(std::string_view text);

struct FailVerdict {
  double value = 0;     ///< NaN: there are no values
  std::size_t n = 0;    ///< number of values
  bool fails = false;
  std::string text;     ///< "p99(request) = 61.2s of 172 values: fails, as it is > 60s"
};

/// Fields are taken from `requests`; steps and waits from the whole rollout.
FailVerdict evaluate(const Rollout& rollout, const FailIf& rule, const RequestSet& requests);

}  // namespace tv
