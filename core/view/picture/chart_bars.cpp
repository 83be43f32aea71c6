// Draws the marks that are boxes: bars, boxes of quantiles, spans of categories.
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "core/view/picture/chart_marks.h"
#include "core/view/picture/chart_ticks.h"

namespace tv {
namespace {

using Mark = ChartSeries::Mark;

// The extent of a series' mark along the axis: on whole pixels, at least one.
std::pair<float, float> place(const ChartPlane& plane, std::size_t s, double x, bool own_slot) {
  const double pitch = plane.slots.pitch;
  const float step = std::fabs(plane.along().px(x + pitch / 2) - plane.along().px(x - pitch / 2));
  const float pitch_px = std::isfinite(step) ? step : plane.pen.px(12);
  const std::size_t count = own_slot ? plane.slots.count : 1, slot = own_slot ? plane.slots.slot[s] : 0;
  // Narrow bars have no gaps between them, because gaps would be wider than bars. All gaps have the same number of pixels.
  const float widest = plane.pen.px(plane.chart.horizontal ? 36.0f : 96.0f) * static_cast<float>(count);
  const float group = std::min(pitch_px < plane.pen.px(4.5f) ? pitch_px : pitch_px * 0.8f, widest);
  const float gap = std::round(pitch_px - group), middle = plane.along().px(x);
  const float begin = std::round(middle - pitch_px / 2) + std::floor(gap / 2);
  const float end = std::max(std::round(middle + pitch_px / 2) - std::ceil(gap / 2), begin + 1);
  const float width = (end - begin) / static_cast<float>(count), left = begin + width * static_cast<float>(slot);
  const float from = std::round(left), to = std::round(left + width);
  const bool has_gap = count > 1 && to - from >= plane.pen.px(5);
  return {from, std::max(to - (has_gap ? plane.pen.hairline() : 0), from + 1)};
}

// On a logarithmic axis, values that are not positive are placed at the axis.
float across_px(const ChartPlane& plane, std::size_t s, double value) {
  const ChartScale& scale = plane.across(s);
  return scale.px_clamped(scale.log() ? std::max(value, scale.low()) : value);
}

bool empty(const ChartBox& box) { return !(box.x1 > box.x0 && box.y1 > box.y0); }

// In thinner boxes, hatching looks like dots.
constexpr float kThinnestHatched = 4;

void fill(ChartPlane& plane, const ChartBox& box, const ChartSeries& series) {
  const Rgba color = plane.color(series);
  const bool thin = std::min(box.width(), box.height()) < plane.pen.px(kThinnestHatched);
  if (!series.hatched || thin) {
    plane.pen.rect(box, color);
    return;
  }
  plane.pen.rect(box, chart_mix(color, plane.pen.ink().background, 0.72));
  plane.pen.hatch(box, color);
}

// The bars to draw: all, or if there are very many, those at the position of the greatest one in each column of pixels.
std::vector<ChartBar> thinned(const ChartPlane& plane, std::vector<ChartBar> bars) {
  if (bars.size() <= kChartThinFrom) return bars;
  struct Greatest {
    double x, size;
  };
  std::unordered_map<std::int64_t, Greatest> columns;
  const auto column = [&](const ChartBar& bar) {
    return static_cast<std::int64_t>(place(plane, bar.series, bar.x, plane.chart.side_by_side).first);
  };
  for (const ChartBar& bar : bars) {
    Greatest& greatest = columns.try_emplace(column(bar), Greatest{bar.x, -1}).first->second;
    if (std::fabs(bar.to) > greatest.size) greatest = {bar.x, std::fabs(bar.to)};
  }
  std::erase_if(bars, [&](const ChartBar& bar) { return columns.at(column(bar)).x != bar.x; });
  return bars;
}

// Draws a label in the middle of a mark. On hatching, the label gets a plain background.
bool label_inside(ChartPlane& plane, const ChartBox& box, std::string_view text, const ChartSeries& series) {
  ChartPen& pen = plane.pen;
  const float font = pen.font(), width = pen.width(text);
  if (box.width() < width + pen.px(6) || box.height() < font + pen.px(2)) return false;
  const float x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1 - font) / 2;
  const Rgba ground = series.hatched ? chart_mix(plane.color(series), pen.ink().background, 0.72) : plane.color(series);
  if (!plane.has_room(x, y, ChartAnchor::Center, text)) return false;
  if (series.hatched) pen.rect({x - width / 2 - pen.px(3), y, x + width / 2 + pen.px(3), y + font}, ground);
  return plane.label(x, y, ChartAnchor::Center, text, text_on(ground));
}

// Position and background of a bar's label. They are determined for all bars of a kind before any label is drawn.
struct BarLabel {
  float x = 0, y = 0;
  ChartAnchor anchor = ChartAnchor::Center;
  std::string_view text;
  std::uint32_t series = 0;
  bool inside = false;
};

bool lies_on_other(const ChartBox& label, const std::vector<ChartBox>& boxes, std::size_t labelled) {
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    if (b != labelled && !empty(boxes[b]) && boxes[b].overlaps(label)) return true;
  }
  return false;
}

