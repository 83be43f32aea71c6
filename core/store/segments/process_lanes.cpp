#include "core/store/segments/process_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/text/path_parts.h"
#include "core/store/rules/iteration_rules.h"
#include "core/store/trace/tell_recordings.h"

namespace tv {
namespace {

constexpr std::string_view kTraceEvents = "chrome_json";

// "a, b" and "b, c" make "a, b, c".
void add_roles(std::string& roles, std::string_view more) {
  while (!more.empty()) {
    const std::size_t end = std::min(more.find(", "), more.size());
    const std::string role(more.substr(0, end));
    more.remove_prefix(std::min(end + 2, more.size()));
    if ((", " + roles + ", ").find(", " + role + ", ") != std::string::npos) continue;
    roles += (roles.empty() ? "" : ", ") + role;
  }
}

// The profiler's steps in a source; last is -1 if there are none.
struct StepSpan {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;

  void include(std::int64_t step) {
    if (step < 0) return;
    first = std::min(first, step);
    last = std::max(last, step);
  }
};

// A source of the view whose process is known.
struct Window {
  SourceInfo* source;
  std::size_t part;
  RecordedRange work;  // without the user's offset
  std::string key;  // of its outermost group, or of the process's group if windows were joined when they were packed
  StepSpan steps = {};  // set when it is needed
};

// Whether two successive windows overlap by more than half of the shorter one. If so, they are of different processes.
bool overlap(std::vector<Window> windows) {
  std::erase_if(windows, [](const Window& window) { return window.work.empty(); });
  std::ranges::sort(windows, {}, [](const Window& window) { return window.work.begin; });
  for (std::size_t w = 1; w < windows.size(); ++w) {
    const RecordedRange &a = windows[w - 1].work, &b = windows[w].work;
    if (std::min(a.end, b.end) - b.begin > std::min(a.length(), b.length()) / 2) return true;
  }
  return false;
}

constexpr std::string_view kAnotherReport = "another report of process";

// Whether the reports state different ranks. Ranks in communicators do not count: reports of one process may show several.
bool state_several_ranks(const std::vector<Window>& windows) {
  std::set<std::int64_t> ranks;
  for (const Window& window : windows) {
    const SourceInfo& info = *window.source;
    const auto states_rank = [&](const SourceFact& fact) {
      return fact.what.starts_with("rank") && fact.value == std::to_string(*info.rank) &&
             !fact.evidence.starts_with(kByCommunicator) && !fact.evidence.starts_with(kAnotherReport);
    };
    if (info.rank && std::ranges::any_of(info.facts, states_rank)) ranks.insert(*info.rank);
  }
  return ranks.size() > 1;
}

// Where the process ran. Traces need not state the host; then their folder stands for it.
std::string host_or_folder(const SourceInfo& info) { return info.host.empty() ? std::string(folder_of(info.path)) : info.host; }

// Linux assigns lower pids only at boot (RESERVED_PIDS), so a process with a lower one ran in a container.
constexpr std::int64_t kLeastPid = 300;

// Windows of one process must not overlap in time.
bool follow_each_other(const std::vector<Window>& windows) {
  for (std::size_t w = 0; w < windows.size(); ++w) {
    if (windows[w].work.empty() || (w > 0 && windows[w].work.begin < windows[w - 1].work.end)) return false;
  }
  return true;
}

// Whether the pid alone identifies the process. Pids may repeat in containers and in folders of other runs.
bool is_unique_pid(const std::vector<Window>& windows) {
  const SourceInfo& first = *windows.front().source;
  const auto in_its_folder = [&](const Window& window) { return folder_of(window.source->path) == folder_of(first.path); };
  return !first.host.empty() && *first.pid >= kLeastPid && std::ranges::all_of(windows, in_its_folder);
}

// Windows of one part were joined when they were packed.
bool are_joined(const Window& a, const Window& b) {
  return a.part == b.part && !a.source->process.empty() && a.source->process == b.source->process;
}

bool steps_go_on(const std::vector<Window>& windows) {
  for (std::size_t w = 0; w < windows.size(); ++w) {
    if (windows[w].steps.last < 0) return false;
    if (w > 0 && windows[w].steps.first <= windows[w - 1].steps.last) return false;
  }
  return true;
}

class Uniting {
 public:
  using Groups = std::map<std::pair<std::size_t, std::string>, LaneSegment>;

  Uniting(Trace& view, Groups& groups) : view_(view), groups_(groups) {}

