#include "core/view/manual/manual.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/view/keys/keymap.h"
#include "core/view/manual/manual_layout.h"
#include "core/view/manual/manual_text.h"
#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

using BlockKind = ManualBlock::Kind;

std::string manual_folder() { return source_dir() + "/assets/manual/"; }

std::vector<std::string> words_of_text(const ManualText& text) {
  std::vector<std::string> out;
  for (const ManualSpan& span : text) out.push_back(span.text + (span.target.empty() ? "" : " -> " + span.target));
  return out;
}

template <class F>
void for_each_text(const ManualPage& page, F&& f) {
  for (const ManualBlock& block : page.blocks) {
    f(block.text);
    for (const auto& row : block.rows) std::ranges::for_each(row, f);
  }
}

// The names by which links lead to the headings of a page on GitHub: "## Size of a `file`" is page.md#size-of-a-file.
std::set<std::string> section_names(const std::string& page) {
  std::set<std::string> names;
  std::istringstream text(page);
  bool code = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) code = !code;
    if (code || !line.starts_with('#')) continue;
    std::string name;
    for (const char c : line.substr(std::min(line.find_first_not_of("# "), line.size()))) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == ' ') name += '-';
      if (c == '-' || c == '_' || byte >= 0x80 || std::isalnum(byte) != 0) name += static_cast<char>(std::tolower(byte));
    }
    names.insert(name);
  }
  return names;
}

ManualMeasures letter_measures() {
  ManualMeasures measures;
  measures.width = [](std::string_view text, ManualStyle) { return static_cast<float>(text.size()); };
  return measures;
}

}  // namespace

