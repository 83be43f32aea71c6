#include "core/read/megatron/wrapped_iteration.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/text/ascii.h"
#include "core/base/text/terminal_codes.h"
#include "core/read/megatron/megatron_line.h"

namespace tv {
namespace {

constexpr std::string_view kWord = "iteration";

bool is_iteration(std::string_view line) {
  return megatron_iteration(line, [](std::string_view, double) {}).has_value();
}

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

// Whether the first line of the text is cut there, and the second goes on with the rest of the head.
bool head_is_cut(std::string_view text) {
  const std::string_view line = line_piece(text);
  const std::size_t newline = text.find('\n');
  if (newline == text.npos || !ends_in_head(line) || is_iteration(line)) return false;
  const std::string_view next = line_piece(text.substr(newline + 1));
  return !is_iteration(next) && is_iteration(std::string(line).append(next));
}

// The text from one of its pieces on.
std::string_view from_piece(std::string_view piece, std::string_view text) {
  return text.substr(static_cast<std::size_t>(piece.data() - text.data()));
}

// Lines of NeMo 2 end with their last number.
WrappedLine whole_nemo_iteration(std::string_view text) {
  return wrapped_line(text, [&](const WrappedLine& before, std::string_view next, bool last) {
    if (begins_iteration(from_piece(next, text)) || next.starts_with('[')) return false;
    return last ? ends_with_value(before.text + std::string(next)) : next.find('|') != next.npos;
  });
}

// All other lines end with a bar.
WrappedLine whole_barred_iteration(std::string_view text) {
  const auto ends = [](std::string_view of) { return without_trailing_blanks(of).ends_with('|'); };
  const auto is_whole = [](std::string_view piece) {
    return megatron_continuation(piece, [](std::string_view, double) {}).has_value();
  };
  return wrapped_line(text, [&](const WrappedLine& before, std::string_view next, bool last) {
    if (begins_iteration(from_piece(next, text)) || (last && !ends(next))) return false;
    if (!ends(before.text)) return true;
    if (before.pieces == 1 && ends(next) && is_whole(next)) return false;
    return next.substr(0, next.find('|')).find_first_of(":=") != next.npos && next.find('|') != next.npos;
  });
}

// The begin of the line with the byte `at`, or of the text.
std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t newline = at == text.npos || at == 0 ? text.npos : text.rfind('\n', at - 1);
  return newline == text.npos ? 0 : newline + 1;
}

// From the last iteration's line on; empty if there is none.
std::string_view last_iteration(std::string_view lines) {
  for (std::size_t end = lines.size(); end > 0;) {
    const std::size_t begin = line_begin(lines, end - 1);
    if (const std::string_view from = lines.substr(begin); begins_iteration(from)) return from;
    end = begin;
  }
  return {};
}

// Whether all pieces are as wide as the first one.
bool is_one_width(std::string_view pieces) {
  const std::size_t width = columns_of(line_piece(pieces));
  for (std::size_t at = 0; at != pieces.npos; at = pieces.find_first_not_of("\r\n", at)) {
    const std::string_view piece = line_piece(pieces.substr(at));
    const std::size_t columns = columns_of(piece);
    if (columns + 1 < width || columns > width + 1) return false;
    at += piece.size();
  }
  return true;
}

}  // namespace

bool begins_iteration(std::string_view text) { return is_iteration(line_piece(text)) || head_is_cut(text); }

WrappedLine whole_iteration(std::string_view text) {
  const std::string_view line = line_piece(text);
  WrappedLine alone{std::string(line), line.size(), 1};
  if (!begins_iteration(text)) return alone;
  const bool nemo = line.find("Training epoch") != line.npos;
  WrappedLine whole = nemo ? whole_nemo_iteration(text) : whole_barred_iteration(text);
  const bool ends = nemo ? ends_with_value(whole.text) : without_trailing_blanks(whole.text).ends_with('|');
  return ends ? std::move(whole) : std::move(alone);
}

std::vector<std::size_t> cut_words(std::string_view text) {
  std::vector<std::size_t> begins;
  std::size_t begin = 0;
  for (std::size_t newline = text.find('\n'); newline != text.npos; newline = text.find('\n', begin)) {
    if (ends_inside_word(line_piece(text.substr(begin))) && head_is_cut(text.substr(begin))) begins.push_back(begin);
    begin = newline + 1;
  }
  return begins;
}

std::size_t open_iteration(std::string_view lines) {
  constexpr std::size_t kLongest = 8 << 10;
  const std::string_view near = lines.substr(lines.size() - std::min(lines.size(), kLongest));
  const std::size_t last = line_begin(near, near.find_last_not_of("\r\n"));
  if (const std::string_view open = last_iteration(near); !open.empty() && is_one_width(open)) return open.size();
  return ends_in_head(line_piece(near.substr(last))) ? near.size() - last : 0;
}

}  // namespace tv
