#include "core/base/threads/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tv {

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, most_threads());
  workers_.reserve(threads);
  try {
    while (workers_.size() < threads) workers_.emplace_back([this](std::stop_token stop) { work(stop); });
  } catch (const std::system_error&) {  // fewer threads than requested are enough
    if (workers_.empty()) throw std::runtime_error("no thread can be started: allow more processes (ulimit -u) or more memory");
  }
}

unsigned ThreadPool::most_threads() { return std::max(256u, 4 * std::thread::hardware_concurrency()); }

ThreadPool::~ThreadPool() {
  for (std::jthread& worker : workers_) worker.request_stop();
}

void ThreadPool::enqueue(std::function<void()> task) {
  MemoryBudget* const budget = MemoryBudget::of_this_thread;
  Task charged{std::move(task), budget ? budget->shared_from_this() : nullptr};
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(charged));
  }
  wake_.notify_one();
}

void ThreadPool::work(std::stop_token stop) {
  for (;;) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, stop, [this] { return !tasks_.empty(); });
      if (tasks_.empty()) return;  // a stop was requested, and no queued task is left
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    const OnBudget charged(task.budget.get());
    task.run();
  }
}

ThreadPool background_pool() { return ThreadPool(std::max(1u, std::thread::hardware_concurrency() / 2)); }

namespace {

// Shared by the caller and the helpers of one parallel_for; helpers may start after the caller has finished.
struct Loop {
  explicit Loop(std::size_t n) : total(n) {}

  // Takes indices until none is left. Returns when the last index that this thread took is done.
  void run(const std::function<void(std::size_t)>& fn, const std::stop_token& stop) {
    for (;;) {
      const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= total) return;
      if (!stop.stop_requested() && !failed.load(std::memory_order_relaxed)) {
        try {
          fn(i);
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (!error) error = std::current_exception();
          failed.store(true, std::memory_order_relaxed);
        }
      }
      const std::lock_guard lock(mutex);
      if (++finished == total) all_done.notify_all();
    }
  }

  const std::size_t total;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::condition_variable all_done;
  std::size_t finished = 0;
  std::exception_ptr error;
};

}  // namespace

void ThreadPool::parallel_for(std::size_t n, const std::function<void(std::size_t)>& fn, std::stop_token stop) {
  if (n == 0) return;
  auto loop = std::make_shared<Loop>(n);
  const std::size_t helpers = std::min<std::size_t>(size(), n - 1);
  // `fn` lives in the caller, which waits for the last index. A late helper finds no index and does not call it.
  try {
    for (std::size_t i = 0; i < helpers; ++i) enqueue([loop, &fn, stop] { loop->run(fn, stop); });
  } catch (const std::bad_alloc&) {
    // Does not rethrow: queued helpers use `fn`, so this call must still wait. This thread does the rest.
  }
  loop->run(fn, stop);
  std::unique_lock lock(loop->mutex);
  loop->all_done.wait(lock, [&] { return loop->finished == loop->total; });
  // Takes the error out of the loop: otherwise a late helper that drops the last reference to the loop would release the error
  // with it, while the caller reads it.
  if (const std::exception_ptr error = std::exchange(loop->error, nullptr)) std::rethrow_exception(error);
}

}  // namespace tv
