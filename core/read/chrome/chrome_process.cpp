#include "core/read/chrome/chrome_process.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kLongestRank = 9;  // digits

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A lane of a process: file, process, lane.
bool is_of_process(const LaneSpec& lane) { return lane.path.size() == 3; }

std::optional<std::int64_t> pid_of_segment(const LaneSegment& process) {
  constexpr std::string_view kPid = "pid ";
  if (!process.key.starts_with(kPid)) return std::nullopt;
  return whole_number(std::string_view(process.key).substr(kPid.size()));
}

struct Worker {
  std::string_view host;
  std::int64_t pid = 0;
};

// "host-a_1987.1700000000000"
std::optional<Worker> worker_of(std::string_view stem) {
  const std::string_view worker = worker_of_stem(stem);
  const std::size_t underscore = worker.rfind('_');
  if (worker.size() == stem.size() || underscore == std::string_view::npos || underscore == 0) return std::nullopt;
  const auto pid = whole_number(worker.substr(underscore + 1));
  if (!pid) return std::nullopt;
  return Worker{worker.substr(0, underscore), *pid};
}

void tell_pid(const LaneSpecs& lanes, std::string_view stem, SourceInfo& info) {
  std::set<std::int64_t> pids;
  for (const auto& [track, lane] : lanes) {
    if (!is_of_process(lane) || lane.kind != LaneKind::Thread) continue;
    if (const auto pid = pid_of_segment(lane.path[1])) pids.insert(*pid);
  }
  const std::optional<Worker> worker = worker_of(stem);
  if (worker && pids.contains(worker->pid)) {
    info.host = worker->host;
    info.pid = worker->pid;
  } else if (!info.pid && pids.size() == 1) {
    info.pid = *pids.begin();
  }
}

void tell_ranks(LaneSpecs& lanes, SourceInfo& info) {
  if (info.rank) return;
  std::set<std::int64_t> ranks;
  for (const auto& [track, lane] : lanes) {
    if (!is_of_process(lane)) continue;
    if (const auto rank = rank_in_name(lane.path[1].name)) ranks.insert(*rank);
  }
  if (ranks.empty()) return;
  const bool one = ranks.size() == 1;
  if (one) {
    info.rank = *ranks.begin();
    info.facts.push_back({"rank", std::to_string(*info.rank), "a process's name"});
  }
  for (auto& [track, lane] : lanes) {
    if (!is_of_process(lane)) continue;
    const auto rank = one ? info.rank : rank_in_name(lane.path[1].name);
    if (!rank) continue;
    if (!one) lane.rank = rank;
    LaneSegment& group = lane.path.front();
    group.name = fmt::format("rank {}", *rank);
    group.sort = *rank;
    if (!one) group.key += fmt::format(" rank {}", *rank);
  }
}

}  // namespace

std::optional<std::int64_t> rank_in_name(std::string_view process) {
  constexpr std::string_view kRank = "rank";
  const std::string text = lower_case(process);
  for (std::size_t at = text.find(kRank); at != std::string::npos; at = text.find(kRank, at + 1)) {
    if (at > 0 && is_letter(text[at - 1])) continue;  // "prank 3"
    const std::size_t number = text.find_first_not_of(" :=_-#", at + kRank.size());
    if (number == std::string::npos) continue;
    const std::size_t end = std::min(text.find_first_not_of(kDigits, number), text.size());
    if (end == number || end - number > kLongestRank) continue;
    return whole_number(std::string_view(text).substr(number, end - number));
  }
  return std::nullopt;
}

std::string_view worker_of_stem(std::string_view stem) {
  constexpr std::size_t kLeastStamp = 10;  // digits: seconds since the epoch
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return stem;
  const std::string_view stamp = stem.substr(dot + 1);
  const bool is_stamp = stamp.size() >= kLeastStamp && stamp.find_first_not_of(kDigits) == std::string_view::npos;
  return is_stamp ? stem.substr(0, dot) : stem;
}

void tell_processes(LaneSpecs& lanes, std::string_view stem, SourceInfo& info) {
  tell_pid(lanes, stem, info);
  tell_ranks(lanes, info);
}

}  // namespace tv
