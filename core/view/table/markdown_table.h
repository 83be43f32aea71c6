// Tables in Markdown, as GitHub and GitLab render them: for reports and issues, which people read. Names of slices may hold
// anything ("f<4, __half>*"), so every character that means something in Markdown is escaped, and a name never becomes markup.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tv {

/// The text in one line, with nothing in it that Markdown interprets. An underscore within a word means nothing and stays.
std::string markdown_text(std::string_view text);
/// Appends a row: "| a | b |" and a line break. The cells are escaped.
void append_markdown_row(std::string& out, std::span<const std::string> cells);
/// Appends the row below the heads.
void append_markdown_rule(std::string& out, std::span<const char> right_aligned);

/// Lines like "lane: GPU 0" as a table of two columns, below the first line as its head. The label of a line is a single word of
/// small letters; any other line has none.
std::string lines_as_markdown(std::string_view text);

}  // namespace tv
