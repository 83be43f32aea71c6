// Text in pictures of charts: how wide it is, and how it is made to fit. Core has no fonts: who draws says how wide a text
// will be; chart_text_width is for those who cannot (SVG, tests). Cost: a binary search of widths per shortened text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

/// Width in pixels of a line of text of a height in pixels, from its ascenders to its descenders.
using ChartMeasure = std::function<float(std::string_view text, float size)>;

/// The part of that height that is called a font's size where text is set.
inline constexpr float kChartFontSize = 0.86f;

/// Between the widths of Helvetica, which is what sans-serif is like on most machines, and DejaVu's, which is wider.
float chart_text_width(std::string_view text, float size);

/// The text on one line; line breaks and tabs become spaces, other control characters go.
std::string chart_one_line(std::string_view text);

/// Shortened in the middle with "…" until it is at most `width` wide: names often differ at their end.
/// Empty if not even "…" fits.
std::string chart_elided(std::string_view text, float width, float size, const ChartMeasure& measure);

/// Broken between words into lines no wider than `width`, at most `most`, the last one elided when it holds more.
std::vector<std::string> chart_wrapped(std::string_view text, float width, float size, std::size_t most,
                                       const ChartMeasure& measure);

}  // namespace tv
