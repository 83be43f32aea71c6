#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/view/picture/chart_annotations.h"

namespace tv {
namespace {

// A text in a row (or, with top and height for left and width, in a column).
struct Item {
  float wanted, width;  // wanted: the preferred left end
  float x = 0;          // the left end
};
// Shifts texts as little as needed until none overlaps. Texts that push each other form groups, which stay centred.
void spread(std::vector<Item*>& row, float left, float right, float gap) {
  struct Group {
    float x, width, sum;  // sum of the wanted left ends of the group, each less the item's offset in it
    std::size_t first, count;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < row.size(); ++i) {
    groups.push_back({row[i]->wanted, row[i]->width, row[i]->wanted, i, 1});
    const auto settle = [&](Group& g) {
      g.x = std::max(left, std::min(g.sum / static_cast<float>(g.count), right - g.width));
    };
    settle(groups.back());
    while (groups.size() > 1 && groups[groups.size() - 2].x + groups[groups.size() - 2].width + gap > groups.back().x) {
      const Group last = groups.back();
      groups.pop_back();
      Group& g = groups.back();
      g.sum += last.sum - (g.width + gap) * static_cast<float>(last.count);
      g.width += gap + last.width;
      g.count += last.count;
      settle(g);
    }
  }
  for (const Group& g : groups) {
    float x = g.x;
    for (std::size_t i = g.first; i < g.first + g.count; ++i) {
      row[i]->x = x;
      x += row[i]->width + gap;
    }
  }
}

Rgba rule_color(const ChartRule& rule, const ChartPen& pen) { return pen.color(rule.color); }

}  // namespace

ChartRuleNames::ChartRuleNames(const Chart& chart, const ChartScale& x, float left, float right,
                               std::size_t most_lines, const ChartPen& pen) {
  for (std::size_t r = 0; r < chart.rules.size(); ++r) {
    const ChartRule& rule = chart.rules[r];
    const float at = x.px(rule.at);
    if (!rule.vertical || rule.text.empty() || !(at >= left - 0.5f && at <= right + 0.5f)) continue;
    const float width = pen.width(chart_one_line(rule.text));
    if (width <= right - left) names_.push_back({r, at, at - width / 2, width, 0});
  }
  std::stable_sort(names_.begin(), names_.end(), [](const Name& a, const Name& b) { return a.at < b.at; });
  const float gap = pen.font() * 0.8f;
  while (!names_.empty()) {
    // An additional line costs the plot some height, so it must bring names closer to their rules by as much.
    float least = 0;
    for (std::size_t lines = 1; lines <= std::min(most_lines, names_.size()); ++lines) {
      const auto shift = place(left, right, lines, gap);
      if (!shift) continue;
      const float cost = std::max(*shift - pen.font(), 0.0f) + static_cast<float>(lines) * pen.font() * 1.5f;
      if (lines_ > 0 && cost >= least) continue;
      least = cost;
      lines_ = lines;
    }
    if (lines_ > 0) {
      place(left, right, lines_, gap);
      return;
    }
    names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(names_.size() / 2));
  }
}

std::optional<float> ChartRuleNames::place(float left, float right, std::size_t lines, float gap) {
  float most = 0;
  for (std::size_t line = 0; line < lines; ++line) {
    std::vector<Item> items;
    std::vector<Name*> line_names;
    float all = -gap;
    // Neighbours go to different lines. The first goes to the top line, whose leaders pass between the names below.
    for (std::size_t i = line; i < names_.size(); i += lines) {
      names_[i].line = lines - 1 - line;
      items.push_back({names_[i].at - names_[i].width / 2, names_[i].width});
      line_names.push_back(&names_[i]);
      all += names_[i].width + gap;
    }
    if (all > right - left) return std::nullopt;
    std::vector<Item*> row;
    for (Item& item : items) row.push_back(&item);
    spread(row, left, right, gap);
    for (std::size_t i = 0; i < items.size(); ++i) {
      Name& name = *line_names[i];
      name.x = items[i].x;
      // From the rule to the nearest end of its name.
      most = std::max({most, name.x - name.at, name.at - name.x - name.width});
    }
  }
  return most;
}

