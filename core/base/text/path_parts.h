// The parts of a path as text: nothing is looked up in the file system. A path without a slash is a name in the folder "".
#pragma once

#include <string_view>

namespace tv {

/// "/a/b/c.json" -> "c.json"
inline std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// "/a/b/c.json" -> "/a/b"
inline std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash);
}

}  // namespace tv
