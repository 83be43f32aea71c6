#include "core/store/process_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tv {
namespace {

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
  std::size_t sources = 0;
};

}  // namespace

void unite_processes(std::vector<SourceView>& views) {
  std::map<std::pair<std::string, std::int64_t>, ProcessOf> processes;
  for (const SourceView& view : views) {
    if (view.info.host.empty() || !view.info.pid) continue;
    ProcessOf& process = processes[{view.info.host, *view.info.pid}];
    ++process.sources;
    if (!process.rank) process.rank = view.info.rank;
    add_roles(process.roles, view.info.role);
  }
  for (SourceView& view : views) {
    if (view.info.host.empty() || !view.info.pid) continue;
    const ProcessOf& process = processes[{view.info.host, *view.info.pid}];
    if (process.sources < 2 || (!process.rank && process.roles.empty())) continue;
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

}  // namespace tv
