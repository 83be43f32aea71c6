#include "core/read/chrome/chrome_process.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "core/base/names/rank_name.h"
#include "core/base/text/ascii.h"

namespace tv {
namespace {

constexpr std::string_view kDigits = "0123456789";

// Whether the lane belongs to a process: its path is file, process, lane.
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

void set_host_and_pid(const LaneSpecs& lanes, std::string_view stem, SourceInfo& info) {
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

// If the processes have only one rank in their names or ids, it becomes the file's, unless the file's contents, communicators
// or name gave one (source_rank.h).
void set_only_rank(LaneSpecs& lanes, const RankName& name, SourceInfo& info) {
  const bool known = info.rank.has_value();
  if (name.number && take_rank(info.rank, info.rank_from, *name.number, RankFrom::Process)) {
    info.facts.push_back({"rank", std::to_string(*info.rank), "a process's name"});
  }
  // A place such as "TP01" is worth adding only if the rank is not the number in the name.
  const bool says_more = !name.place.empty() && info.rank != name.number;
  if (known && !says_more) return;
  for (auto& [track, lane] : lanes) {
    if (!is_of_process(lane)) continue;
    LaneSegment& group = lane.path.front();
    if (!known) {
      group.name = name.text();
      group.sort = name.sort;
      group.owner = owned_by(name);
    } else if (group.name.find(name.place) == std::string::npos) {
      group.name += " " + name.place;
    }
  }
}

// The rank in a process's id, if that is a text, or in its name. If both have one, the id's counts, unless only the name has the
// word "rank". Merge tools write such ids and leave the names as they were.
std::optional<RankName> rank_of_process(const LaneSegment& process) {
  const std::string_view key(process.key);
  const std::size_t blank = key.find(' ');  // in "pid [TP01] 4101" or "GPU 3"
  const std::string_view pid = blank == std::string_view::npos ? std::string_view() : key.substr(blank + 1);
  std::optional<RankName> by_pid = whole_number(pid) ? std::nullopt : rank_in_text(pid);
  std::optional<RankName> by_name = rank_in_text(process.name);
  if (!by_pid || !by_name) return by_pid ? by_pid : by_name;
  if (by_name->by_word && !by_pid->by_word) {
    by_name->place = by_pid->place;
    return by_name;
  }
  return by_pid;
}

void set_ranks(LaneSpecs& lanes, std::string_view stem, SourceInfo& info) {
  std::map<std::string, RankName> names;
  for (const auto& [track, lane] : lanes) {
    if (!is_of_process(lane)) continue;
    if (const auto rank = rank_of_process(lane.path[1])) names.emplace(rank->text(), *rank);
  }
  if (names.empty()) return;
  if (names.size() == 1) return set_only_rank(lanes, names.begin()->second, info);
  info.rank.reset();  // this was only the rank of the first merged file
  std::erase_if(info.facts, [](const SourceFact& fact) { return fact.what == "rank"; });
  for (auto& [track, lane] : lanes) {
    if (lane.path.empty()) continue;
    LaneSegment& group = lane.path.front();
    const auto rank = is_of_process(lane) ? rank_of_process(lane.path[1]) : std::nullopt;
    group.name = rank ? rank->text() : std::string(stem);
    group.sort = rank ? rank->sort : 0;
    group.owner = rank ? owned_by(*rank) : LaneOwner();
    if (!rank) continue;
    group.key += std::string(kRankInKey) + rank->text();
  }
}

}  // namespace

std::string_view worker_of_stem(std::string_view stem) {
  constexpr std::size_t kLeastStamp = 10;  // digits: seconds since the epoch
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return stem;
  const std::string_view stamp = stem.substr(dot + 1);
  const bool is_stamp = stamp.size() >= kLeastStamp && stamp.find_first_not_of(kDigits) == std::string_view::npos;
  return is_stamp ? stem.substr(0, dot) : stem;
}

void tell_processes(LaneSpecs& lanes, std::string_view stem, SourceInfo& info) {
  set_host_and_pid(lanes, stem, info);
  set_ranks(lanes, stem, info);
}

}  // namespace tv
