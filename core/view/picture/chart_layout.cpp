#include "core/view/picture/chart_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/view/picture/chart_stacks.h"
#include "core/view/picture/chart_ticks.h"
#include "core/view/words/short_name.h"

namespace tv {
namespace {

using Mark = ChartSeries::Mark;

constexpr std::array<std::size_t, 9> kEvery = {1, 2, 5, 10, 20, 25, 50, 100, 200};

constexpr int kTicksForUnit = 10;

std::size_t nice_every(double at_least) {
  for (const std::size_t every : kEvery) {
    if (static_cast<double>(every) >= at_least) return every;
  }
  return static_cast<std::size_t>(std::min(at_least, 1e15)) + 1;
}

// The first category whose centre is in the range, and the one after the last.
std::pair<std::size_t, std::size_t> shown_categories(const ChartAxis& axis, ChartRange range) {
  const double last = static_cast<double>(axis.categories.size());
  return {static_cast<std::size_t>(std::clamp(std::ceil(range.low), 0.0, last)),
          static_cast<std::size_t>(std::clamp(std::floor(range.high) + 1, 0.0, last))};
}

// The number at the end of a name: 12 for "step 12".
std::optional<std::size_t> number_at_end(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9' && name.size() - begin < 9) --begin;
  if (begin == name.size()) return std::nullopt;
  std::size_t number = 0;
  for (const char digit : name.substr(begin)) number = number * 10 + static_cast<std::size_t>(digit - '0');
  return number;
}

// The first category to label, if every n-th has a label. Of names that count up, those with round numbers are labelled.
std::size_t first_written(const ChartAxis& axis, std::size_t first, std::size_t every) {
  const auto from = number_at_end(axis.categories.front()), to = number_at_end(axis.categories.back());
  const bool counting = from && to && *to - *from + 1 == axis.categories.size();
  const std::size_t offset = counting ? *from % every : 0;
  return (first + offset + every - 1) / every * every - offset;
}

// Pixels between categories.
float category_step(ChartRange range, float length) {
  return static_cast<float>(static_cast<double>(length) / std::max(range.high - range.low, 1e-9));
}

void add_label(ChartAxisLabels& out, double at, std::vector<std::string> lines, const ChartPen& pen) {
  for (const std::string& line : lines) out.widest = std::max(out.widest, pen.width(line));
  out.lines = std::max(out.lines, lines.size());
  out.labels.push_back({at, std::move(lines)});
}

// Suffixes of tick labels in units below a second.
constexpr std::array<std::string_view, 3> kSmallSeconds = {" ms", " \u00b5s", " ns"};

constexpr std::string_view kInSeconds = " (s)";

std::string_view unit_at_end(std::string_view label) {
  const auto found = std::ranges::find_if(kSmallSeconds, [&](std::string_view unit) { return label.ends_with(unit); });
  return found == kSmallSeconds.end() ? std::string_view() : *found;
}

// The unit of seconds that all labels share. Empty if they have none or several.
std::string_view common_unit(const std::vector<ChartTick>& ticks) {
  std::string_view unit;
  for (const ChartTick& tick : ticks) {
    if (tick.at == 0) continue;
    const std::string_view tick_unit = unit_at_end(tick.label);
    if (tick_unit.empty() || (!unit.empty() && tick_unit != unit)) return {};
    unit = tick_unit;
  }
  return unit;
}

bool titled_in_seconds(const ChartAxis& axis) {
  return axis.unit == ChartUnit::Seconds && axis.categories.empty() && axis.title.ends_with(kInSeconds);
}

// Uses a fixed number of ticks, so that the unit does not depend on the room for labels.
std::vector<ChartTick> ticks_for_unit(const ChartAxis& axis, ChartRange range) {
  return chart_ticks(range.low, range.high, axis.log, axis.unit, kTicksForUnit);
}

ChartAxisLabels number_labels(const ChartAxis& axis, ChartRange range, int most, const ChartPen& pen) {
  ChartAxisLabels out;
  std::vector<ChartTick> ticks = chart_ticks(range.low, range.high, axis.log, axis.unit, most);
  const std::string_view unit = titled_in_seconds(axis) ? common_unit(ticks_for_unit(axis, range)) : std::string_view();
  for (ChartTick& tick : ticks) {
    if (tick.label.ends_with(unit)) tick.label.resize(tick.label.size() - unit.size());
    add_label(out, tick.at, {std::move(tick.label)}, pen);
  }
  if (axis.log && out.labels.size() > 1) out.thin_lines = chart_log_lines(range.low, range.high);
  return out;
}

bool labels_touch(const ChartAxisLabels& labels, const ChartScale& scale, const ChartPen& pen) {
  float end = -1e9f;
  for (const ChartLabel& label : labels.labels) {
    const float half = pen.width(label.lines.front()) / 2;
    const float middle = scale.px(label.at);
    if (middle - half < end + pen.font() * 0.9f) return true;
    end = middle + half;
  }
  return false;
}

// Rectangles on whole pixels are sharp.
ChartBox vertical_line(float x, float y0, float y1, float width) {
  const float left = std::floor(x - width / 2 + 0.5f);
  return {left, y0, left + width, y1};
}
ChartBox horizontal_line(float x0, float x1, float y, float width) {
  const float top = std::floor(y - width / 2 + 0.5f);
  return {x0, top, x1, top + width};
}

}  // namespace

ChartRanges chart_ranges(const Chart& chart, const ChartFrame& frame) {
  ChartRanges ranges;
  const ChartAxis& along_axis = chart.horizontal ? chart.y : chart.x;
  ChartAxis across_axis = chart.horizontal ? chart.x : chart.y;
  ChartAxis across2_axis = chart.y2 ? *chart.y2 : ChartAxis();
  ChartExtent along(along_axis.log), across(across_axis.log), across2(across2_axis.log);
  double along_room = 0, across_room = 0.05;
  // Leaves room for a line of text beyond the greatest mark, if the plot takes about half of the picture.
  const double line_room = std::clamp(1.8 * static_cast<double>(frame.font) / (0.5 * static_cast<double>(frame.height)), 0.09, 0.25);
  std::size_t bars = 0;
  const double half = chart_slots(chart, frame).pitch * 0.55;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const ChartSeries& series = chart.series[s];
    const std::size_t n = chart_points(series);
    const bool wide = series.mark == Mark::Bars || series.mark == Mark::Boxes;
    if (series.mark == Mark::Dots || series.mark == Mark::LineAndDots) along_room = 0.03;
    for (std::size_t i = 0; i < n; ++i) {
      along.add(series.x[i]);
      if (wide) {
        along.add(series.x[i] - half);
        along.add(series.x[i] + half);
      }
    }
    bars += series.mark == Mark::Bars && frame.shows(s) ? 1u : 0u;
    // Labels of stacked bars and of spans are inside them.
    const bool beyond = series.mark == Mark::Bars ? chart.side_by_side || bars == 1 : series.mark != Mark::Span;
    if (!series.labels.empty() && beyond) across_room = chart.horizontal ? 0.14 : line_room;
    if (bars > 1 && !chart.side_by_side) across_room = 0.05;
    if (!frame.shows(s)) continue;
    const bool second = chart_on_y2(chart, s);
    if (series.mark == Mark::Bars) {
      (second ? across2_axis : across_axis).from_zero = true;
    } else {
      const std::size_t per_x = series.mark == Mark::Boxes ? 5 : series.mark == Mark::Span ? 2 : 1;
      (second ? across2 : across).add(std::span(series.y).first(n * per_x));
    }
  }
  for (const ChartBar& bar : chart_bars(chart, frame)) {
    ChartExtent& extent = chart_on_y2(chart, bar.series) ? across2 : across;
    extent.add(bar.from);
    extent.add(bar.to);
  }
  ranges.any = along.any() && (across.any() || across2.any());
  if (chart.cells && !chart.x.categories.empty() && !chart.y.categories.empty()) {
    ranges.any |=
        std::any_of(chart.cells->value.begin(), chart.cells->value.end(), [](double v) { return std::isfinite(v); });
  }
  // If the user has switched off all series, the axes and the legend stay, so that series can be switched on again.
  if (!ranges.any && along.any() && !frame.hidden.empty()) ranges.any = true;
  for (const ChartRule& rule : chart.rules) (rule.vertical == chart.horizontal ? across : along).add(rule.at);

