// Makes short names for files that would otherwise have the same name, from the parts of their paths that differ.
//
//   runs/before/rank0.json      before        a/trace_bs32_v1.json   bs32       x_12.1764252732000.pt.trace.json   2025-11-27
//   runs/after/rank0.json       after         a/trace_bs64_v1.json   bs64       x_12.1764343935000.pt.trace.json   2025-11-28
//
// Words of the file's name are preferred, then words of the outermost folder that differs, then times and numbers. A number keeps
// the word before it ("run_2"). A Unix time becomes a date in UTC, with the time of day if dates are equal. If possible, groups
// of files use the same names: if each of two ranks was recorded before and after a change, each rank's files are named "before"
// and "after".
//
// A time and a rank at the end of a name are dropped if the word before them already tells the files apart:
// "capture_rank_0.1773709742341309550" becomes "capture" if the other file is "execution".
//
// Cost: O(letters of the paths).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

/// Returns one name for each path, in the same order. All names differ, and none is empty. Equal paths are numbered.
std::vector<std::string> distinct_names(std::span<const std::string_view> paths);
/// Names need to differ only within a group. `group`: the group of each path.
std::vector<std::string> distinct_names(std::span<const std::string_view> paths, std::span<const std::size_t> group);

}  // namespace tv
