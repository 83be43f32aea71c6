// The picture of a chart as SVG: a file of its own, or a part of an HTML page. Text stays text, in the reader's sans-serif;
// hatching is a pattern, dots are points of a path. If there are at most 3,000 marks, each shows its readout when the mouse is over
// it. Numbers have at most two decimals. The same picture gives the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "core/view/picture/chart_picture.h"

namespace tv {

/// `id` prefixes the names of patterns and clips, so it must differ for each picture of a page. Only its letters, digits, '-' and
/// '_' are used.
std::string chart_svg(const ChartPicture& picture, std::string_view id = "chart");

/// Text as needed between tags and in quotes. What XML cannot represent (control characters, broken UTF-8) becomes U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace tv
