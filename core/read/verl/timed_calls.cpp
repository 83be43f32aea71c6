#include "core/read/verl/timed_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/base/text/ascii.h"
#include "core/base/text/count_text.h"
#include "core/base/text/decimal_ns.h"
#include "core/base/text/log_stamp.h"
#include "core/base/text/path_parts.h"
#include "core/base/text/terminal_codes.h"
#include "core/base/text/utf8.h"
#include "core/read/json/find_text.h"
#include "core/read/verl/verl_step_line.h"

namespace tv {
namespace {

constexpr std::string_view kTaken = "ime taken for ";  // "Time", "Total time"
struct CallFront {
  std::string_view words, named;
};
constexpr CallFront kFronts[] = {{"Time taken for ", ""}, {"Total time taken for ", "total of "}};
constexpr std::string_view kCallBlanks = " \t";

// Reads "1.5", "1e-05", "1,234.5", "np.float64(1.5)".
std::optional<Ns> length_of(std::string_view printed) {
  if (const auto exact = decimal_ns(printed, kSecond)) return exact;
  std::string digits(printed);
  std::erase(digits, ',');
  if (const auto exact = decimal_ns(digits, kSecond)) return exact;
  const auto value = verl_value(printed);
  if (!value || !(std::abs(value->value) < to_seconds(kLongestLength))) return std::nullopt;
  return static_cast<Ns>(std::llround(value->value * 1e9));
}

// Whether the text looks like a number: "0x10" does, "a while" does not.
bool stands_for_a_number(std::string_view text) {
  constexpr std::size_t kLongestNumber = 64;
  if (text.empty() || text.size() > kLongestNumber || text.find_first_of(kCallBlanks) != text.npos) return false;
  return std::ranges::any_of(text, is_digit) || verl_value(text).has_value();
}

// "[repeated 7x across cluster]"
std::uint32_t repeated_by_ray(std::string_view rest) {
  constexpr std::string_view kRepeated = "[repeated ";
  const std::size_t at = rest.find(kRepeated);
  if (at == rest.npos) return 0;
  const char* const end = rest.data() + rest.size();
  std::uint32_t times = 0;
  const auto [after, wrong] = std::from_chars(rest.data() + at + kRepeated.size(), end, times);
  return wrong == std::errc() && after != end && *after == 'x' ? times : 0;
}

// The process that printed the text, as Ray names it in parentheses: "WorkerDict pid=7, ip=10.0.0.2"; empty if there is no name.
std::string_view process_before(std::string_view text) {
  constexpr std::string_view kPid = " pid=";
  for (std::size_t pid = text.rfind(kPid); pid != text.npos; pid = pid == 0 ? text.npos : text.rfind(kPid, pid - 1)) {
    const std::size_t number = pid + kPid.size(), close = text.find_first_of(")\r", number);
    if (number >= text.size() || !is_digit(text[number]) || close == text.npos || text[close] != ')') continue;
    std::size_t open = text.rfind('(', pid);
    while (open != text.npos && open > 0 && text.substr(open, pid - open).find(')') != text.npos) open = text.rfind('(', open - 1);
    if (open != text.npos) return text.substr(open + 1, close - open - 1);
  }
  return {};
}

// Where the record begins whose kTaken is at `at`; nullopt if it belongs to no record there.
std::optional<std::size_t> front_of_call(std::string_view text, std::size_t at) {
  for (const CallFront& front : kFronts) {
    const std::size_t before = front.words.size() - kTaken.size();
    if (at >= before && text.substr(at - before).starts_with(front.words)) return at - before;
  }
  return std::nullopt;
}

// Where the first record begins whose kTaken is at or after `from`.
std::size_t next_call(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(kTaken, from); at != text.npos; at = text.find(kTaken, at + 1)) {
    if (const auto front = front_of_call(text, at)) return *front;
  }
  return text.npos;
}

LaneSpec lane_of_calls(std::string_view path, std::string_view process, bool placed) {
  LaneSpec spec;
  const std::string name(last_part(path));
  spec.path = {{name, 0, std::string(path), {.run = name}}, {placed ? "timed calls" : "timed calls, end to end"}};
  if (!process.empty()) spec.path.push_back({std::string(process)});
  spec.kind = LaneKind::Annotation;
  return spec;
}

}  // namespace

std::optional<TimedCall> timed_call(std::string_view text) {
  const CallFront* const front = std::ranges::find_if(kFronts, [&](const CallFront& f) { return text.starts_with(f.words); });
  if (front == std::end(kFronts)) return std::nullopt;
  std::string_view record = text.substr(0, next_call(text, front->words.size()));  // another process may write into the line
  record = record.substr(0, record.find_first_of("\r\n"));
  const std::string line = without_terminal_codes(record.substr(front->words.size()));
  constexpr std::string_view kUnits[] = {"sec", "secs", "second", "seconds"};
  // A name may contain colons and units. The number lies between a unit that is a whole word and the last colon before it.
  std::size_t colon = line.npos, searched = 0;
  for (std::size_t unit = line.find("sec"); unit != line.npos; unit = line.find("sec", unit + 1)) {
    std::size_t end = unit;
    while (end < line.size() && is_letter(line[end])) ++end;
    const std::string_view before = std::string_view(line).substr(searched, unit - searched);
    if (const std::size_t last = before.rfind(':'); last != before.npos) colon = searched + last;
    searched = unit;
    if (colon == line.npos || std::ranges::find(kUnits, line.substr(unit, end - unit)) == std::end(kUnits)) continue;
    std::string_view seconds = without_trailing_blanks(std::string_view(line).substr(colon + 1, unit - colon - 1));
    seconds.remove_prefix(std::min(seconds.find_first_not_of(kCallBlanks), seconds.size()));
    if (!stands_for_a_number(seconds)) continue;
    return TimedCall{std::string(front->named).append(line, 0, colon), std::string(seconds), length_of(seconds), record.size(),
                     repeated_by_ray(std::string_view(line).substr(end))};
  }
  return std::nullopt;
}

