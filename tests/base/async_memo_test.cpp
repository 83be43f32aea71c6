#include "core/base/threads/async_memo.h"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/threads/published.h"

using namespace tv;

namespace {

using Memo = AsyncMemo<int, std::string>;

std::string spelled(const int& key) { return "value of " + std::to_string(key); }

// Waits for `done` calls, as a window waits to be woken.
struct Bell {
  std::counting_semaphore<> rung{0};
  std::function<void()> function() {
    return [this] { rung.release(); };
  }
  void wait() { rung.acquire(); }
};

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("async_memo: gives nothing, then the value, which is computed once") {
  ThreadPool pool(2);
  Bell bell;
  Memo memo(pool, bell.function());
  std::atomic<int> computed = 0;
  const auto compute = [&](const int& key) {
    ++computed;
    return spelled(key);
  };
  CHECK(!memo.get(1, compute).value);
  bell.wait();
  for (int frame = 0; frame < 10; ++frame) {
    const Memo::View view = memo.get(1, compute);
    REQUIRE(view.fresh);
    CHECK(*view.value == "value of 1");
  }
  CHECK(computed == 1);
  CHECK(!memo.running());
}

TEST_CASE("async_memo: the old value stays until the new one is ready") {
  ThreadPool pool(2);
  Bell bell;
  Memo memo(pool, bell.function());
  memo.get(1, spelled);
  bell.wait();
  std::latch go(1);
  const Memo::View stale = memo.get(2, [&](const int& key) {
    go.wait();
    return spelled(key);
  });
  CHECK(!stale.fresh);
  CHECK(*stale.value == "value of 1");
  CHECK(memo.running());
  go.count_down();
  bell.wait();
  const Memo::View fresh = memo.get(2, spelled);
  CHECK(fresh.fresh);
  CHECK(*fresh.value == "value of 2");
  CHECK(*stale.value == "value of 1");  // holders keep it
}

TEST_CASE("async_memo: keys requested and replaced during a computation are never computed") {
  ThreadPool pool(2);
  Bell bell;
  Memo memo(pool, bell.function());
  std::latch go(1);
  std::atomic<int> sum = 0;
  const auto compute = [&](const int& key) {
    if (key == 1) go.wait();
    sum += key;
    return spelled(key);
  };
  for (const int key : {1, 20, 300, 4000}) CHECK(!memo.get(key, compute).fresh);
  go.count_down();
  bell.wait();
  CHECK(!memo.get(4000, compute).fresh);  // key 1 is done, so this one starts only now
  bell.wait();
  CHECK(memo.get(4000, compute).fresh);
  CHECK(sum == 4001);
}

TEST_CASE("async_memo: a computation that throws is tried again") {
  ThreadPool pool(2);
  Bell bell;
  Memo memo(pool, bell.function());
  std::atomic<int> tries = 0;
  const auto compute = [&](const int& key) {
    if (++tries == 1) throw std::runtime_error("out of memory");
    return spelled(key);
  };
  CHECK(!memo.get(1, compute).value);
  bell.wait();
  CHECK(!memo.running());
  CHECK(!memo.get(1, compute).value);
  bell.wait();
  CHECK(memo.get(1, compute).fresh);
}

TEST_CASE("async_memo: destroying it does not disturb a running computation") {
  ThreadPool pool(2);
  std::latch go(1);
  Bell bell;
  std::atomic<bool> computed = false;
  {
    Memo memo(pool, bell.function());
    memo.get(1, [&](const int& key) {
      go.wait();
      computed = true;
      return spelled(key);
    });
  }
  go.count_down();
  bell.wait();
  CHECK(computed);
}

TEST_CASE("published: readers never see a torn value or an older one than before") {
  Published<std::pair<int, int>> published;
  CHECK(!published.load());
  published.store(std::make_shared<const std::pair<int, int>>(0, 0));
  std::atomic<bool> torn = false, went_back = false;
  {
    std::vector<std::jthread> readers;
    for (int r = 0; r < 3; ++r) {
      readers.emplace_back([&](std::stop_token stop) {
        int last = 0;
        while (!stop.stop_requested()) {
          const auto value = published.load();
          if (value->first != -value->second) torn = true;
          if (value->first < last) went_back = true;
          last = value->first;
        }
      });
    }
    for (int i = 1; i <= 2000; ++i) published.store(std::make_shared<const std::pair<int, int>>(i, -i));
  }
  CHECK(!torn);
  CHECK(!went_back);
  CHECK(published.load()->first == 2000);
}

TEST_CASE("published: the previous value is destroyed outside the lock") {
  // Otherwise a value whose destructor loads the newest one would deadlock.
  struct Asks {
    Published<Asks>* home;
    ~Asks() { home->load(); }
  };
  Published<Asks> published;
  published.store(std::make_shared<const Asks>(Asks{&published}));
  published.store(nullptr);
  CHECK(!published.load());
}

TEST_SUITE_END();