  void run() {
    std::map<std::pair<std::string, std::int64_t>, std::vector<Window>> reports;
    std::map<std::tuple<bool, std::string, std::int64_t>, std::vector<Window>> traces;
    for (std::size_t p = 0; p < view_.parts.size(); ++p) {
      const ViewPart& part = view_.parts[p];
      for (std::size_t s = 0; s < part.segment->sources.size(); ++s) {
        SourceInfo& info = view_.sources[part.first_source + s];
        if (!info.pid) continue;
        const Window window = window_of(p, part.segment->sources[s], info);
        if (info.format == kTraceEvents) {
          traces[{info.host.empty(), host_or_folder(info), *info.pid}].push_back(window);
        } else if (!info.host.empty()) {
          reports[{info.host, *info.pid}].push_back(window);
        }
      }
    }
    for (const auto& [process, windows] : reports) {
      if (!are_joined_already(windows)) unite_reports(windows);
    }
    for (const auto& [process, windows] : traces) {
      if (!are_joined_already(windows)) unite_windows(windows);
    }
  }

 private:
  using OutermostGroups = std::multimap<std::string, LaneSegment, std::less<>>;

  static bool are_joined_already(const std::vector<Window>& windows) {
    const auto is_with_first = [&](const Window& window) { return &window == &windows.front() || are_joined(window, windows.front()); };
    return std::ranges::all_of(windows, is_with_first);
  }

  Window window_of(std::size_t p, const SourceInfo& in_segment, SourceInfo& info) const {
    const auto by_host = to_recorded(*view_.parts[p].segment, in_segment) - in_segment.clock_offset;
    return {&info, p, in_segment.extent ? by_host(SegmentRange::of(in_segment.work)) : RecordedRange{},
            info.process.empty() ? info.path : key_of_process(info.process)};
  }

  static std::string key_of_process(const std::string& process) { return "windows of " + process; }

  // Finds the profiler's steps of each source of a part, once.
  const std::vector<StepSpan>& steps_of(std::size_t p) {
    const auto [found, is_new] = steps_of_part_.try_emplace(p);
    std::vector<StepSpan>& of_source = found->second;
    if (!is_new) return of_source;
    const Trace& segment = *view_.parts[p].segment;
    of_source.resize(segment.sources.size());
    std::vector<std::int64_t> step_of(segment.labels.size(), -1);
    for (std::size_t l = 0; l < step_of.size(); ++l) {
      const std::string_view name = segment.labels.name(id_at<LabelId>(l));
      if (!name.starts_with(kProfilerStep)) continue;
      std::from_chars(name.data() + kProfilerStep.size(), name.data() + name.size(), step_of[l]);
    }
    if (of_source.size() == 1) {  // then all labels are of this source
      for (const std::int64_t step : step_of) of_source.front().include(step);
      return of_source;
    }
    // Labels of unchecked columns may be out of range.
    const auto is_step = [&](LabelId label) { return idx(label) < step_of.size() && step_of[idx(label)] >= 0; };
    for (const Row& row : segment.rows) {
      const RowSlices slices = segment.slices_of(row);
      if (!slices.any_label(is_step)) continue;
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const LabelId label = slices.label(i);
        const std::size_t source = idx(segment.ref_of(slices.id(i)).source());
        if (is_step(label) && source < of_source.size()) of_source[source].include(step_of[idx(label)]);
      }
    }
    return of_source;
  }

  // The outermost groups of a part, by key, as its segment has them. Lists them once.
  const OutermostGroups& outermost_of(std::size_t p) {
    const auto [found, is_new] = outermost_of_part_.try_emplace(p);
    OutermostGroups& groups = found->second;
    if (!is_new) return groups;
    const Trace& segment = *view_.parts[p].segment;
    const LaneFiles files(segment);
    for (std::size_t l = 0; l < segment.lanes.size(); l = idx(segment.lanes[l].subtree_end)) {
      const Lane& lane = segment.lanes[l];
      groups.emplace(lane.key, LaneSegment{files.name_alone(id_at<LaneId>(l)), lane.sort, lane.key, lane.owner});
    }
    return groups;
  }

  // Calls edit(group) for the outermost groups that have this key in the window's segment.
  template <class Edit>
  void edit_group(const Window& window, std::string_view key, Edit edit) {
    const auto [first, last] = outermost_of(window.part).equal_range(key);
    for (auto at = first; at != last; ++at) {
      LaneSegment group = at->second;
      edit(group);
      groups_[{window.part, at->first}] = std::move(group);
    }
  }

