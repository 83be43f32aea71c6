#include "core/view/picture/chart_ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tv {
namespace {

constexpr int kMostTicks = 12;
constexpr std::array<int, 3> kDigits = {1, 2, 5};

// The length between ticks: a digit times a power of ten.
struct Step {
  int digit = 0;  // index into kDigits
  int exponent = 0;

  double size() const { return times(1); }
  // k times the step, rounded only once if the power of ten is exact.
  double times(double k) const {
    const double n = k * kDigits[static_cast<std::size_t>(digit)];
    return exponent >= 0 ? n * std::pow(10.0, exponent) : n / std::pow(10.0, -exponent);
  }
  void up() { digit == 2 ? (digit = 0, ++exponent) : ++digit; }
  void down() { digit == 0 ? (digit = 2, --exponent) : --digit; }
};

struct Multiples {
  double first = 0, last = -1;  // the first and the last multiple of a step in a range, counted in steps
  double count() const { return last - first + 1; }
};

Multiples multiples(double low, double high, Step step) {
  Multiples m{std::ceil(low / step.size()), std::floor(high / step.size())};
  // Division rounds: first and last may lie just outside the range, or miss a multiple at its ends.
  while (step.times(m.first - 1) >= low && m.first - 1 != m.first) --m.first;
  while (m.first <= m.last && step.times(m.first) < low) ++m.first;
  while (m.first <= m.last && step.times(m.last) > high) --m.last;
  if (step.times(m.last + 1) <= high) ++m.last;
  return m;
}

// How seconds of a magnitude are written: multiplied by a factor, which shifts the decimal point by some digits.
struct SecondsUnit {
  double factor;
  int digits;
  const char* suffix;
};
SecondsUnit seconds_unit(double magnitude, double plain_from) {
  if (magnitude >= plain_from || magnitude == 0) return {1, 0, ""};
  if (magnitude >= 1e-3) return {1e3, 3, " ms"};
  if (magnitude >= 1e-6) return {1e6, 6, " \u00b5s"};
  return {1e9, 9, " ns"};
}

bool plain_size(double magnitude) { return magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e15); }

std::string tick_label(double at, Step step, double greatest, ChartUnit unit) {
  if (!plain_size(greatest) && unit != ChartUnit::Seconds) return fmt::format("{:g}", at);
  const SecondsUnit seconds = unit == ChartUnit::Seconds ? seconds_unit(greatest, 0.1) : SecondsUnit{1, 0, ""};
  if (!plain_size(greatest * seconds.factor)) return fmt::format("{:g}", at);
  if (at == 0) return unit == ChartUnit::Percent ? "0%" : "0";
  const std::string number = chart_grouped(at * seconds.factor, std::max(0, -(step.exponent + seconds.digits)));
  return number + (unit == ChartUnit::Percent ? "%" : seconds.suffix);
}

std::vector<ChartTick> linear_ticks(double low, double high, ChartUnit unit, int most) {
  const double length = high - low;
  // Starts with a step that may be too fine: how many ticks fit depends on where the range begins.
  const double wanted = length / (most + 1);
  Step step;
  step.exponent = static_cast<int>(std::floor(std::log10(wanted)));
  while (step.size() < wanted) step.up();
  const bool whole = unit == ChartUnit::Count || unit == ChartUnit::Tokens;
  while (whole && step.exponent < 0) step.up();
  Multiples m = multiples(low, high, step);
  while (m.count() > most) {
    step.up();
    m = multiples(low, high, step);
  }
  while (m.count() < 2 && !(whole && step.size() <= 1)) {
    step.down();
    m = multiples(low, high, step);
  }
  std::vector<ChartTick> ticks;
  const double greatest = std::max(std::fabs(low), std::fabs(high));
  for (double k = m.first; k <= m.last && ticks.size() < kMostTicks; ++k) {
    const double at = step.times(k) + 0.0;  // no -0
    ticks.push_back({at, tick_label(at, step, greatest, unit)});
  }
  return ticks;
}

std::string log_label(double at, Step step, double low, ChartUnit unit) {
  if (!plain_size(at) && (unit != ChartUnit::Seconds || at >= 1 || at < 1e-9)) return fmt::format("{:g}", at);
  if (unit == ChartUnit::Percent) return chart_grouped(at, std::max(0, -step.exponent)) + "%";
  if (unit != ChartUnit::Seconds || low >= 0.01) return chart_grouped(at, std::max(0, -step.exponent));
  const SecondsUnit seconds = seconds_unit(at * 1.001, 1);
  const std::string number = chart_grouped(at * seconds.factor, std::max(0, -(step.exponent + seconds.digits)));
  return number + (seconds.factor == 1 ? " s" : seconds.suffix);
}

