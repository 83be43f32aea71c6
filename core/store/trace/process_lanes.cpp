#include "core/store/trace/process_lanes.h"

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

#include "core/base/text/path_parts.h"

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

struct ProcessOf {
  std::optional<std::int64_t> rank;
  std::string roles;
  std::vector<SourceView*> sources;
  bool several = false;  // there are several processes
};

struct Window {
  SourceView* view;
  TimeRange extent;
  std::int64_t first_step = std::numeric_limits<std::int64_t>::max(), last_step = -1;
};

Window window_of(SourceView& view) {
  Window window{&view, {std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()}};
  for (const StoredBatch& batch : view.batches) {
    if (batch.slices->lasting > 0) window.extent.include(batch.slices->work_first, batch.slices->work_last);
  }
  const Ns shift = view.clock_base + view.info.clock_offset;
  if (!window.extent.empty()) window.extent = {window.extent.begin + shift, window.extent.end + shift};
  constexpr std::string_view kStep = "ProfilerStep#";
  const LabelTable& labels = view.names->labels;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const std::string_view name = labels.name(id_at<LabelId>(l));
    std::int64_t step = 0;
    if (!name.starts_with(kStep)) continue;
    if (std::from_chars(name.data() + kStep.size(), name.data() + name.size(), step).ec != std::errc()) continue;
    window.first_step = std::min(window.first_step, step);
    window.last_step = std::max(window.last_step, step);
  }
  return window;
}

// Whether a window lies mostly within the one before it. Then they are not one process, which is in one place at a time.
bool overlap(std::vector<Window> windows) {
  std::erase_if(windows, [](const Window& window) { return window.extent.empty(); });
  std::ranges::sort(windows, {}, [](const Window& window) { return window.extent.begin; });
  for (std::size_t w = 1; w < windows.size(); ++w) {
    const TimeRange &a = windows[w - 1].extent, &b = windows[w].extent;
    if (std::min(a.end, b.end) - b.begin > std::min(a.length(), b.length()) / 2) return true;
  }
  return false;
}

// --- reports of Nsight Systems ---

// Reports with equal numbers on one host that are not one process: a restarted container, or a clock that was set back.
void keep_apart(SourceView& view) {
  const std::string process = fmt::format("nsys {} {}", view.info.host, *view.info.pid);
  for (auto& [track, spec] : view.lanes) {
    LaneSegment& group = spec.path.front();
    if (group.key == process) group.key += " in " + view.info.path;
  }
}

void unite_reports(std::vector<SourceView>& views) {
  std::map<std::pair<std::string, std::int64_t>, ProcessOf> processes;
  const auto tells = [](const SourceView& view) {
    return !view.info.host.empty() && view.info.pid && view.info.format != kTraceEvents;
  };
  for (SourceView& view : views) {
    if (!tells(view)) continue;
    ProcessOf& process = processes[{view.info.host, *view.info.pid}];
    process.sources.push_back(&view);
    if (!process.rank) process.rank = view.info.rank;
    add_roles(process.roles, view.info.role);
  }
  for (auto& [id, process] : processes) {
    if (process.sources.size() < 2) continue;
    std::vector<Window> windows;
    for (SourceView* const view : process.sources) windows.push_back(window_of(*view));
    process.several = overlap(std::move(windows));
    if (process.several) std::ranges::for_each(process.sources, [](SourceView* view) { keep_apart(*view); });
  }
  for (SourceView& view : views) {
    if (!tells(view)) continue;
    const ProcessOf& process = processes[{view.info.host, *view.info.pid}];
    if (process.sources.size() < 2 || process.several) continue;
    view.info.process = fmt::format("{} pid {}", view.info.host, *view.info.pid);
    if (!process.rank && process.roles.empty()) continue;
    const std::string pid = fmt::format("pid {}", *view.info.pid);
    for (auto& [track, spec] : view.lanes) {
      LaneSegment& group = spec.path.front();
      if (!group.name.ends_with(pid)) continue;  // a lane of the file, not of the process
      group.name.clear();
      if (process.rank) group.name = fmt::format("rank {}", *process.rank);
      if (!process.roles.empty()) group.name += (group.name.empty() ? "" : " ") + process.roles;
      group.name += (group.name.empty() ? "" : ", ") + pid;
      if (process.rank) group.sort = *process.rank;
    }
    if (view.info.rank || !process.rank) continue;
    view.info.rank = process.rank;
    view.info.facts.push_back({"rank", std::to_string(*process.rank), "another report of process " + std::to_string(*view.info.pid)});
  }
}