  void unite_reports(const std::vector<Window>& windows) {
    const SourceInfo first = *windows.front().source;
    const std::string key = fmt::format("nsys {} {}", first.host, *first.pid);
    // Different processes have this pid, for example in several containers, or the clock was set back.
    if (overlap(windows) || state_several_ranks(windows)) {
      for (const Window& window : windows) keep_apart(window, key);
      return;
    }
    std::optional<std::int64_t> rank;
    std::string roles;
    for (const Window& window : windows) {
      if (!rank) rank = window.source->rank;
      add_roles(roles, window.source->role);
    }
    const std::string pid = fmt::format("pid {}", *first.pid);
    LaneOwner owner = rank ? owned_by_rank(*rank) : LaneOwner();
    owner.pid = first.pid;
    for (const Window& window : windows) {
      SourceInfo& info = *window.source;
      info.process = fmt::format("{} {}", first.host, pid);
      if (!rank && roles.empty()) continue;
      edit_group(window, key, [&](LaneSegment& group) {
        group.owner = owner;
        group.name = owner.member;
        if (!roles.empty()) group.name += (group.name.empty() ? "" : " ") + roles;
        group.name += (group.name.empty() ? "" : ", ") + pid;
        if (rank) group.sort = *rank;
      });
      if (!rank || !take_rank(info.rank, info.rank_from, *rank, RankFrom::SameProcess)) continue;
      info.facts.push_back({"rank", std::to_string(*rank), fmt::format("{} {}", kAnotherReport, *info.pid)});
    }
  }

  void unite_windows(const std::vector<Window>& alike) {
    std::map<std::optional<std::int64_t>, std::vector<Window>> by_rank;
    for (const Window& window : alike) by_rank[window.source->rank].push_back(window);
    const bool several_ranks = by_rank.size() > 1, several_processes = several_ranks && alike.front().source->host.empty();
    for (auto& [rank, windows] : by_rank) {
      if (are_joined_already(windows)) {
        // These were packed when no other rank had this pid, so the name of their process lacks the rank.
        if (several_ranks && !windows.front().source->process.empty()) make_one(windows, true);
        continue;
      }
      std::ranges::stable_sort(windows, {}, [](const Window& window) { return window.work.begin; });
      if (!several_processes && are_of_one_process(windows)) {
        make_one(windows, several_ranks);
        continue;
      }
      for (const Window& window : windows) {
        if (!window.source->process.empty()) keep_apart(window, window.key);
      }
    }
  }

  bool are_of_one_process(std::vector<Window>& windows) {
    if (!follow_each_other(windows)) return false;
    if (is_unique_pid(windows)) return true;
    for (Window& window : windows) {
      const auto source = static_cast<std::size_t>(window.source - &view_.sources[view_.parts[window.part].first_source]);
      window.steps = steps_of(window.part)[source];
    }
    return steps_go_on(windows);
  }

  // Windows that were joined when they were packed stay together. Others are named by their files (tell_recordings.h).
  void keep_apart(const Window& window, std::string_view key) {
    SourceInfo& info = *window.source;
    const bool joined = !info.process.empty();
    const std::string file = info.packed ? info.packed->path : info.path;
    if (joined) info.process += " in " + file;
    edit_group(window, key, [&](LaneSegment& group) {
      group.key += " in " + file;
      if (joined) group.name = with_words(group.name, group.owner, last_part(file));
    });
  }

  void make_one(const std::vector<Window>& windows, bool several_ranks) {
    const SourceInfo first = *windows.front().source;
    std::string process = fmt::format("{} pid {}", host_or_folder(first), *first.pid);
    if (several_ranks && first.rank) process += fmt::format(" rank {}", *first.rank);
    std::string roles;
    for (const Window& window : windows) add_roles(roles, window.source->role);
    std::string name = first.host.empty() ? fmt::format("pid {}", *first.pid) : fmt::format("{}, pid {}", first.host, *first.pid);
    LaneOwner owner{.pid = first.pid};
    if (first.rank) {
      owner = owned_by_rank(*first.rank);
      name = fmt::format("{}{}{}", owner.member, roles.empty() ? "" : " ", roles);
    }
    for (const Window& window : windows) {
      SourceInfo& info = *window.source;
      info.process = process;
      std::erase_if(info.facts, [](const SourceFact& fact) { return fact.what == "process"; });
      info.facts.push_back({"process", process, fmt::format("one of {} windows of its profiler", windows.size())});
      edit_group(window, window.key, [&](LaneSegment& group) { group = {name, group.sort, key_of_process(process), owner}; });
    }
  }

  Trace& view_;
  Groups& groups_;
  std::map<std::size_t, std::vector<StepSpan>> steps_of_part_;  // by source of the part
  std::map<std::size_t, OutermostGroups> outermost_of_part_;    // of the parts whose groups are edited
};

}  // namespace

ProcessLanes::ProcessLanes(Trace& view) { Uniting(view, groups_).run(); }

}  // namespace tv
