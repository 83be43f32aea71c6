// What a command has to count before it can be done: the statistics of an area that is copied, the gaps of a lane. It is counted in
// the background, and done between two frames once it is known, so that no command takes longer than a frame, however large the
// view is.
//
// One is counted at a time. Invariant: take(), ask() and stop() are the UI thread's; work touches nothing that changes (a snapshot
// that it holds), and what it returns runs on the UI thread. Cost: a task.
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

  /// `wake` is called on a pool thread when one has come.
  LateAnswers(ThreadPool& pool, std::function<void()> wake);
  ~LateAnswers();
  LateAnswers(const LateAnswers&) = delete;
  LateAnswers& operator=(const LateAnswers&) = delete;

  /// In place of one that is under way.
  void ask(Work work);
  /// What is to be done now, once; empty: nothing has come.
  Finish take();
  /// Nobody wants it any more.
  void stop();
  /// Under way, or not taken yet.
  bool running() const;

 private:
  struct State;
  ThreadPool& pool_;
  std::function<void()> wake_;
  std::shared_ptr<State> state_;  ///< of the last question; a task may outlive this object
};

}  // namespace tv
