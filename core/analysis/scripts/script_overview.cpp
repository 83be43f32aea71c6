#include "core/analysis/scripts/script_overview.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>

#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/scripts/script_files.h"

namespace tv {
namespace {

// The years 1 to 9999 have datetimes, in microseconds.
constexpr std::int64_t kEarliestDatetime = -62'135'596'800'000'000, kLatestDatetime = 253'402'300'799'999'999;

/// Rounded down, as a datetime drops digits below the microsecond.
std::int64_t microseconds(Ns t) { return t / kMicrosecond - (t % kMicrosecond < 0); }

std::vector<std::size_t> outliers(const std::vector<double>& values, const Summary& summary) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i] - summary.mean) > 2 * summary.std) out.push_back(i);
  }
  return out;
}

}  // namespace

std::optional<std::int64_t> python_minus(std::int64_t from, double seconds) {
  constexpr double kAllYears = 1e12;  // so many seconds are more than all years of a datetime
  if (!(std::abs(seconds) < kAllYears)) return std::nullopt;
  double whole = 0;
  const double fraction = std::modf(seconds, &whole);
  const std::int64_t us = from - static_cast<std::int64_t>(whole) * 1'000'000 -
                          static_cast<std::int64_t>(std::nearbyint(fraction * 1e6));
  return us >= kEarliestDatetime && us <= kLatestDatetime ? std::optional(us) : std::nullopt;
}

std::string python_isoformat(std::int64_t us) {
  const std::chrono::sys_time<std::chrono::microseconds> time{std::chrono::microseconds(us)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::string out = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                                clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (clock.subseconds().count() != 0) out += fmt::format(".{:06}", clock.subseconds().count());
  return out;
}

ScriptOverview script_overview(const Rollout& rollout) {
  const RolloutLog& log = rollout.log();
  std::map<std::int32_t, double> rollouts;
  std::map<std::int32_t, std::int64_t> starts;
  for (const ScriptFile& file : script_files(log)) {
    const std::vector<EventSeconds> events = event_seconds(log, file.phases);
    if (const EventSeconds* total = find_event(events, kTotal)) {
      const auto [known, is_new] = rollouts.try_emplace(file.step, total->last);
      if (!is_new) known->second = std::max(known->second, total->last);
    }
    const RolloutFile& log_file = log.files[file.file];
    if (!log_file.begun) continue;
    const std::optional<std::int64_t> start =
        python_minus(microseconds(rollout.trace->origin_ns + log_file.first_end), log_file.first_seconds);
    if (!start) continue;
    const auto [known, is_new] = starts.try_emplace(file.step, *start);
    if (!is_new) known->second = std::min(known->second, *start);
  }
  ScriptOverview out;
  for (const auto& [step, seconds] : rollouts) {
    out.steps.push_back(step);
    out.rollouts.push_back(seconds);
  }
  for (const auto& [step, start] : starts) {
    if (!out.starts.empty()) out.intervals.push_back(static_cast<double>(start - out.starts.back()) / 1e6);
    out.start_steps.push_back(step);
    out.starts.push_back(start);
  }
  out.rollout = summarize(out.rollouts);
  out.interval = summarize(out.intervals);
  out.gap = out.interval.mean - out.rollout.mean;
  out.ratio = out.interval.mean / out.rollout.mean;
  out.slow_rollouts = outliers(out.rollouts, out.rollout);
  out.slow_intervals = outliers(out.intervals, out.interval);
  return out;
}

}  // namespace tv
