// Counts in the background what a command needs before it can act, such as the statistics of an area that is copied, or the gaps
// of a lane. The command acts between two frames when the answer is ready, so no command takes longer than a frame, even in a
// large view.
//
// One answer is counted at a time. Only the UI thread calls take(), ask() and stop(). The work in the background reads only data
// that do not change (it holds a snapshot), and returns a function that runs on the UI thread. Cost: a task.
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

  /// `wake` is called on a pool thread when an answer is ready.
  LateAnswers(ThreadPool& pool, std::function<void()> wake);
  ~LateAnswers();
  LateAnswers(const LateAnswers&) = delete;
  LateAnswers& operator=(const LateAnswers&) = delete;

  /// Starts this work, and drops work that is running.
  void ask(Work work);
  /// Returns the action to run now, once. Empty: there is no answer yet.
  Finish take();
  /// Drops the running work: its answer is no longer needed.
  void stop();
  /// An answer is being counted, or has not been taken yet.
  bool running() const;

 private:
  struct State;
  ThreadPool& pool_;
  std::function<void()> wake_;
  std::shared_ptr<State> state_;  ///< of the last work; its task may outlive this object
};

}  // namespace tv
