#include <algorithm>
#include <cmath>

#include "core/view/picture/chart_annotations.h"

namespace tv {
namespace {

constexpr float kPadding = 8, kColumnGap = 14, kMargin = 8;  // px at a font of 15
constexpr float kMostWidth = 0.5f, kMostHeight = 0.7f;       // share of the plot

// Which parts of the plot have data, in a grid of squares of a few pixels.
class Coverage {
 public:
  explicit Coverage(const ChartPicture& picture) : plot_(picture.plot), cell_(std::max(4.0f, picture.font / 2.5f)) {
    columns_ = static_cast<std::size_t>(plot_.width() / cell_) + 1;
    rows_ = static_cast<std::size_t>(plot_.height() / cell_) + 1;
    taken_.resize(columns_ * rows_);
    for (const ChartShape& shape : picture.shapes) {
      // The box may cover the grid and rules, but not names of rules.
      const bool name = shape.kind == ChartShape::Kind::Text && shape.box.overlaps(plot_);
      if ((shape.clipped && shape.series >= 0) || name) add(picture, shape);
    }
    for (const ChartHit& hit : picture.hits) {
      if (hit.series < 0) add(hit.box);
    }
  }
  float part(const ChartBox& box) const {
    std::size_t all = 0, taken = 0;
    each(box, [&](std::size_t cell) {
      ++all;
      taken += taken_[cell] ? 1u : 0u;
    });
    return all == 0 ? 1 : static_cast<float>(taken) / static_cast<float>(all);
  }
  void add(const ChartBox& box) {
    each(box, [&](std::size_t cell) { taken_[cell] = true; });
  }

 private:
  template <class Each>
  void each(const ChartBox& box, const Each& each_cell) const {
    const auto index = [this](float at, float from, std::size_t n) {
      return static_cast<std::size_t>(std::clamp((at - from) / cell_, 0.0f, static_cast<float>(n - 1)));
    };
    for (std::size_t row = index(box.y0, plot_.y0, rows_); row <= index(box.y1, plot_.y0, rows_); ++row) {
      for (std::size_t column = index(box.x0, plot_.x0, columns_); column <= index(box.x1, plot_.x0, columns_);
           ++column) {
        each_cell(row * columns_ + column);
      }
    }
  }
  void add(const ChartPicture& picture, const ChartShape& shape) {
    const auto p = picture.points_of(shape);
    switch (shape.kind) {
      case ChartShape::Kind::Rect:
      case ChartShape::Kind::Hatch:
      case ChartShape::Kind::Text: add(shape.box); return;
      case ChartShape::Kind::Dots:
        for (std::size_t i = 0; i < shape.count; ++i) add(around(p[i], shape.size));
        return;
      case ChartShape::Kind::Band:
        for (std::size_t i = 0; i + 3 < shape.count; i += 2) {
          add({std::min(p[i].x, p[i + 2].x), std::min(p[i].y, p[i + 1].y), std::max(p[i].x, p[i + 2].x),
               std::max(p[i].y, p[i + 1].y)});
        }
        return;
      case ChartShape::Kind::Line: break;
    }
    for (std::size_t i = 0; i + 1 < shape.count; ++i) {
      const float dx = p[i + 1].x - p[i].x, dy = p[i + 1].y - p[i].y;
      const int steps = std::clamp(static_cast<int>(std::max(std::fabs(dx), std::fabs(dy)) / cell_) + 1, 1, 4000);
      for (int k = 0; k <= steps; ++k) {
        const float part_of = static_cast<float>(k) / static_cast<float>(steps);
        const float x = p[i].x + dx * part_of, y = p[i].y + dy * part_of;
        add(around({x, y}, shape.size / 2));
      }
    }
  }

  static ChartBox around(ChartPoint p, float reach) { return {p.x - reach, p.y - reach, p.x + reach, p.y + reach}; }

  ChartBox plot_;
  float cell_;
  std::size_t columns_ = 1, rows_ = 1;
  std::vector<bool> taken_;
};

ChartBox facts_size(const Chart& chart, const ChartPen& pen) {
  float names = 0, values = 0;
  for (const auto& [name, value] : chart.facts) {
    names = std::max(names, pen.width(chart_one_line(name)));
    values = std::max(values, pen.width(chart_one_line(value.text)));
  }
  const float padding = pen.px(kPadding);
  const float lines = static_cast<float>(chart.facts.size() - 1) * pen.line_height() + pen.font();
  return {0, 0, std::ceil(names + pen.px(kColumnGap) + values + 2 * padding), std::ceil(lines + 2 * padding)};
}

// How many vertical rules pass behind the box. A corner without rules is better, but rules may be hidden.
float rules_behind(const ChartPicture& picture, const ChartBox& box) {
  float count = 0;
  for (const ChartShape& shape : picture.shapes) {
    if (!shape.dashed || shape.series >= 0) continue;
    const auto points = picture.points_of(shape);
    count += !points.empty() && points.front().x >= box.x0 && points.front().x <= box.x1 ? 1.0f : 0.0f;
  }
  return count;
}

}  // namespace

bool draw_chart_facts(const Chart& chart, ChartPen& pen) {
  const ChartBox size = facts_size(chart, pen);
  const ChartBox plot = pen.picture().plot;
  const float width = size.width(), height = size.height(), margin = std::round(pen.px(kMargin));
  if (width > plot.width() * kMostWidth || height > plot.height() * kMostHeight) return false;
  const Coverage coverage(pen.picture());
  const float left = plot.x0 + margin, right = plot.x1 - margin - width;
  const float top = plot.y0 + margin, bottom = plot.y1 - margin - height;
  ChartBox best;
  float least = 2, least_crossed = 0;
  for (const ChartPoint corner : {ChartPoint{right, top}, {right, bottom}, {left, top}, {left, bottom}}) {
    const ChartBox box{std::round(corner.x), std::round(corner.y), std::round(corner.x) + width,
                       std::round(corner.y) + height};
    const float covered = coverage.part(box), crossed = rules_behind(pen.picture(), box);
    const bool better = covered < least || (covered == 0 && crossed < least_crossed);
    if (better) {
      least = covered;
      least_crossed = crossed;
      best = box;
    }
  }
  if (least > 0) return false;
  pen.begin_series(-1, false);
  pen.rect(best, with_alpha(pen.ink().box, 235));
  pen.frame(best, pen.ink().box_border);
  const float padding = pen.px(kPadding);
  float y = best.y0 + padding;
  for (const auto& [name, value] : chart.facts) {
    pen.text(best.x0 + padding, y, ChartAnchor::Left, chart_one_line(name), pen.ink().text_dim);
    pen.text(best.x1 - padding, y, ChartAnchor::Right, chart_one_line(value.text), pen.ink().text);
    y += pen.line_height();
  }
  return true;
}

std::vector<std::string> chart_facts_lines(const Chart& chart, const ChartPen& pen, float width, std::size_t most) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : chart.facts) {
    const std::string fact = chart_one_line(name + " " + value.text);
    const std::string longer = lines.empty() ? fact : lines.back() + "  \u00b7  " + fact;
    if (!lines.empty() && pen.width(longer) <= width) {
      lines.back() = longer;
    } else if (lines.size() == most) {
      break;
    } else {
      lines.push_back(chart_elided(fact, width, pen.font(), pen.measure()));
    }
  }
  return lines;
}

}  // namespace tv
