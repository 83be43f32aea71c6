// Follows the open files: decides when to read them again, and reports on them. The watch checks files on its own thread, the pace
// decides, and the owner reads. Called by one thread, once per frame; it never waits for a file.
//
//   frame:  ended(...) when reading is over  ->  step(now) says when to read again  ->  began(paths)
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/session/follow/follow_pace.h"
#include "core/session/follow/follow_watch.h"
#include "core/session/follow/follow_words.h"

namespace tv {

class Following {
 public:
  /// `wake` is called on another thread when step() has something to do, or words() would change.
  explicit Following(std::function<void()> wake) : watch_(std::move(wake)) {}

  /// A load of these paths has begun, for whatever reason.
  void began(const std::vector<std::string>& paths);
  bool reading() const { return pace_.reading(); }
  /// `states`: of the files just before they were read. None if the load ended before it knew them; then the present state counts
  /// as read, since otherwise a load without a result would start the next one, forever.
  /// `why_not`: why the new data could not be shown; the view still shows the old data.
  void ended(double now_s, std::optional<ReadStates> states, std::string why_not = {});
  /// Returns true if new data should be read now. `working`: the last data are still being analysed, so no load begins.
  bool step(double now_s, bool working);

  /// The states of all files of these paths, if the file system reports changes late. Null: it does not, or nothing has changed.
  std::shared_ptr<const FilesByPath> seen(const std::vector<std::string>& paths) const { return paths == paths_ ? seen_files_ : nullptr; }

  /// `files`: how many files are shown.
  std::string words(std::size_t files) const;
  bool troubled() const { return !trouble_.empty(); }
  bool old() const { return old_since_s_.has_value(); }
  /// The files that were truncated, replaced or deleted since the last call. Empty: none.
  std::string take_trouble() { return std::exchange(untold_, {}); }
  /// Checks all files; new data have been read when up_to_date() is true again.
  void look_now() { asked_ = watch_.look_now(); }
  bool up_to_date() const;
  void cancel() {}  ///< a running check ends soon

 private:
  static constexpr double kTroubleShown_s = 300;

  FollowWatch watch_;
  FollowPace pace_;
  std::vector<std::string> paths_;
  std::uint64_t seen_ = 0;   // version of the changes
  std::shared_ptr<const FilesByPath> seen_files_;
  std::uint64_t asked_ = 0;  // number of the requested check
  double now_s_ = 0;
  std::optional<double> last_change_s_, trouble_s_;
  std::string trouble_, untold_;
  double began_s_ = 0;                  // begin of the running load, or of the last one
  std::optional<double> old_since_s_;   // begin of the first load whose data could not be shown
  std::string why_old_;
};

}  // namespace tv
