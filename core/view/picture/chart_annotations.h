// Text about the data around and on the plot: the legend, names of rules, the box of facts. None of them covers another; the box of
// facts is placed only where there are no data.
#pragma once

#include <optional>

#include "core/view/picture/chart_pen.h"

namespace tv {

/// The named series, and for cells the colour scale.
class ChartLegend {
 public:
  /// Laid out in lines no wider than `width`, at most `most_lines`; if not all series fit, the legend keeps those that fill most of
  /// the picture and says how many are missing ("+3").
  ChartLegend(const Chart& chart, const ChartPen& pen, float width, std::size_t most_lines);

  bool empty() const { return lines_ == 0; }
  std::size_t lines() const { return lines_; }
  float width() const { return width_; }            ///< of the widest line
  float last_width() const { return last_width_; }  ///< of the last line
  void draw(const Chart& chart, const ChartFrame& frame, ChartPen& pen, float x, float y) const;

 private:
  struct Entry {
    std::size_t series;
    std::string name;
    float x, width;
    std::size_t line;
  };
  bool lay_out(const Chart& chart, const std::vector<std::size_t>& named, std::size_t left_out, const ChartPen& pen, float width,
               std::size_t most_lines);
  static std::ptrdiff_t least_visible(const Chart& chart, const std::vector<std::size_t>& named);
  void add_heat(const Chart& chart, const ChartPen& pen, float width);
  void draw_heat(ChartPen& pen, float x, float y) const;

  std::vector<Entry> entries_;
  std::string more_;  // text for the series left out
  float more_x_ = 0;
  std::string heat_name_, heat_low_, heat_high_;
  std::size_t lines_ = 0;
  float width_ = 0, last_width_ = 0;
  bool heat_ = false;
};

/// Names of the vertical rules in a strip above the plot: in one line, in order, shifted if rules are close; in two or three lines
/// if they would be too far from their rules in one. Names without room are left out.
class ChartRuleNames {
 public:
  /// Places the names in at most `most_lines` lines.
  ChartRuleNames(const Chart& chart, const ChartScale& x, float left, float right, std::size_t most_lines,
                 const ChartPen& pen);
  std::size_t lines() const { return lines_; }
  /// Draws them with a leader from each rule to its name. The strip's bottom is the plot's top.
  void draw(const Chart& chart, ChartPen& pen) const;

 private:
  struct Name {
    std::size_t rule;
    float at, x, width;
    std::size_t line;
  };
  /// How far the most shifted name is from its rule, in pixels; none if they do not fit.
  std::optional<float> place(float left, float right, std::size_t lines, float gap);

  std::vector<Name> names_;
  std::size_t lines_ = 0;
};

/// Draws the rules themselves, dashed.
void draw_chart_rules(const Chart& chart, ChartPen& pen);
/// Width of the margin for the names of horizontal rules at their right end; without a margin they are drawn in the plot.
float chart_rule_margin(const Chart& chart, const ChartPen& pen, float most);
void draw_chart_rule_names(const Chart& chart, float margin, ChartPen& pen);

/// Draws the facts in a corner of the plot where they cover no mark. Returns false and draws nothing if there is no such corner, or
/// if the box is large relative to the plot.
bool draw_chart_facts(const Chart& chart, ChartPen& pen);
/// The facts one after the other, in at most this many lines. Facts that do not fit are left out.
std::vector<std::string> chart_facts_lines(const Chart& chart, const ChartPen& pen, float width, std::size_t most);

}  // namespace tv
