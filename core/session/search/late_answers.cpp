#include "core/session/search/late_answers.h"

#include <mutex>
#include <utility>

namespace tv {

struct LateAnswers::State {
  std::mutex mutex;
  std::stop_source stop;
  bool running = true;
  Finish finish;
};

LateAnswers::LateAnswers(ThreadPool& pool, std::function<void()> wake) : pool_(pool), wake_(std::move(wake)) {}

LateAnswers::~LateAnswers() { stop(); }

void LateAnswers::ask(Work work) {
  stop();
  state_ = std::make_shared<State>();
  pool_.submit([state = state_, work = std::move(work), wake = wake_] {
    Finish finish;
    try {
      ThreadPool background = background_pool();
      finish = work(background, state->stop.get_token());
    } catch (...) {
      // Most likely out of memory. The user can give the command again.
    }
    {
      const std::lock_guard lock(state->mutex);
      state->running = false;
      state->finish = std::move(finish);
    }
    if (wake && !state->stop.stop_requested()) wake();
  });
}

LateAnswers::Finish LateAnswers::take() {
  if (!state_) return {};
  Finish finish;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->running) return {};
    finish = std::move(state_->finish);
  }
  state_.reset();
  return finish;
}

void LateAnswers::stop() {
  if (state_) state_->stop.request_stop();
  state_.reset();
}

bool LateAnswers::running() const { return state_ != nullptr; }

}  // namespace tv
