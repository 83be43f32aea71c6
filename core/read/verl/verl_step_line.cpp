#include "core/read/verl_step_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/ascii.h"
#include "core/store/verl_metrics.h"

namespace tv {
namespace {

constexpr std::string_view kStep = "step:", kBetween = " - ";

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
  double value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Out of range is what Python reads as 0 or infinity; nobody logs that.
  if (wrong != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void add_verl_pair(std::string_view pair, std::uint64_t offset, MetricLog& log, ProblemLog& problems) {
  const std::size_t colon = pair.rfind(':');  // keys may have one too
  if (colon == std::string_view::npos || colon == 0) return problems.add(ProblemKind::bad_counter, offset, pair);
  const auto value = verl_value(pair.substr(colon + 1));
  if (!value) return problems.add(ProblemKind::bad_counter, offset, pair);
  const std::string_view name = pair.substr(0, colon);
  add_metric(log, name, {value->value, value->plain && std::ranges::all_of(name, in_script_name)});
}

// The canonical names of a step's values, without looking each up in a table: a step has a hundred.
struct VerlTimes {
  std::vector<std::pair<std::string, double>> seconds;

  double find(std::string_view name) const {
    double found = -1;
    for (const auto& [known, value] : seconds) {
      if (known == name) found = value;
    }
    return found;
  }
};

}  // namespace

std::optional<std::string_view> verl_step_line(std::string_view text) {
  if (!text.starts_with(kStep)) return std::nullopt;
  std::size_t at = kStep.size();
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == kStep.size() || !text.substr(at).starts_with(kBetween)) return std::nullopt;
  std::string_view line = text.substr(0, text.find_first_of("\r\n\x1b"));
  if (const std::size_t repeated = line.find(" [repeated "); repeated != std::string_view::npos) {
    line = line.substr(0, repeated);
  }
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  const std::size_t key = at + kBetween.size();
  if (line.size() <= key) return std::nullopt;
  // Models write "step:1 - first we ..." too: behind the dash a metric must begin.
  const std::string_view first = line.substr(key, line.find(kBetween, key) - key);
  const std::size_t colon = first.rfind(':');
  if (colon == std::string_view::npos || first.substr(0, colon).find(' ') != std::string_view::npos) return std::nullopt;
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
  finish_verl_step(log);
}

void finish_verl_step(MetricLog& log) {
  MetricStep& step = log.steps.back();
  step.first_part = static_cast<std::uint32_t>(log.parts.size());
  VerlTimes times;
  double total = -1;
  for (std::uint32_t v = 0; v < step.value_count; ++v) {
    const MetricValue& value = log.values[step.first_value + v];
    if (!std::isfinite(value.value) || value.value < 0) continue;
    std::string name = canonical_metric(log.name(value.name));
    if (name == "perf/time_per_step" && total < 0) total = value.value;
    if (!name.starts_with(kTimingPrefix)) continue;
    name.erase(0, kTimingPrefix.size());
    if (name == "step") total = value.value;
    times.seconds.emplace_back(std::move(name), value.value);
  }
  const bool together = times.find("update_critic_actor") >= 0;
  Ns sum = 0;
  for (const std::string_view phase : verl_phases()) {
    const double seconds = times.find(phase);
    if (seconds < 0 || seconds > to_seconds(kLongestStep)) continue;
    if (together && (phase == "update_critic" || phase == "update_actor")) continue;
    log.parts.push_back({log.name_id(phase), to_ns(seconds)});
    sum += log.parts.back().duration;
    ++step.part_count;
  }
  if (total > to_seconds(kLongestStep)) total = -1;
  // Some versions test outside of what they call the step: it is as long as what is in it.
  step.duration = std::max(sum, total < 0 ? 0 : to_ns(total));
}

}  // namespace tv
