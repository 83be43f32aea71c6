#include "core/view/chart/chart_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/filter/request_filter.h"
#include "core/base/text/ascii.h"

namespace tv {
namespace {

std::optional<double> number_of(std::string_view text) {
  const auto value = whole_decimal(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string accepted_values(const ChartControl& control) {
  if (control.choices.empty()) return fmt::format("a number from {:g} to {:g}", control.least, control.most);
  std::string out;
  for (const ChartControl::Choice& choice : control.choices) {
    if (!choice.value.empty()) out += fmt::format("{}{}", out.empty() ? "" : ", ", choice.value);
  }
  return control.expressions ? out + ", or a filter" : out;
}

}  // namespace

std::string_view ChartSettings::text(std::string_view name, std::string_view otherwise) const {
  const auto at = values_.find(name);
  return at == values_.end() ? otherwise : std::string_view(at->second);
}

double ChartSettings::number(std::string_view name, double otherwise) const {
  return number_of(text(name)).value_or(otherwise);
}

std::optional<std::int64_t> ChartSettings::whole_number(std::string_view name) const {
  constexpr double kMost = 9e18;  // fits into 64 bits, which the greatest number of 64 bits does not as a double
  const auto number = number_of(text(name));
  if (!number) return std::nullopt;
  return static_cast<std::int64_t>(std::clamp(*number, -kMost, kMost));
}

void ChartSettings::set(std::string_view name, std::string value) {
  if (value.empty()) {
    if (const auto at = values_.find(name); at != values_.end()) values_.erase(at);
  } else {
    values_.insert_or_assign(std::string(name), std::move(value));
  }
}

std::string_view ChartControl::shown() const {
  const auto at = std::ranges::find(choices, value, &Choice::value);
  return at == choices.end() ? std::string_view(value) : std::string_view(at->title);
}

ChartControl number_control(const ChartSettings& settings, std::string name, std::string title, std::string hint,
                            double otherwise, double least, double most, std::string unit) {
  ChartControl control;
  control.value = fmt::format("{:g}", std::clamp(settings.number(name, otherwise), least, most));
  control.setting = std::move(name);
  control.title = std::move(title);
  control.hint = std::move(hint);
  control.least = least;
  control.most = most;
  control.unit = std::move(unit);
  return control;
}

ChartControl choice_control(const ChartSettings& settings, std::string name, std::string title, std::string hint,
                            std::vector<ChartControl::Choice> choices) {
  ChartControl control;
  control.value = settings.text(name);
  control.setting = std::move(name);
  control.title = std::move(title);
  control.hint = std::move(hint);
  control.choices = std::move(choices);
  return control;
}

ChartControl text_control(const ChartSettings& settings, std::string name, std::string title, std::string hint) {
  ChartControl control;
  control.value = settings.text(name);
  control.setting = std::move(name);
  control.title = std::move(title);
  control.hint = std::move(hint);
  control.free_text = true;
  return control;
}

Result<void> check_setting(std::span<const ChartControl> controls, std::string_view name, const std::string& value) {
  const auto control = std::ranges::find(controls, name, &ChartControl::setting);
  if (control == controls.end()) {
    std::string names;
    for (auto each = controls.begin(); each != controls.end(); ++each) {
      const bool known = std::ranges::find(controls.begin(), each, each->setting, &ChartControl::setting) != each;
      if (!known) names += (names.empty() ? "" : ", ") + each->setting;
    }
    return Error{fmt::format("there is no setting {}", name), {}, {}, "settings: " + names};
  }
  if (control->free_text) return {};
  bool accepted = false;
  if (control->choices.empty()) {
    const auto number = number_of(value);
    accepted = number && *number >= control->least && *number <= control->most;
  } else {
    accepted = std::ranges::find(control->choices, value, &ChartControl::Choice::value) != control->choices.end();
    if (!accepted && control->expressions) {
      const auto filter = parse_filter(value);
      if (!filter) return filter.error();
      accepted = true;
    }
  }
  if (accepted) return {};
  return Error{fmt::format("{} cannot be {}", name, value), {}, {}, "it takes " + accepted_values(*control)};
}

}  // namespace tv
