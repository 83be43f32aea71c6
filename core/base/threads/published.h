// Published<T>: the newest immutable value, handed from worker threads to any reader. A mutex guards the copy of one pointer;
// std::atomic<shared_ptr> would do the same, but ThreadSanitizer does not understand gcc 12's version.
#pragma once

#include <memory>
#include <mutex>

namespace tv {

template <class T>
class Published {
 public:
  void store(std::shared_ptr<const T> value) {
    {
      const std::lock_guard lock(mutex_);
      value_.swap(value);
    }
    // The previous value is destroyed here, outside the lock.
  }

  std::shared_ptr<const T> load() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace tv
