#include "core/view/picture/chart_marks.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/view/picture/chart_ticks.h"

namespace tv {
namespace {

using Mark = ChartSeries::Mark;

bool is_line(Mark mark) { return mark == Mark::Line || mark == Mark::LineAndDots; }
bool has_dots(Mark mark) { return mark == Mark::Dots || mark == Mark::LineAndDots; }

// Clips the line from a to b to the box (Liang and Barsky). False if nothing is left.
bool clip(ChartPoint& a, ChartPoint& b, const ChartBox& box) {
  const double dx = static_cast<double>(b.x) - static_cast<double>(a.x);
  const double dy = static_cast<double>(b.y) - static_cast<double>(a.y);
  double from = 0, to = 1;
  const auto side = [&](double toward, float room) {
    if (toward == 0) return room >= 0;
    const double at = static_cast<double>(room) / toward;
    toward < 0 ? from = std::max(from, at) : to = std::min(to, at);
    return from <= to;
  };
  if (!side(-dx, a.x - box.x0) || !side(dx, box.x1 - a.x) || !side(-dy, a.y - box.y0) || !side(dy, box.y1 - a.y))
    return false;
  const auto at = [&, start = a](double part) {
    return ChartPoint{static_cast<float>(static_cast<double>(start.x) + part * dx),
                      static_cast<float>(static_cast<double>(start.y) + part * dy)};
  };
  if (to < 1) b = at(to);
  if (from > 0) a = at(from);
  return true;
}

// Draws a line point by point, without its parts outside the box.
class Polyline {
 public:
  Polyline(ChartPen& pen, const ChartBox& box, Rgba color, float width, bool dashed)
      : pen_(pen), box_(box), color_(color), width_(width), dashed_(dashed) {}

  void to(ChartPoint p) {
    if (any_) {
      ChartPoint a = last_, b = p;
      if (clip(a, b, box_)) {
        if (points_.empty() || points_.back() != a) {
          flush();
          points_.push_back(a);
        }
        points_.push_back(b);
      }
    }
    last_ = p;
    any_ = true;
  }
  void gap() {
    flush();
    any_ = false;
  }
  void flush() {
    pen_.line(points_, color_, width_, dashed_);
    points_.clear();
  }

 private:
  ChartPen& pen_;
  ChartBox box_;
  Rgba color_;
  float width_;
  bool dashed_, any_ = false;
  ChartPoint last_;
  std::vector<ChartPoint> points_;
};

// Reduces the points of a line in one column of pixels to the first, least, greatest and last, in order.
class PixelColumn {
 public:
  template <class Each>
  void add(ChartPoint p, bool horizontal, const Each& each) {
    const float at = std::floor(horizontal ? p.y : p.x), value = horizontal ? p.x : p.y;
    if (count_ > 0 && at != at_) flush(each);
    if (count_++ == 0) {
      at_ = at;
      first_ = least_ = greatest_ = {p, value, 0};
    }
    last_ = {p, value, count_};
    if (value < least_.value) least_ = last_;
    if (value > greatest_.value) greatest_ = last_;
  }
  template <class Each>
  void flush(const Each& each) {
    if (count_ > 0) each(first_.point);
    const OrderedPoint& earlier = least_.order < greatest_.order ? least_ : greatest_;
    const OrderedPoint& later = least_.order < greatest_.order ? greatest_ : least_;
    if (count_ > 2) {
      each(earlier.point);
      each(later.point);
    }
    if (count_ > 1) each(last_.point);
    count_ = 0;
  }

