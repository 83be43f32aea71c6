// A page of the manual as a value, from Markdown (assets/manual/*.md): headings, paragraphs, lists, code and tables, whose text
// may contain code, strong words and links. Pictures are left out, because the reader has the program itself in view. md4c
// parses the Markdown.
//
// Cost: linear in the text; some milliseconds for all pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

struct ManualSpan {
  enum class Kind : std::uint8_t { Text, Code, Strong, Link } kind = Kind::Text;
  std::string text;
  std::string target = {};  ///< for a link: the topic of another page, or an address that begins with https://
  bool operator==(const ManualSpan&) const = default;
};
using ManualText = std::vector<ManualSpan>;
std::string plain_text(const ManualText& text);

struct ManualBlock {
  enum class Kind : std::uint8_t { Heading, Paragraph, Item, Code, Table } kind = Kind::Paragraph;
  int level = 0;                              ///< for a heading its level (1 is the page's title); for an item its depth in
                                              ///< lists, from 0
  std::string marker = {};                    ///< for an item: "-", "3."
  ManualText text = {};                       ///< for all but code and tables
  std::vector<std::string> lines = {};        ///< for code
  std::vector<std::vector<ManualText>> rows = {};  ///< for a table; the head is first
};

struct ManualPage {
  std::string topic;  ///< "formats": the file's name without its ending
  std::string title;
  std::vector<ManualBlock> blocks;
};

ManualPage parse_manual_page(std::string_view topic, std::string_view markdown);

/// All words of a block, for searching: cells and lines with spaces between.
std::string plain_text(const ManualBlock& block);

}  // namespace tv
