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

  /// Fills `out` as far as it can; 0 only at the end. A damaged archive ends early and says so in `damage`.
  virtual Result<std::size_t> read(std::span<char> out) = 0;
  /// Bytes of the file on disk consumed so far: the measure of progress.
  virtual std::uint64_t consumed() const = 0;
  /// Why the stream ended before its time; empty when it did not.
  virtual std::string damage() const { return {}; }

  /// How much of the text read_at() reaches; 0 when it can only be read from beginning to end.
  virtual std::uint64_t reach() const { return 0; }
  /// Like read(), at any place and from any thread; what read() gives next does not change.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const;
  /// Lets read() go on from `offset`, which is within reach.
  virtual void seek(std::uint64_t offset);
  /// A stream without reach notes checkpoints there from now on.
  virtual void note_checkpoints(std::shared_ptr<TextCheckpoints> checkpoints);
  /// Goes on from the last checkpoint before `offset`, of the same file. Returns where it is.
  virtual std::uint64_t resume(const TextCheckpoints& checkpoints, std::uint64_t offset);
};

/// Lets the first read() of a stream begin at `offset`: seeks, or inflates up to there, from the checkpoint before it, and
/// throws that away.
Result<void> go_to(ByteStream& fresh, std::uint64_t offset, const TextCheckpoints* checkpoints = nullptr);
/// Fills `out` with as many calls as that takes; fewer bytes only at the end.
Result<std::size_t> read_fully(ByteStream& stream, std::span<char> out);

}  // namespace tv