// Places a label in the middle of the bar; returns none if it does not fit.
std::optional<BarLabel> label_in_bar(const ChartPlane& plane, const ChartBox& box, std::string_view text) {
  const float font = plane.pen.font();
  if (box.width() < plane.pen.width(text) + plane.pen.px(6) || box.height() < font + plane.pen.px(2)) return std::nullopt;
  const BarLabel out{(box.x0 + box.x1) / 2, (box.y0 + box.y1 - font) / 2, ChartAnchor::Center, text, 0, true};
  return plane.has_room(out.x, out.y, out.anchor, text) ? std::optional(out) : std::nullopt;
}

// Places a label beyond the end of the bar, or inside if other bars or texts are in the way.
std::optional<BarLabel> label_at_bar(const ChartPlane& plane, const std::vector<ChartBox>& boxes, std::size_t b, bool negative,
                                     std::string_view text) {
  const ChartBox& box = boxes[b];
  const float gap = plane.pen.px(4), font = plane.pen.font();
  BarLabel out{(box.x0 + box.x1) / 2, negative ? box.y1 + gap : box.y0 - gap - font, ChartAnchor::Center, text, 0, false};
  if (plane.chart.horizontal) {
    out.x = negative ? box.x0 - gap : box.x1 + gap;
    out.y = (box.y0 + box.y1 - font) / 2;
    out.anchor = negative ? ChartAnchor::Right : ChartAnchor::Left;
  }
  const bool low = plane.chart.horizontal && box.height() + plane.pen.px(3) < font;
  const bool beyond = !low && plane.has_room(out.x, out.y, out.anchor, text) &&
                      !lies_on_other(plane.text_box(out.x, out.y, out.anchor, text), boxes, b);
  return beyond ? std::optional(out) : label_in_bar(plane, box, text);
}

// Whether a part of a stack is shorter than a line of text. Readers see that a sliver is small, so it needs no label if larger bars
// of its series have one.
bool is_sliver(const ChartPlane& plane, const ChartBox& box) {
  return (plane.chart.horizontal ? box.width() : box.height()) < plane.pen.font() + plane.pen.px(2);
}