// --- windows of torch.profiler ---

// Numbers below are not given to programs of a machine once it is up (RESERVED_PIDS of Linux): it is a container's.
constexpr std::int64_t kLeastPid = 300;

bool are_of_one_process(const std::vector<Window>& windows) {
  const SourceInfo& first = windows.front().view->info;
  const bool same_folder = std::ranges::all_of(
      windows, [&](const Window& window) { return folder_of(window.view->info.path) == folder_of(first.path); });
  const bool told = !first.host.empty() && *first.pid >= kLeastPid && same_folder;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    if (windows[w].extent.empty() || windows[w].view->info.rank != first.rank) return false;
    if (w > 0 && windows[w].extent.begin < windows[w - 1].extent.end) return false;
    const bool goes_on = windows[w].last_step >= 0 && (w == 0 || windows[w].first_step > windows[w - 1].last_step);
    if (!told && !goes_on) return false;
  }
  return true;
}

void make_one(const std::vector<Window>& windows) {
  const SourceInfo first = windows.front().view->info;
  const std::string host = first.host.empty() ? std::string(folder_of(first.path)) : first.host;
  const std::string process = fmt::format("{} pid {}", host, *first.pid);
  std::string roles;
  for (const Window& window : windows) add_roles(roles, window.view->info.role);
  std::string name = first.host.empty() ? fmt::format("pid {}", *first.pid) : fmt::format("{}, pid {}", host, *first.pid);
  if (first.rank) name = fmt::format("rank {}{}{}", *first.rank, roles.empty() ? "" : " ", roles);
  for (const Window& window : windows) {
    SourceInfo& info = window.view->info;
    info.process = process;
    info.facts.push_back({"process", process, fmt::format("one of {} windows of its profiler", windows.size())});
    for (auto& [track, lane] : window.view->lanes) {
      LaneSegment& group = lane.path.front();
      if (group.key != info.path) continue;  // not of the file alone
      group.key = "windows of " + process;
      group.name = name;
    }
  }
}

void unite_windows(std::vector<SourceView>& views) {
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::vector<SourceView*>> alike;
  for (SourceView& view : views) {
    const SourceInfo& info = view.info;
    if (!info.pid || info.format != kTraceEvents) continue;
    const std::string folder(info.host.empty() ? folder_of(info.path) : std::string_view());
    alike[{info.host, folder, *info.pid}].push_back(&view);
  }
  for (auto& [key, of_pid] : alike) {
    std::map<std::optional<std::int64_t>, std::vector<Window>> by_rank;
    if (of_pid.size() < 2) continue;
    for (SourceView* const view : of_pid) by_rank[view->info.rank].push_back(window_of(*view));
    if (by_rank.size() > 1 && std::get<0>(key).empty()) continue;  // several processes of this number
    for (auto& [rank, windows] : by_rank) {
      std::ranges::stable_sort(windows, {}, [](const Window& window) { return window.extent.begin; });
      if (windows.size() > 1 && are_of_one_process(windows)) make_one(windows);
    }
  }
}

}  // namespace

bool may_be_of_one_process(const SourceInfo& a, const SourceInfo& b) {
  if (!a.pid || a.pid != b.pid || a.host != b.host) return false;
  if (a.format != kTraceEvents || b.format != kTraceEvents) return !a.host.empty();
  if (a.host.empty() && folder_of(a.path) != folder_of(b.path)) return false;
  // Another rank of the same number speaks against windows that are one already.
  return a.rank == b.rank || !a.process.empty() || !b.process.empty();
}

void unite_processes(std::vector<SourceView>& views) {
  unite_reports(views);
  unite_windows(views);
}

}  // namespace tv
