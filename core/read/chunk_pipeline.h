// Parses the chunks of one file on all threads and hands the batches over in file order.
//
//   cut (caller's thread, in order) -> parse (pool, any order) -> commit (caller's thread, in order)
//
// For a chunk whose end was guessed, the parser reports whether the chunk consists of whole records. As long as every guess is
// right, all steps run in parallel. At the first wrong guess, the chunks in flight are dropped and cut again.
//
// Only a few chunks per thread are in flight, so memory stays bounded for files of any size.
#pragma once

#include <deque>
#include <future>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/read/json/text_chunk.h"
#include "core/read/reader.h"

namespace tv {

/// `cutter` has next() and take_back() as in JsonRecords. parse(chunk) is called on any thread and returns a Parsed, which has a
/// member `proven`. commit(Parsed&&) is called in file order.
template <class Parsed, class Cutter, class Parse, class Commit>
Result<void> run_chunks(ReadContext& context, Cutter& cutter, Parse parse, Commit commit) {
  struct Task {
    TextChunk chunk;
    std::uint64_t consumed;  // bytes of the file that were read when the chunk was cut
    std::future<Parsed> parsed;
  };
  std::deque<Task> under_way;
  // With fewer, parsers run out of chunks while the inflating thread waits for a core (4 % of a load).
  const std::size_t most = 2 * static_cast<std::size_t>(context.pool.size()) + 5;
  const auto commit_oldest = [&] {
    Parsed parsed = under_way.front().parsed.get();
    if (parsed.proven) {
      context.progress.handed_over.store(under_way.front().consumed, std::memory_order_relaxed);
      under_way.pop_front();
      return commit(std::move(parsed));
    }
    std::vector<TextChunk> wrong;
    for (Task& task : under_way) {
      if (task.parsed.valid()) task.parsed.wait();
      wrong.push_back(std::move(task.chunk));
    }
    under_way.clear();
    cutter.take_back(wrong);
  };
  // Tasks refer to `parse`, so none may outlive this call, whatever happens.
  struct WaitForAll {
    std::deque<Task>& tasks;
    ~WaitForAll() {
      for (Task& task : tasks) {
        if (task.parsed.valid()) task.parsed.wait();
      }
    }
  } wait_for_all{under_way};
  while (!context.stop.stop_requested()) {
    while (under_way.size() >= most) commit_oldest();
    Result<std::optional<TextChunk>> chunk = cutter.next();
    if (!chunk) return chunk.error();
    if (!*chunk || (*chunk)->is_pause()) {
      while (!under_way.empty()) commit_oldest();
      if (!*chunk) break;
      continue;
    }
    // Add the entry first: nothing may fail between starting a task and storing its future.
    under_way.push_back({**chunk, context.stream.consumed(), {}});
    under_way.back().parsed = context.pool.submit([&parse, piece = **chunk] { return parse(piece); });
    context.progress.bytes.store(context.stream.consumed(), std::memory_order_relaxed);
  }
  context.progress.bytes.store(context.stream.consumed(), std::memory_order_relaxed);
  return {};
}

}  // namespace tv