// Labels all bars of one kind or none: a bar without a label among labelled ones looks as if it had no value. One kind is a series
// of stacked bars, except slivers, or all bars side by side. The mouse shows values without labels.
void label_bars(ChartPlane& plane, const std::vector<ChartBar>& bars, const std::vector<ChartBox>& boxes, bool at_ends) {
  constexpr std::size_t kMostLabels = 400;
  std::size_t first = 0;
  while (first < bars.size()) {
    std::size_t end = first + 1;
    while (end < bars.size() && (at_ends || bars[end].series == bars[first].series)) ++end;
    std::vector<BarLabel> labels;
    const std::size_t taken = plane.texts.size();
    bool all = true;
    for (std::size_t b = first; b < end && all; ++b) {
      const ChartBar& bar = bars[b];
      const ChartSeries& series = plane.chart.series[bar.series];
      if (bar.index >= series.labels.size() || series.labels[bar.index].empty() || empty(boxes[b])) continue;
      if (!at_ends && is_sliver(plane, boxes[b])) continue;
      const std::string& text = series.labels[bar.index];
      auto label = at_ends ? label_at_bar(plane, boxes, b, bar.to < 0, text) : label_in_bar(plane, boxes[b], text);
      all = label.has_value() && labels.size() < kMostLabels;
      if (!all) break;
      label->series = bar.series;
      plane.texts.push_back(plane.text_box(label->x, label->y, label->anchor, text));
      labels.push_back(*label);
    }
    plane.texts.resize(taken);  // frees the tentative places; drawing occupies them again
    for (const BarLabel& label : labels) {
      if (!all) break;
      const ChartSeries& series = plane.chart.series[label.series];
      plane.pen.begin_series(static_cast<std::int32_t>(label.series), true);
      const Rgba ground =
          series.hatched ? chart_mix(plane.color(series), plane.pen.ink().background, 0.72) : plane.color(series);
      if (label.inside && series.hatched) {
        const float half = plane.pen.width(label.text) / 2 + plane.pen.px(3);
        plane.pen.rect({label.x - half, label.y, label.x + half, label.y + plane.pen.font()}, ground);
      }
      plane.label(label.x, label.y, label.anchor, label.text, label.inside ? text_on(ground) : plane.pen.ink().text);
    }
    first = end;
  }
}

void draw_bars(ChartPlane& plane) {
  std::vector<ChartBar> bars = chart_bars(plane.chart, plane.frame);
  std::erase_if(bars, [&](const ChartBar& bar) { return !std::isfinite(plane.along().px(bar.x)); });  // such as 0 on a logarithmic axis
  bars = thinned(plane, std::move(bars));
  std::vector<ChartBox> boxes(bars.size());
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const ChartBar& bar = bars[b];
    const ChartSeries& series = plane.chart.series[bar.series];
    const auto [a0, a1] = place(plane, bar.series, bar.x, plane.chart.side_by_side);
    float v0 = std::round(across_px(plane, bar.series, bar.from)),
          v1 = std::round(across_px(plane, bar.series, bar.to));
    // A nonzero bar that starts at zero is at least one pixel long; other bars of a stack may vanish.
    if (v0 == v1 && bar.from == 0 && bar.to != 0)
      v1 += (plane.chart.horizontal ? 1.0f : -1.0f) * (bar.to < 0 ? -1.0f : 1.0f);
    boxes[b] = plane.box(a0, a1, v0, v1);
    if (empty(boxes[b])) continue;
    plane.pen.begin_series(static_cast<std::int32_t>(bar.series), true);
    fill(plane, boxes[b], series);
    plane.hit(boxes[b], false, bar.series, bar.index,
              chart_number(series.y[bar.index], plane.across_axis(bar.series).unit));
  }
  std::size_t shown = 0;
  for (std::size_t s = 0; s < plane.chart.series.size(); ++s) {
    shown += plane.chart.series[s].mark == Mark::Bars && plane.frame.shows(s) ? 1u : 0u;
  }
  label_bars(plane, bars, boxes, shown == 1 || plane.chart.side_by_side);
}

