// Rules such as "p99(request) > 60s": an aggregate of a measured value, compared with a limit. For gates in CI (--fail-if).
//
//   AGGREGATE(VALUE) < <= > >= == != NUMBER      times may have a unit: ns us ms s min h
//   AGGREGATE  count sum mean median std min max, or a percentile: p50 p95 p99.9
//   VALUE      a field of requests (request_fields.h); request: their durations; rollout, interval: one per step
//              (step_overview.h); wait: how long each worker waited at the barrier in a step, in seconds
// A rule fails if the relation holds. Without any values it does not fail and says so; only a count is then compared, as 0.
// Percentiles interpolate linearly. Cost: that of the values it aggregates.
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
  std::string left;  ///< as it was written: "p99(request)"
  std::string unit;  ///< of value and limit
};

Result<FailIf> parse_fail_if(std::string_view text);

struct FailVerdict {
  double value = 0;     ///< NaN: there is nothing to compute it from
  std::size_t n = 0;    ///< values that went in
  bool fails = false;
  std::string text;     ///< "p99(request) = 61.2s of 172 values: fails, as it is > 60s"
};

/// Fields are taken from `requests`; steps and waits from the whole rollout.
FailVerdict evaluate(const Rollout& rollout, const FailIf& rule, const RequestSet& requests);

}  // namespace tv
