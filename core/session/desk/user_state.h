// The state that outlives the window: settings (config folder), recent files, the session, the window's position and the view of
// each trace (state folder). It is read at start, and written as small complete files (core/io/written/user_file.h) soon after a
// change, so that a killed program loses only seconds. If two programs run, the last write of a file wins; only settings and
// recent files are merged.
//
//   settings.toml               core/session/persistence/settings.h
//   recent.json, commands.json  recent_files.h, recent_commands.h
//   session.json, window.json   saved_session.h
//   tables.json                 order and columns of tables (core/view/table/table_states.h)
//   views/<hash>.json           view_state.h, for the trace with these paths; a loaded part has its own
//
// A file that cannot be parsed is renamed, with a message. A file that exists but cannot be read is left alone, and its values are
// not saved. Without folders nothing is read or written: tests, pictures and --safe-mode use this. Main thread; another thread only
// checks whether recent files still exist.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/session/persistence/recent_files.h"
#include "core/session/persistence/saved_session.h"
#include "core/session/persistence/settings.h"
#include "core/session/persistence/start_page.h"
#include "core/session/workspace/workspace.h"

namespace tv {

struct UserStateFolders {
  std::string config, state;  ///< empty: nothing is read or written there
};

/// Turns a view into text, and text into a view.
struct ViewTexts {
  std::function<std::string(const Workspace&)> text;
  std::function<Result<void>(Workspace&, const std::string&)> take;
};

class UserState {
 public:
  /// `wake` is called on another thread when the start page has changed.
  UserState(UserStateFolders folders, ViewTexts view_texts, std::function<void()> wake);
  ~UserState();

  /// Shared by all views.
  const std::shared_ptr<Settings>& settings() const { return settings_; }
  /// Values from the environment, and from command line options passed to set(), override the file and are not written to it.
  /// Call both functions before the first follow().
  void take_environment();
  void set(std::string_view key, const std::string& value);
  /// Applies the settings file again; call when another program may have changed it. A file that cannot be parsed is left alone,
  /// with a message: an editor may be in the middle of writing it.
  void look_again();
  /// The path of the settings file; empty without a config folder.
  std::string settings_path() const;

  /// The state of the program at one moment.
  struct Seen {
    double now_s = 0;  ///< any clock that does not go back
    std::span<Workspace* const> views;
    std::size_t current = 0;
    std::optional<WindowPlace> place;
    bool drawn = true;  ///< a frame was drawn, so something may have changed
  };
  /// Call after each frame, and when wait_s() has passed: notices changes, and writes those that are due.
  void follow(const Seen& seen);
  /// Seconds until something must be written; infinity if nothing is due.
  double wait_s(double now_s) const;
  /// Writes everything now, without ending the session.
  void save(const Seen& seen);
  /// Writes everything and marks the session as ended normally.
  void quit(const Seen& seen);

  const StartPage& start_page();
  /// Handles ReopenSession, OpenSample and ChangeRecent. A reopened session shows its current view in `current`; the caller
  /// opens its other views with reopen().
  void apply(const Command& command, Workspace& current);
  void change(const command::ChangeRecent& change);
  const std::optional<SavedSession>& last_session() const { return last_session_; }
  bool crashed() const { return crashed_; }  ///< the last session did not end normally
  /// Opens the saved view in this workspace.
  void reopen(Workspace& workspace, const SavedView& view);
  void set_sample(std::string path) { page_.sample = std::move(path); }

  /// The window's position when the program last ran.
  const std::optional<WindowPlace>& window_place() const { return last_place_; }
  /// A sentence for the user about a file that could not be read or written. Empty if there is none.
  std::string take_notice();

 private:
  // The open files, and the part of them that is loaded.
  struct Opened {
    bool is_of(const Session& session) const;

    std::vector<std::string> paths;
    LoadChoice choice = {};
  };
  // Says which view to restore for open files, and where its state is stored.
  struct Kept {
    Opened settled;                       // what a view was restored for
    std::string wanted;                   // the view to restore; empty: the one in `file`
    std::vector<std::string> wanted_for;  // paths for which `wanted` is read again, once; empty: what is opened next
    std::string file, written;            // the file for the state of `settled`, and the content of that file
  };

  std::optional<std::string> read(const std::string& path);
  void write(const std::string& path, const std::string& text);
  void put_aside_broken(const std::string& path, const std::string& why);
  void say(const std::string& sentence);
  void read_settings_file();
  void write_settings();
  void apply_overrides(Settings& settings) const;
  void follow_commands(const Seen& seen);
  void update_facts(Workspace& workspace) const;
  template <class Parse, class Take>
  void read_file(const char* name, Parse parse, Take take);
  void read_state();
  void write_tables(const Seen& seen);
  void read_recent();
  void look_for_recent();
  void follow_view(Workspace& workspace);
  void settle(Workspace& workspace, Kept& kept);
  void write_views(const Seen& seen);
  void write_session(const Seen& seen, bool ended);
  void write_all(const Seen& seen, bool ended);
  std::string state_path(const char* name) const;

  const UserStateFolders folders_;
  const ViewTexts view_texts_;
  const std::function<void()> wake_;
  std::shared_ptr<Settings> settings_ = std::make_shared<Settings>();
  Settings saved_settings_;  ///< the values in the file, with overrides
  std::string settings_text_;  ///< the file's text as last read or written
  std::vector<std::pair<std::string, std::string>> overrides_;  ///< keys and values that override the file
  std::vector<std::string> commands_, saved_commands_;      ///< ids of recently chosen commands
  std::vector<RecentFile> recent_;
  std::optional<SavedSession> last_session_;
  SavedSession session_;  ///< as last written
  bool crashed_ = false;
  std::optional<WindowPlace> last_place_, place_;  ///< as in the file; now
  std::map<const Workspace*, Kept> kept_;
  KeptTables tables_;  ///< as in the file
  StartPage page_;
  // Which recent files are missing. Another thread finds out; it may outlive this object.
  struct Missing;
  std::shared_ptr<Missing> missing_;
  std::uint64_t shown_version_ = 0;  ///< of missing_, as in page_
  bool page_changed_ = true, folders_changed_ = true;

  double settings_due_s_, next_write_s_, last_write_s_;
  std::set<std::string> unread_, unwritten_;  ///< files that could not be read or written the last time; this has been reported
  std::string notice_;
};

/// The folders given by $TRACEVIEW_STATE_DIR and the like (core/io/written/user_folders.h).
UserStateFolders user_remembered_folders();

}  // namespace tv
