#include "core/view/picture/chart_scale.h"

#include <algorithm>
#include <limits>

namespace tv {
namespace {

constexpr double kLeastRatio = 1.02;  // least ratio between the ends of a logarithmic axis
constexpr float kFarAway = 1e7f;

double finite_or(double value, double otherwise) { return std::fabs(value) <= 1e300 ? value : otherwise; }

ChartRange log_range(const ChartAxis& axis, const ChartExtent& extent, double room) {
  ChartRange range = extent.any() ? ChartRange{extent.low(), extent.high()} : ChartRange{1, 10};
  if (range.high < range.low * kLeastRatio) {
    range = {range.low / 2, range.high * 2};
  } else {
    const double factor = std::pow(range.high / range.low, room);
    if (std::isfinite(factor)) range = {range.low / factor, range.high * factor};
  }
  if (axis.least && *axis.least > 0) range.low = finite_or(*axis.least, range.low);
  if (axis.most && *axis.most > 0) range.high = finite_or(*axis.most, range.high);
  range.low = std::clamp(range.low, 1e-301, 1e300);
  range.high = std::clamp(range.high, range.low * kLeastRatio, 1e301);
  return range;
}

}  // namespace

ChartRange chart_range(const ChartAxis& axis, const ChartExtent& extent, double room, double near_zero) {
  if (!axis.categories.empty()) return {-0.5, static_cast<double>(axis.categories.size()) - 0.5};
  if (!extent.any()) room = 0;
  if (axis.log) return log_range(axis, extent, room);

  double low = extent.low(), high = extent.high();
  if (!extent.any()) high = 1;
  if (axis.from_zero) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  // Whether all values are nearly equal. The axis then covers an interval around them.
  const auto flat = [&] {
    return !(high - low > 1e-290) || high - low <= 1e-9 * std::max(std::fabs(low), std::fabs(high));
  };
  if (flat()) {
    const double half = std::max(std::fabs(low) * 0.1, 1e-280);
    if (low == 0 && high == 0) {
      high = 1;
    } else {
      low -= half;
      high += half;
    }
  } else {
    const double length = high - low;
    if (high != 0 || low > 0) high += length * room;
    if (low > 0 && low < near_zero * high) {
      low = 0;  // an axis that begins a little above 0 is misleading
    } else if (low != 0) {
      low -= length * room;
      if (extent.low() >= 0) low = std::max(low, 0.0);
    }
  }
  if (axis.least) low = finite_or(*axis.least, low);
  if (axis.most) high = finite_or(*axis.most, high);
  if (high < low) std::swap(low, high);
  if (flat()) high = low + std::max(std::fabs(low) * 1e-6, 1e-280);
  return {low, high};
}

ChartScale::ChartScale(ChartRange range, bool log, float from, float to)
    : range_(range), log_(log), from_(from), to_(to) {
  base_ = log ? std::log10(range.low) : range.low;
  const double length = (log ? std::log10(range.high) : range.high) - base_;
  const double px = static_cast<double>(to) - static_cast<double>(from);
  px_per_ = length != 0 ? px / length : 0;
  per_px_ = px != 0 ? length / px : 0;
}

float ChartScale::px(double value) const {
  if (!ChartExtent(log_).shows(value)) return std::numeric_limits<float>::quiet_NaN();
  const double at = static_cast<double>(from_) + ((log_ ? std::log10(value) : value) - base_) * px_per_;
  return static_cast<float>(std::clamp(at, static_cast<double>(-kFarAway), static_cast<double>(kFarAway)));
}

float ChartScale::px_clamped(double value) const {
  return std::clamp(px(value), std::min(from_, to_), std::max(from_, to_));  // NaN stays NaN
}

double ChartScale::value(float px) const {
  const double at = base_ + (static_cast<double>(px) - static_cast<double>(from_)) * per_px_;
  return log_ ? std::pow(10.0, std::clamp(at, -307.0, 307.0)) : at;
}

}  // namespace tv
