// The libraries that core uses, with their versions: for shared libraries the loaded one, for header-only ones the compiled one.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tv {

using LibraryVersions = std::vector<std::pair<std::string, std::string>>;  ///< "zstd", "1.5.4"

LibraryVersions core_library_versions();

}  // namespace tv
