#include "core/view/table/markdown_table.h"

#include <algorithm>
#include <array>

#include "core/base/text/ascii.h"

namespace tv {

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMeansSomething = "\\`*[]<>|~&$";
  const auto in_word = [&](std::size_t at) { return at < text.size() && (is_letter(text[at]) || is_digit(text[at])); };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool within_word = i > 0 && in_word(i - 1) && in_word(i + 1);
    if (kMeansSomething.find(c) != std::string_view::npos || (c == '_' && !within_word)) out += '\\';
    out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return out;
}

void append_markdown_row(std::string& out, std::span<const std::string> cells) {
  for (const std::string& cell : cells) out.append("| ").append(markdown_text(cell)).append(" ");
  out += "|\n";
}

void append_markdown_rule(std::string& out, std::span<const char> right_aligned) {
  for (const char right : right_aligned) out += right ? "|---:" : "|---";
  out += "|\n";
}

std::string lines_as_markdown(std::string_view text) {
  constexpr std::string_view kColon = ": ";
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const bool head = out.empty();
    const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto label = static_cast<std::size_t>(std::ranges::find_if_not(line, is_small) - line.begin());
    const bool labelled = !head && label > 0 && line.substr(label).starts_with(kColon);
    append_markdown_row(out, std::array{std::string(line.substr(0, labelled ? label : 0)),
                                        std::string(line.substr(labelled ? label + kColon.size() : 0))});
    if (head) append_markdown_rule(out, std::array<char, 2>{});
  }
  return out;
}

}  // namespace tv
