#include "core/read/megatron/wrapped_iteration.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/text/ascii.h"
#include "core/base/text/terminal_codes.h"
#include "core/read/behind_launcher.h"
#include "core/read/megatron/megatron_line.h"

namespace tv {
namespace {

constexpr std::string_view kWord = "iteration";
// More bytes or pieces than these are not joined. So a chunk holds back little, and no result depends on where a chunk ends.
constexpr std::size_t kLongestIteration = 4 << 10, kLongestOpenValue = 96, kLongestBefore = 1 << 10;
constexpr std::size_t kHeadPieces = 3, kPiecesBefore = 5;

constexpr auto kNoValues = [](std::string_view, double) {};

bool is_iteration(std::string_view line) { return megatron_iteration(line, kNoValues).has_value(); }

bool ends_with_code(std::string_view text) {
  const std::size_t code = text.rfind('\x1b');
  return code != text.npos && code + terminal_code_length(text.substr(code)) == text.size();
}

// Whether the line ends with "i", "it", ... "iteratio".
bool ends_inside_word(std::string_view line) {
  for (std::size_t length = 1; length < kWord.size(); ++length) {
    if (!line.ends_with(kWord.substr(0, length))) continue;
    const std::string_view before = line.substr(0, line.size() - length);
    if (before.empty() || !is_letter(before.back()) || ends_with_code(before)) return true;
  }
  return false;
}

// Whether the line may end before the bar of "iteration 10/1000 |".
bool ends_in_head(std::string_view line) {
  if (ends_inside_word(line)) return true;
  const std::size_t word = line.rfind(kWord);
  return word != line.npos && line.find_first_not_of(" :=/0123456789infty", word + kWord.size()) == line.npos;
}

// Joins the first lines of the text if the first one ends inside the head of an iteration. Empty if it does not.
std::string cut_head(std::string_view text) {
  const std::string_view line = line_piece(text);
  if (line.size() > kLongestBefore || !ends_in_head(line)) return {};
  std::string head(line), others;
  for (std::size_t pieces = 1; pieces < kHeadPieces && ends_in_head(head); ++pieces) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    const std::string_view piece = line_piece(text);
    if (piece.empty()) return {};
    head += piece;
    others += piece;
    if (is_iteration(others)) return {};
    if (is_iteration(head)) return head;
  }
  return {};
}

// The first line of the text, or its first pieces if its head is cut. Empty if no iteration begins there.
std::string iteration_head(std::string_view text) {
  const std::string_view line = line_piece(text);
  return is_iteration(line) ? std::string(line) : cut_head(text);
}

// The text from one of its pieces on.
std::string_view from_piece(std::string_view piece, std::string_view text) {
  return text.substr(static_cast<std::size_t>(piece.data() - text.data()));
}

// Whether the line of an iteration may be complete. NeMo 2 ends it with its last number, all others with a bar.
bool can_end(std::string_view line, bool nemo) {
  return nemo ? ends_with_value(line) : without_trailing_blanks(line).ends_with('|');
}

// Whether the text, which follows a bar, can be values of the same iteration.
bool are_values(std::string_view text) {
  const std::size_t bar = text.rfind('|');
  if (bar == text.npos) return text.size() <= kLongestOpenValue;  // its bar may follow
  const std::string_view values = text.substr(0, bar + 1);
  const bool other_line = behind_launcher(values).size() < values.size() - values.find_first_not_of(' ');
  return !other_line && megatron_continuation(values, kNoValues).has_value();
}

// Joins pieces up to the last one at which the line can end. Any piece may happen to end with a bar or a number, so the next ones
// are joined as well, but count only if they are more values. No pieces: the line has no end. `head`: the length of its head.
WrappedLine joined_iteration(std::string_view text, std::size_t head, bool nemo) {
  std::size_t size = 0, length = 0, pieces = 0;  // up to the last such piece
  const auto take = [&](const WrappedLine& joined) {
    const std::string_view line = joined.text;
    if (pieces > 0 && !are_values(line.substr(line.rfind('|', size - 1) + 1))) return false;
    if (line.size() >= head && can_end(line, nemo)) {
      size = line.size();
      length = joined.length;
      pieces = joined.pieces;
    }
    return line.size() <= kLongestIteration;
  };
  WrappedLine joined = wrapped_line(text, [&](const WrappedLine& before, std::string_view next, bool last) {
    if (last && !can_end(before.text.substr(before.text.rfind('|') + 1).append(next), nemo)) return false;
    return take(before) && !begins_iteration(from_piece(next, text));
  });
  if (joined.pieces > pieces) take(joined);
  joined.text.resize(size);
  return {std::move(joined.text), length, pieces};
}

// Whether a line holds nothing but an iteration and what loggers and launchers write before it. Other lines with a timestamp have
// a message, which tells them from pieces if they end at the window's edge.
bool has_no_message(std::string_view line) {
  constexpr std::size_t kWords = 2;  // "- megatron - INFO - iteration", "job/0 [default0]:Training epoch 0, iteration"
  const std::string_view rest = behind_launcher(line), before = rest.substr(0, rest.find(kWord));
  std::size_t words = 0;
  for (std::size_t at = 0; at < before.size(); ++at) {
    if (is_letter(before[at]) && (at == 0 || before[at - 1] == ' ')) ++words;
  }
  return words <= kWords;
}

// The begin of the line with the byte `at`, or of the text.
std::size_t line_begin(std::string_view text, std::size_t at) {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
}

}  // namespace

