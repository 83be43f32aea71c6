// Short names for files that would otherwise be called alike: what differs in their paths.
//
//   runs/before/rank0.json      before        a/trace_bs32_v1.json   bs32       x_12.1764252732000.pt.trace.json   2025-11-27
//   runs/after/rank0.json       after         a/trace_bs64_v1.json   bs64       x_12.1764343935000.pt.trace.json   2025-11-28
//
// Words of the file's name come first, then the outermost folder that differs, then numbers and times. Numbers have the word before
// them ("run_2"); a Unix time is written as a date, in UTC, with the time of day where the day is the same. Files of several groups,
// such as ranks, share a name where their groups differ in the same way: two ranks before and two after are "before" and "after".
//
// Cost: O(letters of the paths).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

/// Different texts, none of them empty, by path. Equal paths are numbered.
std::vector<std::string> told_apart(std::span<const std::string_view> paths);
/// Different within each group. `group`: by path.
std::vector<std::string> told_apart(std::span<const std::string_view> paths, std::span<const std::size_t> group);

}  // namespace tv
