#include "core/read/verl/verl_step_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <ranges>

#include "core/base/text/ascii.h"
#include "core/store/logs/verl_metrics.h"

namespace tv {
namespace {

// The name shown for "gen" of verl's fully asynchronous trainer, which generates nothing itself, and how it is recognised.
constexpr std::string_view kWaitForSamples = "wait for samples";
bool is_of_async_trainer(std::string_view name) { return name.starts_with("fully_async/"); }

constexpr std::string_view kStep = "step:", kBetween = kBetweenMetrics;

bool in_script_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
}

bool in_script_number(char c) {
  return is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

std::optional<double> number_of_text(std::string_view text) {
  if (text == "True") return 1;
  if (text == "False") return 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  return whole_decimal(text);  // none for out-of-range numbers, which Python reads as 0 or infinity; these are never logged
}

void add_verl_pair(std::string_view pair, std::uint64_t offset, MetricLog& log, ProblemLog& problems) {
  const std::size_t colon = pair.rfind(':');  // keys may have one too
  if (colon == std::string_view::npos || colon == 0) return problems.add(ProblemKind::bad_counter, offset, pair);
  const auto value = verl_value(pair.substr(colon + 1));
  if (!value) return problems.add(ProblemKind::bad_counter, offset, pair);
  const std::string_view name = pair.substr(0, colon);
  add_metric(log, name, {value->value, value->plain && std::ranges::all_of(name, in_script_name)});
}

// The durations of a step, by canonical name. The search is linear, because a step has only about a hundred values.
struct VerlTimes {
  std::vector<std::pair<std::string, double>> seconds;

  std::optional<double> find(std::string_view name) const {
    std::optional<double> found;
    for (const auto& [known, value] : seconds) {
      if (known == name) found = value;
    }
    return found;
  }
};

// Where the line at the beginning of the text ends: at a newline, carriage return or escape, or at Ray's note on repeated lines.
std::size_t line_end(std::string_view text) {
  constexpr std::string_view kRepeated = " [repeated ";
  std::size_t at = text.find_first_of("\r\n\x1b[");
  while (at < text.size() && text[at] == '[') {
    if (at > 0 && text.substr(at - 1).starts_with(kRepeated)) return at - 1;
    at = text.find_first_of("\r\n\x1b[", at + 1);
  }
  return std::min(at, text.size());
}

// Models also write "step:1 - first we ...", so a metric must begin after the dash.
bool begins_with_metric(std::string_view text) {
  text = text.substr(0, text.find(kBetween));  // so that a line with many steps is not searched to its end for each
  const std::string_view first = text.substr(0, line_end(text));
  const std::size_t colon = first.rfind(':');
  return colon != std::string_view::npos && first.substr(0, colon).find(' ') == std::string_view::npos;
}

}  // namespace

std::optional<std::string_view> verl_step_line(std::string_view text) {
  if (!text.starts_with(kStep)) return std::nullopt;
  std::size_t at = kStep.size();
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == kStep.size() || !text.substr(at).starts_with(kBetween)) return std::nullopt;
  if (!begins_with_metric(text.substr(at + kBetween.size()))) return std::nullopt;
  std::string_view line = text.substr(0, line_end(text));
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  return line;
}

std::optional<VerlValue> verl_value(std::string_view text) {
  constexpr std::string_view kNumpy = "np.";
  if (text.starts_with(kNumpy)) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
    const auto value = number_of_text(text.substr(open + 1, text.size() - open - 2));
    if (!value) return std::nullopt;
    return VerlValue{*value, false};
  }
  const auto value = number_of_text(text);
  if (!value) return std::nullopt;
  return VerlValue{*value, std::ranges::all_of(text, in_script_number)};
}

void add_metric(MetricLog& log, std::string_view name, VerlValue value) {
  log.values.push_back({value.value, log.name_id(name), value.plain});
  ++log.steps.back().value_count;
}

void add_verl_line(std::string_view line, std::uint64_t offset, bool ended, MetricLog& log, ProblemLog& problems) {
  MetricStep step;
  const char* const number = line.data() + kStep.size();
  const auto [end, wrong] = std::from_chars(number, line.data() + line.size(), step.step);
  if (wrong != std::errc()) return problems.add(ProblemKind::out_of_range, offset, line);
  step.first_step = step.step;
  step.offset = offset;
  step.first_value = static_cast<std::uint32_t>(log.values.size());
  log.steps.push_back(step);
  std::string_view rest = line.substr(static_cast<std::size_t>(end - line.data()) + kBetween.size());
  while (!rest.empty()) {
    const std::size_t next = rest.find(kBetween);
    if (next == std::string_view::npos && !ended) {
      problems.add(ProblemKind::truncated_record, offset, rest);
      break;
    }
    add_verl_pair(rest.substr(0, next), offset, log, problems);
    if (next == std::string_view::npos) break;
    rest.remove_prefix(next + kBetween.size());
  }
  finish_verl_step(log, problems);
}

void finish_verl_step(MetricLog& log, ProblemLog& problems) {
  MetricStep& step = log.steps.back();
  step.first_part = static_cast<std::uint32_t>(log.parts.size());
  VerlTimes times;
  std::optional<double> total, whole;  // "timing_s/step" has priority over "perf/time_per_step"
  for (std::uint32_t v = 0; v < step.value_count; ++v) {
    const MetricValue& value = log.values[step.first_value + v];
    std::string name = canonical_metric(log.name(value.name));
    if (name == "perf/time_per_step" && !whole) whole = value.value;
    if (!name.starts_with(kTimingPrefix)) continue;
    name.erase(0, kTimingPrefix.size());
    if (name == "step") total = value.value;
    times.seconds.emplace_back(std::move(name), value.value);
  }
  // Only these values are checked. Other metrics with this prefix can validly be -1 or NaN.
  const auto length = [&](std::string_view name, std::optional<double> seconds) -> std::optional<Ns> {
    if (!seconds) return std::nullopt;
    if (*seconds >= 0 && *seconds <= to_seconds(kLongestStep)) return to_ns(*seconds);
    problems.add(ProblemKind::out_of_range, step.offset, fmt::format("{}: {}", name, *seconds));
    return std::nullopt;
  };
  const bool asynchronous =
      std::ranges::any_of(std::views::counted(log.values.begin() + step.first_value, step.value_count),
                          [&](const MetricValue& v) { return is_of_async_trainer(log.name(v.name)); });
  const bool joint_update = times.find("update_critic_actor").value_or(-1) >= 0;
  Ns sum = 0;
  for (const std::string_view phase : verl_phases()) {
    if (joint_update && (phase == "update_critic" || phase == "update_actor")) continue;
    const std::optional<Ns> duration = length(phase, times.find(phase));
    if (!duration) continue;
    // For a trainer that takes samples from a queue, "gen" is the time it waits for them.
    const std::string_view shown = asynchronous && phase == "gen" ? kWaitForSamples : phase;
    log.parts.push_back({log.name_id(shown), *duration});
    sum += *duration;
    ++step.part_count;
  }
  // Some versions run the validation outside the step; the step then lasts as long as the sum of its parts.
  const std::optional<Ns> logged = length("step", total);
  step.duration = std::max(sum, logged ? *logged : length("time_per_step", whole).value_or(0));
}

}  // namespace tv
