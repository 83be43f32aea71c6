#include "core/store/segments/process_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/text/path_parts.h"
#include "core/store/rules/iteration_rules.h"
#include "core/store/segments/recorded_time.h"
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

// A source of the view whose process is known.
struct Window {
  SourceInfo* source;
  std::size_t part;
  TimeRange work;   // as recorded
  std::string key;  // of the outermost group that is its own, or its process's if they were joined when they were packed
  std::int64_t first_step = std::numeric_limits<std::int64_t>::max(), last_step = -1;
};

// Whether a window lies mostly within the previous one. Then they are different processes: a process runs only once at a time.
bool overlap(std::vector<Window> windows) {
  std::erase_if(windows, [](const Window& window) { return window.work.empty(); });
  std::ranges::sort(windows, {}, [](const Window& window) { return window.work.begin; });
  for (std::size_t w = 1; w < windows.size(); ++w) {
    const TimeRange &a = windows[w - 1].work, &b = windows[w].work;
    if (std::min(a.end, b.end) - b.begin > std::min(a.length(), b.length()) / 2) return true;
  }
  return false;
}

// Linux gives lower pids only at boot (RESERVED_PIDS), so a lower one is from a container.
constexpr std::int64_t kLeastPid = 300;

// A process is in one place at a time.
bool follow_each_other(const std::vector<Window>& windows) {
  for (std::size_t w = 0; w < windows.size(); ++w) {
    if (windows[w].work.empty() || (w > 0 && windows[w].work.begin < windows[w - 1].work.end)) return false;
  }
  return true;
}

// The pid alone identifies the process: neither a container's nor another run's.
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
    if (windows[w].last_step < 0) return false;
    if (w > 0 && !are_joined(windows[w - 1], windows[w]) && windows[w].first_step <= windows[w - 1].last_step) return false;
  }
  return true;
}

class Uniting {
 public:
  using Groups = std::map<std::pair<std::size_t, std::string>, LaneSegment>;

  Uniting(Trace& view, Groups& groups) : view_(view), groups_(groups) {}

  void run() {
    std::map<std::pair<std::string, std::int64_t>, std::vector<Window>> reports;
    std::map<std::tuple<std::string, std::string, std::int64_t>, std::vector<Window>> traces;
    for (std::size_t p = 0; p < view_.parts.size(); ++p) {
      const ViewPart& part = view_.parts[p];
      for (std::size_t s = 0; s < part.segment->sources.size(); ++s) {
        SourceInfo& info = view_.sources[part.first_source + s];
        if (!info.pid) continue;
        const Window window = window_of(p, part.segment->sources[s], info);
        if (info.format == kTraceEvents) {
          traces[{info.host, std::string(info.host.empty() ? folder_of(info.path) : std::string_view()), *info.pid}].push_back(window);
        } else if (!info.host.empty()) {
          reports[{info.host, *info.pid}].push_back(window);
        }
      }
    }
    for (const auto& [process, windows] : reports) {
      if (!is_one(windows)) unite_reports(windows);
    }
    for (const auto& [process, windows] : traces) {
      if (!is_one(windows)) unite_windows(windows);
    }
  }

 private:
  static bool is_one(const std::vector<Window>& windows) {
    const auto is_with_first = [&](const Window& window) { return &window == &windows.front() || are_joined(window, windows.front()); };
    return std::ranges::all_of(windows, is_with_first);
  }

  Window window_of(std::size_t p, const SourceInfo& in_segment, SourceInfo& info) const {
    const Ns by = to_recorded(*view_.parts[p].segment, in_segment) - in_segment.clock_offset;
    const TimeRange work = in_segment.work;
    return {&info, p, in_segment.extent ? TimeRange{work.begin + by, work.end + by} : TimeRange{},
            info.process.empty() ? info.path : key_of_process(info.process)};
  }

  static std::string key_of_process(const std::string& process) { return "windows of " + process; }

