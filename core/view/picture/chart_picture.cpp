#include "core/view/picture/chart_picture.h"

#include <algorithm>
#include <cmath>

#include "core/view/picture/chart_annotations.h"
#include "core/view/picture/chart_layout.h"
#include "core/view/picture/chart_marks.h"

namespace tv {
namespace {

constexpr float kLargest = 32'000;  // pixels

/// In pictures lower than this many lines of text, the plot gets as many rows as possible.
constexpr float kLowLines = 15;

/// In pictures lower than these, the title or the legend gets only one row, so that the plot has room.
constexpr float kOneTitleLines = 8, kOneLegendLines = 7;

class Composer {
 public:
  Composer(const Chart& chart, const ChartFrame& frame, ChartPicture& picture)
      : chart_(chart), frame_(frame), picture_(picture), pen_(picture, frame) {}

  /// False if no corner is free for the facts: the caller composes again, with the facts in a line.
  bool compose(bool facts_in_line) {
    pen_.begin_series(-1, false);
    pen_.rect({0, 0, picture_.width, picture_.height}, pen_.ink().background);
    low_ = lower_than(kLowLines);
    const float pad = std::round(pen_.px(10));
    top_ = low_ ? std::round(pen_.px(4)) : pad;
    bottom_ = picture_.height - top_;
    left_ = pad;
    right_ = picture_.width - pad;
    if (right_ - left_ < pen_.font() * 3 || bottom_ - top_ < pen_.font()) return true;
    note();
    const ChartRanges ranges = chart_ranges(chart_, frame_);
    title_and_legend(ranges);
    if (!chart_.empty.empty() || !ranges.any) {
      message();
      return true;
    }
    if (facts_in_line) facts_line();
    return plot(ranges, !facts_in_line && !chart_.facts.empty());
  }

 private:
  float room() const { return right_ - left_; }
  // A plot without axis titles is better than titles without a plot.
  bool leaves_no_plot(float rows) const { return low_ && bottom_ - top_ - rows < pen_.font() * 3; }
  bool lower_than(float lines) const { return picture_.height < lines * pen_.line_height(); }

  void note() {
    if (!frame_.note_below || chart_.note.empty()) return;
    // A picture of only a few lines has no room for the note.
    const auto most = static_cast<std::size_t>(std::max(0.0f, (bottom_ - top_) * 0.14f / pen_.line_height()));
    const auto lines = chart_wrapped(chart_.note, room(), pen_.font(), std::min<std::size_t>(most, 4), pen_.measure());
    float y = bottom_ - static_cast<float>(lines.size()) * pen_.line_height() + pen_.line_height() - pen_.font();
    bottom_ -= static_cast<float>(lines.size()) * pen_.line_height() + (lines.empty() ? 0 : pen_.px(6));
    for (const std::string& line : lines) {
      pen_.text(left_, y, ChartAnchor::Left, line, pen_.ink().text_dim);
      y += pen_.line_height();
    }
  }

  void title_and_legend(const ChartRanges& ranges) {
    float x = left_, used = 0;
    if (!chart_.title.empty()) {
      const bool mark = !chart_.note.empty() && !frame_.note_below;
      const float mark_room = mark ? pen_.font() * 1.6f : 0;
      // The title gets less than the whole width, because bold text is a little wider than measured.
      const float share = lower_than(kOneTitleLines) ? 1 : (bottom_ - top_) * 0.35f / pen_.line_height();
      const auto most = static_cast<std::size_t>(std::clamp(share, 1.0f, 4.0f));
      const auto lines = chart_wrapped(chart_.title, (room() - mark_room) * 0.86f, pen_.font(), most, pen_.measure());
      ChartBox box;
      for (std::size_t l = 0; l < lines.size(); ++l) {
        used = pen_.line_height() * static_cast<float>(l);
        box = pen_.text(left_, top_ + used, ChartAnchor::Left, lines[l], pen_.ink().text, true);
        x = std::max(x, box.x1);
      }
      if (mark && !lines.empty()) {
        const float end = box.x1;
        picture_.note_mark = {end + pen_.font() * 0.5f, box.y0, end + pen_.font() * 1.5f, box.y0 + pen_.font()};
        x = std::max(lines.size() > 1 ? x : 0.0f, picture_.note_mark.x1);
      }
      if (!lines.empty()) used += pen_.line_height();
    }
    if (chart_.empty.empty()) {
      const float share = lower_than(kOneLegendLines) ? 1 : (bottom_ - top_) * 0.3f / pen_.line_height();
      const auto most = static_cast<std::size_t>(std::max(1.0f, share));
      const ChartLegend legend(chart_, pen_, room(), most);
      const float room_after_title = right_ - x - pen_.font() * 2;
      const bool one_row = !legend.empty() && legend.lines() == 1 && legend.width() <= room_after_title;
      const float end = one_row ? right_ - legend.width() - pen_.font() * 2 : right_;
      if (low_ && ranges.any) write_axis_titles(ranges, end - x - pen_.font() * 2, end, top_);
      if (one_row) {
        legend.draw(chart_, frame_, pen_, right_ - legend.width(), top_);
        used = std::max(used, pen_.line_height());
      } else if (!legend.empty()) {
        if (used > 0) used += pen_.px(3);
        legend.draw(chart_, frame_, pen_, left_, top_ + used);
        used += static_cast<float>(legend.lines()) * pen_.line_height();
        const float last_row = room() - legend.last_width() - pen_.font() * 2;
        if (low_ && ranges.any) write_axis_titles(ranges, last_row, right_, top_ + used - pen_.line_height());
      }
    }
    if (used > 0) top_ += used + (low_ ? pen_.px(2) : pen_.px(6));
  }

