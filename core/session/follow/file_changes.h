// Compares the present states of files with the states in which they were read. Cost: O(files), one walk over both lists.
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

/// The states of files just before they were read.
struct ReadStates {
  FileStates::Files files;
  std::set<std::string, std::less<>> closed;   ///< not compared
  std::set<std::string, std::less<>> unknown;  ///< of unknown format, and too long for growth to reveal it
};

/// The files that differ from those that were read, ordered by path. FileChange::Unreadable does not occur.
std::vector<ChangedFile> changes_since(const ReadStates& read, const FileStates::Files& now);

/// Marks files that grew or are gone as Unreadable if they exist but cannot be read. Cost: two system calls for each.
void note_unreadable(std::vector<ChangedFile>& changes);

}  // namespace tv
