#include "core/export/parts/source_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/base/memory/column.h"
#include "core/base/text/utf8.h"
#include "core/export/parts/strict_json.h"
#include "core/io/streams/byte_stream.h"
#include "core/session/packed/source_text.h"

namespace tv {
namespace {

constexpr std::size_t kHead = 4 << 20, kTail = 256 << 10;

using Members = std::vector<std::pair<std::string, std::string>>;

// Members that the exporter writes itself, and those that would shift the clock of its output.
bool is_ours(std::string_view key) {
  constexpr std::array<std::string_view, 5> kOurs = {"traceEvents", "baseTimeNanoseconds", "displayTimeUnit",
                                                     "otherData", "viztracer_metadata"};
  return std::ranges::find(kOurs, key) != kOurs.end();
}

// Reads the member at `at` and returns the position after it. Null if there is none; if its key is "traceEvents", sets only `key`.
const char* read_member(const char* at, const char* end, std::string& key, std::string& value) {
  const char* const begin = at;
  if (!(at = strict_json::past_string(at, end))) return nullptr;
  key.assign(begin + 1, at - 1);
  at = strict_json::past_blanks(at, end);
  if (at == end || *at != ':') return nullptr;
  const char* const from = at = strict_json::past_blanks(at + 1, end);
  if (key == "traceEvents") return nullptr;
  if (!(at = strict_json::past_value(at, end, 0))) return nullptr;
  value.assign(from, at);
  return at;
}

// Whether the text from `from` on is `, "key": value ... }` up to its end. `tried`: by byte, positions known to fail, so that no
// member is read twice.
bool only_members(std::string_view text, std::size_t from, std::vector<bool>& tried, Members& found) {
  const char *at = text.data() + from, *const end = text.data() + text.size();
  std::string key, value;
  while (true) {
    at = strict_json::past_blanks(at, end);
    if (at == end || tried[static_cast<std::size_t>(at - text.data())]) return false;
    tried[static_cast<std::size_t>(at - text.data())] = true;
    if (*at == '}') return strict_json::past_blanks(at + 1, end) == end;
    if (*at != ',') return false;
    at = strict_json::past_blanks(at + 1, end);
    if (at == end || *at != '"' || !(at = read_member(at, end, key, value))) return false;
    found.emplace_back(std::move(key), std::move(value));
  }
}

struct HeadAndTail {
  std::string head, tail;
};

Result<HeadAndTail> ends_of(const SourceInfo& source) {
  auto stream = open_source_text(source);
  if (!stream) return stream.error();
  HeadAndTail out;
  Column<char> piece(kHead);
  const auto n = read_fully(**stream, piece);
  if (!n) return n.error();
  out.head.assign(piece.data(), n.value());
  if (out.head.size() < kHead) {
    out.tail = out.head;
    return out;
  }
  if (const std::uint64_t reach = (*stream)->reach(); reach > 0) {
    out.tail.resize(kTail);
    const auto m = (*stream)->read_at(reach - std::min<std::uint64_t>(reach, kTail), out.tail);
    if (!m) return m.error();
    out.tail.resize(m.value());
    return out;
  }
  out.tail = out.head.substr(kHead - kTail);
  while (true) {
    const auto m = read_fully(**stream, piece);
    if (!m) return m.error();
    out.tail.append(piece.data(), m.value());
    out.tail.erase(0, out.tail.size() - std::min(out.tail.size(), kTail));
    if (m.value() < piece.size()) return out;
  }
}

// The members of the top-level object before its events.
struct MembersBefore {
  Members found;
  bool all = false;  // none is missing
};

// None if the file is not such an object, but an array, or one event after the other.
std::optional<MembersBefore> members_before_events(std::string_view head) {
  MembersBefore out;
  // If the head cannot be read up to its events, this distinguishes an object with events from a bare first event.
  const bool may_hold_events = head.size() == kHead || head.find("\"traceEvents\"") != head.npos;
  const auto unread = [&] { return may_hold_events ? std::optional(std::move(out)) : std::nullopt; };
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const char *at = head.data(), *const end = at + head.size();
  at = strict_json::past_blanks(at, end);
  if (at == end || *at != '{') return std::nullopt;
  std::string key, value;
  do {
    at = strict_json::past_blanks(at + 1, end);
    if (at == end || *at != '"') return unread();
    at = read_member(at, end, key, value);
    if (!at && key != "traceEvents") return unread();
    if (!at) {
      out.all = true;
      return out;
    }
    out.found.emplace_back(std::move(key), std::move(value));
    at = strict_json::past_blanks(at, end);
  } while (at < end && *at == ',');
  return at < end && *at == '}' ? std::nullopt : unread();
}

// The members after the events. Tries each bracket until one is followed only by members, because values can contain brackets too.
// None if there is no such bracket.
std::optional<Members> members_after_events(std::string_view tail) {
  std::vector<bool> tried(tail.size());
  for (std::size_t at = tail.find(']'); at != std::string_view::npos; at = tail.find(']', at + 1)) {
    const std::size_t next = tail.find_first_not_of(" \t\r\n", at + 1);
    if (next == std::string_view::npos) break;
    if (tail[next] == ',') {
      const std::size_t key = tail.find_first_not_of(" \t\r\n", next + 1);
      if (key == std::string_view::npos || tail[key] != '"') continue;
    } else if (tail[next] != '}') {
      continue;
    }
    Members found;
    if (only_members(tail, at + 1, tried, found)) return found;
  }
  return std::nullopt;
}

// The members of a source around its events. Adds what could not be read to `left_out`.
Members members_around_events(const SourceInfo& source, const HeadAndTail& ends, std::vector<std::string>& left_out) {
  std::optional<MembersBefore> before = members_before_events(ends.head);
  if (!before) return {};
  const auto leave_out = [&](std::string_view where, std::size_t most) {
    left_out.push_back(fmt::format("members of {} {} its events: they take more than {} KiB, or are not JSON that every parser accepts",
                                   source.path, where, most >> 10));
  };
  if (!before->all) leave_out("before", kHead);
  Members all = std::move(before->found);
  if (auto after = members_after_events(ends.tail)) {
    for (auto& member : *after) all.push_back(std::move(member));
  } else if (source.problems.count(ProblemKind::missing_close) == 0) {  // otherwise the file ends inside its events
    leave_out("after", kTail);
  }
  return all;
}

}  // namespace

SourceMembers source_members(const Trace& trace) {
  struct Member {
    std::string key, value;
    bool differs = false;
  };
  SourceMembers out;
  std::vector<Member> all;
  std::unordered_map<std::string, std::size_t> known;  // by key, into `all`
  std::uint64_t files = 0;
  for (const SourceInfo& source : trace.sources) {
    if (source.format != "chrome_json") continue;
    if (source.slices + source.instants + source.samples == 0) continue;
    const auto ends = ends_of(source);
    if (!ends) {
      out.problems.push_back({"its members other than events could not be read again: " + ends.error().reason(), source.path, {}, {}});
      continue;
    }
    ++files;
    for (auto& [key, value] : members_around_events(source, ends.value(), out.left_out)) {
      if (is_ours(key)) {
        if (key == "viztracer_metadata") {
          out.left_out.push_back(fmt::format("{} of {}, which would shift the clock of the output", key, source.path));
        }
        continue;
      }
      const auto [at, is_new] = known.try_emplace(key, all.size());
      if (is_new) {
        all.push_back({key, value, false});
      } else {
        all[at->second].differs |= all[at->second].value != value;
      }
    }
  }
  for (Member& member : all) {
    if (member.differs) {
      out.left_out.push_back(fmt::format("{}, which differs among {} files", member.key, files));
    } else {
      out.kept.emplace_back(std::move(member.key), std::move(member.value));
    }
  }
  return out;
}

}  // namespace tv
