// A file of named sections, for data that this program writes and reads itself. All sections and the table of contents have
// checksums. A section is stored either plain, as in memory, so that it can be mapped, or compressed.
//
//   head, 64 bytes │ section │ section │ ... │ contents: the sections' names, codings, blocks
//                                              block: where it is, how long, XXH3 of its bytes as stored
//
// A section's contents are cut into blocks: of 1 MiB, which compress well, or of 128 KiB in plain sections, which are read at
// scattered places. Blocks are processed in parallel, and a few bytes are read by unpacking one block. Plain sections begin on a
// page boundary.
// Cost: 288 MB are mapped and checked in 0.06 s on two cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/memory/column.h"
#include "core/base/result.h"
#include "core/base/threads/thread_pool.h"
#include "core/io/streams/byte_stream.h"
#include "core/io/streams/plain_file.h"
#include "core/io/written/new_file.h"

namespace tv {

inline constexpr std::size_t kSectionBlock = 1 << 20, kPlainBlock = 128 << 10;

enum class SectionCoding : std::uint8_t {
  Plain,
  Zstd,
  Deltas4,  ///< numbers of 4 bytes: their differences, split into byte planes (number_planes.h), then zstd
  Deltas8,  ///< the same for numbers of 8 bytes
};

struct SectionBlock {
  std::uint64_t offset = 0;  ///< in the file
  std::uint64_t stored = 0;  ///< number of bytes stored there
  std::uint64_t hash = 0;    ///< of the stored bytes
};

struct Section {
  std::string name;
  SectionCoding coding = SectionCoding::Plain;
  std::uint64_t bytes = 0;  ///< size of the contents
  std::vector<SectionBlock> blocks;
  std::size_t block_bytes = kSectionBlock;  ///< bytes of the contents in each block but the last
};

class SectionWriter {
 public:
  static constexpr int kLevel = 3;
  /// `level`: of zstd. `mode`: file permissions before the umask.
  static Result<SectionWriter> create(const std::string& path, ThreadPool& pool, int level = kLevel, unsigned mode = 0666);
  SectionWriter(SectionWriter&&) noexcept;
  ~SectionWriter();

  /// Begins a section. Errors of this and the next calls are returned by finish(); after an error nothing more is written.
  void begin(std::string_view name, SectionCoding coding);
  /// Adds bytes to the section begun last. All pieces but the last must be whole blocks.
  void append(std::string_view bytes);
  void add(std::string_view name, SectionCoding coding, std::string_view bytes) {
    begin(name, coding);
    append(bytes);
  }
  bool failed() const { return error_.has_value(); }
  std::uint64_t size() const { return file_.size(); }
  /// Moves the complete file to its path. On an error, a file that was already there stays.
  Result<void> finish();

 private:
  struct BlockPacker;
  SectionWriter(NewFile file, ThreadPool& pool, int level);
  void write(std::string_view bytes);

  NewFile file_;
  ThreadPool* pool_;
  int level_;
  std::vector<BlockPacker> packers_;  // blocks are compressed in parallel, then written in order
  std::vector<Section> sections_;
  std::optional<Error> error_;
};

/// The contents of a section, kept alive by `owner`.
struct SectionBytes {
  std::shared_ptr<std::byte> owner;
  std::span<std::byte> bytes;  ///< must not be written to

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

class SectionFile {
 public:
  enum class Access {
    Mapped,  ///< plain sections are mapped; only for files that no program truncates (mapped_file.h)
    Read,    ///< everything is copied
  };
  /// Checks the head and the table of contents, but not the sections.
  static Result<std::shared_ptr<const SectionFile>> open(const std::string& path, Access access);

  const std::string& path() const { return file_.path(); }
  /// Identifies the contents: files with different sections have different ids.
  std::uint64_t id() const { return id_; }
  std::uint64_t size() const { return file_.size(); }
  const Section* find(std::string_view name) const;
  /// The whole section, checked.
  Result<SectionBytes> load(const Section& section, ThreadPool& pool) const;
  /// Maps a whole plain section. Each block is checked when it is first touched (mapped_file.h), or here if the system's pages are
  /// too large for that.
  Result<SectionBytes> map(const Section& section) const;
  /// Checks all checksums of a section, for a caller that will read all of it.
  Result<void> check(const Section& section, ThreadPool& pool) const;
  const std::vector<Section>& sections() const { return sections_; }
  /// Reads a part of a section, on any thread; fewer bytes only at its end.
  Result<std::size_t> read_at(const Section& section, std::uint64_t offset, std::span<char> out) const;

 private:
  SectionFile(PlainFile file) : file_(std::move(file)) {}
  Result<void> read_contents();
  Result<void> unpack(const Section& section, std::size_t block, std::span<char> out) const;
  Error damaged() const;
  Error damaged(const Section& section, std::size_t block) const;
  Result<void> map_sections();
  Result<std::string> contents_at(std::uint64_t offset, std::uint64_t bytes, std::uint64_t hash) const;

  PlainFile file_;
  std::shared_ptr<std::byte> mapping_;
  std::vector<Section> sections_;
  std::uint64_t id_ = 0;
};

/// The contents as numbers of type T. Their length must be a multiple of its size.
template <class T>
Column<T> column_in(SectionBytes bytes) {
  T* const first = reinterpret_cast<T*>(bytes.bytes.data());
  return Column<T>(std::move(bytes.owner), first, bytes.bytes.size() / sizeof(T));
}

/// The error for a part with a wrong checksum. It is the only error that names a position in one of our files.
Error damaged_part(const std::string& path, std::uint64_t byte_offset);
/// The error for a file whose sections are intact, but whose tables contradict each other.
Error contradictory_tables(const std::string& path);

/// Whether `head` is the beginning of a section file.
bool is_section_file(std::string_view head);

/// A section as a stream with random access. The stream keeps the file open.
std::unique_ptr<ByteStream> make_section_stream(std::shared_ptr<const SectionFile> file, const Section& section);

}  // namespace tv
