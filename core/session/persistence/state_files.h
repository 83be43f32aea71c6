// Names of traces' state files, and removal of old ones.
#pragma once

#include <string>
#include <vector>

namespace tv {

/// The number of views that the folder keeps: the most recently written ones.
inline constexpr std::size_t kMostViews = 300;

/// Absolute paths, the same for any working directory.
std::vector<std::string> whole_paths(const std::vector<std::string>& paths);
/// "3f...9c.json": a hash of the paths and the part of them that is loaded.
std::string view_file_name(const std::vector<std::string>& whole_paths, const std::string& part);
/// Removes the oldest if there are many more than kMostViews.
void forget_old_views(const std::string& folder);

}  // namespace tv