 private:
  struct OrderedPoint {
    ChartPoint point;
    float value = 0;
    std::size_t order = 0;
  };
  OrderedPoint first_, least_, greatest_, last_;
  float at_ = 0;
  std::size_t count_ = 0;
};

void draw_line(ChartPlane& plane, std::size_t s) {
  const ChartSeries& series = plane.chart.series[s];
  const std::size_t n = chart_points(series);
  ChartPen& pen = plane.pen;
  const float width = pen.px(series.faint ? 1.2f : 2.0f);
  const ChartBox& plot = plane.plot();
  const ChartBox room{plot.x0 - width, plot.y0 - width, plot.x1 + width, plot.y1 + width};
  Polyline line(pen, room, plane.color(series), width, series.dashed);
  PixelColumn column;
  const bool thin = n > kChartThinFrom;
  const auto each = [&line](ChartPoint p) { line.to(p); };
  for (std::size_t i = 0; i < n; ++i) {
    const ChartPoint p = plane.point(s, series.x[i], series.y[i]);
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      column.flush(each);
      line.gap();
    } else if (thin) {
      column.add(p, plane.chart.horizontal, each);
    } else {
      line.to(p);
    }
  }
  column.flush(each);
  line.flush();
}

// Whether a point lies between gaps: no line leads to it, so it is drawn as a dot.
bool alone(const ChartPlane& plane, std::size_t s, std::size_t i, std::size_t n) {
  const ChartSeries& series = plane.chart.series[s];
  const auto is_drawn = [&](std::size_t k) {
    const ChartPoint p = plane.point(s, series.x[k], series.y[k]);
    return std::isfinite(p.x) && std::isfinite(p.y);
  };
  return (i == 0 || !is_drawn(i - 1)) && (i + 1 >= n || !is_drawn(i + 1));
}

void draw_points(ChartPlane& plane, std::size_t s) {
  const ChartSeries& series = plane.chart.series[s];
  const std::size_t n = chart_points(series);
  ChartPen& pen = plane.pen;
  const bool dotted = has_dots(series.mark);
  const bool hits = dotted || !series.targets.empty();
  const bool crowded = n > 500 || (series.mark == Mark::LineAndDots && n > 80);
  const float radius = pen.px(crowded ? 2.2f : series.mark == Mark::LineAndDots ? 3.2f : 3.6f);
  const float reach = std::max(radius, pen.px(3));
  const ChartBox& plot = plane.plot();
  std::unordered_set<std::uint64_t> taken;  // pixels that have a dot
  std::vector<ChartPoint> dots;
  for (std::size_t i = 0; i < n; ++i) {
    const ChartPoint p = plane.point(s, series.x[i], series.y[i]);
    if (!(p.x >= plot.x0 - 0.5f && p.x <= plot.x1 + 0.5f && p.y >= plot.y0 - 0.5f && p.y <= plot.y1 + 0.5f)) continue;
    const bool dot = dotted || alone(plane, s, i, n);
    if (!dot && !hits) continue;
    if (n > kChartThinFrom) {
      const auto pixel =
          static_cast<std::uint64_t>(std::max(p.x, 0.0f)) << 32 | static_cast<std::uint32_t>(std::max(p.y, 0.0f));
      if (!taken.insert(pixel).second) continue;
    }
    if (dot) dots.push_back(p);
    if (hits) {
      plane.hit({p.x - reach, p.y - reach, p.x + reach, p.y + reach}, true, s, i,
                chart_number(series.y[i], plane.across_axis(s).unit));
    }
  }
  // Many dots are translucent, so that their opacity shows how many overlap.
  const Rgba color = plane.color(series);
  pen.dots(dots, n > 500 ? with_alpha(color, series.faint ? 90 : 150) : color, radius);
}

// Whether the point lies below the mean of its neighbours, so that a label has more room below it.
bool in_dip(const ChartPlane& plane, std::size_t s, std::size_t i, std::size_t n) {
  const ChartSeries& series = plane.chart.series[s];
  const float y = plane.point(s, series.x[i], series.y[i]).y;
  float slopes = 0;
  if (i > 0) slopes += plane.point(s, series.x[i - 1], series.y[i - 1]).y - y;
  if (i + 1 < n) slopes += plane.point(s, series.x[i + 1], series.y[i + 1]).y - y;
  return slopes < 0;
}

void label_points(ChartPlane& plane, std::size_t s) {
  const ChartSeries& series = plane.chart.series[s];
  const std::size_t n = std::min(chart_points(series), series.labels.size());
  const float aside = plane.pen.px(7), half = plane.pen.font() / 2;
  for (std::size_t i = 0; i < n && plane.texts.size() < 400; ++i) {
    const ChartPoint p = plane.point(s, series.x[i], series.y[i]);
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
    const Rgba ink = plane.pen.ink().text;
    const std::string& text = series.labels[i];
    if (!is_line(series.mark)) {
      plane.label(p.x + aside, p.y - half, ChartAnchor::Left, text, ink) ||
          plane.label(p.x - aside, p.y - half, ChartAnchor::Right, text, ink) ||
          plane.label(p.x, p.y - aside - 2 * half, ChartAnchor::Center, text, ink);
      continue;
    }
    // Prefers the side away from the line, and stays within the plot.
    const float room = plane.pen.width(text) / 2 + plane.pen.px(3);
    const float x = std::clamp(p.x, plane.plot().x0 + room, std::max(plane.plot().x0 + room, plane.plot().x1 - room));
    const float above = p.y - aside - 2 * half, below = p.y + aside;
    const bool dip = in_dip(plane, s, i, chart_points(series));
    plane.label(x, dip ? below : above, ChartAnchor::Center, text, ink) ||
        plane.label(x, dip ? above : below, ChartAnchor::Center, text, ink);
  }
}

}  // namespace

const ChartAxis& ChartPlane::across_axis(std::size_t series) const {
  return chart_on_y2(chart, series) ? *chart.y2 : chart.horizontal ? chart.x : chart.y;
}

const ChartScale& ChartPlane::across(std::size_t series) const {
  return chart_on_y2(chart, series) ? picture().y2 : chart.horizontal ? picture().x : picture().y;
}

ChartPoint ChartPlane::point(std::size_t series, double at, double value) const {
  const float a = along().px(at), v = across(series).px(value);
  return chart.horizontal ? ChartPoint{v, a} : ChartPoint{a, v};
}

