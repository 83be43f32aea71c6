#include "core/view/manual/manual_page.h"

#include <md4c.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tv {
namespace {

// Turns "formats.md#size" into the topic "formats". Web addresses stay as they are.
std::string link_target(std::string_view address) {
  if (address.starts_with("https://") || address.starts_with("http://")) return std::string(address);
  address = address.substr(0, address.find('#'));
  if (address.ends_with(".md")) address.remove_suffix(3);
  return std::string(address);
}

std::string_view letter_of(std::string_view entity) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kEntities = {
      {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&nbsp;", " "}}};
  const auto found = std::ranges::find(kEntities, entity, &std::pair<std::string_view, std::string_view>::first);
  return found == kEntities.end() ? entity : found->second;
}

// Makes a page of md4c's events, which come in text order.
class PageMaker {
 public:
  explicit PageMaker(ManualPage& page) : page_(page) {}

  void begin(MD_BLOCKTYPE type, const void* detail) {
    switch (type) {
      case MD_BLOCK_UL: lists_.push_back(0); break;
      case MD_BLOCK_OL: lists_.push_back(static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start); break;
      case MD_BLOCK_LI: item(); break;
      case MD_BLOCK_H:
        add(ManualBlock::Kind::Heading).level = static_cast<int>(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
      case MD_BLOCK_P:
        if (!is_new_item()) add(ManualBlock::Kind::Paragraph);
        break;
      case MD_BLOCK_CODE: add(ManualBlock::Kind::Code); break;
      case MD_BLOCK_TABLE: add(ManualBlock::Kind::Table); break;
      case MD_BLOCK_TR: page_.blocks.back().rows.emplace_back(); break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD: page_.blocks.back().rows.back().emplace_back(); break;
      default: break;
    }
  }

  void end(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
    if (type == MD_BLOCK_TR && std::ranges::all_of(page_.blocks.back().rows.back(), &ManualText::empty)) {
      page_.blocks.back().rows.pop_back();  // the empty header of a table without one
    }
    if (type != MD_BLOCK_P) return;
    ManualText& text = page_.blocks.back().text;
    while (!text.empty() && text.back().text == " ") text.pop_back();  // the space before a picture, which is left out
    if (!text.empty() && text.back().text.ends_with(' ')) text.back().text.pop_back();
    if (text.empty()) page_.blocks.pop_back();
  }

  void begin(MD_SPANTYPE type, const void* detail) {
    if (type == MD_SPAN_IMG) ++pictures_;
    ManualSpan span = open_spans_.empty() ? ManualSpan{} : open_spans_.back();
    if (type == MD_SPAN_STRONG) span.kind = ManualSpan::Kind::Strong;
    if (type == MD_SPAN_CODE) span.kind = ManualSpan::Kind::Code;
    if (type == MD_SPAN_A) {
      const MD_ATTRIBUTE& address = static_cast<const MD_SPAN_A_DETAIL*>(detail)->href;
      span = {ManualSpan::Kind::Link, {}, link_target({address.text, address.size})};
    }
    open_spans_.push_back(std::move(span));
    new_span_ = true;
  }

  void end(MD_SPANTYPE type) {
    if (type == MD_SPAN_IMG) --pictures_;
    open_spans_.pop_back();
    new_span_ = true;
  }

  void text(MD_TEXTTYPE type, std::string_view words) {
    if (pictures_ > 0 || type == MD_TEXT_HTML || page_.blocks.empty()) return;
    if (page_.blocks.back().kind == ManualBlock::Kind::Code) return code(words);
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) words = " ";
    if (type == MD_TEXT_ENTITY) words = letter_of(words);
    ManualText& into = text_here();
    if (new_span_ || into.empty()) into.push_back(open_spans_.empty() ? ManualSpan{} : open_spans_.back());
    new_span_ = false;
    into.back().text += words;
    if (type != MD_TEXT_CODE || page_.blocks.back().kind != ManualBlock::Kind::Table) return;
    // Bars in table cells are escaped even in code, where md4c before 0.5 does not unescape them.
    for (std::size_t bar; (bar = into.back().text.find("\\|")) != std::string::npos;) into.back().text.erase(bar, 1);
  }

 private:
  ManualBlock& add(ManualBlock::Kind kind) {
    new_span_ = true;
    return page_.blocks.emplace_back(ManualBlock{kind});
  }

  void item() {
    ManualBlock& item = add(ManualBlock::Kind::Item);
    item.level = static_cast<int>(lists_.size()) - 1;
    item.marker = lists_.back() == 0 ? "-" : std::to_string(lists_.back()++) + ".";
  }

  // If an item consists of paragraphs, its first paragraph becomes the item's text.
  bool is_new_item() const {
    return !page_.blocks.empty() && page_.blocks.back().kind == ManualBlock::Kind::Item && page_.blocks.back().text.empty();
  }

  ManualText& text_here() {
    ManualBlock& block = page_.blocks.back();
    return block.kind == ManualBlock::Kind::Table ? block.rows.back().back() : block.text;
  }

  // md4c passes code in pieces: line by line, with line ends separately.
  void code(std::string_view piece) {
    std::vector<std::string>& lines = page_.blocks.back().lines;
    if (lines.empty() || line_ended_) lines.emplace_back();
    line_ended_ = piece.ends_with('\n');
    lines.back() += piece.substr(0, piece.size() - (line_ended_ ? 1 : 0));
  }

  ManualPage& page_;
  std::vector<unsigned> lists_;  // per open list: the next number; 0 for a bulleted list
  std::vector<ManualSpan> open_spans_;  // without their text
  bool new_span_ = true, line_ended_ = false;
  int pictures_ = 0;
};

PageMaker& of(void* user) { return *static_cast<PageMaker*>(user); }

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
  PageMaker maker(page);
  MD_PARSER parser = {};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTMLSPANS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) { return of(user).begin(type, detail), 0; };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) { return of(user).end(type), 0; };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) { return of(user).begin(type, detail), 0; };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) { return of(user).end(type), 0; };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* words, MD_SIZE size, void* user) { return of(user).text(type, {words, size}), 0; };
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &maker);
  const auto title = std::ranges::find(page.blocks, ManualBlock::Kind::Heading, &ManualBlock::kind);
  page.title = title == page.blocks.end() ? page.topic : plain_text(title->text);
  return page;
}

}  // namespace tv