  // Finds the profiler's steps in the window's part.
  void find_steps(Window& window) const {
    const LabelTable& labels = view_.parts[window.part].segment->labels;
    for (std::size_t l = 0; l < labels.size(); ++l) {
      const std::string_view name = labels.name(id_at<LabelId>(l));
      std::int64_t step = 0;
      if (!name.starts_with(kProfilerStep)) continue;
      if (std::from_chars(name.data() + kProfilerStep.size(), name.data() + name.size(), step).ec != std::errc()) continue;
      window.first_step = std::min(window.first_step, step);
      window.last_step = std::max(window.last_step, step);
    }
  }

  // Calls edit(group) for the outermost groups that have this key in the window's segment.
  template <class Edit>
  void edit_group(const Window& window, std::string_view key, Edit edit) {
    const Trace& segment = *view_.parts[window.part].segment;
    for (std::size_t l = 0; l < segment.lanes.size(); l = idx(segment.lanes[l].subtree_end)) {
      const Lane& lane = segment.lanes[l];
      if (lane.key != key) continue;
      LaneSegment group{LaneFiles(segment).name_alone(id_at<LaneId>(l)), lane.sort, lane.key, lane.owner};
      edit(group);
      groups_[{window.part, lane.key}] = std::move(group);
    }
  }

  void unite_reports(const std::vector<Window>& windows) {
    const SourceInfo first = *windows.front().source;
    const std::string key = fmt::format("nsys {} {}", first.host, *first.pid);
    if (overlap(windows)) {  // a restarted container, or a clock that was set back
      for (const Window& window : windows) {
        edit_group(window, key, [&](LaneSegment& group) { group.key += " in " + window.source->path; });
      }
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
      if (info.rank || !rank) continue;
      info.rank = rank;
      info.facts.push_back({"rank", std::to_string(*rank), "another report of process " + std::to_string(*info.pid)});
    }
  }

  void unite_windows(const std::vector<Window>& alike) {
    std::map<std::optional<std::int64_t>, std::vector<Window>> by_rank;
    for (const Window& window : alike) by_rank[window.source->rank].push_back(window);
    const bool several_ranks = by_rank.size() > 1, several_processes = several_ranks && alike.front().source->host.empty();
    for (auto& [rank, windows] : by_rank) {
      if (is_one(windows)) continue;
      std::ranges::stable_sort(windows, {}, [](const Window& window) { return window.work.begin; });
      if (!several_processes && are_of_one_process(windows)) {
        make_one(windows, several_ranks);
      } else {
        keep_apart(windows);
      }
    }
  }

  bool are_of_one_process(std::vector<Window>& windows) const {
    if (!follow_each_other(windows)) return false;
    if (is_unique_pid(windows)) return true;
    for (Window& window : windows) find_steps(window);
    return steps_go_on(windows);
  }

  // Two packed traces may each have joined windows of a process of this name.
  void keep_apart(const std::vector<Window>& windows) {
    for (const Window& window : windows) {
      SourceInfo& info = *window.source;
      if (info.process.empty() || !info.packed) continue;
      info.process += " in " + info.packed->path;
      edit_group(window, window.key, [&](LaneSegment& group) { group.key += " in " + info.packed->path; });
    }
  }

  void make_one(const std::vector<Window>& windows, bool several_ranks) {
    const SourceInfo first = *windows.front().source;
    const std::string host = first.host.empty() ? std::string(folder_of(first.path)) : first.host;
    std::string process = fmt::format("{} pid {}", host, *first.pid);
    if (several_ranks && first.rank) process += fmt::format(" rank {}", *first.rank);
    std::string roles;
    for (const Window& window : windows) add_roles(roles, window.source->role);
    std::string name = first.host.empty() ? fmt::format("pid {}", *first.pid) : fmt::format("{}, pid {}", host, *first.pid);
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
};

}  // namespace

ProcessLanes::ProcessLanes(Trace& view) { Uniting(view, groups_).run(); }

}  // namespace tv
