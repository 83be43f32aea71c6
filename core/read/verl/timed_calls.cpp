#include "core/read/verl/timed_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "core/base/text/count_text.h"
#include "core/base/text/decimal_ns.h"
#include "core/base/text/log_stamp.h"
#include "core/base/text/path_parts.h"
#include "core/base/text/utf8.h"
#include "core/read/json/find_text.h"
#include "core/read/log_parts.h"
#include "core/read/verl/verl_step_line.h"
#include "core/read/wrapped_line.h"

namespace tv {
namespace {

constexpr std::string_view kTaken = "ime taken for ";  // "Time", "Total time"
constexpr std::string_view kFronts[] = {"Time taken for ", "Total time taken for "};
constexpr std::size_t kLongestCallLine = 1024;

// "[repeated 7x across cluster]"
std::uint64_t repeated_by_ray(std::string_view rest) {
  constexpr std::string_view kRepeated = "[repeated ";
  const std::size_t at = rest.find(kRepeated);
  if (at == rest.npos) return 0;
  const char* const end = rest.data() + rest.size();
  std::uint64_t times = 0;
  const auto [after, wrong] = std::from_chars(rest.data() + at + kRepeated.size(), end, times);
  return wrong == std::errc() && after != end && *after == 'x' ? times : 0;
}

// "WorkerDict pid=2256262". Empty: the line names none.
std::string process_of(std::string_view before) {
  const std::size_t at = before.rfind(kRayPid);
  const auto process = at == before.npos ? std::nullopt : ray_process(before, at);
  return process ? fmt::format("{} pid={}", process->name, process->pid) : std::string();
}

// Where the record begins that has kTaken at `at`.
std::optional<std::size_t> front_of_call(std::string_view text, std::size_t at) {
  for (const std::string_view front : kFronts) {
    const std::size_t before = front.size() - kTaken.size();
    if (at >= before && text.substr(at - before).starts_with(front)) return at - before;
  }
  return std::nullopt;
}

LaneSpec lane_of_calls(std::string_view path, std::string_view process, bool placed) {
  LaneSpec spec;
  spec.path = {{std::string(last_part(path)), 0, std::string(path)}, {placed ? "timed calls" : "timed calls, end to end"}};
  if (!process.empty()) spec.path.push_back({std::string(process)});
  spec.kind = LaneKind::Annotation;
  return spec;
}

}  // namespace

std::optional<TimedCall> timed_call(std::string_view text) {
  const auto* const front = std::ranges::find_if(kFronts, [&](std::string_view f) { return text.starts_with(f); });
  if (front == std::end(kFronts)) return std::nullopt;
  const std::string_view line = line_piece(text.substr(0, kLongestCallLine));
  // A name may have colons and " sec" in it.
  constexpr std::string_view kSeconds = " sec";
  for (std::size_t unit = line.find(kSeconds); unit != line.npos; unit = line.find(kSeconds, unit + 1)) {
    const std::size_t colon = line.substr(0, unit).rfind(':');
    if (colon == line.npos || colon <= front->size()) continue;
    std::string_view seconds = line.substr(colon + 1, unit - colon - 1);
    seconds.remove_prefix(std::min(seconds.find_first_not_of(' '), seconds.size()));
    if (!verl_value(seconds)) continue;
    return TimedCall{line.substr(front->size(), colon - front->size()), seconds, decimal_ns(seconds, kSecond), line.size(),
                     repeated_by_ray(line.substr(unit))};
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
  for (std::size_t at = find_text(lines, kTaken, 0); at != lines.npos; at = find_text(lines, kTaken, at + 1)) {
    const auto front = front_of_call(lines, at);
    const auto call = front ? timed_call(lines.substr(*front)) : std::nullopt;
    if (!call) continue;
    const std::size_t newline = lines.substr(0, *front).rfind('\n');
    const std::size_t begin = newline == lines.npos ? 0 : newline + 1;
    const std::string_view before = lines.substr(begin, *front - begin);
    const auto stamp = stamp_before_message(before, written);
    calls_.push_back({offset + *front, call->repeated, call->duration, stamp ? stamp->time : kNoEnd, names_.intern(call->name),
                      processes_.intern(process_of(before)), stamp && stamp->zoned});
  }
}

bool TimedCalls::stamped() const {
  return !calls_.empty() && std::ranges::all_of(calls_, [](const Call& call) { return call.end != kNoEnd; });
}

bool TimedCalls::local_time() const {
  return stamped() && std::ranges::any_of(calls_, [](const Call& call) { return !call.zoned; });
}

std::string TimedCalls::text() const {
  if (calls_.empty()) return {};
  constexpr std::size_t kLongestName = 32;
  const auto shorter = [&](const Call& a, const Call& b) {
    return a.duration != b.duration ? a.duration < b.duration : a.offset > b.offset;  // of equal ones the first in the file
  };
  const Call& longest = *std::ranges::max_element(calls_, shorter);
  std::uint64_t repeated = 0;
  for (const Call& call : calls_) repeated += call.repeated;
  const std::string left_out = repeated == 0 ? "" : fmt::format("; Ray left out {} like them", format_count(repeated));
  return fmt::format("{} timed calls, longest {} ({}), no step yet{}", format_count(calls_.size()),
                     shortened_utf8(names_[longest.name], kLongestName), format_duration(longest.duration.value_or(0)), left_out);
}

void TimedCalls::hand_over(SourceDraft& draft, std::string_view path) {
  std::ranges::sort(calls_, {}, &Call::offset);
  const bool placed = stamped();
  EventBatch batch;
  SliceColumns slices;
  std::map<StrId, Ns> ends;  // of each process's last call
  for (const Call& call : calls_) {
    const auto known = ends.find(call.process);
    const Ns length = call.duration.value_or(-1), before = known == ends.end() ? 0 : known->second;
    const Ns begin = placed ? call.end - length : before;
    if (length < 0 || !is_length(length) || !is_time(begin) || !is_time(begin + length)) {
      batch.problems.add(ProblemKind::out_of_range, call.offset, names_[call.name]);
      continue;
    }
    const std::string_view process = processes_[call.process];
    const std::string track = fmt::format("calls {}", process);
    if (known == ends.end()) draft.set_lane(track, lane_of_calls(path, process, placed));
    ends.insert_or_assign(call.process, begin + length);
    slices.add(static_cast<std::uint32_t>(batch.tracks.intern(track)), begin, length,
               batch.labels.intern("timed call", names_[call.name]), kNoGroup, call.offset, 0);
  }
  batch.slices = SliceBlock(slices);
  draft.append(std::move(batch));
}

}  // namespace tv
