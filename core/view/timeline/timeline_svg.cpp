#include "core/view/timeline/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/view/color/chart_palette.h"
#include "core/view/color/palette.h"
#include "core/view/picture/chart_svg.h"
#include "core/view/words/chart_text.h"

namespace tv {
namespace {

constexpr float kTimelineBaseline = 0.8f;  // share of a line's height, from its top
constexpr float kFaintestColumn = 0.2f, kReadableRow = 13.5f, kDiamondRadius = 7, kFadedLength = 14;  // as in the shaders

// Two decimals at most, no exponent.
std::string svg_number(float value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", static_cast<double>(value));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_hex(Rgba color) { return fmt::format("{:02x}{:02x}{:02x}", color & 255, color >> 8 & 255, color >> 16 & 255); }

std::string svg_paint(const char* what, Rgba color) {
  const unsigned alpha = color >> 24;
  std::string text = fmt::format(" {}=\"#{}\"", what, svg_hex(color));
  if (alpha < 255) text += fmt::format(" {}-opacity=\"{:.2f}\"", what, alpha / 255.0);
  return text;
}

// A rectangle as a part of a path.
void add_box(std::string& path, float x0, float y0, float x1, float y1) {
  path += fmt::format("M{} {}H{}V{}H{}Z", svg_number(x0), svg_number(y0), svg_number(x1), svg_number(y1), svg_number(x0));
}

Rgba dimmed_color(Rgba color) {
  const double grey = 0.299 * (color & 255) + 0.587 * (color >> 8 & 255) + 0.114 * (color >> 16 & 255);
  const auto g = static_cast<unsigned>(std::lround(grey));
  const auto alpha = static_cast<unsigned>(std::lround((color >> 24) * 0.3));
  return with_alpha(chart_mix(color, rgba(g, g, g), 0.6), alpha);
}

// A frame and the position of its (0, 0) in the picture.
struct FrameAt {
  const TimelineFrame* frame;
  float x, y;
};

// Writes one picture.
class TimelineSvgWriter {
 public:
  explicit TimelineSvgWriter(const TimelinePicture& picture) : picture_(picture) {}

  TimelineSvg write() {
    choose_step();
    std::string shapes;
    const DrawnShape::Clip* clip = nullptr;
    for (const DrawnShape& shape : picture_.shapes) {
      if (!clip || *clip != shape.clip) {
        if (clip) shapes += "</g>\n";
        shapes += fmt::format("<g clip-path=\"url(#{})\">\n", clip_of(shape.clip));
        clip = &shape.clip;
      }
      shapes += shape_text(shape);
    }
    if (clip) shapes += "</g>\n";
    if (names_ > kMostNames) add_note(fmt::format("{} names of slices are left out.", names_ - kMostNames));
    const std::string width = svg_number(picture_.width), height = svg_number(picture_.height);
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"'Noto Sans', 'Noto Sans CJK SC', 'DejaVu Sans', Helvetica, Arial, sans-serif\">\n",
        width, height);
    if (!note_.empty()) out += fmt::format("<desc>{}</desc>\n", xml_escaped(note_));
    out += "<defs>" + definitions_ + "</defs>\n";
    out += fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", width, height, svg_paint("fill", picture_.ground));
    return {out + shapes + "</svg>\n", note_};
  }

 private:
  // Chooses how many columns to merge, so that the number of runs is limited. A run is a stretch of columns of one colour.
  void choose_step() {
    for (step_ = 1; step_ < 16; step_ *= 2) {
      std::size_t runs = 0;
      for (const DrawnShape& each : picture_.shapes) {
        if (!each.frame) continue;
        for (const StripItem& strip : each.frame->strips) runs += count_runs(*each.frame, strip);
      }
      if (runs <= kMostRuns) break;
    }
    if (step_ > 1) add_note(fmt::format("In folded rows, {} columns are drawn as one, because the picture would otherwise be too large.", step_));
  }

  void add_note(std::string_view sentence) {
    if (!note_.empty()) note_ += ' ';
    note_ += sentence;
  }

  // The most opaque of the merged columns. Its alpha is rounded in invisible steps, so that runs are longer.
  Rgba texel(const TimelineFrame& frame, const StripItem& strip, std::uint32_t x) const {
    Rgba most = 0;
    for (std::uint32_t i = x; i < std::min(x + step_, frame.width_px); ++i) {
      const Rgba each = frame.texels[strip.first_texel + i];
      if (each >> 24 > most >> 24 || most == 0) most = each;
    }
    const unsigned alpha = most >> 24, folded = std::min((alpha + 8) & ~15u, kMostFolded);
    return alpha > kMostFolded || most == 0 ? most : with_alpha(most, std::max(folded, 8u));
  }

  std::size_t count_runs(const TimelineFrame& frame, const StripItem& strip) const {
    std::size_t runs = 0;
    Rgba last = 0;
    for (std::uint32_t x = 0; x < frame.width_px; x += step_) {
      const Rgba now = texel(frame, strip, x);
      runs += now != 0 && now != last;
      last = now;
    }
    return runs;
  }

  void add_strip(const FrameAt& lanes, const StripItem& strip, std::map<Rgba, std::string>& paths, std::string& teeth) const {
    const TimelineFrame& frame = *lanes.frame;
    const float top = std::floor(strip.y + 0.5f) + lanes.y;
    const float bottom = std::max(std::floor(strip.y + strip.height + 0.5f) + lanes.y, top + 1), height = bottom - top;
    for (std::uint32_t x = 0; x < frame.width_px;) {
      const Rgba now = texel(frame, strip, x);
      std::uint32_t end = x + step_;
      while (end < frame.width_px && texel(frame, strip, end) == now) end += step_;
      end = std::min(end, frame.width_px);
      const float x0 = lanes.x + static_cast<float>(x), x1 = lanes.x + static_cast<float>(end);
      const auto part = static_cast<float>(now >> 24) / 255;
      if (now != 0 && strip.kind == StripItem::Kind::Area) {
        const float fill = now >> 24 == 0 ? 0 : std::max(1.0f, std::round(part * height * 2) / 2);
        if (fill > 0) add_box(paths[with_alpha(now, 255)], x0, bottom - fill, x1, bottom);
      } else if (now != 0) {
        const auto alpha = static_cast<unsigned>(std::lround(std::max(part, kFaintestColumn) * 255));
        add_box(paths[with_alpha(now, alpha)], x0, top, x1, bottom);
        if (height >= kReadableRow && now >> 24 <= kMostFolded) add_teeth(teeth, x, end, lanes.x, bottom, std::floor(0.2f * height));
      }
      x = end;
    }
  }

  // Teeth at the bottom show that folded slices hide details.
  static void add_teeth(std::string& path, std::uint32_t from, std::uint32_t to, float left, float bottom, float tooth) {
    if (tooth < 1) return;
    const auto height_at = [&](float x) { return std::abs(std::fmod(x, 2 * tooth) - tooth); };
    const auto x0 = static_cast<float>(from), x1 = static_cast<float>(to);
    path += fmt::format("M{} {}V{}", svg_number(left + x0), svg_number(bottom), svg_number(bottom - height_at(x0)));
    for (float x = (std::floor(x0 / tooth) + 1) * tooth; x < x1; x += tooth) {
      path += fmt::format("L{} {}", svg_number(left + x), svg_number(bottom - height_at(x)));
    }
    path += fmt::format("L{} {}V{}Z", svg_number(left + x1), svg_number(bottom - height_at(x1)), svg_number(bottom));
  }

  std::string hatch_of(Rgba color) {
    const std::string id = "h" + svg_hex(color);
    if (!defined_[id]++) {
      const float period = 8 * picture_.ui_scale, half = period / 2;
      const std::string p = svg_number(period), h = svg_number(half);
      definitions_ += fmt::format(
          "<pattern id=\"{0}\" width=\"{1}\" height=\"{1}\" patternUnits=\"userSpaceOnUse\"><rect width=\"{1}\" height=\"{1}\" "
          "fill=\"#{3}\"/><path d=\"M{2} 0H{1}L0 {1}V{2}ZM{1} {2}V{1}H{2}Z\" fill=\"#{4}\"/></pattern>",
          id, p, h, svg_hex(color), svg_hex(hatch_stripe(color)));
    }
    return fmt::format("url(#{})", id);
  }

  std::string fade_of(Rgba color, bool left) {
    const std::string id = (left ? "l" : "r") + svg_hex(color);
    if (!defined_[id]++) {
      definitions_ += fmt::format(
          "<linearGradient id=\"{0}\"><stop offset=\"0\" stop-color=\"#{1}\" stop-opacity=\"{2}\"/><stop offset=\"1\" "
          "stop-color=\"#{1}\" stop-opacity=\"{3}\"/></linearGradient>",
          id, svg_hex(color), left ? "0.3" : "1", left ? "1" : "0.3");
    }
    return fmt::format("url(#{})", id);
  }

  void add_rect(const FrameAt& lanes, const RectItem& rect, std::map<Rgba, std::string>& plain, std::string& styled) {
    const float top = std::floor(rect.y + 0.5f) + lanes.y;
    const float bottom = std::max(std::floor(rect.y + rect.height + 0.5f) + lanes.y, top + 1);
    const Rgba color = rect.style & kDimmed ? dimmed_color(rect.color) : rect.color;
    if (rect.style & kDiamond) {
      const float radius = std::min((bottom - top) / 2, kDiamondRadius * picture_.ui_scale);
      const float x = lanes.x + std::floor(rect.x0) + 0.5f, y = (top + bottom) / 2;
      styled += fmt::format("<path d=\"M{0} {1}l{2} {2}l-{2} {2}l-{2} -{2}Z\"{3} stroke=\"#{4}\"/>\n", svg_number(x), svg_number(y - radius),
                            svg_number(radius), svg_paint("fill", color), svg_hex(chart_mix(color, rgba(0, 0, 0), 0.45)));
      return;
    }
    float left = std::floor(rect.x0 + 0.5f), right = std::max(std::floor(rect.x1 + 0.5f), left + 1);
    const float gap = std::max(1.0f, std::floor(picture_.ui_scale + 0.25f));
    if (right - left > 3 * gap) right -= gap;
    left += lanes.x;
    right += lanes.x;
    const bool from_left = rect.style & kClippedLeft, to_right = rect.style & kClippedRight;
    const bool hatched = (rect.style & kHatched) && !(rect.style & kDimmed);
    if (!hatched && !from_left && !to_right) return add_box(plain[color], left, top, right, bottom);
    const float fade = hatched ? 0 : std::min(kFadedLength * picture_.ui_scale, (right - left) / 2);
    const auto piece = [&](float x0, float x1, const std::string& fill) {
      styled += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", svg_number(x0), svg_number(top),
                            svg_number(x1 - x0), svg_number(bottom - top), fill);
    };
    const float inner_left = from_left ? left + fade : left, inner_right = to_right ? right - fade : right;
    if (from_left && fade > 0) piece(left, inner_left, fmt::format("fill=\"{}\"", fade_of(color, true)));
    if (inner_right > inner_left) {
      piece(inner_left, inner_right, hatched ? fmt::format("fill=\"{}\"", hatch_of(color)) : svg_paint("fill", color));
    }
    if (to_right && fade > 0) piece(inner_right, right, fmt::format("fill=\"{}\"", fade_of(color, false)));
  }