  const ChartRange along_range = chart_range(along_axis, along, along_room, 0.05);
  const ChartRange across_range = chart_range(across_axis, across, across_room, 0.3);
  ranges.x = chart.horizontal ? across_range : along_range;
  ranges.y = chart.horizontal ? along_range : across_range;
  ranges.y2 = chart_range(across2_axis, across2, across_room, 0.3);
  ranges.all_x = ranges.x;
  if (frame.x_view) {
    const auto [low, high] = *frame.x_view;
    const bool fits = high > low && std::fabs(low) < 1e300 && std::fabs(high) < 1e300 && (!chart.x.log || low > 0);
    if (fits && high - low > 1e-12 * std::max(std::fabs(low), std::fabs(high))) ranges.x = {low, high};
  }
  return ranges;
}

std::string chart_axis_title(const ChartAxis& axis, ChartRange range) {
  if (!titled_in_seconds(axis)) return axis.title;
  const std::vector<ChartTick> ticks = ticks_for_unit(axis, range);
  const bool plain = std::ranges::none_of(
      ticks, [](const ChartTick& tick) { return !unit_at_end(tick.label).empty() || tick.label.ends_with(" s"); });
  if (plain) return axis.title;
  const std::string name = axis.title.substr(0, axis.title.size() - kInSeconds.size());
  const std::string_view unit = common_unit(ticks);
  return unit.empty() ? name : name + " (" + std::string(unit.substr(1)) + ")";
}

