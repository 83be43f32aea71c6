// Recently opened files, latest first. Files that were open together are one entry. Pure functions; user_state.h stores the list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/view/keys/commands.h"

namespace tv {

inline constexpr std::size_t kMostRecent = 20;  ///< in addition to pinned ones
inline constexpr std::size_t kMostRecentFolders = 8;

struct RecentFile {
  std::vector<std::string> paths;  ///< absolute, of files and folders
  std::int64_t opened_s = 0;       ///< since the epoch
  std::uint64_t bytes = 0;         ///< of all files together; 0 = unknown
  bool pinned = false;
  bool operator==(const RecentFile&) const = default;
};

/// Puts `opened` first, in place of an entry with the same paths; a pinned entry stays pinned. Keeps only the kMostRecent latest
/// of the unpinned entries.
void add_recent(std::vector<RecentFile>& recent, RecentFile opened);
void change_recent(std::vector<RecentFile>& recent, const command::ChangeRecent& change);

/// The folders that contain these files, latest first, at most kMostRecentFolders.
std::vector<std::string> recent_folders(const std::vector<RecentFile>& recent);

/// As JSON, and back. Reading leaves out entries without paths.
std::string recent_text(const std::vector<RecentFile>& recent);
Result<std::vector<RecentFile>> recent_from(const std::string& text);

}  // namespace tv
