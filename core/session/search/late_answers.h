// Counts what a command needs before it can act: the statistics of an area that is copied, the gaps of a lane. Counting runs in
// the background, and the command acts between two frames when the answer is ready. So no command takes longer than a frame,
// however large the view is.
//
// One answer is counted at a time. Invariant: only the UI thread calls take(), ask() and stop(). The background work touches
// nothing that changes (it holds a snapshot), and the function that it returns runs on the UI thread. Cost: a task.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "core/base/threads/thread_pool.h"

namespace tv {

class LateAnswers {
 public:
  using Finish = std::function<void()>;
  using Work = std::function<Finish(ThreadPool& pool, std::stop_token stop)>;

  /// `wake` is called on a pool thread when an answer is there.
  LateAnswers(ThreadPool& pool, std::function<void()> wake);
  ~LateAnswers();
  LateAnswers(const LateAnswers&) = delete;
  LateAnswers& operator=(const LateAnswers&) = delete;

  /// Replaces a running question.
  void ask(Work work);
  /// Returns the action to run now, once. Empty: there is no answer yet.
  Finish take();
  /// Drops the question: its answer is not needed any more.
  void stop();
  /// An answer is being counted, or has not been taken yet.
  bool running() const;

 private:
  struct State;
  ThreadPool& pool_;
  std::function<void()> wake_;
  std::shared_ptr<State> state_;  ///< of the last question; a task may outlive this object
};

}  // namespace tv
