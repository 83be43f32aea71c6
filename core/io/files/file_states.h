// The states of all files below given paths, as find_files() finds them. Each refresh() polls the given paths and the files that
// changed last; other files take turns. A folder is listed only when an entry was added, removed or renamed. An archive counts as
// one file. A network file system may report states that are some seconds old; there refresh() asks the server about the files
// that changed last, and for names that would come next (next_names.h).
// Cost: refresh() reads the states of the given paths, of at most kMostLately paths that changed last, and in turn of kMostInTurn
// files and as many folders; also the entries of changed folders. look_at_all() is O(files). A state is one system call, 1 to 2
// us on a local disk. On a network each may be a round trip to the server, so there kMostAsked replaces both limits.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/files/file_state.h"

namespace tv {

class FileStates {
 public:
  static constexpr std::size_t kMostLately = 256, kMostInTurn = 512, kMostAsked = 16;
  using Files = FilesByPath;

  explicit FileStates(const std::vector<std::string>& paths);
  /// Behaves as on a network file system, wherever the files are. For tests.
  void ask_server() { asks_server_ = true; }

  /// Each of these three returns true if something has changed.
  bool look_at_all();
  bool refresh();
  /// Checks only these paths, for callers that received events about them.
  bool look_at(const std::vector<std::string>& touched);

  const Files& files() const { return files_; }
  /// The places to watch for events: all folders, and files that were given by name.
  std::vector<std::string> places() const;
  bool asks_server() const { return asks_server_; }

 private:
  struct Folder {
    FileState state;
    std::int64_t listed_ns = 0;
  };
  bool look_at_path(const std::string& path);
  bool look_at_file(const std::string& path);
  bool look_at_file(const std::string& path, const std::optional<FileState>& state);
  bool look_at_folder(const std::string& path, bool list_anyway);
  bool list(const std::string& path);
  bool forget_below(const std::string& folder);
  void note_change(const std::string& path);
  void note_latest();
  std::vector<std::string> latest(std::size_t most) const;
  bool look_at_latest_on_server();
  bool look_for_next(const std::string& folder);

  std::vector<std::string> given_;
  Files files_;
  std::map<std::string, Folder, std::less<>> folders_;
  std::deque<std::string> lately_;            // the latest first
  bool all_is_new_ = false;                   // true during the first look: note_change() then does nothing
  bool asks_server_ = false;
  std::string next_file_, next_folder_;       // whose turn is next
};

}  // namespace tv
