// When to read new data while open files are followed: soon, but not for every line of a file that is always being written, never
// during a load, and so rarely that it takes a modest part of the machine. Pure arithmetic on the times it
// is given, in seconds of one clock.
//
//   changes   . .. .  .  . . . .          (quiet for kQuiet_s, or kLongest_s after the first: it begins)
//   reads          [===]        [===]     (the next one no sooner than kPause times the length of the last, or kLongestPause_s)
#pragma once

#include <optional>

namespace tv {

class FollowPace {
 public:
  static constexpr double kQuiet_s = 0.15;   ///< a program that writes a line is soon done with it
  static constexpr double kLongest_s = 0.5;  ///< the longest wait for a program that never pauses
  static constexpr double kPause = 2;        ///< reading takes a third of the time at most, as long as it is quick:
  static constexpr double kLongestPause_s = 0.7;  ///< who waits does not wait for it long, even after all was read

  /// Something is new.
  void changed(double now_s);
  /// Nothing is, after all.
  void settled() { first_s_.reset(); }
  /// A load of all that is new has begun, for whatever reason.
  void began(double now_s);
  void ended(double now_s);
  /// Forgets changes and whatever has begun: other files are open, or none.
  void forget() { *this = {}; }
  bool reading() const { return began_s_.has_value(); }

  /// When it is to begin; none: there is nothing new, or something is being read.
  std::optional<double> due_s() const;

 private:
  std::optional<double> first_s_;  // of the waiting changes
  double last_s_ = 0;              // of the waiting changes
  std::optional<double> began_s_;  // begin of the present load
  double not_before_s_ = 0;
};

}  // namespace tv
