// Cuts a text into chunks of whole lines for run_chunks(), for logs whose records are lines among millions of others. Each chunk
// ends after a newline, except perhaps the last. If a record can have several lines, the reader says how many bytes at the end of
// a chunk may belong to an incomplete one, and the next chunk begins with these bytes. Cost: one copy of the text.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/io/streams/text_feed.h"
#include "core/read/json/text_chunk.h"

namespace tv {

/// Takes whole lines and returns how many bytes at their end belong to a record that the next lines may continue.
using OpenEnd = std::function<std::size_t(std::string_view lines)>;

class LineChunks {
 public:
  explicit LineChunks(TextFeed& feed, OpenEnd open_end = {}) : feed_(feed), open_end_(std::move(open_end)) {}

  /// The next chunk; nullopt at the end.
  Result<std::optional<TextChunk>> next();
  /// Nothing is guessed here, so nothing is ever taken back.
  void take_back(const std::vector<TextChunk>&) {}

 private:
  TextFeed& feed_;
  OpenEnd open_end_;
  std::uint64_t at_ = 0;  // offset of the next chunk in the text
  bool ended_ = false;
};

}  // namespace tv
