#include "core/view/manual/manual_page.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tv {
namespace {

std::string_view without_spaces_around(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// "formats.md#size" is the page; others stay as they are.
std::string link_target(std::string_view address) {
  if (address.starts_with("https://") || address.starts_with("http://")) return std::string(address);
  address = address.substr(0, address.find('#'));
  if (address.ends_with(".md")) address.remove_suffix(3);
  return std::string(address);
}

ManualText text_of_line(std::string_view line) {
  ManualText out;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) out.push_back({ManualSpan::Kind::Text, std::exchange(plain, {})});
  };
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '\\' && at + 1 < line.size() && std::ispunct(static_cast<unsigned char>(line[at + 1])) != 0) {
      plain += line[at + 1];
      at += 2;
      continue;
    }
    if (line[at] == '`') {
      if (const std::size_t end = line.find('`', at + 1); end != std::string_view::npos) {
        flush();
        std::string code(line.substr(at + 1, end - at - 1));
        // A bar in a table's cell is written so, in code too.
        for (std::size_t bar; (bar = code.find("\\|")) != std::string::npos;) code.erase(bar, 1);
        out.push_back({ManualSpan::Kind::Code, std::move(code)});
        at = end + 1;
        continue;
      }
    }
    if (line.substr(at, 2) == "**") {
      if (const std::size_t end = line.find("**", at + 2); end != std::string_view::npos) {
        flush();
        out.push_back({ManualSpan::Kind::Strong, std::string(line.substr(at + 2, end - at - 2))});
        at = end + 2;
        continue;
      }
    }
    if (line[at] == '[') {
      const std::size_t middle = line.find("](", at), end = middle == std::string_view::npos ? middle : line.find(')', middle);
      if (end != std::string_view::npos) {
        flush();
        out.push_back({ManualSpan::Kind::Link, std::string(line.substr(at + 1, middle - at - 1)),
                       link_target(line.substr(middle + 2, end - middle - 2))});
        at = end + 1;
        continue;
      }
    }
    plain += line[at++];
  }
  flush();
  return out;
}

std::vector<ManualText> cells_of_line(std::string_view line) {
  std::vector<ManualText> cells;
  std::string cell;
  bool first = true;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool escaped = at > 0 && line[at - 1] == '\\';
    if (line[at] != '|' || escaped) {
      cell += line[at];
      continue;
    }
    if (!std::exchange(first, false)) cells.push_back(text_of_line(without_spaces_around(cell)));
    cell.clear();
  }
  return cells;
}

// "- ", "* ", "12. ": how long it is; 0: none.
std::size_t marker_length(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  std::size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])) != 0) ++digits;
  return digits > 0 && line.substr(digits, 2) == ". " ? digits + 2 : 0;
}

bool is_rule_of_table(std::string_view line) {
  return std::ranges::all_of(line, [](char c) { return c == '|' || c == '-' || c == ':' || c == ' '; });
}

class PageParser {
 public:
  explicit PageParser(ManualPage& page) : page_(page) {}

  void line(std::string_view raw) {
    std::string_view text = without_spaces_around(raw);
    if (code_) {
      if (text.starts_with("```")) {
        code_ = false;
      } else {
        page_.blocks.back().lines.emplace_back(raw);
      }
      return;
    }
    if (text.starts_with("```")) {
      finish();
      code_ = true;
      page_.blocks.push_back({ManualBlock::Kind::Code});
    } else if (text.empty() || text.starts_with("<!--") || text.starts_with("![")) {
      finish();
    } else if (text.starts_with('#')) {
      finish();
      const std::size_t level = std::min(text.find_first_not_of('#'), text.size());
      page_.blocks.push_back({ManualBlock::Kind::Heading, static_cast<int>(level)});
      page_.blocks.back().text = text_of_line(without_spaces_around(text.substr(level)));
    } else if (text.starts_with('|')) {
      if (!table_) finish();
      if (!std::exchange(table_, true)) page_.blocks.push_back({ManualBlock::Kind::Table});
      if (!is_rule_of_table(text)) page_.blocks.back().rows.push_back(cells_of_line(text));
    } else if (const std::size_t marker = marker_length(text); marker > 0) {
      finish();
      const auto indent = static_cast<int>(raw.find_first_not_of(' '));
      page_.blocks.push_back({ManualBlock::Kind::Item, indent / 2, std::string(text.substr(0, marker - 1))});
      open_ = text.substr(marker);
    } else {
      if (open_.empty()) page_.blocks.push_back({ManualBlock::Kind::Paragraph});
      if (!open_.empty()) open_ += ' ';
      open_ += text;
    }
  }

  void finish() {
    table_ = false;
    if (!open_.empty()) page_.blocks.back().text = text_of_line(open_);
    open_.clear();
  }

 private:
  ManualPage& page_;
  std::string open_;  // of the paragraph or item that is read
  bool code_ = false, table_ = false;
};

}  // namespace

std::string plain_text(const ManualText& text) {
  std::string out;
  for (const ManualSpan& span : text) out += span.text;
  return out;
}

std::string plain_text(const ManualBlock& block) {
  std::string out = plain_text(block.text);
  const auto add = [&](std::string_view more) {
    if (!out.empty()) out += ' ';
    out += more;
  };
  for (const std::string& line : block.lines) add(line);
  for (const auto& row : block.rows) {
    for (const ManualText& cell : row) add(plain_text(cell));
  }
  return out;
}

ManualPage parse_manual_page(std::string_view topic, std::string_view markdown) {
  ManualPage page;
  page.topic = topic;
  PageParser parser(page);
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    parser.line(markdown.substr(0, end));
    markdown = end == std::string_view::npos ? std::string_view() : markdown.substr(end + 1);
  }
  parser.finish();
  const auto title = std::ranges::find(page.blocks, ManualBlock::Kind::Heading, &ManualBlock::kind);
  page.title = title == page.blocks.end() ? page.topic : plain_text(title->text);
  return page;
}

}  // namespace tv
