// Files that were opened but are not shown, in as few words as possible: a folder of a training run holds thousands of files
// that are not traces, and the report about them must not hide what matters.
#pragma once

#include <string>
#include <vector>

#include "core/store/draft/source_info.h"

namespace tv {

/// Files with one reason not to be shown, in the order of the first of each.
struct UnreadKind {
  std::string reason;
  std::vector<std::size_t> sources;  ///< indices; never empty
};

/// Neither read nor being read: left out ones too.
bool unread(const SourceInfo& source);

std::vector<UnreadKind> unread_kinds(const std::vector<SourceInfo>& sources);

/// Up to this many files of a kind are named, a line each; more are one line.
inline constexpr std::size_t kUnreadNamed = 3;

/// "/a/b.txt: text of a format that is not known"; "3,812 files: text of ... (2,100 .py, 900 .md, 812 others; /a/b.py, ...)".
std::vector<std::string> unread_lines(const std::vector<SourceInfo>& sources);

/// Why a log that was read has nothing to show, in its reader's words. Else empty.
std::string why_empty(const SourceInfo& source);

/// Why nothing of `paths` is shown. Empty if any source that was read has something to show.
std::string nothing_read(const std::vector<SourceInfo>& sources, const std::vector<std::string>& paths);

}  // namespace tv