  // A low picture has no rows for axis titles: they go where the title or the legend leaves room. If one fits, it is that of y.
  void write_axis_titles(const ChartRanges& ranges, float width, float right, float y) {
    if (y_title_done_ || chart_.y.title.empty() || (chart_.y2 && !chart_.y2->title.empty())) return;
    const std::string up = "\u2191 " + chart_axis_title(chart_.y, ranges.y);
    const std::string both = chart_.x.title.empty() ? up : up + "   \u2192 " + chart_axis_title(chart_.x, ranges.x);
    y_title_done_ = pen_.width(up) <= width;
    x_title_done_ = pen_.width(both) <= width;
    if (y_title_done_) pen_.text(right, y, ChartAnchor::Right, x_title_done_ ? both : up, pen_.ink().text_dim);
  }

  float title_begin(float right, const std::string& title) const { return right - pen_.width(title) - pen_.font(); }
  float label_end(const ChartLabel& label, const ChartScale& scale) const {
    return scale.px(label.at) + pen_.width(label.lines.front()) / 2;
  }

  // Whether the title would hide the name of a category that cannot be inferred from its neighbours. Numbers can be inferred, and
  // so can categories of which only every n-th has a label.
  bool hides_a_category(const ChartAxisLabels& labels, const ChartScale& scale, float from) const {
    if (chart_.x.categories.empty() || labels.labels.size() < 2) return false;
    const bool all = labels.labels[1].at - labels.labels[0].at < 1.5;
    return all && std::ranges::any_of(labels.labels, [&](const ChartLabel& label) { return label_end(label, scale) > from; });
  }

  // Whether the title would replace so many labels that the others show no scale.
  bool hides_the_scale(const ChartAxisLabels& labels, const ChartScale& scale, float from) const {
    const auto left = std::ranges::count_if(labels.labels, [&](const ChartLabel& label) { return label_end(label, scale) <= from; });
    return labels.labels.size() > 1 && (left < 2 || 2 * static_cast<std::size_t>(left) < labels.labels.size());
  }

  // Returns "(s)" for "time since the beginning (s)"; empty for a title without a unit.
  static std::string unit_of(const std::string& title) {
    const std::size_t open = title.rfind('(');
    return open == std::string::npos || !title.ends_with(')') ? std::string() : title.substr(open);
  }

  // Writes the title of x at the end of its labels, replacing those in the way. Labels that include their units stay, because they
  // are more useful than the title.
  void title_among(ChartAxisLabels& labels, const std::string& title) {
    const ChartBox& plot = picture_.plot;
    const float begin = title_begin(plot.x1, title);
    const auto in_the_way = [&](const ChartLabel& label) { return label_end(label, picture_.x) > begin; };
    if (labels_include_unit(chart_.x) && std::ranges::any_of(labels.labels, in_the_way)) return;
    std::erase_if(labels.labels, in_the_way);
    pen_.begin_series(-1, false);
    pen_.text(plot.x1, plot.y1 + pen_.px(5), ChartAnchor::Right, title, pen_.ink().text_dim);
  }

