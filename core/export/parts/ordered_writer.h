// Formats the pieces of a file on all threads and writes them in order. Only a few pieces per thread are in flight, and their
// buffers are reused, so memory use does not grow with the file.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads/thread_pool.h"

namespace tv {

/// Takes the bytes of an export in order. It is not called again after an error.
using ExportSink = std::function<Result<void>(std::string_view)>;

class OrderedWriter {
 public:
  /// Appends its text to the buffer. Called on any thread.
  using Piece = std::function<void(std::string&)>;

  OrderedWriter(ThreadPool& pool, const ExportSink& sink) : pool_(pool), sink_(sink) {}
  OrderedWriter(const OrderedWriter&) = delete;
  OrderedWriter& operator=(const OrderedWriter&) = delete;
  ~OrderedWriter();

  /// Starts to format a piece. If too many are in flight, waits for the oldest first.
  Result<void> add(Piece piece);
  /// Waits for all pieces and writes them.
  Result<void> finish();
  std::uint64_t bytes() const { return bytes_; }

 private:
  Result<void> write_oldest();

  ThreadPool& pool_;
  const ExportSink& sink_;
  std::deque<std::future<std::string>> under_way_;  // oldest first
  std::vector<std::string> spare_;                  // buffers to reuse
  std::uint64_t bytes_ = 0;
};

}  // namespace tv
