#include "core/view/picture/chart_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "core/base/text/utf8.h"

namespace tv {
namespace {

constexpr float kBaseline = 0.8f;            // share of a line's height, from its top
constexpr std::size_t kMostReadouts = 3000;  // if there are more, none is written: they would make up most of the file

class Writer {
 public:
  Writer(const ChartPicture& picture, std::string_view id) : picture_(picture) {
    std::copy_if(id.begin(), id.end(), std::back_inserter(id_), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
    if (id_.empty()) id_ = "chart";
  }

  std::string write() {
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{2}\">\n",
        n(picture_.width), n(picture_.height), n(picture_.font * kChartFontSize));
    definitions();
    bool clipped = false;
    for (const ChartShape& shape : picture_.shapes) {
      if (shape.clipped != clipped) {
        clipped ? put("</g>\n") : put("<g clip-path=\"url(#{}-plot)\">\n", id_);
        clipped = shape.clipped;
      }
      write(shape);
    }
    if (clipped) put("</g>\n");
    readouts();
    put("</svg>\n");
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  // Two decimals at most, no exponent.
  static std::string n(float value) {
    if (!std::isfinite(value)) return "0";
    std::string text = fmt::format("{:.2f}", static_cast<double>(value));
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text == "-0" ? "0" : text;
  }
  static std::string hex(Rgba color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color & 255, color >> 8 & 255, color >> 16 & 255);
  }
  static std::string paint(const char* what, Rgba color) {
    const unsigned alpha = color >> 24;
    std::string text = fmt::format(" {}=\"{}\"", what, hex(color));
    if (alpha < 255) text += fmt::format(" {}-opacity=\"{:.2f}\"", what, alpha / 255.0);
    return text;
  }
  static std::string box(const ChartBox& b) {
    return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", n(b.x0), n(b.y0), n(std::max(0.0f, b.width())),
                       n(std::max(0.0f, b.height())));
  }

  // The id of the pattern, which all hatching that looks the same shares.
  std::string pattern(const ChartShape& hatch) const {
    return fmt::format("{}-{}-{:02x}-{}", id_, hex(hatch.color).substr(1), hatch.color >> 24, n(hatch.size));
  }

  void definitions() {
    put("<defs><clipPath id=\"{}-plot\"><rect {}/></clipPath>", id_, box(picture_.clip()));
    std::set<std::string> defined;
    for (const ChartShape& shape : picture_.shapes) {
      if (shape.kind != ChartShape::Kind::Hatch || !defined.insert(pattern(shape)).second) continue;
      const std::string period = n(shape.size * 4);
      put("<pattern id=\"{}\" width=\"{}\" height=\"{}\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\">"
          "<rect width=\"{}\" height=\"{}\"{}/></pattern>",
          pattern(shape), period, period, n(shape.size), period, paint("fill", shape.color));
    }
    put("</defs>\n");
  }

  void path(const ChartShape& shape) {
    const auto p = picture_.points_of(shape);
    for (std::uint32_t i = 0; i < shape.count; ++i) put("{}{} {}", i > 0 ? 'L' : 'M', n(p[i].x), n(p[i].y));
  }

  // A line without length but with round ends is a disc. A path paints every place only once, so translucent dots, whose overlaps
  // must be visible, are distributed over several paths.
  void dots(const ChartShape& shape) {
    const auto p = picture_.points_of(shape);
    const std::uint32_t paths = std::min(shape.count, shape.color >> 24 < 255 ? 8u : 1u);
    for (std::uint32_t k = 0; k < paths; ++k) {
      put("<path d=\"");
      for (std::uint32_t i = k; i < shape.count; i += paths) put("M{} {}h0", n(p[i].x), n(p[i].y));
      put("\" fill=\"none\" stroke-linecap=\"round\"{} stroke-width=\"{}\"/>\n", paint("stroke", shape.color),
          n(shape.size * 2));
    }
  }

  void write(const ChartShape& shape) {
    switch (shape.kind) {
      case ChartShape::Kind::Rect: put("<rect {}{}/>\n", box(shape.box), paint("fill", shape.color)); return;
      case ChartShape::Kind::Hatch:
        put("<rect {} fill=\"url(#{})\"/>\n", box(shape.box), pattern(shape));
        return;
      case ChartShape::Kind::Line:
        put("<path d=\"");
        path(shape);
        put("\" fill=\"none\" stroke-linejoin=\"round\"{} stroke-width=\"{}\"", paint("stroke", shape.color),
            n(shape.size));
        if (shape.dashed) put(" stroke-dasharray=\"{} {}\"", n(chart_dash(picture_)), n(chart_dash(picture_) * 0.7f));
        put("/>\n");
        return;
      case ChartShape::Kind::Dots: dots(shape); return;
      case ChartShape::Kind::Band: band(shape); return;
      case ChartShape::Kind::Text: break;
    }
    // The reader's font may be wider than ours, so the text is squeezed into its box.
    put("<text x=\"{}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"{}{}>{}</text>\n", n(shape.box.x0),
        n(shape.box.y0 + shape.size * kBaseline), n(shape.box.width()), paint("fill", shape.color),
        shape.bold ? " font-weight=\"bold\"" : "", xml_escaped(picture_.text(shape)));
  }

  void band(const ChartShape& shape) {
    const auto p = picture_.points_of(shape);
    put("<path d=\"");
    for (std::uint32_t i = 0; i < shape.count; i += 2) put("{}{} {}", i > 0 ? 'L' : 'M', n(p[i].x), n(p[i].y));
    for (std::uint32_t i = shape.count; i >= 2; i -= 2) put("L{} {}", n(p[i - 1].x), n(p[i - 1].y));
    put("Z\"{}/>\n", paint("fill", shape.color));
  }

  void readouts() {
    if (picture_.hits.empty() || picture_.hits.size() > kMostReadouts) return;
    put("<g fill=\"transparent\">\n");
    for (const ChartHit& hit : picture_.hits) {
      put("<rect {}><title>{}</title></rect>\n", box(hit.box), xml_escaped(picture_.text(hit)));
    }
    put("</g>\n");
  }

  const ChartPicture& picture_;
  std::string id_, out_;
};

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    const char c = text[i];
    const char32_t code = length == 0 ? 0 : utf8_code_point(text.substr(i));
    if (length == 0 || (code < 0x20 && c != '\n' && c != '\t') || code == 0xfffe || code == 0xffff) {
      out += kReplacementCharacter;
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += text.substr(i, length);
    }
    i += std::max<std::size_t>(1, length);
  }
  return out;
}

std::string chart_svg(const ChartPicture& picture, std::string_view id) { return Writer(picture, id).write(); }

}  // namespace tv