void ChartRuleNames::draw(const Chart& chart, ChartPen& pen) const {
  pen.begin_series(-1, false);
  const ChartBox plot = pen.picture().plot;
  const float leader = pen.px(6), w = pen.hairline();
  const auto top_of = [&](const Name& name) {
    return plot.y0 - leader - static_cast<float>(name.line + 1) * pen.line_height();
  };
  // Leaders come first, so that names cover the leaders that pass behind them.
  for (const Name& name : names_) {
    const float end = std::clamp(name.at, name.x + pen.px(2), name.x + name.width - pen.px(2));
    const float bottom = top_of(name) + pen.font();
    const ChartPoint points[] = {{name.at, plot.y0}, {end, plot.y0 - leader}, {end, bottom}};
    const std::size_t n = name.line == 0 ? 2 : 3;
    pen.line(std::span(points).first(n), rule_color(chart.rules[name.rule], pen), w);
  }
  for (const Name& name : names_) {
    const ChartRule& rule = chart.rules[name.rule];
    const float top = top_of(name);
    pen.rect({name.x, top, name.x + name.width, top + pen.font()}, pen.ink().background);
    pen.text(name.x, top, ChartAnchor::Left, chart_one_line(rule.text),
             chart_mix(rule_color(rule, pen), pen.ink().text, 0.35));
  }
}

void draw_chart_rules(const Chart& chart, ChartPen& pen) {
  const ChartPicture& picture = pen.picture();
  const ChartBox plot = picture.plot;
  const float w = std::max(1.0f, std::round(pen.px(1.2f)));
  pen.begin_series(-1, true);
  for (const ChartRule& rule : chart.rules) {
    const float at = rule.vertical ? picture.x.px(rule.at) : picture.y.px(rule.at);
    const bool inside = rule.vertical ? at >= plot.x0 && at <= plot.x1 : at >= plot.y0 && at <= plot.y1;
    if (!inside) continue;
    const float middle = std::floor(at) + (static_cast<int>(w) % 2 == 1 ? 0.5f : 0.0f);
    const ChartPoint ends[] = {{rule.vertical ? middle : plot.x0, rule.vertical ? plot.y0 : middle},
                               {rule.vertical ? middle : plot.x1, rule.vertical ? plot.y1 : middle}};
    pen.line(ends, rule_color(rule, pen), w, true);
  }
}

float chart_rule_margin(const Chart& chart, const ChartPen& pen, float most) {
  float widest = 0;
  for (const ChartRule& rule : chart.rules) {
    if (!rule.vertical) widest = std::max(widest, pen.width(chart_one_line(rule.text)));
  }
  return widest > 0 && widest <= most ? widest + pen.px(10) : 0;
}

void draw_chart_rule_names(const Chart& chart, float margin, ChartPen& pen) {
  const ChartPicture& picture = pen.picture();
  const ChartBox plot = picture.plot;
  std::vector<Item> items;
  std::vector<std::size_t> rule_of;  // per item
  for (std::size_t r = 0; r < chart.rules.size(); ++r) {
    const float at = picture.y.px(chart.rules[r].at);
    if (chart.rules[r].vertical || chart.rules[r].text.empty() || !(at >= plot.y0 && at <= plot.y1)) continue;
    rule_of.push_back(r);
    // Without a margin, a name is in the plot, on the side of its rule with more room.
    const bool upper = at - plot.y0 < plot.height() / 2;
    const float within = upper ? at + pen.px(2) : at - pen.font() - pen.px(2);
    items.push_back({margin > 0 ? at - pen.font() / 2 : within, pen.font()});
  }
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return items[a].wanted < items[b].wanted; });
  const float gap = pen.px(2);
  while (static_cast<float>(order.size()) * (pen.font() + gap) > plot.height()) {
    if (order.empty()) return;
    order.pop_back();
  }
  std::vector<Item*> row;
  for (const std::size_t i : order) row.push_back(&items[i]);
  spread(row, plot.y0, plot.y1, gap);
  pen.begin_series(-1, false);
  for (const std::size_t i : order) {
    const ChartRule& rule = chart.rules[rule_of[i]];
    const Rgba color = chart_mix(rule_color(rule, pen), pen.ink().text, 0.35);
    if (margin > 0) {
      pen.text(plot.x1 + pen.px(6), items[i].x, ChartAnchor::Left, chart_one_line(rule.text), color);
      continue;
    }
    const std::string name = chart_elided(rule.text, plot.width() - pen.px(12), pen.font(), pen.measure());
    const float right = plot.x1 - pen.px(4), width = pen.width(name);
    pen.rect({right - width - pen.px(3), items[i].x, right + pen.px(3), items[i].x + pen.font()},
             with_alpha(pen.ink().background, 215));
    pen.text(right, items[i].x, ChartAnchor::Right, name, color);
  }
}

}  // namespace tv
