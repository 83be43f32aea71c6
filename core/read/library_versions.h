// Lists the libraries that core uses, with their versions: that of the loaded library if it reports one, else that of its
// headers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tv {

using LibraryVersions = std::vector<std::pair<std::string, std::string>>;  ///< "zstd", "1.5.4"

LibraryVersions core_library_versions();

}  // namespace tv
