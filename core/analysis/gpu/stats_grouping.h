// What statistics are grouped by: names, categories, lanes, the outermost groups of lanes (a rank, a worker, a process, a GPU),
// or the values of an argument (core/session/records/arg_values.h).
//
// Groups are in the order in which labels or lanes first have them. Cost: O(labels + lanes).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/query/range_stats.h"

namespace tv {

enum class GroupBy : std::uint8_t { Name, Category, Lane, Process, Arg };

struct GroupByInfo {
  GroupBy by;
  std::string_view id;     ///< "lane": on the command line and in a saved state
  std::string_view title;  ///< heading of the first column
  std::string_view meaning;
};
std::span<const GroupByInfo> group_by_infos();
const GroupByInfo& info(GroupBy by);

struct Grouping {
  GroupBy by = GroupBy::Name;
  std::string arg = {};  ///< for GroupBy::Arg
  bool operator==(const Grouping&) const = default;
};
/// Parses "name", "category", "lane", "process" (or "rank", "worker", "gpu") and "arg:bytes"; an empty text means name.
std::optional<Grouping> parse_grouping(std::string_view text);
std::string text_of(const Grouping& grouping);

/// Null for names, which need no groups, and for args, whose values have to be read.
std::shared_ptr<const StatsGroups> stats_groups(const Trace& trace, GroupBy by);

}  // namespace tv
