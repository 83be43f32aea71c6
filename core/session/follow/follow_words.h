// Words about files that are followed: "Following 3 files, last change 2 s ago", which of them were truncated, replaced by others,
// deleted, or cannot be read any more, and since when the view is out of date.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/session/follow/file_changes.h"

namespace tv {

/// "a.log was truncated, b.log was deleted"; empty: they only grew, or are new.
std::string trouble_words(const std::vector<ChangedFile>& changes);

struct FollowFacts {
  std::size_t files = 0;
  std::optional<double> since_change_s;  ///< none: nothing has changed yet
  std::string trouble;                   ///< trouble_words() of the last one
  std::optional<double> old_for_s = {};  ///< for so long the view has been out of date
  std::string why_old = {};
};
std::string follow_words(const FollowFacts& facts);
/// In how many seconds the age in them is another.
double words_change_in_s(double since_change_s);

}  // namespace tv
