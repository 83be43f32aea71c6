#include "core/base/memory/per_thread.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

using namespace tv;

namespace {

std::vector<std::string> freed;  // written by one thread at a time: each is joined before the next begins

struct First {
  int number = 0;
  ~First() { freed.push_back("first " + std::to_string(number)); }
};
struct Second {
  int number = 0;
  ~Second() { freed.push_back("second " + std::to_string(number)); }
};

}  // namespace

TEST_CASE("base: a thread has values of its own, which are freed in reverse order when it ends") {
  freed.clear();
  for (const int thread : {1, 2}) {
    std::thread([&] {
      CHECK(per_thread<First>().number == 0);  // not the one of the thread before
      per_thread<First>().number = thread;
      per_thread<Second>().number = thread;
      CHECK(per_thread<First>().number == thread);  // made once
      CHECK(&per_thread<First>() == &per_thread<First>());
      CHECK(freed.size() == static_cast<std::size_t>(2 * (thread - 1)));
    }).join();
  }
  CHECK(freed == std::vector<std::string>{"second 1", "first 1", "second 2", "first 2"});
}
