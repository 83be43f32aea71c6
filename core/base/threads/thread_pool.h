// A fixed set of worker threads. We do not use oneTBB, because ThreadSanitizer cannot see into a prebuilt TBB, and the absence of
// races must be testable (CONTRIBUTING.md, "Threads").
//
// A task is charged to the memory budget of the thread that starts it (memory_budget.h). Tasks must not wait for other tasks of
// the same pool; parallel_for() is safe anywhere, because the caller works too.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/base/memory/memory_budget.h"

namespace tv {

class ThreadPool {
 public:
  /// `threads`: 0 for one per core. Starts at most most_threads(), and fewer if the system refuses more. Throws std::runtime_error
  /// if none starts.
  explicit ThreadPool(unsigned threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Four per core, but at least 256. More would only cost memory.
  static unsigned most_threads();

  unsigned size() const { return static_cast<unsigned>(workers_.size()); }

  template <class F>
  auto submit(F task) -> std::future<std::invoke_result_t<F>> {
    auto packaged = std::make_shared<std::packaged_task<std::invoke_result_t<F>()>>(std::move(task));
    auto future = packaged->get_future();
    enqueue([packaged] { (*packaged)(); });
    return future;
  }

  /// Calls fn(i) for every i in [0, n), in any order, on the workers and the calling thread; returns when all are done.
  /// After a stop request or an exception of fn, the remaining calls are skipped. The first exception is rethrown here.
  void parallel_for(std::size_t n, const std::function<void(std::size_t)>& fn, std::stop_token stop = {});

 private:
  void enqueue(std::function<void()> task);
  void work(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  struct Task {
    std::function<void()> run;
    std::shared_ptr<MemoryBudget> budget;
  };
  std::deque<Task> tasks_;
  std::vector<std::jthread> workers_;  // last: joined before the queue is destroyed
};

/// A separate pool for long work that runs on a pool thread: uses half of the cores and leaves the others to shorter work.
ThreadPool background_pool();

}  // namespace tv
