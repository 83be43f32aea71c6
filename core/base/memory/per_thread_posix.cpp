#include "core/base/memory/per_thread.h"

#include <new>

#include <pthread.h>

namespace tv {
namespace {

extern "C" void free_thread_values(void* latest) { delete static_cast<ThreadValue*>(latest); }

// Unlike a thread_local destructor, a key's destructor needs no memory for each thread (glibc: for the first 32 keys), and an error is
// returned.
pthread_key_t key_of_thread_values() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    if (pthread_key_create(&made, free_thread_values) != 0) throw std::bad_alloc();
    return made;
  }();
  return key;
}

}  // namespace

void keep_until_thread_ends(std::unique_ptr<ThreadValue> value) {
  const pthread_key_t key = key_of_thread_values();
  auto* const latest = static_cast<ThreadValue*>(pthread_getspecific(key));
  if (pthread_setspecific(key, value.get()) != 0) throw std::bad_alloc();
  value->made_before.reset(latest);
  value.release();
}

}  // namespace tv
