#include "core/view/navigation/viewport.h"

#include <algorithm>
#include <cmath>

namespace tv {

TimeRange range_of(const Viewport& view) {
  return {static_cast<Ns>(std::floor(view.begin)), static_cast<Ns>(std::ceil(view.end()))};
}

Viewport clamp(Viewport view, TimeRange limits) {
  const auto first = static_cast<double>(limits.begin);
  const double length = std::max(static_cast<double>(limits.length()), static_cast<double>(kMicrosecond));
  view.span = std::clamp(view.span, kMinSpanNs, length * (1 + 2 * kBeyondEnds));
  const double beyond = view.span * kBeyondEnds;
  const double least = first - beyond, most = first + length + beyond - view.span;
  // A trace that is wholly in view is centred.
  view.begin = least < most ? std::clamp(view.begin, least, most) : (least + most) / 2;
  return view;
}

Viewport fit(TimeRange range, TimeRange limits, double margin) {
  const auto length = std::max(static_cast<double>(range.length()), 1.0);
  const double span = std::max(length * (1 + 2 * margin), kMinSpanNs);
  const double middle = static_cast<double>(range.begin) + static_cast<double>(range.length()) / 2;
  return clamp({middle - span / 2, span}, limits);
}

Viewport fit_selected(const Viewport& now, TimeRange range, TimeRange limits) {
  const auto begin = static_cast<double>(range.begin), end = static_cast<double>(range.end);
  if (range.empty()) return center_on(now, begin, limits);
  const Viewport fitted = fit(range, limits, kSelectionMargin);
  const bool in_sight = begin >= now.begin && end <= now.end();
  return in_sight && now.span <= fitted.span ? now : fitted;
}

Viewport show_selected(const Viewport& now, TimeRange range, TimeRange limits, double least_spans) {
  const auto begin = static_cast<double>(range.begin), end = static_cast<double>(range.end), length = end - begin;
  const bool touches = range.empty() ? begin >= now.begin && begin < now.end() : begin < now.end() && end > now.begin;
  if (length > now.span) {
    if (touches) return now;
    const double inset = now.span * kSelectionMargin;
    return clamp({begin > now.begin ? begin - inset : end + inset - now.span, now.span}, limits);
  }
  if (!range.empty() && length < least_spans * now.span) return fit(range, limits, kSelectionMargin);
  const bool in_sight = touches && begin >= now.begin && end <= now.end();
  return in_sight ? now : center_on(now, begin + length / 2, limits);
}

Viewport zoom_at(const Viewport& view, double anchor01, double factor, TimeRange limits) {
  // The span is limited first, so that the anchor stays fixed even at the deepest zoom.
  const double span = clamp({view.begin, view.span * factor}, limits).span;
  return clamp({view.begin + anchor01 * (view.span - span), span}, limits);
}

Viewport pan(const Viewport& view, double spans, TimeRange limits) {
  return clamp({view.begin + spans * view.span, view.span}, limits);
}

Viewport center_on(const Viewport& view, double t, TimeRange limits) {
  return clamp({t - view.span / 2, view.span}, limits);
}

bool MovingView::step(double dt_s, double width_px) {
  if (!moving()) return false;
  constexpr double kTimeConstantS = 0.060;
  const double part = 1 - std::exp(-std::max(dt_s, 0.0) / kTimeConstantS);
  current.begin += (target.begin - current.begin) * part;
  current.span += (target.span - current.span) * part;
  const double px = target.span / std::max(width_px, 1.0);
  const double left =
      std::max(std::abs(current.begin - target.begin), std::abs(current.end() - target.end()));
  if (left < px / 2) current = target;
  return moving();
}

}  // namespace tv
