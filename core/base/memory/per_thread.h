// One value per thread, made at first use and freed when the thread ends: buffers that take longer to allocate than to fill.
//
//   ChunkScratch& scratch = per_thread<ChunkScratch>();
//
// Use it for everything that has a destructor. A thread_local variable of such a type makes the C library allocate a note for the
// destructor, and without memory for it the library ends the process ("failed to register TLS destructor: out of memory"). This
// function throws std::bad_alloc, like any allocation.
#pragma once

#include <memory>

namespace tv {

/// A value that is freed when its thread ends.
struct ThreadValue {
  ThreadValue() = default;
  ThreadValue(const ThreadValue&) = delete;
  ThreadValue& operator=(const ThreadValue&) = delete;
  virtual ~ThreadValue() = default;

  std::unique_ptr<ThreadValue> made_before;  // by the same thread
};

/// Keeps `value` until the calling thread ends. The main thread's values are never freed. Throws std::bad_alloc.
void keep_until_thread_ends(std::unique_ptr<ThreadValue> value);

/// The calling thread's T. All callers that name the same type share it. Throws std::bad_alloc.
template <class T>
T& per_thread() {
  struct Kept : ThreadValue {
    T value;
  };
  static constinit thread_local T* mine = nullptr;
  if (mine == nullptr) {
    auto kept = std::make_unique<Kept>();
    T* const value = &kept->value;
    keep_until_thread_ends(std::move(kept));
    mine = value;
  }
  return *mine;
}

}  // namespace tv
