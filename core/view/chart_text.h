// Text in pictures of charts: how wide it is, and how it is made to fit. Core has no fonts: who draws says how wide a text will
// be; chart_text_width is for those who cannot (SVG, tests): the widths of Helvetica and Arial, which sans-serif is measured
// like or is narrower than in most browsers. Cost: a binary search of widths per shortened text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

/// Width in pixels of a line of text of a height in pixels.
using ChartMeasure = std::function<float(std::string_view text, float size)>;

float chart_text_width(std::string_view text, float size);

/// The text on one line; line breaks and tabs become spaces, other control characters go.
std::string chart_one_line(std::string_view text);

/// Shortened in the middle with "…" until it is no wider than `width`: what differs between names is often at their end.
/// Empty when not even "…" fits.
std::string chart_elided(std::string_view text, float width, float size, const ChartMeasure& measure);

/// Broken between words into lines no wider than `width`, at most `most`, the last one elided when it holds more.
std::vector<std::string> chart_wrapped(std::string_view text, float width, float size, std::size_t most,
                                       const ChartMeasure& measure);

}  // namespace tv
