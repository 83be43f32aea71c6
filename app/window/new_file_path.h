// Names for files that the window saves without asking.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tv {

/// A path named after the current second, at which nothing exists: in ~/Pictures if that exists, else in the working directory.
std::filesystem::path new_file_path(const std::string& name, std::string_view ending);

}  // namespace tv
