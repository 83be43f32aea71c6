#include "core/base/threads/thread_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tv;

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("thread_pool: parallel_for calls each index once") {
  for (const unsigned threads : {1u, 2u, 7u}) {
    ThreadPool pool(threads);
    CHECK(pool.size() == threads);
    for (const std::size_t n : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> calls(n);
      pool.parallel_for(n, [&](std::size_t i) { ++calls[i]; });
      for (const auto& count : calls) REQUIRE(count == 1);
    }
  }
}

TEST_CASE("thread_pool: 0 threads means one per core") { CHECK(ThreadPool(0).size() >= 1); }

TEST_CASE("thread_pool: the number of threads is capped") {
  CHECK(ThreadPool::most_threads() >= 256);
  CHECK(ThreadPool(4'294'967'295).size() <= ThreadPool::most_threads());
}

TEST_CASE("thread_pool: writes of the calls are visible afterwards") {
  ThreadPool pool(3);
  std::vector<std::size_t> squares(500);  // not atomic, so that the thread sanitizer reports a race
  for (int round = 0; round < 20; ++round) {
    pool.parallel_for(squares.size(), [&](std::size_t i) { squares[i] += i; });
  }
  for (std::size_t i = 0; i < squares.size(); ++i) REQUIRE(squares[i] == 20 * i);
}

TEST_CASE("thread_pool: parallel_for can be nested, with more calls than threads") {
  ThreadPool pool(2);
  std::atomic<int> calls = 0;
  pool.parallel_for(8, [&](std::size_t) {
    pool.parallel_for(8, [&](std::size_t) { pool.parallel_for(4, [&](std::size_t) { ++calls; }); });
  });
  CHECK(calls == 8 * 8 * 4);
}

TEST_CASE("thread_pool: parallel_for works from tasks and from several threads at once") {
  ThreadPool pool(2);
  std::atomic<int> calls = 0;
  std::vector<std::future<void>> tasks;
  for (int i = 0; i < 4; ++i) tasks.push_back(pool.submit([&] { pool.parallel_for(50, [&](std::size_t) { ++calls; }); }));
  std::vector<std::jthread> callers;
  for (int i = 0; i < 3; ++i) callers.emplace_back([&] { pool.parallel_for(50, [&](std::size_t) { ++calls; }); });
  callers.clear();
  for (auto& task : tasks) task.get();
  CHECK(calls == 7 * 50);
}

TEST_CASE("thread_pool: an exception reaches the caller after the other calls have ended") {
  ThreadPool pool(2);
  std::atomic<int> running = 0, calls = 0;
  const auto fail_at_5 = [&](std::size_t i) {
    ++running;
    ++calls;
    if (i == 5) {
      --running;
      throw std::runtime_error("five");
    }
    --running;
  };
  CHECK_THROWS_WITH_AS(pool.parallel_for(1000, fail_at_5), "five", std::runtime_error);
  CHECK(running == 0);
  CHECK(calls >= 1);
  CHECK(calls <= 1000);
  // The pool remains usable.
  std::atomic<int> after = 0;
  pool.parallel_for(10, [&](std::size_t) { ++after; });
  CHECK(after == 10);
}

TEST_CASE("thread_pool: after a stop request no further call begins") {
  ThreadPool pool(2);
  std::stop_source stop;
  std::atomic<int> calls = 0;
  pool.parallel_for(
      100'000,
      [&](std::size_t) {
        if (++calls >= 10) stop.request_stop();
      },
      stop.get_token());
  CHECK(calls >= 10);
  // A thread that counts 10 or more requests the stop before its next call, so each of the three threads, the caller's included,
  // makes at most one such call.
  CHECK(calls <= 9 + 3);
  std::atomic<int> none = 0;
  pool.parallel_for(100, [&](std::size_t) { ++none; }, stop.get_token());
  CHECK(none == 0);
}

TEST_CASE("thread_pool: submit gives results and exceptions") {
  ThreadPool pool(2);
  auto value = pool.submit([] { return std::string("done"); });
  auto error = pool.submit([]() -> int { throw std::logic_error("no"); });
  CHECK(value.get() == "done");
  CHECK_THROWS_AS(error.get(), std::logic_error);
}

TEST_CASE("thread_pool: as many tasks run at once as there are threads") {
  ThreadPool pool(3);
  std::latch all_here(3);
  std::vector<std::future<void>> tasks;
  for (int i = 0; i < 3; ++i) tasks.push_back(pool.submit([&] { all_here.arrive_and_wait(); }));
  for (auto& task : tasks) task.get();
  CHECK(all_here.try_wait());
}

TEST_CASE("thread_pool: submitted tasks finish before the pool is destroyed") {
  std::atomic<int> done = 0;
  {
    ThreadPool pool(2);
    for (int i = 0; i < 200; ++i) pool.submit([&] { ++done; });
  }
  CHECK(done == 200);
}

TEST_SUITE_END();