ChartAxisLabels chart_labels_below(const ChartAxis& axis, ChartRange range, float length, const ChartPen& pen) {
  if (axis.categories.empty()) {
    const ChartScale scale(range, axis.log, 0, length);
    int most = std::clamp(static_cast<int>(length / (pen.font() * 4.5f)), 2, 10);
    ChartAxisLabels labels = number_labels(axis, range, most, pen);
    while (most > 2 && labels_touch(labels, scale, pen)) labels = number_labels(axis, range, --most, pen);
    return labels;
  }
  ChartAxisLabels out;
  const auto [first, end] = shown_categories(axis, range);
  const float step = category_step(range, length), gap = pen.font() * 0.6f;
  float widest = 0;
  for (std::size_t i = first; i < end; ++i) widest = std::max(widest, pen.width(chart_one_line(axis.categories[i])));
  if (widest + gap <= step || step >= pen.font() * 5) {
    for (std::size_t i = first; i < end; ++i) {
      add_label(out, static_cast<double>(i),
                chart_wrapped(axis.categories[i], step - gap, pen.font(), 2, pen.measure()), pen);
    }
    return out;
  }
  // Counts from the first category, not from the first shown one, so that the same categories have labels while the view moves.
  const float longest = std::min(widest, pen.font() * 10);
  const std::size_t every = nice_every(static_cast<double>((longest + pen.font()) / std::max(step, 1e-3f)));
  for (std::size_t i = first_written(axis, first, every); i < end; i += every) {
    add_label(out, static_cast<double>(i), {chart_elided(axis.categories[i], longest, pen.font(), pen.measure())}, pen);
  }
  return out;
}

namespace {

// Drops the parts that all names share: "rank 0, before, GPU 0" and "rank 0, after, GPU 0" become "before" and "after".
std::vector<std::string> what_differs(const std::vector<std::string>& names) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::vector<std::string_view>> parts;
  for (std::string_view name : names) {
    auto& name_parts = parts.emplace_back();
    for (std::size_t at = 0; (at = name.find(kBetween)) != name.npos; name.remove_prefix(at + kBetween.size())) {
      name_parts.push_back(name.substr(0, at));
    }
    name_parts.push_back(name);
    if (name_parts.size() != parts.front().size()) return names;
  }
  std::vector<std::string> out(names.size());
  for (std::size_t p = 0; p < parts.front().size(); ++p) {
    if (std::ranges::all_of(parts, [&](const auto& name_parts) { return name_parts[p] == parts.front()[p]; })) continue;
    for (std::size_t n = 0; n < out.size(); ++n) out[n].append(out[n].empty() ? "" : kBetween).append(parts[n][p]);
  }
  return out.front().empty() ? names : out;
}

// Cuts names to this width, and keeps different names different if three letters of each are enough for that.
std::vector<std::string> names_within(std::vector<std::string> names, float room, const ChartPen& pen) {
  const auto is_wide = [&](const std::string& name) { return pen.width(name) > room; };
  if (names.size() < 2 || std::ranges::none_of(names, is_wide)) return names;
  names = what_differs(names);
  constexpr std::size_t kLeastLetters = 3;
  for (auto letters = static_cast<std::size_t>(2 * room / pen.font()); letters >= kLeastLetters && std::ranges::any_of(names, is_wide); --letters) {
    std::vector<std::string> cut = distinct_cuts(names, letters);
    if (std::ranges::none_of(cut, is_wide)) return cut;
  }
  return names;
}

}  // namespace

