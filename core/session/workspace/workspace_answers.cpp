// Commands that need a count first: it runs in the background, and they act when it is there.
#include "core/session/workspace/workspace.h"

namespace tv {
namespace {

constexpr double kPatience_s = 0.3;  // a quicker answer needs no message
constexpr std::size_t kMostWaiting = 64;  // a key that is held down may queue this many commands

}  // namespace

void Workspace::count_first(std::string words, LateAnswers::Work work) {
  counting_words_ = std::move(words) + " ... (Esc stops)";
  asked_s_ = now_s_;
  said_counting_ = false;
  answers_.ask(std::move(work));
}

// Each command acts before the next one starts, because the next one starts from where it leads.
void Workspace::follow_answers() {
  if (const auto finish = answers_.take()) finish();
  if (answers_.running() && !said_counting_ && now_s_ - asked_s_ > kPatience_s) {
    said_counting_ = true;
    say(counting_words_);
  }
  while (waiting_.size() > kMostWaiting) waiting_.pop_back();
  if (answers_.running() || search_.pending() || waiting_.empty()) return;
  const Command next = std::move(waiting_.front());
  waiting_.pop_front();
  apply(next);
}

void Workspace::stop_counting() {
  answers_.stop();
  waiting_.clear();
}

}  // namespace tv
