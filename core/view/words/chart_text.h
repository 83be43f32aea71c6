// Text in pictures of charts: its width, and how it is made to fit. Core has no fonts, so the drawing code supplies a ChartMeasure;
// chart_text_width is an estimate for code without fonts (SVG, tests). Cost: a binary search of widths per shortened text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

/// Width in pixels of a line of text of the given height in pixels (from ascenders to descenders).
using ChartMeasure = std::function<float(std::string_view text, float size)>;

/// The nominal font size as a share of that height.
inline constexpr float kChartFontSize = 0.86f;

/// Estimated width: between that of Helvetica, which resembles sans-serif on most machines, and that of DejaVu, which is wider.
float chart_text_width(std::string_view text, float size);

/// The text on one line; line breaks and tabs become spaces, other control characters are removed.
std::string chart_one_line(std::string_view text);

/// Shortened in the middle with "…" until it is at most `width` wide: names often differ at their end.
/// Empty if not even "…" fits.
std::string chart_elided(std::string_view text, float width, float size, const ChartMeasure& measure);

/// Broken between words into at most `most` lines no wider than `width`; the last one is elided if the rest does not fit.
std::vector<std::string> chart_wrapped(std::string_view text, float width, float size, std::size_t most,
                                       const ChartMeasure& measure);

}  // namespace tv