TEST_CASE("manual page: headings, paragraphs, lists, code and tables are parsed with their inline markup") {
  const ManualPage page = parse_manual_page("demo", R"(# The title

One paragraph
on two lines with `code`, **strong** words and [a link](formats.md#size).
![a picture](x.png)

- first
  goes on
- second
  - inner

12. twelfth

```
x | y
  z
```

| a | b `c \| d` |
|---|:--|
| 1 \| 2 | [far](https://example.org) |

End \* here
)");
  CHECK(page.topic == "demo");
  CHECK(page.title == "The title");
  std::vector<BlockKind> kinds;
  for (const ManualBlock& block : page.blocks) kinds.push_back(block.kind);
  using enum ManualBlock::Kind;
  CHECK(kinds == std::vector<BlockKind>{Heading, Paragraph, Item, Item, Item, Item, Code, Table, Paragraph});
  CHECK(words_of_text(page.blocks[1].text) == std::vector<std::string>{"One paragraph on two lines with ", "code", ", ", "strong", " words and ",
                                                                       "a link -> formats", "."});
  CHECK(plain_text(page.blocks[2].text) == "first goes on");
  CHECK(page.blocks[4].level == 1);
  CHECK(page.blocks[5].marker == "12.");
  CHECK(page.blocks[6].lines == std::vector<std::string>{"x | y", "  z"});
  REQUIRE(page.blocks[7].rows.size() == 2);
  REQUIRE(page.blocks[7].rows[0].size() == 2);
  CHECK(words_of_text(page.blocks[7].rows[0][1]) == std::vector<std::string>{"b ", "c | d"});
  CHECK(plain_text(page.blocks[7].rows[1][0]) == "1 | 2");
  CHECK(words_of_text(page.blocks[7].rows[1][1]) == std::vector<std::string>{"far -> https://example.org"});
  CHECK(plain_text(page.blocks[8]) == "End * here");
}

TEST_CASE("manual page: empty or malformed markup gives at most one block") {
  CHECK(parse_manual_page("x", "").blocks.empty());
  CHECK(parse_manual_page("x", "").title == "x");
  for (const char* text : {"`open", "**open", "[a](b", "[a]", "a\\", "|", "```", "#", "-", "1.", "| a", "``", "****"}) {
    CAPTURE(text);
    const ManualPage page = parse_manual_page("x", text);
    CHECK(page.blocks.size() <= 1);
    lay_out_manual(page, 10, letter_measures());
  }
}

TEST_CASE("manual layout: lines fit the page, table columns are side by side, and words keep their order") {
  const ManualPage page = parse_manual_page("x", "# T\n\naa bb `cc dd` [ee](formats.md), ff.\n\n- gg hh ii jj kk\n\n| m | n |\n|---|---|\n| o o o o | p p p p p p |\n");
  const ManualLayout layout = lay_out_manual(page, 12, letter_measures());
  std::string words;
  float y = -1, x = -1;
  for (const ManualFragment& each : layout.fragments) {
    CAPTURE(each.text);
    CHECK(each.x + each.width <= 12);
    CHECK(each.y >= y);
    if (each.y == y) CHECK(each.x >= x);  // fragments do not overlap
    y = each.y;
    x = each.x + each.width;
    words += each.text + "|";
  }
  CHECK(words == "T|aa bb|cc dd|ee|, ff.|-|gg hh ii|jj kk|m|n|o o o|p p p|o|p p p|");
  CHECK(layout.blocks.size() == page.blocks.size());
  CHECK(layout.rules.size() == 1);
  CHECK(layout.height == y + 1);
}

TEST_CASE("manual layout: a word wider than the page is broken, and any width can be laid out") {
  const ManualPage page = parse_manual_page("x", "abcdefgh [ijklmnop](https://x)**q**\n");
  const ManualLayout layout = lay_out_manual(page, 3, letter_measures());
  std::string all;
  for (const ManualFragment& each : layout.fragments) {
    CHECK(each.width <= 3);
    all += each.text;
  }
  CHECK(all == "abcdefghijklmnopq");
  for (const float width : {0.0f, -5.0f, 1.0f}) {
    for (const ManualPage& each : manual_pages()) CHECK(lay_out_manual(each, width, letter_measures()).height > 0);
  }
}

TEST_CASE("manual: every file of the folder is a page, and every link leads to a page or a URL") {
  std::set<std::string> files, topics, titles;
  for (const auto& entry : fs::directory_iterator(manual_folder())) files.insert(entry.path().stem().string());
  for (const ManualPage& page : manual_pages()) {
    topics.insert(page.topic);
    CHECK(titles.insert(page.title).second);
  }
  CHECK(files == topics);
  for (const ManualPage& page : manual_pages()) {
    CAPTURE(page.topic);
    REQUIRE_FALSE(page.blocks.empty());
    CHECK(page.blocks.front().kind == BlockKind::Heading);
    CHECK(page.blocks.front().level == 1);
    for_each_text(page, [&](const ManualText& text) {
      for (const ManualSpan& span : text) {
        CAPTURE(span.text);
        CHECK_FALSE(span.text.empty());
        if (!span.target.empty() && !span.target.starts_with("https://")) CHECK(topics.contains(span.target));
      }
    });
  }
  CHECK(find_manual_page("formats") != nullptr);
  CHECK(find_manual_page("nothing") == nullptr);
}

// GitHub shows these files too, so linked files, sections and pictures must exist.
TEST_CASE("manual: README and the pages link to existing files and sections, in lines of at most 130 characters") {
  CHECK(section_names("# One: `two`\ntext\n```\n# code\n```\n## 3 of-a_Kind\n#\n") == std::set<std::string>{"", "3-of-a_kind", "one-two"});
  std::vector<std::string> files = {source_dir() + "/README.md", source_dir() + "/CONTRIBUTING.md"};
  for (const auto& entry : fs::directory_iterator(manual_folder())) files.push_back(entry.path().string());
  for (const std::string& file : files) {
    CAPTURE(file);
    std::istringstream text(read_file(file));
    bool code = false;
    for (std::string line; std::getline(text, line);) {
      CAPTURE(line);
      if (line.starts_with("```")) code = !code;
      if (!line.starts_with("|")) CHECK(line.size() <= 130);
      for (std::size_t at = 0; !code && (at = line.find("](", at)) != std::string::npos;) {
        const std::size_t end = line.find(')', at);
        REQUIRE(end != std::string::npos);
        const std::string target = line.substr(at + 2, end - at - 2);
        at = end;
        if (target.starts_with("https://")) continue;
        CAPTURE(target);
        const std::size_t hash = target.find('#');
        const std::string page = hash == 0 ? file : (fs::path(file).parent_path() / target.substr(0, hash)).string();
        const bool there = fs::exists(page);
        CHECK(there);
        if (there && hash != std::string::npos) CHECK(section_names(read_file(page)).contains(target.substr(hash + 1)));
      }
    }
  }
}

TEST_CASE("manual: the page of keys lists the default keys, and TV_UPDATE_GOLDEN=1 rewrites it") {
  const std::vector<Binding> before(bindings().begin(), bindings().end());
  const MouseHabit mouse = mouse_habit();
  use_bindings(default_bindings(MousePreset::Perfetto));
  use_mouse({});
  const std::string tables = keys_as_markdown();
  use_bindings(before);
  use_mouse(mouse);
  const std::string path = manual_folder() + "keys.md", text = read_file(path);
  const std::string_view begin = "<!-- made from the key table: TV_UPDATE_GOLDEN=1 view_tests -->\n", end = "<!-- end -->\n";
  const std::size_t from = text.find(begin), to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  CHECK(golden_difference(path, text.substr(0, from + begin.size()) + tables + "\n" + text.substr(to)) == "");
}

TEST_CASE("manual as text: lines fit the terminal, code is marked, linked pages and addresses are named") {
  const ManualPage page = parse_manual_page("x", "# Title\n\nSee [that](formats.md) or [this](https://example.org), with `code`.\n");
  CHECK(manual_as_text(page, 80, false) == "Title\n\nSee that or this (https://example.org), with `code`.\n\nSee also: traceview help formats\n");
  const std::string styled = manual_as_text(page, 80, true);
  CHECK(styled.find("\033[1mTitle\033[0m") == 0);
  CHECK(styled.find("with \033[1mcode\033[0m.") != std::string::npos);
  for (const ManualPage& each : manual_pages()) {
    for (const std::size_t width : {40, 80, 110}) {
      CAPTURE(each.topic);
      CAPTURE(width);
      bool code = false;
      std::istringstream lines(manual_as_text(each, width, false));
      for (std::string line; std::getline(lines, line);) {
        code = line.starts_with("  ");  // code is never wrapped
        if (!code) CHECK(line.size() <= width);
        CHECK(line.find('\033') == std::string::npos);
        if (!line.empty()) CHECK(line.back() != ' ');
      }
    }
  }
}

TEST_CASE("manual: a search finds the blocks that contain the words") {
  const ManualPage page = parse_manual_page("x", "# Head\n\nSome `--option` here\n\n| a | Option B |\n|---|---|\n\n```\noption c\n```\n");
  CHECK(find_in_page(page, "OPTION") == std::vector<std::size_t>{1, 2, 3});
  CHECK(find_in_page(page, "here") == std::vector<std::size_t>{1});
  CHECK(find_in_page(page, "").empty());
  CHECK(find_in_page(page, "none of it").empty());
}
