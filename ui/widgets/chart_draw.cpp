#include "ui/widgets/chart_draw.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/text/fonts.h"
#include "ui/widgets/text/letters.h"

namespace tv {
namespace {

constexpr int kJoinCorners = 8;  // of the disc at a bend of a line, which is a pixel or two wide

class Drawer {
 public:
  Drawer(ImDrawList& list, const ChartPicture& picture, ImVec2 at)
      : list_(list), picture_(picture), at_{std::floor(at.x), std::floor(at.y)} {}

  void draw() {
    bool clipped = false;
    for (std::size_t i = 1; i < picture_.shapes.size(); ++i) {  // the first shape is the background, which the panel has
      const ChartShape& shape = picture_.shapes[i];
      if (shape.clipped != clipped) {
        const ChartBox clip = picture_.clip();
        clipped ? list_.PopClipRect() : list_.PushClipRect(place(clip.x0, clip.y0), place(clip.x1, clip.y1), true);
        clipped = shape.clipped;
      }
      draw(shape);
    }
    if (clipped) list_.PopClipRect();
  }

 private:
  ImVec2 place(float x, float y) const { return {at_.x + x, at_.y + y}; }
  ImVec2 place(ChartPoint p) const { return place(p.x, p.y); }

  void draw(const ChartShape& shape) {
    const auto p = picture_.points_of(shape);
    switch (shape.kind) {
      case ChartShape::Kind::Rect:
        list_.AddRectFilled(place(shape.box.x0, shape.box.y0), place(shape.box.x1, shape.box.y1), shape.color);
        return;
      case ChartShape::Kind::Hatch: hatch(shape); return;
      case ChartShape::Kind::Line:
        if (shape.dashed) {
          dashes(shape);
        } else {
          joined(shape);
        }
        return;
      case ChartShape::Kind::Dots:
        for (std::uint32_t i = 0; i < shape.count; ++i) list_.AddCircleFilled(place(p[i]), shape.size, shape.color);
        return;
      case ChartShape::Kind::Band: band(shape); return;
      case ChartShape::Kind::Text: break;
    }
    text(shape);
  }

  // ImGui joins lines with mitres. Beyond a right angle these become so thin that peaks disappear, so there one stroke ends and
  // another begins, joined by a disc as wide as the line.
  void joined(const ChartShape& shape) {
    const auto p = picture_.points_of(shape);
    ChartPoint before{}, last{};
    bool any_before = false;
    for (std::uint32_t i = 0; i < shape.count; ++i) {
      if (i > 0 && p[i] == last) continue;  // a line between equal points has no direction
      const float turn = (last.x - before.x) * (p[i].x - last.x) + (last.y - before.y) * (p[i].y - last.y);
      if (any_before && turn < 0) {
        list_.PathStroke(shape.color, 0, shape.size);
        list_.AddCircleFilled(place(last), shape.size / 2, shape.color, kJoinCorners);
        list_.PathLineTo(place(last));
      }
      list_.PathLineTo(place(p[i]));
      any_before = i > 0;
      before = last;
      last = p[i];
    }
    list_.PathStroke(shape.color, 0, shape.size);
  }

  // The lines x + y = constant are the same for all boxes, so that the hatching continues from a box to its neighbour.
  void hatch(const ChartShape& shape) {
    const ChartBox& b = shape.box;
    const float period = shape.size * 4 * 1.4142f;
    for (float sum = (std::floor((b.x0 + b.y0) / period) + 1) * period; sum < b.x1 + b.y1; sum += period) {
      const float x0 = std::max(b.x0, sum - b.y1), x1 = std::min(b.x1, sum - b.y0);
      if (x1 > x0) list_.AddLine(place(x0, sum - x0), place(x1, sum - x1), shape.color, shape.size);
    }
  }

  void dashes(const ChartShape& shape) {
    const auto p = picture_.points_of(shape);
    const float dash = chart_dash(picture_), period = dash * 1.7f;
    float along = 0;  // since the beginning of the line, modulo the period
    for (std::uint32_t i = 0; i + 1 < shape.count; ++i) {
      const float dx = p[i + 1].x - p[i].x, dy = p[i + 1].y - p[i].y, length = std::sqrt(dx * dx + dy * dy);
      if (!(length > 0)) continue;
      for (float from = -along; from < length; from += period) {
        const float a = std::max(from, 0.0f) / length, b = std::min(from + dash, length) / length;
        if (b <= a) continue;
        list_.AddLine(place(p[i].x + dx * a, p[i].y + dy * a), place(p[i].x + dx * b, p[i].y + dy * b), shape.color,
                      shape.size);
      }
      along = std::fmod(along + length, period);
    }
  }

  // Draws without anti-aliasing, because smoothed edges would be visible between the pieces.
  void band(const ChartShape& shape) {
    const auto p = picture_.points_of(shape);
    const ImDrawListFlags flags = list_.Flags;
    list_.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (std::uint32_t i = 0; i + 3 < shape.count; i += 2) {
      list_.AddQuadFilled(place(p[i]), place(p[i + 1]), place(p[i + 3]), place(p[i + 2]), shape.color);
    }
    list_.Flags = flags;
  }

  void text(const ChartShape& shape) {
    const std::string_view letters = picture_.text(shape);
    ImFont* const font = shape.bold ? Fonts::bold_for(letters) : ImGui::GetFont();
    want_letters(letters);
    list_.AddText(font, shape.size, place(shape.box.x0, shape.box.y0), shape.color, letters.data(), letters.data() + letters.size());
  }

  ImDrawList& list_;
  const ChartPicture& picture_;
  ImVec2 at_;
};

}  // namespace

void draw_chart(ImDrawList& list, const ChartPicture& picture, ImVec2 at) { Drawer(list, picture, at).draw(); }

ChartMeasure imgui_chart_measure() {
  return [font = ImGui::GetFont()](std::string_view text, float size) {
    return font->CalcTextSizeA(size, 1e9f, 0, text.data(), text.data() + text.size()).x;
  };
}

}  // namespace tv
