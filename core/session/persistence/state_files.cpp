#include "core/session/persistence/state_files.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>

namespace tv {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSlack = 50;  // extra files allowed, so that not every new file triggers a clean-up

}  // namespace

std::vector<std::string> whole_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    std::error_code code;
    const fs::path whole = fs::absolute(path, code);
    out.push_back(code ? path : whole.lexically_normal().string());
  }
  return out;
}

std::string view_file_name(const std::vector<std::string>& whole_paths, const std::string& part) {
  std::string all = part;
  for (const std::string& path : whole_paths) all += '\0' + path;
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}.json", hash.high64, hash.low64);
}

void forget_old_views(const std::string& folder, const std::string& opened) {
  std::error_code code;
  fs::last_write_time(opened, fs::file_time_type::clock::now(), code);  // does nothing if there is no such file
  code.clear();
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    std::error_code unknown;
    const fs::file_time_type written = it->last_write_time(unknown);
    if (!unknown) files.emplace_back(written, it->path());
  }
  if (files.size() <= kMostViews + kSlack) return;
  std::ranges::sort(files);
  for (std::size_t i = 0; i + kMostViews < files.size(); ++i) fs::remove(files[i].second, code);
}

}  // namespace tv
