#include "core/read/megatron/wrapped_values.h"

#include <string>
#include <utility>

#include "core/base/text/ascii.h"
#include "core/read/behind_launcher.h"
#include "core/read/megatron/megatron_line.h"

namespace tv {
namespace {

constexpr std::size_t kLongestOpenValue = 96;

// The text from one of its pieces on.
std::string_view from_piece(std::string_view piece, std::string_view text) {
  return text.substr(static_cast<std::size_t>(piece.data() - text.data()));
}

// Whether a row may be complete.
bool can_end(std::string_view row, RowEnd end) {
  return end == RowEnd::Number ? ends_with_value(row) : without_trailing_blanks(row).ends_with('|');
}

// Whether the text, which follows a bar, can be values of the same row.
bool are_values(std::string_view text) {
  const std::size_t bar = text.rfind('|');
  if (bar == text.npos) return text.size() <= kLongestOpenValue;  // its bar may follow
  const std::string_view values = text.substr(0, bar + 1);
  const bool other_line = behind_launcher(values).size() < values.size() - values.find_first_not_of(' ');
  return !other_line && megatron_continuation(values, [](std::string_view, double) {}).has_value();
}

}  // namespace

// Any piece may happen to end with a bar or a number, so the next ones are joined as well, but count only if they are more values.
WrappedLine joined_values(std::string_view text, std::size_t head, RowEnd end, bool (*begins_row)(std::string_view text)) {
  std::size_t size = 0, length = 0, pieces = 0;  // up to the last piece at which the row can end
  const auto take = [&](const WrappedLine& joined) {
    const std::string_view row = joined.text;
    if (pieces > 0 && !are_values(row.substr(row.rfind('|', size - 1) + 1))) return false;
    if (row.size() >= head && can_end(row, end)) {
      size = row.size();
      length = joined.length;
      pieces = joined.pieces;
    }
    return row.size() <= kLongestRow;
  };
  WrappedLine joined = wrapped_line(text, [&](const WrappedLine& before, std::string_view next, bool last) {
    if (last && !can_end(before.text.substr(before.text.rfind('|') + 1).append(next), end)) return false;
    return take(before) && !begins_row(from_piece(next, text));
  });
  if (joined.pieces > pieces) take(joined);
  joined.text.resize(size);
  return {std::move(joined.text), length, pieces};
}

}  // namespace tv
