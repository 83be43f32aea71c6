// Reads a file's text from beginning to end, whatever it is wrapped in: plain, gzip (several members too), zstd, zip (its
// first file), UTF-16, or the log of a container runtime (text_streams.h). A file in an archive has the path
// "run.zip/rank0.json" (archive_file.h), and a pipe is a file too (piped_file.h). Every layer above sees one stream of
// bytes and counts offsets in it.
//
// Plain files are read, not mapped: a mapped file that is truncated meanwhile kills the process with SIGBUS.
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

/// Opens by content, not by name.
Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path);
/// The text in gzip, zstd or UTF-16 data; other data as it is. `path`: whose it is.
Result<std::unique_ptr<ByteStream>> unwrapped(std::unique_ptr<ByteStream> bytes, const std::string& path);

/// Lets the first read() of a stream begin at `offset`: seeks, or inflates up to there, from the checkpoint before it, and
/// throws that away.
Result<void> go_to(ByteStream& fresh, std::uint64_t offset, const TextCheckpoints* checkpoints = nullptr);
/// Fills `out` with as many calls as that takes; fewer bytes only at the end.
Result<std::size_t> read_fully(ByteStream& stream, std::span<char> out);

/// `length` bytes (or fewer, at the end) of a file's text from `offset` on. Compressed files are inflated up to there
/// and thrown away on the way: no inflated copy is kept.
Result<std::string> read_text_at(const std::string& path, std::uint64_t offset, std::size_t length);

}  // namespace tv
