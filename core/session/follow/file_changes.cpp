#include "core/session/follow/file_changes.h"

namespace tv {

std::vector<ChangedFile> changes_since(const ReadStates& read, const FileStates::Files& now) {
  std::vector<ChangedFile> changes;
  auto was = read.files.begin();
  auto is = now.begin();
  const auto add = [&](const std::string& path, FileChange change) {
    if (read.closed.contains(path) || (change == FileChange::Grown && read.unknown.contains(path))) return;
    changes.push_back({path, change});
  };
  while (was != read.files.end() || is != now.end()) {
    const bool gone = is == now.end() || (was != read.files.end() && was->first < is->first);
    if (gone) {
      add(was->first, FileChange::Gone);
      ++was;
    } else if (was == read.files.end() || is->first < was->first) {
      add(is->first, FileChange::New);
      ++is;
    } else {
      const FileState &a = was->second, &b = is->second;
      if (a.file != b.file) {
        add(is->first, FileChange::Replaced);
      } else if (b.bytes < a.bytes) {
        add(is->first, FileChange::Truncated);
      } else if (a != b) {
        add(is->first, FileChange::Grown);
      }
      ++was, ++is;
    }
  }
  return changes;
}

void note_unreadable(std::vector<ChangedFile>& changes) {
  for (ChangedFile& each : changes) {
    const bool may_be_unreadable = each.change == FileChange::Grown || each.change == FileChange::Gone;
    if (may_be_unreadable && is_out_of_reach(each.path)) each.change = FileChange::Unreadable;
  }
}

}  // namespace tv
