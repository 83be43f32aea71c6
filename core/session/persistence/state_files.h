// Names the files that store a trace's view, and removes old ones.
#pragma once

#include <string>
#include <vector>

namespace tv {

/// How many views the folder keeps: those that were opened or written last.
inline constexpr std::size_t kMostViews = 300;

/// The paths, made absolute.
std::vector<std::string> whole_paths(const std::vector<std::string>& paths);
/// "3f...9c.json": a hash of the paths and the part of them that is loaded.
std::string view_file_name(const std::vector<std::string>& whole_paths, const std::string& part);
/// Removes the oldest views if there are many more than kMostViews. `opened`: the file of a view that is being opened. It need
/// not exist; if it does, it counts as new from now on.
void forget_old_views(const std::string& folder, const std::string& opened);

}  // namespace tv
