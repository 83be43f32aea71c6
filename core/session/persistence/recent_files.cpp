#include "core/session/persistence/recent_files.h"

#include <algorithm>

#include "core/base/text/path_parts.h"

namespace tv {

void add_recent(std::vector<RecentFile>& recent, RecentFile opened) {
  const auto same = std::ranges::find(recent, opened.paths, &RecentFile::paths);
  if (same != recent.end()) {
    opened.pinned |= same->pinned;
    if (opened.bytes == 0) opened.bytes = same->bytes;
    recent.erase(same);
  }
  recent.insert(recent.begin(), std::move(opened));
  std::size_t unpinned = 0;
  std::erase_if(recent, [&](const RecentFile& file) { return !file.pinned && ++unpinned > kMostRecent; });
}

void change_recent(std::vector<RecentFile>& recent, const command::ChangeRecent& change) {
  using What = command::ChangeRecent::What;
  const auto is_meant = [&](const RecentFile& file) { return file.paths == change.paths; };
  if (change.what == What::Clear) std::erase_if(recent, [](const RecentFile& file) { return !file.pinned; });
  if (change.what == What::Remove) std::erase_if(recent, is_meant);
  if (change.what != What::Pin && change.what != What::Unpin) return;
  for (RecentFile& file : recent) {
    if (is_meant(file)) file.pinned = change.what == What::Pin;
  }
}

std::vector<std::string> recent_folders(const std::vector<RecentFile>& recent) {
  std::vector<std::string> folders;
  for (const RecentFile& file : recent) {
    for (const std::string& path : file.paths) {
      const std::string folder(folder_of(path));
      if (folder.empty() || folders.size() == kMostRecentFolders || std::ranges::find(folders, folder) != folders.end()) continue;
      folders.push_back(folder);
    }
  }
  return folders;
}

}  // namespace tv
