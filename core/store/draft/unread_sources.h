// Reports files that were opened but are not shown, in few lines: the folder of a training run holds thousands of files that are
// not traces, and the report about them must not hide important messages.
#pragma once

#include <string>
#include <vector>

#include "core/store/draft/source_info.h"

namespace tv {

/// Files with the same reason for not being shown, in the order of their first file.
struct UnreadKind {
  std::string reason;
  std::vector<std::size_t> sources;  ///< indices; never empty
};

/// Whether a file is left out, rejected, or has no reader. False for files that are waiting or cancelled.
bool unread(const SourceInfo& source);

std::vector<UnreadKind> unread_kinds(const std::vector<SourceInfo>& sources);

/// If a kind has at most this many files, each is named on its own line. Otherwise they share one line.
inline constexpr std::size_t kUnreadNamed = 3;

/// "/a/b.txt: text of a format that is not known"; "3,812 files: text of ... (2,100 .py, 900 .md, 812 others; /a/b.py, ...)".
std::vector<std::string> unread_lines(const std::vector<SourceInfo>& sources);

/// Why a log that was read has nothing to show, as its reader reports it. Empty if no reason was reported.
std::string why_empty(const SourceInfo& source);

/// Why nothing of `paths` is shown. Empty if something is shown, or if a file was read and no reason was reported.
std::string nothing_read(const std::vector<SourceInfo>& sources, const std::vector<std::string>& paths);

}  // namespace tv