  void message() {
    const std::string_view text = !chart_.empty.empty() ? std::string_view(chart_.empty)
                                  : chart_.table        ? std::string_view("A table, without a picture")
                                                        : std::string_view("Nothing to show");
    const auto most = static_cast<std::size_t>(std::max(1.0f, (bottom_ - top_) / pen_.line_height()));
    const auto lines = chart_wrapped(text, room() * 0.8f, pen_.font(), std::min<std::size_t>(most, 6), pen_.measure());
    float y = (top_ + bottom_ - static_cast<float>(lines.size()) * pen_.line_height()) / 2;
    pen_.begin_series(-1, false);
    for (const std::string& line : lines) {
      pen_.text((left_ + right_) / 2, y, ChartAnchor::Center, line, pen_.ink().text_dim);
      y += pen_.line_height();
    }
  }

  void facts_line() {
    pen_.begin_series(-1, false);
    const float lines_left = (bottom_ - top_) / pen_.line_height();
    if (lines_left < 9) return;
    const std::size_t most = lines_left < 16 ? 1 : 2;
    for (const std::string& line : chart_facts_lines(chart_, pen_, room(), most)) {
      pen_.text(left_, top_, ChartAnchor::Left, line, pen_.ink().text_dim);
      top_ += pen_.line_height();
    }
    top_ += pen_.px(3);
  }

  void axis_titles(const ChartRanges& ranges) {
    pen_.begin_series(-1, false);
    const bool both = chart_.y2 && !chart_.y2->title.empty();
    if (leaves_no_plot(pen_.line_height() + pen_.font())) return;
    if (y_title_done_ || (chart_.y.title.empty() && !both)) return;
    const float most = both ? room() / 2 - pen_.font() : room();
    const auto write = [&](const std::string& title, float x, ChartAnchor anchor, Rgba color) {
      pen_.text(x, top_, anchor, chart_elided(title, most, pen_.font(), pen_.measure()), color);
    };
    write(chart_axis_title(chart_.y, ranges.y), left_, ChartAnchor::Left, pen_.ink().text_dim);
    if (both) {
      write(chart_axis_title(*chart_.y2, ranges.y2), right_, ChartAnchor::Right, chart_y2_color(chart_, pen_));
    }
    top_ += pen_.line_height() + pen_.px(2);
  }

  // Whether the labels of an axis include units. They do not if the title does, as in "time since the beginning (s)".
  static bool labels_include_unit(const ChartAxis& axis) {
    return axis.unit == ChartUnit::Percent || (axis.timeline && !axis.title.ends_with(')'));
  }

