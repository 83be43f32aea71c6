#include "ui/widgets/text/wrapped_text.h"

#include <algorithm>

#include "ui/widgets/text/text.h"

namespace tv {

std::vector<std::string_view> wrapped_lines(std::string_view text, float width) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t broken = std::min(text.find('\n'), text.size());
    const std::size_t end = first_line_of(text.substr(0, broken), width);
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == broken ? std::min(end + 1, text.size()) : end);
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    if (end < broken) text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    lines.push_back(line);
  }
  return lines;
}

}  // namespace tv
