// Commands whose answers have to be counted first: in the background, and done when they are there.
#include "core/session/workspace/workspace.h"

namespace tv {
namespace {

constexpr double kPatience_s = 0.3;  // what comes sooner needs no word
constexpr std::size_t kMostWaiting = 64;  // of a key that is held down

}  // namespace

void Workspace::count_first(std::string words, LateAnswers::Work work) {
  counting_words_ = std::move(words) + " ... (Esc stops)";
  asked_s_ = now_s_;
  said_counting_ = false;
  answers_.ask(std::move(work));
}

// Each is done before the next one is asked: where it leads to is where that begins.
void Workspace::follow_answers() {
  if (const auto finish = answers_.take()) finish();
  if (answers_.running() && !said_counting_ && now_s_ - asked_s_ > kPatience_s) {
    said_counting_ = true;
    say(counting_words_);
  }
  while (waiting_.size() > kMostWaiting) waiting_.pop_back();
  if (answers_.running() || waiting_.empty()) return;
  const Command next = std::move(waiting_.front());
  waiting_.pop_front();
  apply(next);
}

void Workspace::stop_counting() {
  answers_.stop();
  waiting_.clear();
}

}  // namespace tv