void draw_box(ChartPlane& plane, std::size_t s, std::size_t i) {
  const ChartSeries& series = plane.chart.series[s];
  const double* y = series.y.data() + 5 * i;
  if (!std::isfinite(plane.along().px(series.x[i])) ||
      !std::all_of(y, y + 5, [](double v) { return std::isfinite(v); }))
    return;
  auto [a0, a1] = place(plane, s, series.x[i], true);
  const float middle = (a0 + a1) / 2, widest = plane.pen.px(46);
  if (a1 - a0 > widest) std::tie(a0, a1) = std::pair(std::round(middle - widest / 2), std::round(middle + widest / 2));
  const float w = std::max(plane.pen.hairline(), std::round(plane.pen.px(1.2f)));
  const float centre = std::floor(middle - w / 2 + 0.5f);
  float v[5];
  for (int k = 0; k < 5; ++k) v[k] = std::round(across_px(plane, s, y[k]));
  const Rgba color = plane.color(series);
  const auto draw = [&](float along0, float along1, float across0, float across1, Rgba ink) {
    const ChartBox box = plane.box(along0, along1, across0, across1);
    if (!empty(box)) plane.pen.rect(box, ink);
  };
  const bool narrow = a1 - a0 < plane.pen.px(7);
  draw(centre, centre + w, v[0], v[4], color);
  if (!narrow) {
    const float cap = (a1 - a0) * 0.25f;
    for (const float end : {v[0], v[4]}) draw(middle - cap, middle + cap, end - w / 2, end + w / 2, color);
  }
  const ChartBox box = plane.box(a0, a1, v[1], v[3]);
  if (!empty(box)) {
    plane.pen.rect(box, narrow ? color : chart_mix(color, plane.pen.ink().background, 0.62));
    if (!narrow) plane.pen.frame(box, color);
  }
  const float thick = std::max(2.0f, std::round(plane.pen.px(2.2f)));
  draw(a0, a1, v[2] - thick / 2, v[2] + thick / 2, plane.pen.ink().text);
  const ChartUnit unit = plane.across_axis(s).unit;
  std::string value = "median " + chart_number(y[2], unit);
  value += "\nhalf of them " + chart_number(y[1], unit) + " \u2013 " + chart_number(y[3], unit);
  value += "\nall " + chart_number(y[0], unit) + " \u2013 " + chart_number(y[4], unit);
  const ChartBox all = plane.box(a0, a1, std::min(v[0], v[4]) - w, std::max(v[0], v[4]) + w);
  if (!empty(all)) plane.hit(all, false, s, i, value);
}

void draw_span(ChartPlane& plane, std::size_t s, std::size_t i) {
  const ChartSeries& series = plane.chart.series[s];
  const double from = series.y[2 * i], to = series.y[2 * i + 1];
  if (!std::isfinite(plane.along().px(series.x[i])) || !std::isfinite(from) || !std::isfinite(to)) return;
  const auto [a0, a1] = place(plane, s, series.x[i], false);
  const float v0 = across_px(plane, s, from), v1 = across_px(plane, s, to);
  if (std::max(from, to) < plane.across(s).low() || std::min(from, to) > plane.across(s).high()) return;
  const float least = std::min(v0, v1), most = std::max({v0, v1, least + 1});
  const ChartBox box = plane.box(a0, a1, std::round(least), std::round(most));
  if (empty(box)) return;
  fill(plane, box, series);
  const ChartUnit unit = plane.across_axis(s).unit;
  plane.hit(box, false, s, i,
            chart_number(to - from, unit) + ": " + chart_number(from, unit) + " \u2013 " + chart_number(to, unit));
  if (i < series.labels.size() && plane.texts.size() < 400) label_inside(plane, box, series.labels[i], series);
}

}  // namespace

void draw_chart_bars(ChartPlane& plane) {
  draw_bars(plane);
  const bool named = !plane.along_axis().categories.empty();
  for (std::size_t s = 0; s < plane.chart.series.size(); ++s) {
    const ChartSeries& series = plane.chart.series[s];
    if (!plane.frame.shows(s)) continue;
    plane.pen.begin_series(static_cast<std::int32_t>(s), true);
    for (std::size_t i = 0; i < chart_points(series); ++i) {
      if (series.mark == Mark::Boxes) draw_box(plane, s, i);
      if (series.mark == Mark::Span && named) draw_span(plane, s, i);
    }
  }
}

}  // namespace tv
