// Bytes that are read from beginning to end, wherever they come from. Every layer above sees one stream and counts offsets in it.
// open_stream.h opens files as streams.
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
  /// How many bytes of the file on disk were consumed so far, as a measure of progress.
  virtual std::uint64_t consumed() const = 0;
  /// Why the stream ended early; empty if it did not.
  virtual std::string damage() const { return {}; }

  /// The number of bytes that read_at() can reach; 0 if the stream can only be read from beginning to end.
  virtual std::uint64_t reach() const { return 0; }
  /// Like read(), at any offset and from any thread; does not affect read().
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const;
  /// Makes read() continue at `offset`, which is within reach.
  virtual void seek(std::uint64_t offset);
  /// From now on a gzip stream adds its checkpoints to this object. Other streams have none.
  virtual void note_checkpoints(std::shared_ptr<TextCheckpoints> checkpoints);
  /// Continues from the last checkpoint of the same file at or before `offset`. Returns the checkpoint's offset; 0: there is none.
  virtual std::uint64_t resume(const TextCheckpoints& checkpoints, std::uint64_t offset);
};

/// Makes the first read() of a stream begin at `offset`: seeks, or inflates from the last checkpoint before `offset` and discards
/// the text up to there.
Result<void> go_to(ByteStream& fresh, std::uint64_t offset, const TextCheckpoints* checkpoints = nullptr);
/// Fills `out`, with as many reads as needed; fewer bytes only at the end.
Result<std::size_t> read_fully(ByteStream& stream, std::span<char> out);

}  // namespace tv
