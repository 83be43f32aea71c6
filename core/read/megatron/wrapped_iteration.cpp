#include "core/read/megatron/wrapped_iteration.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/text/ascii.h"
#include "core/read/megatron/megatron_line.h"

namespace tv {
namespace {

bool begins_iteration(std::string_view line) {
  return megatron_iteration(line, [](std::string_view, double) {}).has_value();
}

// Lines of NeMo 2 end with their last number.
WrappedLine whole_nemo_iteration(std::string_view text) {
  return wrapped_line(text, [](const WrappedLine& before, std::string_view next, bool last) {
    if (begins_iteration(next) || next.starts_with('[')) return false;
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
    if (begins_iteration(next) || (last && !ends(next))) return false;
    if (!ends(before.text)) return true;
    if (before.pieces == 1 && is_whole(next)) return false;
    return next.substr(0, next.find('|')).find_first_of(":=") != next.npos && next.find('|') != next.npos;
  });
}

}  // namespace

WrappedLine whole_iteration(std::string_view text) {
  const std::string_view line = line_piece(text);
  WrappedLine alone{std::string(line), line.size(), 1};
  if (!begins_iteration(line)) return alone;
  const bool nemo = line.find("Training epoch") != line.npos;
  WrappedLine whole = nemo ? whole_nemo_iteration(text) : whole_barred_iteration(text);
  const bool ends = nemo ? ends_with_value(whole.text) : without_trailing_blanks(whole.text).ends_with('|');
  return ends ? std::move(whole) : std::move(alone);
}

std::size_t open_iteration(std::string_view lines) {
  constexpr std::size_t kLongest = 8 << 10;
  const std::string_view near = lines.substr(lines.size() - std::min(lines.size(), kLongest));
  std::string_view from;
  for (std::size_t at = near.rfind("iteration"); at != near.npos; at = near.rfind("iteration", at - 1)) {
    const std::size_t newline = near.rfind('\n', at);
    from = near.substr(newline == near.npos ? 0 : newline + 1);
    if (begins_iteration(line_piece(from))) break;  // else the word is inside an iteration's line, or in prose
    from = {};
    if (at == 0) break;
  }
  const std::string_view first = line_piece(from);
  if (from.empty()) return 0;
  // Check that all pieces so far are as wide as the first one.
  const std::size_t width = columns_of(first);
  for (std::size_t begin = first.size(); begin < from.size();) {
    begin = from.find_first_not_of("\r\n", begin);
    if (begin == from.npos) break;
    const std::string_view piece = line_piece(from.substr(begin));
    const std::size_t columns = columns_of(piece);
    if (columns + 1 < width || columns > width + 1) return 0;
    begin += piece.size();
  }
  return from.size();
}

}  // namespace tv
