#include "core/view/manual/manual_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

struct WordPiece {
  std::string text;
  ManualStyle style = ManualStyle::Text;
  std::string target;
};
struct FlowedWord {
  std::vector<WordPiece> pieces;  // without spaces between them
  bool space = false;             // a space precedes the word
};

ManualStyle style_of(ManualSpan::Kind kind, ManualStyle plain) {
  switch (kind) {
    case ManualSpan::Kind::Code: return ManualStyle::Code;
    case ManualSpan::Kind::Link: return ManualStyle::Link;
    case ManualSpan::Kind::Strong: return plain == ManualStyle::Text ? ManualStyle::Strong : plain;
    case ManualSpan::Kind::Text: break;
  }
  return plain;
}

std::vector<FlowedWord> flowed_words(const ManualText& text, ManualStyle plain) {
  std::vector<FlowedWord> words;
  bool new_word = true, space = false;
  for (const ManualSpan& span : text) {
    const ManualStyle style = style_of(span.kind, plain);
    for (std::size_t at = 0; at < span.text.size();) {
      if (span.text[at] == ' ') {
        new_word = space = true;
        ++at;
        continue;
      }
      const std::size_t end = std::min(span.text.find(' ', at), span.text.size());
      if (std::exchange(new_word, false)) words.push_back({{}, std::exchange(space, false) && !words.empty()});
      words.back().pieces.push_back({span.text.substr(at, end - at), style, span.target});
      at = end;
    }
  }
  return words;
}

class ManualFlow {
 public:
  ManualFlow(const ManualPage& page, float width, const ManualMeasures& measures, ManualLayout& out)
      : page_(page), width_(width), measures_(measures), out_(out) {}

  void run() {
    for (block_ = 0; block_ < page_.blocks.size(); ++block_) {
      const ManualBlock& block = page_.blocks[block_];
      if (block_ > 0) y_ += space_before(block, page_.blocks[block_ - 1]);
      const float begin = y_;
      switch (block.kind) {
        case ManualBlock::Kind::Heading: heading(block); break;
        case ManualBlock::Kind::Paragraph: y_ = flow(block.text, 0, width_, y_, ManualStyle::Text, measures_.line); break;
        case ManualBlock::Kind::Item: item(block); break;
        case ManualBlock::Kind::Code: code(block); break;
        case ManualBlock::Kind::Table: table(block); break;
      }
      out_.blocks.push_back({begin, y_ - begin});
    }
    out_.height = y_;
    std::ranges::stable_sort(out_.fragments, {}, &ManualFragment::y);
  }

 private:
  float space_before(const ManualBlock& block, const ManualBlock& before) const {
    if (block.kind == ManualBlock::Kind::Heading) return measures_.above_heading;
    const bool in_list = block.kind == ManualBlock::Kind::Item && before.kind == ManualBlock::Kind::Item;
    return in_list ? measures_.between_items : measures_.between_blocks;
  }

  void heading(const ManualBlock& block) {
    const bool title = block.level == 1;
    y_ = flow(block.text, 0, width_, y_, title ? ManualStyle::Title : ManualStyle::Heading, title ? measures_.title : measures_.heading);
  }

  void item(const ManualBlock& block) {
    const float x = measures_.indent * static_cast<float>(block.level);
    const float marker_width = std::max(measures_.indent, measures_.width(block.marker + " ", ManualStyle::Text));
    put({block.marker, ManualStyle::Text, {}}, x, y_, false);
    y_ = flow(block.text, x + marker_width, width_ - x - marker_width, y_, ManualStyle::Text, measures_.line);
  }

  void code(const ManualBlock& block) {
    for (const std::string& line : block.lines) {
      std::string_view rest = line;
      do {
        const std::size_t fits = measures_.breaks_code ? letters_that_fit(rest, width_ - measures_.indent, ManualStyle::Code) : rest.size();
        put({std::string(rest.substr(0, fits)), ManualStyle::Code, {}}, measures_.indent, y_, false);
        rest.remove_prefix(fits);
        y_ += measures_.line;
      } while (!rest.empty());
    }
  }

