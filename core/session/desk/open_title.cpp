#include "core/session/desk/open_title.h"

#include <fmt/format.h>

#include "core/base/text/path_parts.h"

namespace tv {
namespace {

std::string_view without_slashes(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

std::string with_more(std::string name, std::size_t paths) {
  return paths > 1 ? fmt::format("{} and {} more", name, paths - 1) : name;
}

}  // namespace

std::string open_title(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  return with_more(std::string(last_part(without_slashes(paths.front()))), paths.size());
}

std::string open_title_in_folder(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  const std::string_view first = without_slashes(paths.front());
  const std::string_view folder = last_part(folder_of(first));
  const std::string name(last_part(first));
  return with_more(folder.empty() ? name : std::string(folder) + "/" + name, paths.size());
}

}  // namespace tv