ArgTree decode_timed_call(std::string_view record, const TimedCall& call) {
  ArgTree tree;
  tree.text = record.substr(0, call.length);
  tree.nodes.push_back({"", "", ArgNode::Kind::Object, 0, 0});
  const auto add = [&](std::string_view key, std::string_view value, ArgNode::Kind kind) {
    tree.nodes.push_back({std::string(key), std::string(value), kind, 1, static_cast<std::uint32_t>(tree.nodes.size() + 1)});
  };
  add("call", call.name, ArgNode::Kind::String);
  add("seconds", call.seconds, ArgNode::Kind::Number);
  if (call.repeated > 0) add("repeated", std::to_string(call.repeated), ArgNode::Kind::Number);
  tree.nodes.front().subtree_end = static_cast<std::uint32_t>(tree.nodes.size());
  return tree;
}

void TimedCalls::add(std::string_view lines, std::uint64_t offset, Ns written) {
  constexpr std::size_t kMostOfPrefix = 512;
  std::size_t begin = 0, searched = 0;  // begin of the line; newlines before `searched` were seen
  for (std::size_t at = find_text(lines, kTaken, 0); at != lines.npos; at = find_text(lines, kTaken, at + 1)) {
    const auto front = front_of_call(lines, at);
    const auto call = front ? timed_call(lines.substr(*front)) : std::nullopt;
    if (!call) continue;
    if (const std::size_t newline = lines.substr(searched, *front - searched).rfind('\n'); newline != lines.npos) begin = searched + newline + 1;
    searched = *front;
    const std::string_view before = lines.substr(begin, *front - begin);
    const auto stamp = stamp_before_message(before, written);
    const std::string_view near = before.substr(before.size() - std::min(before.size(), kMostOfPrefix));
    calls_.push_back({offset + *front, call->duration.value_or(kNone), stamp ? stamp->time : kNone,
                      call->repeated, names_.intern(call->name), processes_.intern(process_before(near)),
                      stamp && stamp->zoned});
  }
}

void TimedCalls::add(const TimedCalls& part) {
  for (Call call : part.calls_) {
    call.name = names_.intern_from(part.names_, call.name);
    call.process = processes_.intern_from(part.processes_, call.process);
    calls_.push_back(call);
  }
}

bool TimedCalls::stamped() const {
  return !calls_.empty() && std::ranges::all_of(calls_, [](const Call& call) { return call.end != kNone; });
}

bool TimedCalls::local_time() const {
  return stamped() && std::ranges::any_of(calls_, [](const Call& call) { return !call.zoned; });
}

bool TimedCalls::any_of_process() const {
  return std::ranges::any_of(calls_, [&](const Call& call) { return !processes_[call.process].empty(); });
}

std::string TimedCalls::hand_over(SourceDraft& draft, std::string_view path) {
  if (calls_.empty()) return {};
  constexpr std::size_t kLongestName = 32;
  std::ranges::sort(calls_, {}, &Call::offset);
  const bool placed = stamped();
  EventBatch batch;
  SliceColumns slices;
  std::map<StrId, Ns> ends;  // end of each process's last call
  const Call* longest = nullptr;
  std::uint64_t repeated = 0;
  for (const Call& call : calls_) {
    repeated += call.repeated;
    const auto known = ends.find(call.process);
    const Ns before = known == ends.end() ? 0 : known->second;
    const bool is_shown = call.duration >= 0 && is_length(call.duration) &&
                          (placed ? is_time(call.end) && is_time(call.end - call.duration) : is_time(before + call.duration));
    if (!is_shown) {
      batch.problems.add(ProblemKind::bad_record, call.offset, names_[call.name]);
      continue;
    }
    if (!longest || call.duration > longest->duration) longest = &call;
    const Ns begin = placed ? call.end - call.duration : before;
    const std::string_view process = processes_[call.process];
    const std::string track = fmt::format("calls {}", process);
    if (known == ends.end()) draft.set_lane(track, lane_of_calls(path, process, placed));
    ends.insert_or_assign(call.process, begin + call.duration);
    slices.add(static_cast<std::uint32_t>(batch.tracks.intern(track)), begin, call.duration,
               batch.labels.intern("timed call", names_[call.name]), kNoGroup, call.offset, 0);
  }
  const std::size_t shown = slices.size();
  batch.slices = SliceBlock(slices);
  draft.append(std::move(batch));
  if (!longest) return {};
  const std::string left_out = repeated == 0 ? "" : fmt::format("; Ray left out {} like them", format_count(repeated));
  return fmt::format("{}, longest {} ({}), no step yet{}", count_text(shown, "timed call"),
                     shortened_utf8(names_[longest->name], kLongestName), format_duration(longest->duration), left_out);
}

}  // namespace tv
