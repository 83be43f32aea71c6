#include "core/analysis/gpu/stats_grouping.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {
namespace {

constexpr std::array<GroupByInfo, 5> kGroupings = {{
    {GroupBy::Name, "name", "name", "A row for each name"},
    {GroupBy::Category, "category", "category", "A row for each category, as the file names it"},
    {GroupBy::Lane, "lane", "lane", "A row for each lane: a thread, a stream or a worker"},
    {GroupBy::Process, "process", "process", "A row for each rank, worker, process or GPU: the outermost groups of lanes"},
    {GroupBy::Arg, "arg", "argument", "A row for each value of an argument, read from the files"},
}};

constexpr std::string_view kArgPrefix = "arg:";

std::string path_words(const Trace& trace, LaneId lane) {
  std::string out;
  for (const std::string& part : trace.path_of(lane)) out += (out.empty() ? "" : " > ") + part;
  return out;
}

}  // namespace

std::span<const GroupByInfo> group_by_infos() { return kGroupings; }

const GroupByInfo& info(GroupBy by) { return kGroupings[static_cast<std::size_t>(by)]; }

std::optional<Grouping> parse_grouping(std::string_view text) {
  if (text.empty()) return Grouping{};
  if (text.starts_with(kArgPrefix) && text.size() > kArgPrefix.size()) {
    return Grouping{GroupBy::Arg, std::string(text.substr(kArgPrefix.size()))};
  }
  if (text == "rank" || text == "worker" || text == "gpu") return Grouping{GroupBy::Process, {}};
  for (const GroupByInfo& one : kGroupings) {
    if (one.id == text && one.by != GroupBy::Arg) return Grouping{one.by, {}};
  }
  return std::nullopt;
}

std::string text_of(const Grouping& grouping) {
  return grouping.by == GroupBy::Arg ? std::string(kArgPrefix) + grouping.arg : std::string(info(grouping.by).id);
}

std::shared_ptr<const StatsGroups> stats_groups(const Trace& trace, GroupBy by) {
  if (by == GroupBy::Name || by == GroupBy::Arg) return nullptr;
  auto groups = std::make_shared<StatsGroups>();
  if (by == GroupBy::Category) {
    std::unordered_map<std::string_view, std::uint32_t> known;
    for (std::size_t l = 0; l < trace.labels.size(); ++l) {
      const std::string_view category = trace.labels.category(id_at<LabelId>(l));
      const auto [at, added] = known.try_emplace(category, static_cast<std::uint32_t>(groups->names.size()));
      if (added) groups->names.emplace_back(category);
      groups->of_label.push_back(at->second);
    }
    return groups;
  }
  std::unordered_map<std::uint32_t, std::uint32_t> known;  // by the lane or group that gives the name
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const auto lane = id_at<LaneId>(l);
    const LaneId group = by == GroupBy::Process ? outermost_group(trace, lane) : lane;
    const auto [at, added] =
        known.try_emplace(static_cast<std::uint32_t>(idx(group)), static_cast<std::uint32_t>(groups->names.size()));
    if (added) groups->names.push_back(path_words(trace, group));
    groups->of_lane.push_back(at->second);
  }
  return groups;
}

}  // namespace tv
