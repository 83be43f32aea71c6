// The libraries under core, with their versions: of shared ones that which runs, of headers that which was compiled.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tv {

using LibraryVersions = std::vector<std::pair<std::string, std::string>>;  ///< "zstd", "1.5.4"

LibraryVersions core_library_versions();

}  // namespace tv
