// The parts of a path as text: nothing is looked up in the file system. A path without a slash is a name in the folder "".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tv {

/// "/a/b/c.json" -> "c.json"
inline std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// "/a/b/c.json" -> "/a/b"
inline std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash);
}

/// Visits the folders that a path lies in, the outermost first: "", "/a" and "/a/b" for "/a/b/c.json".
template <class Visit>
void for_each_folder_of(std::string_view path, Visit visit) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) visit(path.substr(0, slash));
}

/// Erases what lies in the folder of this name, from a set or map sorted by path. Visits no entries of other folders.
template <class Sorted>
void erase_below(Sorted& paths, std::string_view folder) {
  const std::string below = std::string(folder) + "/";
  const auto path_of = [](const auto& entry) -> const std::string& {
    if constexpr (requires { entry.first; }) {
      return entry.first;
    } else {
      return entry;
    }
  };
  const auto first = paths.lower_bound(below);
  auto last = first;
  while (last != paths.end() && path_of(*last).starts_with(below)) ++last;
  paths.erase(first, last);
}

}  // namespace tv
