// Bytes that are read from beginning to end, wherever they come from. Every layer above sees one stream and counts offsets in it.
// Files are opened by open_stream.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/io/streams/text_checkpoints.h"

namespace tv {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /// May fill only a part of `out`; 0 only at the end. A damaged file ends early, and damage() says why.
  virtual Result<std::size_t> read(std::span<char> out) = 0;
  /// Bytes of the file on disk consumed so far, as the measure of progress.
  virtual std::uint64_t consumed() const = 0;
  /// Why the stream ended early; empty if it did not.
  virtual std::string damage() const { return {}; }

  /// How much of the text read_at() can reach; 0 if it can only be read from beginning to end.
  virtual std::uint64_t reach() const { return 0; }
  /// Like read(), at any offset and from any thread; does not affect read().
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const;
  /// Makes read() continue at `offset`, which is within reach.
  virtual void seek(std::uint64_t offset);
  /// A gzip stream adds checkpoints here from now on; other streams have none.
  virtual void note_checkpoints(std::shared_ptr<TextCheckpoints> checkpoints);
  /// Continues from the last checkpoint of the same file at or before `offset`. Returns its position; 0: none.
  virtual std::uint64_t resume(const TextCheckpoints& checkpoints, std::uint64_t offset);
};

/// Makes the first read() of a stream begin at `offset`: seeks, or inflates up to there from the checkpoint before it and discards
/// that text.
Result<void> go_to(ByteStream& fresh, std::uint64_t offset, const TextCheckpoints* checkpoints = nullptr);
/// Fills `out` with as many reads as that takes; fewer bytes only at the end.
Result<std::size_t> read_fully(ByteStream& stream, std::span<char> out);

}  // namespace tv