ChartBox ChartPlane::box(float along0, float along1, float across0, float across1) const {
  const auto [a0, a1] = std::minmax(along0, along1);
  const auto [v0, v1] = std::minmax(across0, across1);
  const ChartBox whole = chart.horizontal ? ChartBox{v0, a0, v1, a1} : ChartBox{a0, v0, a1, v1};
  const ChartBox& p = plot();
  return {std::clamp(whole.x0, p.x0, p.x1), std::clamp(whole.y0, p.y0, p.y1), std::clamp(whole.x1, p.x0, p.x1),
          std::clamp(whole.y1, p.y0, p.y1)};
}

Rgba ChartPlane::color(const ChartSeries& series) const {
  const Rgba color = pen.color(series.color);
  return series.faint ? chart_mix(color, pen.ink().background, 0.6) : color;
}

void ChartPlane::hit(const ChartBox& box, bool round, std::size_t s, std::size_t i, std::string_view value) {
  const ChartSeries& series = chart.series[s];
  const std::string_view label = i < series.labels.size() ? std::string_view(series.labels[i]) : std::string_view();
  const ChartTarget target = i < series.targets.size() ? series.targets[i] : ChartTarget();
  const std::string at = chart_position(along_axis(), series.x[i]);
  const bool dots = series.mark == Mark::Dots;
  std::string what = dots || series.name.empty() ? chart_title_without_unit(across_axis(s)) : series.name;
  if (!what.empty()) what += ' ';
  what += value;
  pen.hit(box, round, static_cast<std::uint32_t>(i), target,
          {label == value ? std::string_view() : label, dots ? std::string_view(series.name) : std::string_view(), at,
           what});
}

ChartBox ChartPlane::text_box(float x, float y, ChartAnchor anchor, std::string_view text) const {
  const float wide = pen.width(text), gap = pen.px(2);
  const float left = anchor == ChartAnchor::Left ? x : anchor == ChartAnchor::Right ? x - wide : x - wide / 2;
  return {left - gap, y, left + wide + gap, y + pen.font()};
}

bool ChartPlane::has_room(float x, float y, ChartAnchor anchor, std::string_view text) const {
  const ChartBox box = text_box(x, y, anchor, text), &p = plot();
  if (box.x0 < p.x0 || box.x1 > p.x1 || box.y0 < p.y0 || box.y1 > p.y1) return false;
  return std::none_of(texts.begin(), texts.end(), [&](const ChartBox& taken) { return taken.overlaps(box); });
}

bool ChartPlane::label(float x, float y, ChartAnchor anchor, std::string_view text, Rgba color) {
  if (text.empty() || !has_room(x, y, anchor, text)) return false;
  texts.push_back(text_box(x, y, anchor, text));
  pen.text(texts.back().x0 + pen.px(2), y, ChartAnchor::Left, text, color);
  return true;
}

void draw_chart_bands(ChartPlane& plane) {
  if (!plane.along_axis().categories.empty()) return;
  for (std::size_t s = 0; s < plane.chart.series.size(); ++s) {
    const ChartSeries& series = plane.chart.series[s];
    if (series.mark != Mark::Span || !plane.frame.shows(s)) continue;
    plane.pen.begin_series(static_cast<std::int32_t>(s), true);
    const Rgba color = with_alpha(plane.color(series), series.faint ? 50 : 80);
    std::vector<ChartPoint> sides;
    const ChartBox& plot = plane.plot();
    const auto inside = [&plot](ChartPoint p) {
      return ChartPoint{std::clamp(p.x, plot.x0, plot.x1), std::clamp(p.y, plot.y0, plot.y1)};
    };
    for (std::size_t i = 0; i < chart_points(series); ++i) {
      const ChartPoint a = plane.point(s, series.x[i], series.y[2 * i]),
                       b = plane.point(s, series.x[i], series.y[2 * i + 1]);
      if (std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(b.x) && std::isfinite(b.y)) {
        sides.push_back(inside(a));
        sides.push_back(inside(b));
        continue;
      }
      plane.pen.band(sides, color);
      sides.clear();
    }
    plane.pen.band(sides, color);
  }
}

void draw_chart_lines(ChartPlane& plane) {
  // Faint series are context, so the others lie on top of them.
  for (const bool faint : {true, false}) {
    for (std::size_t s = 0; s < plane.chart.series.size(); ++s) {
      const ChartSeries& series = plane.chart.series[s];
      if (series.faint != faint || !plane.frame.shows(s)) continue;
      plane.pen.begin_series(static_cast<std::int32_t>(s), true);
      if (is_line(series.mark)) draw_line(plane, s);
      if (is_line(series.mark) || has_dots(series.mark)) draw_points(plane, s);
    }
  }
  for (std::size_t s = 0; s < plane.chart.series.size(); ++s) {
    const ChartSeries& series = plane.chart.series[s];
    if (!plane.frame.shows(s) || !(is_line(series.mark) || has_dots(series.mark))) continue;
    plane.pen.begin_series(static_cast<std::int32_t>(s), true);
    label_points(plane, s);
  }
}

}  // namespace tv
