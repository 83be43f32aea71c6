#include "core/session/follow/following.h"

#include <algorithm>

namespace tv {

void Following::began(const std::vector<std::string>& paths) {
  if (paths != paths_) {
    watch_.watch(paths_ = paths);
    seen_files_.reset();
    old_since_s_.reset();
  }
  // Without files no load begins, so pace_ would wait forever for the end of one.
  if (paths.empty()) return pace_.forget();
  pace_.began(now_s_);
  began_s_ = now_s_;
}

void Following::ended(double now_s, std::optional<ReadStates> states, std::string why_not) {
  pace_.ended(now_s);
  if (why_not.empty()) {
    old_since_s_.reset();
  } else {
    if (!old_since_s_) old_since_s_ = began_s_;
    why_old_ = std::move(why_not);
  }
  if (states) return watch_.read(std::move(*states));
  watch_.read_as_seen();
}

bool Following::step(double now_s, bool working) {
  constexpr double kSoon_s = 0.1;
  now_s_ = now_s;
  if (watch_.version() != seen_version_) {
    const FollowWatch::Changes changes = watch_.changes();
    seen_version_ = changes.version;
    seen_files_ = changes.seen;
    if (changes.files.empty()) pace_.settled();
    if (!changes.files.empty()) {
      pace_.changed(now_s);
      last_change_s_ = now_s;
    }
    if (std::string trouble = trouble_words(changes.files); !trouble.empty()) {
      if (trouble != trouble_) new_trouble_ = trouble;
      trouble_ = std::move(trouble);
      trouble_s_ = now_s;
    }
  }
  if (trouble_s_ && now_s - *trouble_s_ > kTroubleShown_s) trouble_.clear(), trouble_s_.reset();
  const auto due = pace_.due_s();
  if (due && *due <= now_s && !working && !paths_.empty()) return true;
  // Wake up when the next load is due or the displayed age changes.
  double wait_s = last_change_s_ ? words_change_in_s(now_s - *last_change_s_) : 60;
  if (old_since_s_) wait_s = std::min(wait_s, words_change_in_s(now_s - *old_since_s_));
  if (due) wait_s = std::min(wait_s, *due > now_s ? *due - now_s : kSoon_s);
  if (pace_.reading()) wait_s = kSoon_s;
  watch_.wake_in(wait_s);
  return false;
}

std::string Following::words(std::size_t files) const {
  FollowFacts facts{files, {}, trouble_};
  if (last_change_s_) facts.since_change_s = std::max(now_s_ - *last_change_s_, 0.0);
  if (old_since_s_) facts.old_for_s = std::max(now_s_ - *old_since_s_, 0.0), facts.why_old = why_old_;
  return follow_words(facts);
}

bool Following::up_to_date() const {
  return watch_.looks() >= requested_check_ && watch_.compared() && watch_.version() == seen_version_ && !pace_.reading() && !pace_.due_s();
}

}  // namespace tv
