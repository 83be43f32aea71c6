// Decides when to read new data of followed files: soon, but not for every line of a file that is written all the time, never
// during a load, and seldom enough to use only part of the machine. Pure arithmetic on the given times, in seconds of one clock.
//
//   changes   . .. .  .  . . . .          a read begins kQuiet_s after the last change, or kLongest_s after the first
//   reads          [===]        [===]     pause: kPause times the duration of the last read, at most kLongestPause_s
#pragma once

#include <optional>

namespace tv {

class FollowPace {
 public:
  static constexpr double kQuiet_s = 0.15;   ///< a program that writes a line is usually done by then
  static constexpr double kLongest_s = 0.5;  ///< the longest wait for a program that never pauses
  static constexpr double kPause = 2;        ///< reading takes at most a third of the time, unless kLongestPause_s applies
  static constexpr double kLongestPause_s = 0.7;  ///< limits the pause, so that the user does not wait long for the next data

  /// New data were seen.
  void changed(double now_s);
  /// The files are again as they were read.
  void settled() { first_change_s_.reset(); }
  /// A load has begun, for whatever reason. It reads all new data.
  void began(double now_s);
  void ended(double now_s);
  /// Forgets changes and the running load: other files are open, or none.
  void forget() { *this = {}; }
  bool reading() const { return began_s_.has_value(); }

  /// When to begin a read. None: nothing is new, or a load is running.
  std::optional<double> due_s() const;

 private:
  std::optional<double> first_change_s_;  // of the changes that were not read yet
  double last_change_s_ = 0;
  std::optional<double> began_s_;  // of the running load
  double not_before_s_ = 0;
};

}  // namespace tv
