// What the window shows while nothing is open: the last session, recent files, a sample, the most important keys. Texts only;
// ui/panels/start_page.h draws them. The examples of readable files come from core/read/format_examples.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/read/format_examples.h"
#include "core/session/persistence/recent_files.h"
#include "core/session/persistence/saved_session.h"
#include "core/view/keys/keymap.h"

namespace tv {

struct StartPage {
  /// What the program is, for new users.
  static std::string_view what() { return "Training runs on one timeline: every worker, thread and GPU stream on one clock"; }
  /// The formats that can be read, with examples of files on a disk.
  static std::span<const FormatExample> formats() { return format_examples(); }
  static std::string_view wrapped_formats() { return wrapped_examples(); }
  static std::string_view folder() { return folder_example(); }
  struct Session {
    std::string title;   ///< "Reopen the last session"
    std::string detail;  ///< "exp_1000 and 2 more, today 14:03"
    bool crashed = false;
  };
  struct Entry {
    std::string name;    ///< "worker_3.jsonl and 2 more"
    std::string folder;  ///< of the first path, with ~ for the home folder
    std::string facts;   ///< "2.7 GB, yesterday 09:12", "not there now, ..."
    bool missing = false;
    RecentFile file;
  };
  std::optional<Session> session;
  std::vector<Entry> recent;  ///< pinned ones first
  std::string sample;         ///< path of the sample; empty: there is none
};

struct KeyLine {
  std::string keys, title;
};
/// The keys to know first.
std::vector<KeyLine> first_keys();

/// "exp_1000 and 2 more"
std::string paths_title(const std::vector<std::string>& paths);
/// "today 14:03", "yesterday 14:03", "2025-11-03", in local time; empty for 0. Both times are since the epoch.
std::string when_text(std::int64_t then_s, std::int64_t now_s);
/// "812 B", "2.7 GB"; empty for 0.
std::string file_size_text(std::uint64_t bytes);

StartPage::Session session_offer(const SavedSession& session, bool crashed, std::int64_t now_s);
/// `missing`: for each file of `recent`, whether one of its paths is gone; may be shorter. `home`: the home folder.
std::vector<StartPage::Entry> recent_entries(const std::vector<RecentFile>& recent, const std::vector<bool>& missing,
                                             std::string_view home, std::int64_t now_s);

}  // namespace tv
