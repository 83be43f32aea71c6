// The open files in a few words, for the title of the window and of a tab.
#pragma once

#include <string>
#include <vector>

namespace tv {

/// "step_67", "step_67 and 2 more"; empty without paths.
std::string open_title(const std::vector<std::string>& paths);

/// The same with the folder of the first path: "run_a/trace.json".
std::string open_title_in_folder(const std::vector<std::string>& paths);

}  // namespace tv
