// Parses the chunks of one file on all threads and hands the batches over in file order.
//
//   cut (caller's thread, in order) -> parse (pool, any order) -> commit (caller's thread, in order)
//
// At most a few chunks per thread are under way, so memory stays bounded however large the file.
#pragma once

#include <deque>
#include <future>
#include <optional>

#include "core/base/result.h"
#include "core/read/reader.h"
#include "core/read/text_chunk.h"

namespace tv {

/// next() -> Result<optional<TextChunk>>, parse(chunk) -> Parsed on any thread, commit(Parsed&&) in file order.
template <class Parsed, class Next, class Parse, class Commit>
Result<void> run_chunks(ReadContext& context, Next next, Parse parse, Commit commit) {
  std::deque<std::future<Parsed>> under_way;
  const std::size_t most = 2 * static_cast<std::size_t>(context.pool.size()) + 1;
  const auto commit_oldest = [&] {
    commit(under_way.front().get());
    under_way.pop_front();
  };
  // `parse` is captured by reference: whatever happens, no task may outlive this call.
  struct WaitForAll {
    std::deque<std::future<Parsed>>& tasks;
    ~WaitForAll() {
      for (auto& task : tasks) task.wait();
    }
  } wait_for_all{under_way};
  while (!context.stop.stop_requested()) {
    Result<std::optional<TextChunk>> chunk = next();
    if (!chunk) return chunk.error();
    if (!*chunk) break;
    while (under_way.size() >= most) commit_oldest();
    under_way.push_back(context.pool.submit([&parse, piece = std::move(**chunk)] { return parse(piece); }));
    context.progress.bytes.store(context.stream.consumed(), std::memory_order_relaxed);
  }
  while (!under_way.empty() && !context.stop.stop_requested()) commit_oldest();
  context.progress.bytes.store(context.stream.consumed(), std::memory_order_relaxed);
  return {};
}

}  // namespace tv
