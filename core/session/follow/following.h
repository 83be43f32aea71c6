// Follows the open files: decides when to read them again, and describes their state. FollowWatch checks the files on its own
// thread, FollowPace chooses the time, and the owner reads. One thread calls it once per frame, and never waits for a file.
//
//   frame:  ended(...) after a load  ->  step(now): whether to read again  ->  began(paths)
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
  /// `states`: of the files just before they were read. None if the load ended before it knew them. Then the present states count
  /// as read, because otherwise a load without a result would start the next one, forever.
  /// `why_not`: why the new data could not be shown, so that the view still shows the old data. Empty: they are shown.
  void ended(double now_s, std::optional<ReadStates> states, std::string why_not = {});
  /// Returns true if new data should be read now. `working`: the last data are still being analysed, so no load should begin.
  bool step(double now_s, bool working);

  /// The states of all files of these paths, on a network file system that reports changes late. Null: elsewhere, or if nothing
  /// has changed.
  std::shared_ptr<const FilesByPath> seen(const std::vector<std::string>& paths) const { return paths == paths_ ? seen_files_ : nullptr; }

  /// `files`: how many files are shown.
  std::string words(std::size_t files) const;
  bool troubled() const { return !trouble_.empty(); }  ///< words() names files that have trouble: trouble_words()
  bool old() const { return old_since_s_.has_value(); }  ///< the view is out of date
  /// The trouble_words() about files since the last call. Empty: none.
  std::string take_trouble() { return std::exchange(new_trouble_, {}); }
  /// Checks all files. When up_to_date() is true again, new data have been read.
  void look_now() { requested_check_ = watch_.look_now(); }
  bool up_to_date() const;
  void cancel() {}  ///< Session::retire() needs it; a running check ends soon anyway

 private:
  static constexpr double kTroubleShown_s = 300;

  FollowWatch watch_;
  FollowPace pace_;
  std::vector<std::string> paths_;
  std::uint64_t seen_version_ = 0;  // of the changes
  std::shared_ptr<const FilesByPath> seen_files_;
  std::uint64_t requested_check_ = 0;
  double now_s_ = 0;
  std::optional<double> last_change_s_, trouble_s_;
  std::string trouble_, new_trouble_;  // since trouble_s_; since take_trouble()
  double began_s_ = 0;                 // when the running or the last load began
  std::optional<double> old_since_s_;  // when the first load whose data could not be shown began
  std::string why_old_;
};

}  // namespace tv