ChartAxisLabels chart_labels_beside(const ChartAxis& axis, ChartRange range, float length, float room,
                                    const ChartPen& pen) {
  if (axis.categories.empty()) {
    const int most = std::clamp(static_cast<int>(length / (pen.font() * 2.6f)), 2, 10);
    ChartAxisLabels labels = number_labels(axis, range, most, pen);
    if (labels.widest > room) {
      labels.widest = 0;
      for (ChartLabel& label : labels.labels) {
        label.lines.front() = chart_elided(label.lines.front(), room, pen.font(), pen.measure());
        labels.widest = std::max(labels.widest, pen.width(label.lines.front()));
      }
    }
    return labels;
  }
  ChartAxisLabels out;
  const auto [first, end] = shown_categories(axis, range);
  // Names may be closer than lines of text: showing every name matters more than space between them.
  const std::size_t every =
      nice_every(static_cast<double>(pen.font() * 0.9f / std::max(category_step(range, length), 1e-3f)));
  std::vector<std::size_t> written;
  std::vector<std::string> names;
  for (std::size_t i = first_written(axis, first, every); i < end; i += every) {
    written.push_back(i);
    names.push_back(axis.categories[i]);
  }
  names = names_within(std::move(names), room, pen);
  for (std::size_t i = 0; i < written.size(); ++i) {
    add_label(out, static_cast<double>(written[i]), {chart_elided(names[i], room, pen.font(), pen.measure())}, pen);
  }
  return out;
}

Rgba chart_y2_color(const Chart& chart, const ChartPen& pen) {
  if (chart.on_y2.size() != 1 || chart.on_y2.front() >= chart.series.size()) return pen.ink().text_dim;
  return chart_mix(pen.color(chart.series[chart.on_y2.front()].color), pen.ink().text, 0.25);
}

void draw_chart_grid(const ChartAxisLabels& x, const ChartAxisLabels& y, const Chart& chart, ChartPen& pen) {
  const ChartPicture& picture = pen.picture();
  const ChartBox plot = picture.plot;
  const float w = pen.hairline();
  pen.begin_series(-1, true);
  const Rgba thin = chart_mix(pen.ink().grid, pen.ink().background, 0.5);
  // Categories need no grid lines: the marks show where they are.
  if (chart.y.categories.empty()) {
    for (const double at : y.thin_lines) pen.rect(horizontal_line(plot.x0, plot.x1, picture.y.px(at), w), thin);
  }
  if (chart.x.categories.empty()) {
    for (const double at : x.thin_lines) pen.rect(vertical_line(picture.x.px(at), plot.y0, plot.y1, w), thin);
    for (const ChartLabel& label : x.labels) {
      pen.rect(vertical_line(picture.x.px(label.at), plot.y0, plot.y1, w), pen.ink().grid);
    }
  }
  if (chart.y.categories.empty()) {
    for (const ChartLabel& label : y.labels) {
      pen.rect(horizontal_line(plot.x0, plot.x1, picture.y.px(label.at), w), pen.ink().grid);
    }
  }
}

void draw_chart_axes(const ChartAxisLabels& x, const ChartAxisLabels& y, const ChartAxisLabels& y2, const Chart& chart,
                     ChartPen& pen) {
  const ChartPicture& picture = pen.picture();
  const ChartBox plot = picture.plot;
  const float w = pen.hairline(), tick = std::round(pen.px(4)), gap = pen.px(5);
  pen.begin_series(-1, false);
  const Rgba ink = pen.ink().axis;
  pen.rect({plot.x0 - w, plot.y1, plot.x1, plot.y1 + w}, ink);
  pen.rect({plot.x0 - w, plot.y0, plot.x0, plot.y1}, ink);
  for (const ChartLabel& label : x.labels) {
    const float at = picture.x.px(label.at);
    if (!(at >= plot.x0 - 0.5f && at <= plot.x1 + 0.5f)) continue;
    pen.rect(vertical_line(at, plot.y1, plot.y1 + tick, w), ink);
    float top = plot.y1 + gap;
    for (const std::string& line : label.lines) {
      pen.text(at, top, ChartAnchor::Center, line, pen.ink().text_dim);
      top += pen.font() * 1.05f;
    }
  }
  for (const ChartLabel& label : y.labels) {
    const float at = picture.y.px(label.at);
    if (!(at >= plot.y0 - 0.5f && at <= plot.y1 + 0.5f)) continue;
    if (chart.y.categories.empty()) pen.rect(horizontal_line(plot.x0 - tick, plot.x0, at, w), ink);
    pen.text(plot.x0 - gap - pen.px(2), at - pen.font() / 2, ChartAnchor::Right, label.lines.front(),
             pen.ink().text_dim);
  }
  if (y2.labels.empty()) return;
  const Rgba color2 = chart_y2_color(chart, pen);
  pen.rect({plot.x1, plot.y0, plot.x1 + w, plot.y1 + w}, ink);
  for (const ChartLabel& label : y2.labels) {
    const float at = picture.y2.px(label.at);
    if (!(at >= plot.y0 - 0.5f && at <= plot.y1 + 0.5f)) continue;
    pen.rect(horizontal_line(plot.x1, plot.x1 + tick, at, w), ink);
    pen.text(plot.x1 + gap + pen.px(2), at - pen.font() / 2, ChartAnchor::Left, label.lines.front(), color2);
  }
}

}  // namespace tv