std::vector<ChartTick> log_ticks(double low, double high, ChartUnit unit, int most) {
  std::vector<Step> powers, all;
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int e = static_cast<int>(std::floor(std::log10(low))); e <= last; ++e) {
    for (int d = 0; d < 3; ++d) {
      const Step step{d, e};
      if (step.size() < low || step.size() > high) continue;
      all.push_back(step);
      if (d == 0) powers.push_back(step);
    }
  }
  const bool few = static_cast<int>(all.size()) <= most;
  const std::vector<Step>& chosen = few || powers.size() < 2 ? all : powers;
  if (chosen.size() < 2) return linear_ticks(low, high, unit, most);
  const std::size_t every = (chosen.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
  std::vector<ChartTick> ticks;
  for (std::size_t i = 0; i < chosen.size(); i += every) {
    ticks.push_back({chosen[i].size(), log_label(chosen[i].size(), chosen[i], low, unit)});
  }
  return ticks;
}

}  // namespace

std::vector<ChartTick> chart_ticks(double low, double high, bool log, ChartUnit unit, int most) {
  const double greatest = std::max(std::fabs(low), std::fabs(high));
  if (!(high > low) || greatest > 1e302 || high - low < 1e-290 || (high - low) / greatest < 1e-12) return {};
  most = std::clamp(most, 2, kMostTicks);
  return log && low > 0 ? log_ticks(low, high, unit, most) : linear_ticks(low, high, unit, most);
}

std::vector<double> chart_log_lines(double low, double high) {
  if (!(low > 0) || !(high > low) || high / low > 1e8) return {};
  std::vector<double> lines;
  for (int e = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, e) <= high; ++e) {
    for (int digit = 2; digit <= 9; ++digit) {
      const double at = digit * std::pow(10.0, e);
      if (at >= low && at <= high) lines.push_back(at);
    }
  }
  return lines;
}

std::string chart_grouped(double value, int decimals) {
  if (!(std::fabs(value) < 1e18)) return fmt::format("{:g}", value);
  std::string text = fmt::format("{:.{}f}", std::fabs(value), std::clamp(decimals, 0, 30));
  std::size_t at = std::min(text.find('.'), text.size());
  for (; at > 3; at -= 3) text.insert(at - 3, 1, ',');
  const bool zero = text.find_first_not_of("0.,") == std::string::npos;
  return std::signbit(value) && !zero ? "-" + text : text;
}

std::string chart_number(double value, ChartUnit unit) {
  if (!std::isfinite(value)) return std::isnan(value) ? "none" : value < 0 ? "-\u221e" : "\u221e";
  const double magnitude = std::fabs(value);
  const bool whole = value == std::floor(value);
  const auto digits = [whole](double number) {
    const double size = std::fabs(number);
    if (whole && size < 1e15) return chart_grouped(number, 0);
    if (!plain_size(size)) return fmt::format("{:.4g}", number);
    const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(std::max(size, 1e-9)))), 0, 12);
    std::string text = chart_grouped(number, decimals);
    if (decimals > 0) {
      text.erase(text.find_last_not_of('0') + 1);
      if (text.ends_with('.')) text.pop_back();
    }
    return text;
  };
  switch (unit) {
    case ChartUnit::Seconds: {
      constexpr double kRoundsToUnit = 0.99995;  // with four digits: "1 s", not "1,000 ms"
      const SecondsUnit seconds = seconds_unit(magnitude / kRoundsToUnit, 1);
      return digits(value * seconds.factor) + (seconds.factor == 1 ? " s" : seconds.suffix);
    }
    case ChartUnit::Percent: return digits(value) + "%";
    case ChartUnit::Tokens: return digits(value) + (value == 1 ? " token" : " tokens");
    case ChartUnit::TokensPerSecond: return digits(value) + " tokens/s";
    case ChartUnit::Count:
    case ChartUnit::None: break;
  }
  return digits(value);
}

std::string chart_title_without_unit(const ChartAxis& axis) {
  const std::size_t open = axis.title.rfind(" (");
  if (axis.unit == ChartUnit::None || open == std::string::npos || !axis.title.ends_with(')')) return axis.title;
  return axis.title.substr(0, open);
}

std::string chart_position(const ChartAxis& axis, double value) {
  const double nearest = std::round(value);
  if (nearest >= 0 && nearest < static_cast<double>(axis.categories.size())) {
    const std::string& name = axis.categories[static_cast<std::size_t>(nearest)];
    const bool number = !name.empty() && name.front() >= '0' && name.front() <= '9';
    return number && !axis.title.empty() ? axis.title + " " + name : name;
  }
  const std::string title = chart_title_without_unit(axis);
  return title.empty() ? chart_number(value, axis.unit) : title + " " + chart_number(value, axis.unit);
}

}  // namespace tv