  void table(const ManualBlock& block) {
    const std::vector<float> columns = columns_of(block);
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      float x = 0, bottom = y_ + measures_.line;
      for (std::size_t c = 0; c < block.rows[r].size() && c < columns.size(); ++c) {
        const ManualStyle plain = r == 0 ? ManualStyle::Strong : ManualStyle::Text;
        bottom = std::max(bottom, flow(block.rows[r][c], x, columns[c], y_, plain, measures_.line));
        x += columns[c] + measures_.between_columns;
      }
      y_ = bottom;
      if (r == 0) out_.rules.push_back(y_ + measures_.between_rows / 2);
      if (r + 1 < block.rows.size()) y_ += measures_.between_rows;
    }
  }

  // Columns are as wide as their contents if there is room. Otherwise those wider than an equal share divide what the others leave.
  std::vector<float> columns_of(const ManualBlock& block) const {
    std::size_t count = 0;
    for (const auto& row : block.rows) count = std::max(count, row.size());
    std::vector<float> wanted(count, 0);
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
        const ManualStyle plain = r == 0 ? ManualStyle::Strong : ManualStyle::Text;
        wanted[c] = std::max(wanted[c], line_width(flowed_words(block.rows[r][c], plain)));
      }
    }
    float room = width_ - measures_.between_columns * (static_cast<float>(count) - 1);
    if (std::accumulate(wanted.begin(), wanted.end(), 0.0f) <= room) return wanted;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t c) { return wanted[c]; });
    for (std::size_t i = 0; i < count; ++i) {
      float& column = wanted[order[i]];
      column = std::min(column, room / static_cast<float>(count - i));
      room -= column;
    }
    return wanted;
  }

  float line_width(const std::vector<FlowedWord>& words) const {
    float width = 0;
    for (const FlowedWord& word : words) width += (word.space ? space() : 0) + width_of(word);
    return width;
  }
  float width_of(const FlowedWord& word) const {
    float width = 0;
    for (const WordPiece& piece : word.pieces) width += measures_.width(piece.text, piece.style);
    return width;
  }
  float space() const { return measures_.width(" ", ManualStyle::Text); }

  // Returns a number of bytes: those of at least one letter, so that the caller's loop ends.
  std::size_t letters_that_fit(std::string_view text, float width, ManualStyle style) const {
    std::size_t fits = 0;
    for (std::size_t end = 1; end <= text.size(); ++end) {
      if (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) continue;  // inside a letter
      if (fits > 0 && measures_.width(text.substr(0, end), style) > width) break;
      fits = end;
    }
    return fits;
  }

  // Places words from (x, y) on. Returns the y of the line after them.
  float flow(const ManualText& text, float x, float width, float y, ManualStyle plain, float line) {
    float at = 0;
    for (FlowedWord& word : flowed_words(text, plain)) {
      const float gap = at > 0 && word.space ? space() : 0;
      if (at > 0 && at + gap + width_of(word) > width) {
        at = 0;
        y += line;
      }
      bool spaced = at > 0 && gap > 0;
      for (WordPiece& piece : word.pieces) {
        while (at + (spaced ? gap : 0) + measures_.width(piece.text, piece.style) > width) {
          const std::size_t fits = at > 0 ? 0 : letters_that_fit(piece.text, width, piece.style);
          if (fits >= piece.text.size()) break;
          if (fits > 0) put({piece.text.substr(0, fits), piece.style, piece.target}, x, y, false);
          piece.text.erase(0, fits);
          at = 0;
          spaced = false;
          y += line;
        }
        at += put(piece, x + at, y, std::exchange(spaced, false));
      }
    }
    return y + line;
  }

  // Places a piece, as part of the previous fragment if both look alike. Returns its width.
  float put(const WordPiece& piece, float x, float y, bool spaced) {
    const float gap = spaced ? space() : 0;
    if (!out_.fragments.empty()) {
      ManualFragment& last = out_.fragments.back();
      const bool alike = last.block == block_ && last.y == y && last.style == piece.style && last.target == piece.target;
      if (alike && std::abs(last.x + last.width - x) < 0.01f) {
        const float before = last.width;
        last.text += (spaced ? " " : "") + piece.text;
        last.width = measures_.width(last.text, last.style);
        return last.width - before;
      }
    }
    const float width = measures_.width(piece.text, piece.style);
    out_.fragments.push_back({x + gap, y, width, piece.style, piece.text, piece.target, block_});
    return gap + width;
  }

  const ManualPage& page_;
  float width_;
  const ManualMeasures& measures_;
  ManualLayout& out_;
  float y_ = 0;
  std::size_t block_ = 0;
};

}  // namespace

ManualLayout lay_out_manual(const ManualPage& page, float width, const ManualMeasures& measures) {
  ManualLayout out;
  ManualFlow(page, width, measures, out).run();
  return out;
}

std::vector<std::size_t> find_in_page(const ManualPage& page, std::string_view words) {
  std::vector<std::size_t> blocks;
  if (words.empty()) return blocks;
  const std::string wanted = lower_case(words);
  for (std::size_t b = 0; b < page.blocks.size(); ++b) {
    if (lower_case(plain_text(page.blocks[b])).find(wanted) != std::string::npos) blocks.push_back(b);
  }
  return blocks;
}

}  // namespace tv
