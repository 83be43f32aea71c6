#include "core/view/words/chart_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/text/utf8.h"

namespace tv {
namespace {

constexpr std::string_view kEllipsis = "\u2026";

constexpr float kWiderThanHelvetica = 1.06f;

// Widths of the printable ASCII characters, from the space on, in thousandths of the font size (Adobe's metrics of Helvetica).
constexpr std::array<std::uint16_t, 95> kHelveticaWidths = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

// The byte offset of each character, then the length of the text. An invalid byte counts as a character.
std::vector<std::size_t> character_offsets(std::string_view text) {
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < text.size(); i += std::max<std::size_t>(1, utf8_length(text.substr(i)))) offsets.push_back(i);
  offsets.push_back(text.size());
  return offsets;
}

}  // namespace

float chart_text_width(std::string_view text, float size) {
  unsigned thousandths = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const char32_t c = utf8_code_point(rest);
    thousandths += c >= 0x20 && c < 0x7f       ? kHelveticaWidths[c - 0x20]
                   : c < 0x1100                ? 600u  // alphabets
                   : c >= 0x2000 && c < 0x2e80 ? 900u  // punctuation and symbols
                                               : 1000u;  // mostly East Asian characters, which are square
    i += std::max<std::size_t>(1, utf8_length(rest));
  }
  return static_cast<float>(thousandths) * 0.001f * kWiderThanHelvetica * kChartFontSize * size;
}

std::string chart_one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (c == '\n' || c == '\t' || c == '\r') {
      line += ' ';
    } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      line += c;
    }
  }
  return line;
}

std::string chart_elided(std::string_view text, float width, float size, const ChartMeasure& measure) {
  // Skips the middle of a very long text, which is never visible, because measuring it takes time.
  constexpr std::size_t kMostVisible = 16384;  // bytes at each end
  std::string line;
  if (text.size() > 2 * kMostVisible) {
    std::size_t tail = text.size() - kMostVisible;
    while (tail < text.size() && continues_utf8(text[tail])) ++tail;
    line = chart_one_line(utf8_prefix(text, kMostVisible)) + std::string(kEllipsis) + chart_one_line(text.substr(tail));
  } else {
    line = chart_one_line(text);
  }
  if (measure(line, size) <= width) return line;
  const std::vector<std::size_t> offsets = character_offsets(line);
  const auto shortened_to = [&](std::size_t characters) {
    const std::size_t head = (characters + 1) / 2, tail = characters / 2;
    std::string_view begin = std::string_view(line).substr(0, offsets[head]);
    std::string_view end = std::string_view(line).substr(offsets[offsets.size() - 1 - tail]);
    // A text that was shortened before already has an ellipsis, which must not appear twice.
    while (begin.ends_with(kEllipsis)) begin.remove_suffix(kEllipsis.size());
    while (end.starts_with(kEllipsis)) end.remove_prefix(kEllipsis.size());
    return std::string(begin) + std::string(kEllipsis) + std::string(end);
  };
  std::size_t fits = 0, too_many = offsets.size() - 1;
  while (too_many - fits > 1) {
    const std::size_t middle = fits + (too_many - fits) / 2;
    (measure(shortened_to(middle), size) <= width ? fits : too_many) = middle;
  }
  if (fits > 0) return shortened_to(fits);
  return measure(kEllipsis, size) <= width ? std::string(kEllipsis) : std::string();
}

std::vector<std::string> chart_wrapped(std::string_view text, float width, float size, std::size_t most,
                                       const ChartMeasure& measure) {
  std::vector<std::string> lines;
  const std::string line = chart_one_line(text);
  std::size_t begin = 0;
  while (begin < line.size() && lines.size() < most) {
    std::size_t end = begin;
    for (std::size_t word_end = begin; word_end < line.size();) {
      word_end = std::min(line.find(' ', word_end + 1), line.size());
      if (end > begin && measure(std::string_view(line).substr(begin, word_end - begin), size) > width) break;
      end = word_end;
    }
    const bool last = lines.size() + 1 == most;
    const std::string_view rest = std::string_view(line).substr(begin);
    lines.push_back(chart_elided(last ? rest : rest.substr(0, end - begin), width, size, measure));
    begin = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return lines;
}

}  // namespace tv
