#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/io/files/folder_listing.h"

namespace tv {
namespace {

// Decodes a path of /proc/self/mounts, in which blanks and some other characters are octal numbers: "\040".
std::string unescaped_mount(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
    const bool octal = text[i] == '\\' && i + 3 < text.size() && std::ranges::all_of(text.substr(i + 1, 3), is_octal);
    if (!octal) {
      out += text[i];
      continue;
    }
    out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return out;
}

}  // namespace

std::vector<std::string> mounted_drives(const std::string& mounts) {
  constexpr std::array<std::string_view, 3> kPlaces = {"/media/", "/run/media/", "/mnt/"};
  std::vector<std::string> out;
  std::ifstream lines(mounts.empty() ? "/proc/self/mounts" : mounts);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string device, place;
    words >> device >> place;
    place = unescaped_mount(place);
    const std::string as_folder = place + "/";  // a drive can be mounted at /mnt itself
    const bool is_drive = std::ranges::any_of(kPlaces, [&](std::string_view in) { return as_folder.starts_with(in); });
    if (is_drive) out.push_back(std::move(place));
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace tv
