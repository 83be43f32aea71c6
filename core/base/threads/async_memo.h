// AsyncMemo: a value computed in the background for the latest key. Call get() in every frame: it returns the newest value, and
// whether that value belongs to your key. One computation runs at a time; keys asked for meanwhile are not queued.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "core/base/threads/thread_pool.h"

namespace tv {

template <class Key, class Value>
class AsyncMemo {
 public:
  struct View {
    std::shared_ptr<const Value> value;  ///< null before the first result
    bool fresh = false;                  ///< the value belongs to the key that was asked for
  };

  /// `done` is called on a pool thread after each computation, even a failed one, to wake the window.
  AsyncMemo(ThreadPool& pool, std::function<void()> done) : pool_(pool), state_(std::make_shared<State>()) {
    state_->done = std::move(done);
  }

  View get(const Key& key, std::function<Value(const Key&)> compute) {
    const std::lock_guard lock(state_->mutex);
    const bool fresh = state_->value && state_->key == key;
    if (!fresh && !state_->running) {
      state_->running = true;
      pool_.submit([state = state_, key, compute = std::move(compute)] { run(*state, key, compute); });
    }
    return {state_->value, fresh};
  }

  bool running() const {
    const std::lock_guard lock(state_->mutex);
    return state_->running;
  }

 private:
  struct State {
    std::mutex mutex;
    std::optional<Key> key;
    std::shared_ptr<const Value> value;
    bool running = false;
    std::function<void()> done;
  };

  static void run(State& state, const Key& key, const std::function<Value(const Key&)>& compute) {
    std::shared_ptr<const Value> value;
    try {
      value = std::make_shared<const Value>(compute(key));
    } catch (...) {
      // Most likely out of memory. A caller that still needs the value asks again.
    }
    {
      const std::lock_guard lock(state.mutex);
      if (value) {
        state.key = key;
        state.value.swap(value);
      }
      state.running = false;
    }
    if (state.done) state.done();
  }

  ThreadPool& pool_;
  std::shared_ptr<State> state_;  // shared with the task, which may outlive this object
};

}  // namespace tv