  bool plot(const ChartRanges& ranges, bool with_facts) {
    axis_titles(ranges);
    std::string x_title = x_title_done_ ? std::string() : chart_axis_title(chart_.x, ranges.x);
    bool among = low_ && !x_title.empty() && (pen_.width(x_title) * 2.2f < room() || labels_include_unit(chart_.x));
    float title_below = among || x_title.empty() || leaves_no_plot(pen_.line_height() + pen_.font()) ? 0 : pen_.line_height();
    const float tick_gap = pen_.px(7);
    const auto below = [&](std::size_t lines) {
      const float labels = lines == 0 ? 0 : static_cast<float>(lines - 1) * pen_.font() * 1.05f + pen_.font();
      return labels + tick_gap + title_below + (title_below > 0 ? pen_.px(3) : 0);
    };
    // Starts from a guess, because sizes depend on each other: the plot's height limits the labels at the left, their width limits
    // the labels below, and the lines of those limit the height.
    const float guess = bottom_ - below(1) - top_;
    if (guess < pen_.font() * 1.5f || room() < pen_.font() * 6) return true;
    const ChartAxisLabels y = chart_labels_beside(chart_.y, ranges.y, guess, room() * 0.35f, pen_);
    ChartAxisLabels y2;
    if (chart_.y2) y2 = chart_labels_beside(*chart_.y2, ranges.y2, guess, room() * 0.2f, pen_);
    ChartBox box;
    box.x0 = std::round(left_ + y.widest + tick_gap);
    const float margin = y2.widest > 0 ? 0 : chart_rule_margin(chart_, pen_, room() * 0.2f);
    box.x1 = std::round(right_ - (y2.widest > 0 ? y2.widest + tick_gap : std::max(margin, pen_.font() * 0.6f)));
    ChartAxisLabels x = chart_labels_below(chart_.x, ranges.x, box.x1 - box.x0, pen_);
    const ChartScale x_scale(ranges.x, chart_.x.log, box.x0, box.x1);
    const auto hides = [&] { return !labels_include_unit(chart_.x) && hides_the_scale(x, x_scale, title_begin(box.x1, x_title)); };
    constexpr std::size_t kFewLabels = 5;  // of more labels, the title may replace one
    const auto takes_a_place = [&] {
      return x.labels.size() <= kFewLabels &&
             std::ranges::any_of(x.labels, [&](const ChartLabel& label) { return label_end(label, x_scale) > title_begin(box.x1, x_title); });
    };
    if (among && !labels_include_unit(chart_.x) && takes_a_place() && !unit_of(x_title).empty()) x_title = unit_of(x_title);
    if (among && (x.lines > 1 || hides() || hides_a_category(x, x_scale, title_begin(box.x1, x_title)))) {
      among = false;
      title_below = pen_.line_height();
    }
    box.y1 = std::round(bottom_ - below(x.lines));
    // A low plot needs its height more than names of rules above it.
    const auto name_lines = static_cast<std::size_t>(std::clamp((box.y1 - top_) / (pen_.line_height() * 5), 1.0f, 3.0f));
    const ChartRuleNames rule_names(chart_, x_scale, box.x0, box.x1, name_lines, pen_);
    const float strip =
        rule_names.lines() == 0 ? pen_.px(4) : static_cast<float>(rule_names.lines()) * pen_.line_height() + pen_.px(6);
    const bool named = box.y1 - top_ - strip > pen_.font() * 3;
    box.y0 = std::round(top_ + (named ? strip : pen_.px(4)));
    if (box.height() < pen_.font() || box.width() < pen_.font()) return true;

    picture_.plot = box;
    picture_.x = x_scale;
    picture_.all_x = ranges.all_x;
    // Categories are read from the top down.
    const bool down = !chart_.y.categories.empty();
    picture_.y = ChartScale(ranges.y, chart_.y.log, down ? box.y0 : box.y1, down ? box.y1 : box.y0);
    picture_.y2 = ChartScale(ranges.y2, chart_.y2 && chart_.y2->log, box.y1, box.y0);

    draw_chart_grid(x, y, chart_, pen_);
    ChartPlane plane(chart_, frame_, pen_);
    draw_chart_cells(plane);
    draw_chart_bars(plane);
    draw_chart_bands(plane);
    draw_chart_rules(chart_, pen_);
    draw_chart_lines(plane);
    if (among) title_among(x, x_title);
    draw_chart_axes(x, y, y2, chart_, pen_);
    pen_.begin_series(-1, false);
    if (named) rule_names.draw(chart_, pen_);
    draw_chart_rule_names(chart_, margin, pen_);
    if (title_below > 0) {
      const std::string title = chart_elided(x_title, box.width(), pen_.font(), pen_.measure());
      pen_.text((box.x0 + box.x1) / 2, bottom_ - pen_.font(), ChartAnchor::Center, title, pen_.ink().text_dim);
    }
    return !with_facts || draw_chart_facts(chart_, pen_);
  }

  const Chart& chart_;
  const ChartFrame& frame_;
  ChartPicture& picture_;
  ChartPen pen_;
  float top_ = 0, bottom_ = 0, left_ = 0, right_ = 0;
  bool low_ = false, y_title_done_ = false, x_title_done_ = false;
};

ChartPicture blank(const ChartFrame& frame) {
  ChartPicture picture;
  const auto usable = [](float size) { return size >= 1 ? std::min(size, kLargest) : 0.0f; };
  picture.width = usable(frame.width);
  picture.height = usable(frame.height);
  picture.font = frame.font >= 1 ? std::min(frame.font, 500.0f) : 15;
  picture.theme = frame.theme;
  return picture;
}

}  // namespace

const ChartHit* ChartPicture::hit_at(float px, float py, float reach) const {
  const ChartHit* nearest = nullptr;
  float least = 0;
  for (const ChartHit& hit : hits) {
    if (!hit.round) continue;
    const float dx = (hit.box.x0 + hit.box.x1) / 2 - px, dy = (hit.box.y0 + hit.box.y1) / 2 - py;
    const float radius = hit.box.width() / 2 + reach, distance = dx * dx + dy * dy;
    if (distance > radius * radius || (nearest && distance > least)) continue;
    nearest = &hit;
    least = distance;
  }
  if (nearest) return nearest;
  const auto found = std::find_if(hits.rbegin(), hits.rend(),
                                  [&](const ChartHit& hit) { return !hit.round && hit.box.contains(px, py); });
  return found == hits.rend() ? nullptr : &*found;
}

ChartPicture chart_picture(const Chart& chart, const ChartFrame& frame) {
  ChartPicture picture = blank(frame);
  if (picture.width == 0 || picture.height == 0) return picture;
  if (Composer(chart, frame, picture).compose(false)) return picture;
  picture = blank(frame);
  Composer(chart, frame, picture).compose(true);
  return picture;
}

}  // namespace tv
