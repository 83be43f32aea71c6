// Cuts a text into chunks of whole lines for run_chunks(), for logs whose records are lines among millions of others. A
// chunk ends after a newline; only the last one may end without. Cost: one copy of the text.
#pragma once

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/io/streams/text_feed.h"
#include "core/read/json/text_chunk.h"

namespace tv {

class LineChunks {
 public:
  explicit LineChunks(TextFeed& feed) : feed_(feed) {}

  /// nullopt at the end.
  Result<std::optional<TextChunk>> next();
  /// Nothing is guessed here, so nothing is ever taken back.
  void take_back(const std::vector<TextChunk>&) {}

 private:
  TextFeed& feed_;
  std::uint64_t at_ = 0;  // of the next chunk in the text
  bool ended_ = false;
};

}  // namespace tv
