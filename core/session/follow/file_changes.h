// In what files differ from those that were read. Cost: O(files), one walk over both.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/io/files/file_states.h"

namespace tv {

enum class FileChange : std::uint8_t { Grown, New, Truncated, Replaced, Gone, Unreadable };

struct ChangedFile {
  std::string path;
  FileChange change = FileChange::Grown;
  bool operator==(const ChangedFile&) const = default;
};

/// The state of files just before they were read.
struct ReadStates {
  FileStates::Files files;
  std::set<std::string, std::less<>> closed;   ///< not looked at
  std::set<std::string, std::less<>> unknown;  ///< of no known format, and too long to become one by growing
};

/// Which files differ from those that were read, and how, in the order of their paths. Never says Unreadable.
std::vector<ChangedFile> changes_since(const ReadStates& read, const FileStates::Files& now);

/// Asks the system whether each file that grew or is gone exists but cannot be read. Cost: two calls for each of them.
void note_unreadable(std::vector<ChangedFile>& changes);

}  // namespace tv
