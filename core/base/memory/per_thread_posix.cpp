#include "core/base/memory/per_thread.h"

#include <new>

#include <pthread.h>

namespace tv {
namespace {

extern "C" void free_thread_values(void* latest) { delete static_cast<ThreadValue*>(latest); }

// A thread_local with a destructor needs memory in each thread, and the program aborts if there is none. A key needs none (glibc:
// the first 32 keys), and its functions return errors.
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