bool begins_iteration(std::string_view text) { return is_iteration(line_piece(text)) || !cut_head(text).empty(); }

WrappedLine whole_iteration(std::string_view text) {
  const std::string head = iteration_head(text);
  WrappedLine whole;
  if (!head.empty()) whole = joined_iteration(text, head.size(), head.find(", iteration") != head.npos);
  if (whole.pieces > 0) return whole;
  const std::string_view line = line_piece(text);
  return {std::string(line), line.size(), 1};
}

WrappedLine pieces_before(std::string_view text, std::size_t begin, Ns written) {
  const std::string head = iteration_head(text.substr(begin));
  const std::size_t columns = columns_of(line_piece(text.substr(begin)));
  WrappedLine before;
  while (before.pieces <= kPiecesBefore && before.length <= kLongestBefore) {
    const std::string line = before.text + head;
    const auto iteration = megatron_iteration(line, kNoValues, written);
    if (iteration && iteration->end) return has_no_message(line) ? before : WrappedLine();
    const std::size_t end = begin - before.length;
    if (!iteration || end == 0) return {};
    const std::size_t at = line_begin(text, end - 1);
    const std::string_view piece = line_piece(text.substr(at));
    const std::size_t wide = columns_of(piece);
    // A piece with a bar belongs to the iteration before.
    if (wide + 1 < columns || wide > columns + 1 || piece.find('|') != piece.npos) return {};
    before.text.insert(0, piece);
    before.length = begin - at;
    ++before.pieces;
  }
  return {};
}

std::vector<std::size_t> cut_words(std::string_view text) {
  std::vector<std::size_t> begins;
  std::size_t begin = 0;
  for (std::size_t newline = text.find('\n'); newline != text.npos; newline = text.find('\n', begin)) {
    if (ends_inside_word(line_piece(text.substr(begin))) && begins_iteration(text.substr(begin))) begins.push_back(begin);
    begin = newline + 1;
  }
  return begins;
}

std::size_t open_iteration(std::string_view lines, Ns written) {
  constexpr std::size_t kNear = 2 * kLongestIteration;  // what begins before that is complete
  const std::size_t first = lines.size() - std::min(lines.size(), kNear);
  std::size_t begin = lines.size(), last_lines = 0;
  for (std::size_t count = 1; begin > first; ++count) {
    begin = line_begin(lines, begin - 1);
    if (begins_iteration(lines.substr(begin))) return lines.size() - begin + pieces_before(lines, begin, written).length;
    // These lines may be the pieces before a head, and its first ones, whose last one comes next.
    if (count < kHeadPieces + kPiecesBefore) last_lines = lines.size() - begin;
  }
  return last_lines;
}

}  // namespace tv