  std::string arrow_text(const FrameAt& lanes, const ArrowItem& arrow) const {
    const float head = 5 * picture_.ui_scale, tip = arrow.down ? head : -head;
    const std::string x0 = svg_number(lanes.x + arrow.x0), y0 = svg_number(lanes.y + arrow.y0), x1 = svg_number(lanes.x + arrow.x1),
                      y1 = svg_number(lanes.y + arrow.y1);
    return fmt::format("<path d=\"M{} {}V{}H{}\" fill=\"none\"{} stroke-width=\"{}\"/><path d=\"M{} {}H{}L{} {}Z\"{}/>\n", x0, y0, y1, x1,
                       svg_paint("stroke", arrow.color), svg_number(1.5f * picture_.ui_scale), svg_number(lanes.x + arrow.x1 - head * 0.7f), y1,
                       svg_number(lanes.x + arrow.x1 + head * 0.7f), x1, svg_number(lanes.y + arrow.y1 + tip), svg_paint("fill", arrow.color));
  }

  std::string clip_of(const DrawnShape::Clip& clip) {
    const auto known = std::ranges::find(clips_, clip);
    const std::string id = fmt::format("clip{}", known - clips_.begin());
    if (known != clips_.end()) return id;
    clips_.push_back(clip);
    definitions_ += fmt::format("<clipPath id=\"{}\"><rect{}/></clipPath>", id, box_place(clip.x0, clip.y0, clip.x1, clip.y1));
    return id;
  }

