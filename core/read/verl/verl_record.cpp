#include "core/read/verl/verl_record.h"

#include <algorithm>

#include "core/base/text/ascii.h"
#include "core/base/text/terminal_codes.h"
#include "core/read/behind_launcher.h"
#include "core/read/json/find_text.h"
#include "core/read/verl/verl_step_line.h"
#include "core/read/wrapped_line.h"

namespace tv {
namespace {

constexpr std::string_view kStepColon = "step:";
constexpr std::size_t kLongestItem = 1024;  // longer text without a dash is not an item

// Whether the rest of the line is empty.
bool ends_here(std::string_view rest) {
  const std::size_t next = rest.find_first_not_of(" \r");
  return next == rest.npos || rest[next] == '\n';
}

// Whether a line without metrics can be the front of a line of metrics that was cut within its first item. Checks only the first
// item, since a line of prose may say "step:1 - " often.
bool is_cut_at_first_item(std::string_view text) {
  std::size_t end = kStepColon.size();
  while (end < text.size() && is_digit(text[end])) ++end;
  if (!text.substr(end).starts_with(kBetweenMetrics)) return true;  // a line such as "step:1"
  end = text.find_first_of(" \n", end + kBetweenMetrics.size());
  return end != text.npos && text[end] == '\n';
}

// Whether a record can begin at `at`: this is not "global_step:", and a number and items follow, on this line or the next.
bool may_begin(std::string_view text, std::size_t at) {
  const char before = at == 0 ? '\n' : text[at - 1];
  const bool within = is_digit(before) || (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                      before == '_' || before == '/' || before == '.' || before == '-';
  if (within && !ends_with_terminal_code(text.substr(0, at))) return false;
  std::size_t end = at + kStepColon.size();
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == at + kStepColon.size()) return false;
  std::string_view rest = text.substr(end);
  if (rest.starts_with(kBetweenMetrics)) return true;
  if (rest.starts_with(" -")) rest.remove_prefix(2);
  return ends_here(rest);
}

// Whether the item looks like "timing_s/gen:21.5". Its value need not be a number.
bool has_form(std::string_view item) {
  const std::size_t colon = item.rfind(':');
  return colon != item.npos && colon > 0 && colon + 1 < item.size() && item.find(' ') == item.npos;
}

// Whether the item's value is a number, which may be cut off.
bool is_item(std::string_view item) {
  return has_form(item) && verl_value(item.substr(item.rfind(':') + 1)).has_value();
}

// Whether these are items with dashes between them. `cut`: the last one may be incomplete.
bool are_items(std::string_view text, bool cut) {
  for (;;) {
    const std::size_t next = text.find(kBetweenMetrics);
    const std::string_view item = without_trailing_blanks(text.substr(0, next));
    if (next == text.npos) return has_form(item) || (cut && (item.find(' ') == item.npos || item.ends_with(" -")));
    if (!has_form(item)) return false;
    text.remove_prefix(next + kBetweenMetrics.size());
  }
}

std::string_view last_item(std::string_view text) {
  const std::size_t last = text.rfind(kBetweenMetrics);
  return last == text.npos ? text : text.substr(last + kBetweenMetrics.size());
}

// Joins a record that a terminal cut.
WrappedLine joined_by_width(std::string_view line, std::size_t step) {
  return wrapped_line(line, [&](const WrappedLine& before, std::string_view next, bool last) {
    const std::string_view item = last_item(std::string_view(before.text).substr(step));
    if (item.size() > kLongestItem) return false;
    const bool first_item = item.size() == before.text.size() - step;  // "step:1", or the beginning of it
    if (is_item(item) && !next.starts_with(kBetweenMetrics) && !next.starts_with("- ") && !item.ends_with(" -")) {
      // After a number that may be whole, digits and more items must follow, unless the window's width is already known.
      const std::size_t dash = next.find(kBetweenMetrics);
      const std::string_view rest = without_trailing_blanks(next.substr(0, dash));
      if (rest.find_first_not_of("0123456789.eE+-)") != rest.npos) return false;
      if (before.pieces == 1 && last && dash == next.npos) return false;
    }
    std::string items(item);
    join_piece(items, next);
    return are_items(items, !last) && (!first_item || items.find(kBetweenMetrics) != items.npos || !last);
  });
}

// Joins a record that was printed with one item on each line.
WrappedLine joined_as_list(std::string_view line, std::size_t step) {
  std::string_view piece = line_piece(line);
  WrappedLine out{std::string(piece), piece.size(), 1};
  const std::string_view item = last_item(piece.substr(std::min(step, piece.size())));
  if (!is_item(item)) return out;  // "step:1" is an item
  for (;;) {
    const std::size_t newline = line.find('\n', out.length);
    if (newline == line.npos || newline + 1 == line.size()) return out;
    piece = line_piece(line.substr(newline + 1));
    const std::string_view items = behind_launcher(piece);
    constexpr std::string_view kDash = "- ";
    if (!items.starts_with(kDash) || !are_items(items.substr(kDash.size()), false)) return out;
    out.text.append(kBetweenMetrics).append(without_trailing_blanks(items.substr(kDash.size())));
    out.length = newline + 1 + piece.size();
    ++out.pieces;
  }
}

// Joins the record whose "step:" is at `at` into one line.
WrappedLine joined(std::string_view text, std::size_t begin, std::size_t at) {
  const std::string_view line = text.substr(begin);
  WrappedLine by_width = joined_by_width(line, at - begin), as_list = joined_as_list(line, at - begin);
  return as_list.length > by_width.length ? std::move(as_list) : std::move(by_width);
}

// The record whose "step:" is at `at`, on the line that begins at `begin`. `whole`: its joined pieces, if any were joined.
std::optional<VerlRecord> record_at(std::string_view text, std::size_t begin, std::size_t at, WrappedLine& whole) {
  const auto line = verl_step_line(text.substr(at));
  whole = {};
  if (line ? ends_here(text.substr(at + line->size())) : is_cut_at_first_item(text.substr(at))) whole = joined(text, begin, at);
  const auto of_pieces = whole.pieces > 1 ? verl_step_line(std::string_view(whole.text).substr(at - begin)) : std::nullopt;
  if (of_pieces) return VerlRecord{*of_pieces, begin, whole.length, begin + whole.length < text.size(), {}};
  if (line) return VerlRecord{*line, at, line->size(), at + line->size() < text.size(), {}};
  return std::nullopt;
}

// Calls take(begin of the line, at) for each place where a record can begin. `take` returns where to search on; npos stops.
template <class Take>
void for_each_begin(std::string_view text, Take take) {
  std::size_t begin = 0, searched = 0;  // begin of the current line; newlines before `searched` were seen
  for (std::size_t at = find_text(text, kStepColon, 0); at != text.npos;) {
    std::size_t next = at + 1;
    if (may_begin(text, at)) {
      if (const std::size_t newline = text.substr(searched, at - searched).rfind('\n'); newline != text.npos) {
        begin = searched + newline + 1;
      }
      searched = at;
      next = take(begin, at);
    }
    at = next < text.size() ? find_text(text, kStepColon, next) : text.npos;
  }
}

}  // namespace

void for_each_verl_record(std::string_view text, const std::function<bool(const VerlRecord&)>& visit, Ns written) {
  WrappedLine whole;
  for_each_begin(text, [&](std::size_t begin, std::size_t at) {
    auto record = record_at(text, begin, at, whole);
    if (!record) return at + 1;
    record->stamp = stamp_before_message(text.substr(begin, at - begin), written);
    return visit(*record) ? record->at + record->length : text.npos;
  });
}

std::size_t open_verl_record(std::string_view lines) {
  constexpr std::size_t kLongest = 64 << 10;
  const std::string_view near = lines.substr(lines.size() - std::min(lines.size(), kLongest));
  const std::size_t last = near.find_last_not_of("\r\n");
  if (last == near.npos) return 0;
  const std::size_t last_line = near.rfind('\n', last) + 1;  // npos + 1 is 0
  std::size_t open = 0;
  WrappedLine whole;
  for_each_begin(near, [&](std::size_t begin, std::size_t at) {
    if (begin < last_line) {
      const auto record = record_at(near, begin, at, whole);
      if (whole.pieces == 0 || begin + whole.length <= last) return record ? record->at + record->length : at + 1;
    }
    open = near.size() - begin;
    return near.npos;
  });
  return open;
}

}  // namespace tv
