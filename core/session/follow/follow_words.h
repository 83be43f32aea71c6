// Texts about followed files: "Following 3 files, last change 2 s ago", which files were truncated, replaced, deleted or became
// unreadable, and how long the view has been out of date.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/session/follow/file_changes.h"

namespace tv {

/// "a.log was truncated, b.log was deleted"; empty if files only grew or are new.
std::string trouble_words(const std::vector<ChangedFile>& changes);

struct FollowFacts {
  std::size_t files = 0;
  std::optional<double> since_change_s;  ///< none: nothing has changed yet
  std::string trouble;                   ///< trouble_words() of the last change
  std::optional<double> old_for_s = {};  ///< how long the view has been out of date; none: it is up to date
  std::string why_old = {};              ///< why new data could not be shown
};
std::string follow_words(const FollowFacts& facts);
/// Seconds until the ages in the text change.
double words_change_in_s(double since_change_s);

}  // namespace tv
