#include "core/read/megatron/wrapped_rows.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/text/ascii.h"
#include "core/base/text/terminal_codes.h"
#include "core/read/behind_launcher.h"
#include "core/read/megatron/megatron_line.h"
#include "core/read/megatron/wrapped_values.h"

namespace tv {
namespace {

constexpr std::string_view kWord = "iteration";
// Limits, for the reason given at kLongestRow: longer lines before a head, and heads of more pieces, are not joined.
constexpr std::size_t kLongestBefore = 1 << 10;
constexpr std::size_t kHeadPieces = 3, kPiecesBefore = 5;

constexpr auto kNoValues = [](std::string_view, double) {};

bool is_iteration(std::string_view line) { return megatron_iteration(line, kNoValues).has_value(); }

// The text after its first line; empty if it has only one line.
std::string_view behind_piece(std::string_view text) {
  return text.substr(std::min(text.find('\n'), text.size() - 1) + 1);
}

// Whether the line's last word is "i", "it", ... or "iteratio". It is not in "wait", but it is right after a terminal's code.
bool ends_inside_word(std::string_view line) {
  for (std::size_t length = 1; length < kWord.size(); ++length) {
    if (!line.ends_with(kWord.substr(0, length))) continue;
    const std::string_view before = line.substr(0, line.size() - length);
    if (before.empty() || !is_letter(before.back()) || ends_with_terminal_code(before)) return true;
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
    text = behind_piece(text);
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

// The other rows that are known by fixed words.
struct LogRowKind {
  std::string_view words;  // in its first line
  RowEnd end;
};
constexpr std::string_view kRankWord = "[Rank ";  // a row may hold several ranks; only the first one begins a row
constexpr LogRowKind kLogRowKinds[] = {{"time (ms) |", RowEnd::Number}, {kRankWord, RowEnd::Number}, {"validation loss at ", RowEnd::Bar}};

// The length of the words' part that the line ends with, if it ends inside them; else 0. Their first letter comes only once in
// them, so there is only one such part.
std::size_t cut_length(std::string_view line, std::string_view words) {
  const std::string_view end = line.substr(line.size() - std::min(line.size(), words.size() - 1));
  const std::size_t at = end.rfind(words.front());
  return at != end.npos && words.starts_with(end.substr(at)) ? end.size() - at : 0;
}
static_assert(std::ranges::all_of(kLogRowKinds, [](const LogRowKind& kind) { return kind.words.rfind(kind.words.front()) == 0; }));

struct LogRowHead {
  std::size_t length;  // up to the end of the words
  RowEnd end;
};
std::optional<LogRowHead> row_head(std::string_view text) {
  const std::string_view line = line_piece(text), next = line_piece(behind_piece(text));
  for (const LogRowKind& kind : kLogRowKinds) {
    const std::string_view words = kind.words;
    const auto head_at = [&](std::size_t at) -> std::optional<LogRowHead> {
      if (words == kRankWord && !behind_launcher(line.substr(0, at)).empty()) return std::nullopt;
      return LogRowHead{at + words.size(), kind.end};
    };
    if (const std::size_t at = line.find(words); at != line.npos) {
      if (const auto head = head_at(at)) return head;
    }
    const std::size_t cut = cut_length(line, words);
    if (cut == 0 || !next.starts_with(words.substr(cut))) continue;
    if (const auto head = head_at(line.size() - cut)) return head;
  }
  return std::nullopt;
}

bool ends_inside_row_words(std::string_view line) {
  return std::ranges::any_of(kLogRowKinds, [&](const LogRowKind& kind) { return cut_length(line, kind.words) > 0; });
}

bool is_row(std::string_view line) {
  return megatron_times(line, kNoValues) || megatron_validation(line, kNoValues) ||
         megatron_memory(line, [](std::string_view, std::int64_t, double) {});
}

// A row of the table of timers, "    forward-backward .....: (26094.39, 26095.09)". Its later lines contain only dots, and numbers
// in brackets. The result has no pieces if there is no such row.
constexpr std::string_view kTimerDots = " ....";
WrappedLine whole_timer(std::string_view text) {
  constexpr std::string_view kCharacters = ".: (),0123456789+-einfa";
  WrappedLine whole;
  const auto take = [&](const WrappedLine& joined) {
    if (megatron_timer(joined.text)) whole = joined;
  };
  take(wrapped_line(text, [&](const WrappedLine& joined, std::string_view next, bool) {
    take(joined);
    return joined.length <= kLongestBefore && next.find_first_not_of(kCharacters) == next.npos;
  }));
  return whole;
}

// Whether a line holds nothing but an iteration and what loggers and launchers write before it. Another line with a timestamp has
// a message, by which it is known to be no piece of this row, even if it is as wide as the window.
bool has_no_message(std::string_view line) {
  constexpr std::size_t kWords = 2;  // "- megatron - INFO - iteration", "job/0 [default0]:Training epoch 0, iteration"
  const std::string_view rest = behind_launcher(line), before = rest.substr(0, rest.find(kWord));
  std::size_t words = 0;
  for (std::size_t at = 0; at < before.size(); ++at) {
    if (is_letter(before[at]) && (at == 0 || before[at - 1] == ' ')) ++words;
  }
  return words <= kWords;
}

// Where the line that contains byte `at` begins.
std::size_t line_begin(std::string_view text, std::size_t at) {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
}

}  // namespace

bool begins_iteration(std::string_view text) { return is_iteration(line_piece(text)) || !cut_head(text).empty(); }

bool begins_row(std::string_view text) { return begins_iteration(text) || row_head(text).has_value(); }

WrappedLine whole_row(std::string_view text) {
  const std::string_view line = line_piece(text);
  WrappedLine whole;
  if (const std::string iteration = iteration_head(text); !iteration.empty()) {
    const bool nemo = iteration.find(", iteration") != iteration.npos;
    whole = joined_values(text, iteration.size(), nemo ? RowEnd::Number : RowEnd::Bar, begins_row);
  } else if (const auto head = row_head(text)) {
    whole = joined_values(text, head->length, head->end, begins_row);
    if (!is_row(whole.text)) whole = {};
  } else if (line.find(kTimerDots) != line.npos) {
    whole = whole_timer(text);
  }
  if (whole.pieces > 0) return whole;
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
    const std::string_view line = line_piece(text.substr(begin));
    if ((ends_inside_word(line) || ends_inside_row_words(line)) && begins_row(text.substr(begin))) begins.push_back(begin);
    begin = newline + 1;
  }
  return begins;
}

std::size_t open_row(std::string_view lines, Ns written) {
  constexpr std::size_t kNear = 2 * kLongestRow;  // a row that begins further back is complete
  const std::size_t first = lines.size() - std::min(lines.size(), kNear);
  std::size_t begin = lines.size(), last_lines = 0;
  for (std::size_t count = 1; begin > first; ++count) {
    begin = line_begin(lines, begin - 1);
    if (begins_row(lines.substr(begin))) return lines.size() - begin + pieces_before(lines, begin, written).length;
    // These lines may be the pieces before a head and the first pieces of the head; its last piece may come next.
    if (count < kHeadPieces + kPiecesBefore) last_lines = lines.size() - begin;
  }
  return last_lines;
}

}  // namespace tv