  std::string box_place(float x0, float y0, float x1, float y1) const {
    return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", svg_number(x0 - picture_.x), svg_number(y0 - picture_.y),
                       svg_number(std::max(0.0f, x1 - x0)), svg_number(std::max(0.0f, y1 - y0)));
  }

  static std::string rounded(float radius) { return radius > 0 ? fmt::format(" rx=\"{}\"", svg_number(radius)) : std::string(); }
  static std::string stroked(const DrawnShape& shape) {
    const std::string width = shape.thickness == 1 ? std::string() : fmt::format(" stroke-width=\"{}\"", svg_number(shape.thickness));
    return svg_paint("stroke", shape.color) + width;
  }

  std::string shape_text(const DrawnShape& shape) {
    using enum DrawnShape::Kind;
    constexpr float kHalf = 0.5f;
    if (shape.kind == Frame) return frame_text(shape);
    if (shape.color >> 24 == 0) return {};
    const auto x = [&](float at) { return svg_number(at - picture_.x); };
    const auto y = [&](float at) { return svg_number(at - picture_.y); };
    switch (shape.kind) {
      case Box: return fmt::format("<rect{}{}{}/>\n", box_place(shape.x0, shape.y0, shape.x1, shape.y1), rounded(shape.rounding), svg_paint("fill", shape.color));
      case Outline: {
        const std::string place = box_place(shape.x0 + kHalf, shape.y0 + kHalf, shape.x1 - kHalf, shape.y1 - kHalf);
        return fmt::format("<rect{}{} fill=\"none\"{}/>\n", place, rounded(shape.rounding), stroked(shape));
      }
      case Line:
        return fmt::format("<path d=\"M{} {}L{} {}\"{}/>\n", x(shape.x0 + kHalf), y(shape.y0 + kHalf), x(shape.x1 + kHalf), y(shape.y1 + kHalf), stroked(shape));
      case Triangle:
        return fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\"{}/>\n", x(shape.x0), y(shape.y0), x(shape.x1), y(shape.y1), x(shape.x2), y(shape.y2),
                           svg_paint("fill", shape.color));
      default: return line_text(shape);
    }
  }

  std::string line_text(const DrawnShape& line) {
    if (line.text.empty() || (!line.title.empty() && ++names_ > kMostNames)) return {};
    const float size = line.y1 - line.y0;
    const std::string title = line.title.empty() ? std::string() : fmt::format("<title>{}</title>", xml_escaped(line.title));
    const std::string length = line.x1 > line.x0 ? fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", svg_number(line.x1 - line.x0))
                                                 : std::string();
    return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{} xml:space=\"preserve\">{}{}</text>\n", svg_number(line.x0 - picture_.x),
                       svg_number(line.y0 - picture_.y + size * kTimelineBaseline), svg_number(size * kChartFontSize), length,
                       svg_paint("fill", line.color), title, xml_escaped(line.text));
  }

  std::string frame_text(const DrawnShape& shape) {
    const FrameAt lanes{shape.frame, shape.x0 - picture_.x, shape.y0 - picture_.y};
    std::map<Rgba, std::string> folded, plain;  // sorted by colour, so that the bytes are always the same
    std::string teeth, styled, out;
    for (const StripItem& strip : lanes.frame->strips) add_strip(lanes, strip, folded, teeth);
    for (const RectItem& rect : lanes.frame->rects) add_rect(lanes, rect, plain, styled);
    const auto put = [&](const std::map<Rgba, std::string>& paths) {
      for (const auto& [color, path] : paths) out += fmt::format("<path{} d=\"{}\"/>\n", svg_paint("fill", color), path);
    };
    out += "<g shape-rendering=\"crispEdges\">\n";
    put(folded);
    if (!teeth.empty()) out += fmt::format("<path{} d=\"{}\"/>\n", svg_paint("fill", with_alpha(picture_.ground, 191)), teeth);
    put(plain);
    out += "</g>\n" + styled;
    for (const ArrowItem& arrow : lanes.frame->arrows) out += arrow_text(lanes, arrow);
    return out;
  }

  const TimelinePicture& picture_;
  std::uint32_t step_ = 1;
  std::vector<DrawnShape::Clip> clips_;
  std::size_t names_ = 0;
  std::map<std::string, int> defined_;
  std::string definitions_, note_;
};

}  // namespace

TimelineSvg timeline_svg(const TimelinePicture& picture) { return TimelineSvgWriter(picture).write(); }

}  // namespace tv
