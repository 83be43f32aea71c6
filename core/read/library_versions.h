// The libraries that core uses, with their versions: the loaded one if the library reports it, else that of the headers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tv {

using LibraryVersions = std::vector<std::pair<std::string, std::string>>;  ///< "zstd", "1.5.4"

LibraryVersions core_library_versions();

}  // namespace tv
