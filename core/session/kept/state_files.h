// Names of the state files of traces, and which of them are removed.
#pragma once

#include <string>
#include <vector>

namespace tv {

/// How many views the folder keeps: those used last.
inline constexpr std::size_t kMostViews = 300;

/// The same from every folder that the program is started in.
std::vector<std::string> whole_paths(const std::vector<std::string>& paths);
/// "3f...9c.json": of the paths and the part of them that is loaded.
std::string view_file_name(const std::vector<std::string>& whole_paths, const std::string& part);
/// Removes the oldest if there are many more than kMostViews.
void forget_old_views(const std::string& folder);

}  // namespace tv
