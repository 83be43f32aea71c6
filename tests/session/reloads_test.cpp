// The reload key held down on a busy machine: loads end quickly, nothing piles up, and in the end the file is shown.
#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "core/base/memory/memory_budget.h"
#include "core/session/workspace/session.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// Runs three busy threads per core.
class BusyMachine {
 public:
  BusyMachine() {
    for (unsigned i = 0; i < 3 * std::max(1u, std::thread::hardware_concurrency()); ++i) {
      threads_.emplace_back([this](const std::stop_token& stop) {
        while (!stop.stop_requested()) ++count_;
      });
    }
  }

 private:
  std::atomic<std::uint64_t> count_ = 0;
  std::vector<std::jthread> threads_;
};

std::size_t threads_of_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Threads:")) return std::stoul(line.substr(8));
  }
  return 0;
}

constexpr std::size_t kChunkOfReloads = 64 << 10;
constexpr std::size_t kWindowOfReloads = 4 * kChunkOfReloads;  // of a plain file (load_job.cpp)

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("reloads: a cancelled load reads no more than the window it is in") {
  const TempDir folder;
  std::size_t events = 0;
  const std::string path = folder.write("large.json", long_trace(rounds(24) * kWindowOfReloads, &events));
  const BusyMachine busy;
  ThreadPool pool(1);
  LoadOptions options;
  options.chunk_bytes = kChunkOfReloads;
  for (std::uint64_t percent = 0; percent < 100; percent += 10) {
    CAPTURE(percent);
    LoadJob job({path}, pool, options, [](auto) {});
    wait_until([&] {
      const LoadStatus status = job.status();
      return !status.running() || (status.bytes_total > 0 && status.bytes_done * 100 >= percent * status.bytes_total);
    });
    job.cancel();
    const std::uint64_t at_cancel = job.status().bytes_done;
    job.wait();
    CHECK(job.status().bytes_done - at_cancel <= kWindowOfReloads);
  }
}

TEST_CASE("reloads: 200 reloads on a starved machine leave no threads and no memory behind") {
  const std::uint64_t reloads = rounds(200);
  const std::uint32_t seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const TempDir folder;
  std::size_t events = 0;
  const std::string path = folder.write("large.json", long_trace(1 << 20, &events));
  const BusyMachine busy;
  ThreadPool pool(1);
  LoadOptions options;
  options.chunk_bytes = kChunkOfReloads;
  Session session(pool, {}, options);
  session.open({path});
  wait_until([&] { return !session.status().running(); });
  const std::size_t threads = threads_of_process();
  std::uint64_t after_some = 0;
  for (std::uint64_t i = 0; i < reloads; ++i) {
    if (i == reloads / 4) after_some = held_memory();
    session.reload();
    const std::uint64_t part = std::uniform_int_distribution<std::uint64_t>(0, 12)(random);  // tenths; above 10: to its end
    wait_until([&] {
      const LoadStatus status = session.status();
      return !status.running() || (part <= 10 && status.bytes_done * 10 >= part * status.bytes_total);
    });
  }
  session.reload();
  wait_until([&] { return !session.status().running(); });
  CHECK(session.snapshot()->complete);
  CHECK(session.snapshot()->trace->slice_count == events);
  wait_until([&] { return threads_of_process() <= threads; });
  // 150 more reloads keep less memory than two traces. Builds with sanitizers do not measure it.
  CHECK(held_memory() <= after_some + 2 * session.snapshot()->trace->bytes() + (8 << 20));
}
