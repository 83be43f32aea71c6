#include "core/session/follow/follow_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"
#include "core/base/text/utf8.h"

namespace tv {
namespace {

constexpr std::size_t kMostNamed = 3;

const char* words_of_change(FileChange change) {
  switch (change) {
    case FileChange::Truncated: return "was truncated";
    case FileChange::Replaced: return "was replaced by another file";
    case FileChange::Gone: return "was deleted";
    case FileChange::Unreadable: return "cannot be read any more";
    default: return "";
  }
}

// Includes the folder if another file has the same name: "step_3/worker_0.jsonl".
std::string name_among(const ChangedFile& file, const std::vector<ChangedFile>& all) {
  const auto is_alike = [&](const ChangedFile& other) { return other.path != file.path && last_part(other.path) == last_part(file.path); };
  std::string name(last_part(file.path));
  if (std::ranges::any_of(all, is_alike)) name = fmt::format("{}/{}", last_part(folder_of(file.path)), name);
  return shortened_utf8(name);
}

// Ages below 10 s are given in seconds, those below a minute in tens of seconds, and longer ones in minutes.
double step_of_age(double seconds) { return seconds < 10 ? 1 : seconds < 60 ? 10 : 60; }

std::string age_words(double seconds) {
  const double step = step_of_age(seconds), rounded = std::floor(seconds / step) * step;
  if (rounded < 1) return "now";
  return rounded < 60 ? fmt::format("{:.0f} s ago", rounded) : fmt::format("{:.0f} min ago", rounded / 60);
}

}  // namespace

std::string trouble_words(const std::vector<ChangedFile>& changes) {
  std::string words;
  std::size_t named = 0, more = 0;
  for (const ChangedFile& each : changes) {
    const std::string_view what = words_of_change(each.change);
    if (what.empty()) continue;
    if (named == kMostNamed) {
      ++more;
      continue;
    }
    ++named;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name_among(each, changes), what);
  }
  if (more > 0) words += fmt::format(", and {} changed", count_text(more, "more file"));
  return words;
}

std::string follow_words(const FollowFacts& facts) {
  std::string words = "Following " + count_text(facts.files, "file");
  words += facts.since_change_s ? ", last change " + age_words(*facts.since_change_s) : ", no change yet";
  if (facts.old_for_s) words += fmt::format("; {}: shown as of {}", facts.why_old, age_words(*facts.old_for_s));
  if (!facts.trouble.empty()) words += "; " + facts.trouble;
  return words;
}

double words_change_in_s(double since_change_s) {
  const double step = step_of_age(since_change_s);
  return (std::floor(since_change_s / step) + 1) * step - since_change_s;
}

}  // namespace tv
