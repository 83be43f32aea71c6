#include "core/session/held/index_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "core/io/files/open_stream.h"
#include "core/io/written/new_file.h"
#include "core/read/nsys/nsys_export.h"

namespace tv {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kEnding = ".tvx", kExport = ".sqlite";
constexpr auto kForgotten = std::chrono::hours(24);  // a partial file this old is not being written any more

Error system_error(const std::string& path, const std::error_code& code) { return {code.message(), path, {}, {}}; }

bool is_part(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(kPartSuffix) || name.find(kPartOfExport) != std::string::npos;  // includes SQLite's journal files
}

bool is_export(const fs::path& path) { return path.extension() == kExport && !is_part(path); }

void remove_forgotten(const std::string& folder) {
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    if (!is_part(at->path())) continue;
    std::error_code unknown;
    const auto written = at->last_write_time(unknown);
    if (!unknown && fs::file_time_type::clock::now() - written > kForgotten) fs::remove(at->path(), unknown);
  }
}

}  // namespace

std::string CacheKey::text(const CacheOptions& options) const {
  std::string text = options.program + "\n" + choice + "\n";
  for (const File& file : files) {
    text += fmt::format("{} {} {} {}\n", file.identity.size, file.identity.modified_ns, file.clock_offset, file.path);
  }
  return text;
}

bool unchanged(const CacheKey& key) {
  return std::ranges::all_of(key.files, [](const CacheKey::File& file) {
    const auto now = identity_of(file.path);
    return now && now.value() == file.identity;
  });
}

void touch_entry(const std::string& path) {
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
}

std::string exports_folder(const std::string& folder) { return folder.empty() ? std::string() : folder + "/nsys"; }

std::vector<std::string> exports_of(const Trace& trace) {
  std::vector<std::string> paths;
  for (const SourceInfo& source : trace.sources) {
    if (!source.database.empty()) paths.push_back(source.database);
  }
  return paths;
}

void trim_cache(const CacheOptions& options, const std::vector<std::string>& in_use) {
  if (options.folder.empty()) return;
  remove_forgotten(options.folder);
  remove_forgotten(exports_folder(options.folder));
  const std::set<std::string_view> used(in_use.begin(), in_use.end());
  std::uint64_t sum = 0;
  for (const CacheEntry& entry : cache_entries(options.folder)) {
    sum += entry.bytes;
    std::error_code code;
    if (sum > options.most_bytes && !used.contains(entry.path)) fs::remove(entry.path, code);
  }
}

std::vector<CacheEntry> cache_entries(const std::string& folder) {
  std::vector<CacheEntry> entries;
  const auto add = [&](const std::string& within, auto wanted) {
    std::error_code code;
    for (fs::directory_iterator at(within, code), end; !code && at != end; at.increment(code)) {
      const std::string path = at->path().string();
      const auto identity = wanted(at->path()) ? identity_of(path) : Error{};
      if (identity) entries.push_back({path, identity.value().size, identity.value().modified_ns});
    }
  };
  add(folder, [](const fs::path& path) { return path.extension() == kEnding; });
  add(exports_folder(folder), is_export);
  std::ranges::sort(entries, [](const CacheEntry& a, const CacheEntry& b) {
    return a.used_ns != b.used_ns ? a.used_ns > b.used_ns : a.path < b.path;
  });
  return entries;
}

Result<void> clear_cache(const std::string& folder) {
  std::error_code code;
  for (const std::string& within : {exports_folder(folder), folder}) {
    if (!fs::exists(within, code)) continue;
    for (fs::directory_iterator at(within, code), end; !code && at != end; at.increment(code)) {
      const bool ours = is_part(at->path()) || at->path().extension() == kEnding || (within != folder && is_export(at->path()));
      std::error_code failed;  // not set if another process has removed the file
      if (ours) fs::remove(at->path(), failed);
      if (failed) return system_error(at->path().string(), failed);
    }
    if (code) return system_error(within, code);
  }
  return {};
}

}  // namespace tv
