#include "core/io/tables/section_file.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "core/base/bytes.h"
#include "core/base/memory/column.h"
#include "core/base/memory/per_thread.h"
#include "core/io/tables/mapped_file.h"
#include "core/io/tables/number_planes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tv {
namespace {

constexpr std::string_view kMagic("\x89TVX\r\n\x1a\n", 8);  // like PNG's, so that transfers in text mode are detected
constexpr std::uint32_t kVersion = 3, kOldestVersion = 2;  // in files of version 2 all blocks have 1 MiB
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::size_t kHeadBytes = 64, kAlignment = 4096;

struct Head {
  std::uint32_t version = kVersion, byte_order = kByteOrder;
  std::uint64_t contents_offset = 0, contents_bytes = 0, contents_hash = 0;
};

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, Head>& head) {
  bytes(head.version, head.byte_order, head.contents_offset, head.contents_bytes, head.contents_hash);
}

std::uint64_t hash_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

unsigned number_width(SectionCoding coding) {
  return coding == SectionCoding::Deltas4 ? 4 : coding == SectionCoding::Deltas8 ? 8 : 0;
}

// The size of a block's contents. All blocks are full except the last.
std::size_t unpacked_bytes(const Section& section, std::size_t block) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(section.block_bytes, section.bytes - block * section.block_bytes));
}

std::size_t block_bytes_of(SectionCoding coding) { return coding == SectionCoding::Plain ? kPlainBlock : kSectionBlock; }
std::uint64_t blocks_of(std::uint64_t bytes, std::size_t block_bytes) { return bytes / block_bytes + (bytes % block_bytes != 0); }

}  // namespace

Error damaged_part(const std::string& path, std::uint64_t byte_offset) {
  return {"the file is damaged or was cut off", path, byte_offset, "write it again from the original files"};
}

Error contradictory_tables(const std::string& path) {
  return {"the file's tables contradict each other", path, {}, "write it again from the original files"};
}

bool is_section_file(std::string_view head) { return head.starts_with(kMagic); }

// --- writing ---

// The buffers for compressing one block at a time. They are reused, because allocating zstd's memory takes longer than compressing.
struct SectionWriter::BlockPacker {
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context{ZSTD_createCCtx(), ZSTD_freeCCtx};
  std::string planes, packed;
  std::string_view stored;
  std::uint64_t hash = 0;
  bool failed = false;

  void take(std::string_view block, SectionCoding coding, int level) {
    stored = block;
    if (coding != SectionCoding::Plain) pack(block, number_width(coding), level);
    hash = hash_of(stored);
  }
  void pack(std::string_view block, unsigned width, int level) {
    if (width != 0) {
      planes.resize(block.size());
      to_planes(block, width, planes);
      block = planes;
    }
    if (!context) throw std::bad_alloc();
    packed.resize(ZSTD_compressBound(kSectionBlock));
    const std::size_t n = ZSTD_compressCCtx(context.get(), packed.data(), packed.size(), block.data(), block.size(), level);
    failed = ZSTD_isError(n) != 0;
    stored = std::string_view(packed).substr(0, failed ? 0 : n);
  }
};

SectionWriter::SectionWriter(NewFile file, ThreadPool& pool, int level)
    : file_(std::move(file)), pool_(&pool), level_(level), packers_(4 * std::size_t{pool.size()}) {}
SectionWriter::SectionWriter(SectionWriter&&) noexcept = default;
SectionWriter::~SectionWriter() = default;

Result<SectionWriter> SectionWriter::create(const std::string& path, ThreadPool& pool, int level, unsigned mode) {
  auto file = NewFile::output(path, NewFile::Content::Binary, NewFile::Order::Anywhere, mode);
  if (!file) return file.error();
  SectionWriter writer(std::move(*file), pool, level);
  writer.write(std::string(kHeadBytes, '\0'));
  return writer;
}

void SectionWriter::write(std::string_view bytes) {
  if (error_) return;
  if (auto done = file_.append(bytes); !done) error_ = done.error();
}

void SectionWriter::begin(std::string_view name, SectionCoding coding) {
  sections_.push_back({std::string(name), coding, 0, {}, block_bytes_of(coding)});
}

void SectionWriter::append(std::string_view bytes) {
  Section& section = sections_.back();
  const bool begins = section.bytes == 0 && !bytes.empty() && section.coding == SectionCoding::Plain;
  if (begins && file_.size() % kAlignment != 0) write(std::string(kAlignment - file_.size() % kAlignment, '\0'));
  section.bytes += bytes.size();
  while (!bytes.empty() && !error_) {
    const std::string_view part = bytes.substr(0, packers_.size() * section.block_bytes);
    bytes.remove_prefix(part.size());
    const auto used = std::span(packers_).first(blocks_of(part.size(), section.block_bytes));
    pool_->parallel_for(used.size(), [&](std::size_t b) {
      used[b].take(part.substr(b * section.block_bytes, section.block_bytes), section.coding, level_);
    });
    for (const BlockPacker& packer : used) {
      if (packer.failed) error_ = Error{"the data could not be compressed", {}, {}, "free some memory"};
      section.blocks.push_back({file_.size(), packer.stored.size(), packer.hash});
      write(packer.stored);
    }
  }
}

Result<void> SectionWriter::finish() {
  ByteWriter contents;
  contents(std::uint64_t{sections_.size()});
  for (const Section& section : sections_) {
    contents(section.name, section.coding, section.bytes, std::uint64_t{section.blocks.size()});
    for (const SectionBlock& block : section.blocks) contents(block.offset, block.stored, block.hash);
  }
  Head head;
  head.contents_offset = file_.size();
  head.contents_bytes = contents.bytes().size();
  head.contents_hash = hash_of(contents.bytes());
  write(contents.bytes());
  ByteWriter bytes;
  bytes.raw(kMagic);
  members(bytes, head);
  if (error_) return *error_;
  if (auto done = file_.write_at(0, bytes.bytes()); !done) return done;
  return file_.commit();
}

// --- reading ---

Error SectionFile::damaged() const {
  return {"the file is damaged or was cut off", path(), {}, "write it again from the original files"};
}

Error SectionFile::damaged(const Section& section, std::size_t block) const {
  return damaged_part(path(), section.blocks[block].offset);
}

Result<std::shared_ptr<const SectionFile>> SectionFile::open(const std::string& path, Access access) {
  auto plain = PlainFile::open(path);
  if (!plain) return plain.error();
  std::shared_ptr<SectionFile> file(new SectionFile(std::move(*plain)));
  if (auto done = file->read_contents(); !done) return done.error();
  if (access == Access::Mapped) {
    if (auto done = file->map_sections(); !done) return done.error();
  }
  return std::shared_ptr<const SectionFile>(std::move(file));
}

Result<void> SectionFile::map_sections() {
  std::vector<SummedBlock> blocks;
  for (const Section& section : sections_) {
    if (section.coding != SectionCoding::Plain || !checks_when_touched()) continue;
    for (const SectionBlock& block : section.blocks) blocks.push_back({block.offset, block.stored, block.hash});
  }
  std::ranges::sort(blocks, {}, &SummedBlock::offset);
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    if (blocks[b].offset < blocks[b - 1].offset + blocks[b - 1].bytes) return damaged();
  }
  auto mapping = map_file(path(), size(), std::move(blocks));
  if (!mapping) return mapping.error();
  mapping_ = std::move(*mapping);
  return {};
}

// Checks the hash before it allocates memory for the whole contents, because the size in a damaged head can be anything.
Result<std::string> SectionFile::contents_at(std::uint64_t offset, std::uint64_t bytes, std::uint64_t hash) const {
  // A block takes 24 bytes in the contents and at least 40 in the file, however well it compresses.
  constexpr std::uint64_t kLeastOfBlock = 40, kContentsOfBlock = 24, kOfNames = 1 << 20;
  if (bytes > kOfNames + offset / kLeastOfBlock * kContentsOfBlock) return damaged();
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  std::string part;
  for (std::uint64_t done = 0; done < bytes; done += part.size()) {
    part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kSectionBlock, bytes - done)));
    auto n = file_.read_at(offset + done, part);
    if (!n) return n.error();
    if (*n != part.size()) return damaged();
    XXH3_64bits_update(&state, part.data(), part.size());
  }
  if (XXH3_64bits_digest(&state) != hash) return damaged();
  if (bytes <= kSectionBlock) return part;
  std::string all(static_cast<std::size_t>(bytes), '\0');
  auto n = file_.read_at(offset, all);
  if (!n) return n.error();
  if (*n != all.size()) return damaged();
  return all;
}

Result<void> SectionFile::read_contents() {
  std::string bytes(kHeadBytes, '\0');
  auto n = file_.read_at(0, bytes);
  if (!n) return n.error();
  if (*n < kHeadBytes || !is_section_file(bytes)) return Error{"not a file of traceview", path(), {}, {}};
  ByteReader head_bytes(std::span<const char>(bytes).subspan(kMagic.size()));
  Head head;
  members(head_bytes, head);
  if (head.version < kOldestVersion || head.version > kVersion || head.byte_order != kByteOrder) {
    return Error{"written by another version of traceview or on another kind of machine", path(), {},
                 "write it again with this version"};
  }
  if (head.contents_offset > size() || head.contents_bytes != size() - head.contents_offset) return damaged();
  auto all = contents_at(head.contents_offset, head.contents_bytes, head.contents_hash);
  if (!all) return all.error();
  bytes = std::move(*all);
  id_ = head.contents_hash;

  ByteReader contents(bytes);
  sections_.resize(contents.count(25));
  for (Section& section : sections_) {
    contents(section.name, section.coding, section.bytes);
    if (head.version > kOldestVersion) section.block_bytes = block_bytes_of(section.coding);
    section.blocks.resize(contents.count(24));
    for (SectionBlock& block : section.blocks) {
      contents(block.offset, block.stored, block.hash);
      if (block.offset > size() || block.stored > size() - block.offset) return damaged();
    }
    const unsigned width = number_width(section.coding);
    const bool numbers = width == 0 || section.bytes % width == 0;
    if (section.coding > SectionCoding::Deltas8 || section.blocks.size() != blocks_of(section.bytes, section.block_bytes) || !numbers) {
      return damaged();
    }
    if (section.coding != SectionCoding::Plain || section.blocks.empty()) continue;
    // The whole section is mapped as one range, so its blocks must be contiguous.
    for (std::size_t b = 0; b < section.blocks.size(); ++b) {
      const SectionBlock& block = section.blocks[b];
      if (block.stored != unpacked_bytes(section, b) || block.offset != section.blocks[0].offset + b * section.block_bytes) return damaged();
    }
    if (section.blocks[0].offset % kAlignment != 0) return damaged();
  }
  if (!contents.done()) return damaged();
  return {};
}

const Section* SectionFile::find(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? nullptr : &*found;
}

namespace {

// A thread's buffers for unpacking. They are reused, because allocating them takes longer than unpacking a table.
struct Unpacker {
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context{ZSTD_createDCtx(), ZSTD_freeDCtx};
  std::string stored;  // the last block as it is in the file

  static Unpacker& of_thread() {
    Unpacker& unpacker = per_thread<Unpacker>();
    if (!unpacker.context) throw std::bad_alloc();
    return unpacker;
  }
};

}  // namespace

// `out` has the size of the block's contents.
Result<void> SectionFile::unpack(const Section& section, std::size_t b, std::span<char> out) const {
  const SectionBlock& block = section.blocks[b];
  const auto read = [&](std::span<char> bytes) -> Result<void> {
    auto n = file_.read_at(block.offset, bytes);
    if (!n) return n.error();
    if (*n != bytes.size() || hash_of({bytes.data(), bytes.size()}) != block.hash) return damaged(section, b);
    return {};
  };
  if (section.coding == SectionCoding::Plain) return read(out);
  if (block.stored > ZSTD_compressBound(kSectionBlock)) return damaged(section, b);  // we never write such a block
  Unpacker& unpacker = Unpacker::of_thread();
  if (unpacker.stored.size() < block.stored) unpacker.stored.resize(block.stored);
  const std::span<char> bytes = std::span<char>(unpacker.stored).first(block.stored);
  if (auto done = read(bytes); !done) return done;
  const unsigned width = number_width(section.coding);
  std::string planes(width == 0 ? 0 : out.size(), '\0');
  const std::span<char> target = width == 0 ? out : std::span<char>(planes);
  const std::size_t unpacked = ZSTD_decompressDCtx(unpacker.context.get(), target.data(), target.size(), bytes.data(), bytes.size());
  if (ZSTD_getErrorCode(unpacked) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (unpacked != target.size()) return damaged(section, b);
  if (width != 0) from_planes(planes, width, out);
  return {};
}

Result<SectionBytes> SectionFile::load(const Section& section, ThreadPool& pool) const {
  SectionBytes out;
  if (section.bytes == 0) return out;
  std::vector<std::optional<Error>> problems(section.blocks.size());
  if (mapping_ && section.coding == SectionCoding::Plain) {
    std::byte* const first = mapping_.get() + section.blocks[0].offset;
    out = {mapping_, {first, static_cast<std::size_t>(section.bytes)}};
    if (auto sound = check(section, pool); !sound) return sound.error();
  } else {
    // Allocates no more than a file of this size can hold, whatever its table of contents says.
    constexpr std::uint64_t kBestRatio = 100'000;
    if (section.bytes / kBestRatio > size()) return damaged();
    out.owner = allocate_bytes(static_cast<std::size_t>(section.bytes));
    out.bytes = {out.owner.get(), static_cast<std::size_t>(section.bytes)};
    char* const first = reinterpret_cast<char*>(out.owner.get());
    std::atomic<bool> failed = false;  // no further blocks are unpacked
    pool.parallel_for(problems.size(), [&](std::size_t b) {
      if (failed) return;
      auto done = unpack(section, b, {first + b * section.block_bytes, unpacked_bytes(section, b)});
      if (!done) problems[b] = done.error(), failed = true;
    });
  }
  for (const std::optional<Error>& problem : problems) {
    if (problem) return *problem;
  }
  return out;
}

Result<void> SectionFile::check(const Section& section, ThreadPool& pool) const {
  const bool mapped = mapping_ && section.coding == SectionCoding::Plain && !section.blocks.empty();
  if (mapped) let_read(mapping_.get() + section.blocks[0].offset, static_cast<std::size_t>(section.bytes));
  std::vector<std::optional<Error>> problems(section.blocks.size());
  pool.parallel_for(problems.size(), [&](std::size_t b) {
    const SectionBlock& block = section.blocks[b];
    if (mapped) {
      const char* const first = reinterpret_cast<const char*>(mapping_.get()) + block.offset;
      if (hash_of({first, static_cast<std::size_t>(block.stored)}) != block.hash) problems[b] = damaged(section, b);
      return;
    }
    std::string stored(static_cast<std::size_t>(block.stored), '\0');
    auto n = file_.read_at(block.offset, stored);
    if (!n) problems[b] = n.error();
    else if (*n != stored.size() || hash_of(stored) != block.hash) problems[b] = damaged(section, b);
  });
  for (const std::optional<Error>& problem : problems) {
    if (problem) return *problem;
  }
  return {};
}

Result<SectionBytes> SectionFile::map(const Section& section) const {
  if (section.bytes == 0) return SectionBytes{};
  if (!mapping_ || section.coding != SectionCoding::Plain) return damaged();
  for (std::size_t b = 0; b < section.blocks.size() && !checks_when_touched(); ++b) {
    const char* const first = reinterpret_cast<const char*>(mapping_.get()) + section.blocks[b].offset;
    if (hash_of({first, unpacked_bytes(section, b)}) != section.blocks[b].hash) return damaged(section, b);
  }
  return SectionBytes{mapping_, {mapping_.get() + section.blocks[0].offset, static_cast<std::size_t>(section.bytes)}};
}

Result<std::size_t> SectionFile::read_at(const Section& section, std::uint64_t offset, std::span<char> out) const {
  std::size_t done = 0;
  std::string block;
  while (done < out.size() && offset + done < section.bytes) {
    const std::uint64_t at = offset + done;
    const auto b = static_cast<std::size_t>(at / section.block_bytes), from = static_cast<std::size_t>(at % section.block_bytes);
    const std::size_t size_of_block = unpacked_bytes(section, b);
    const std::size_t n = std::min(size_of_block - from, out.size() - done);
    if (n == size_of_block) {
      if (auto unpacked = unpack(section, b, out.subspan(done, n)); !unpacked) return unpacked.error();
    } else {
      block.resize(size_of_block);
      if (auto unpacked = unpack(section, b, block); !unpacked) return unpacked.error();
      std::memcpy(out.data() + done, block.data() + from, n);
    }
    done += n;
  }
  return done;
}

namespace {

class SectionStream : public ByteStream {
 public:
  SectionStream(std::shared_ptr<const SectionFile> file, const Section& section)
      : file_(std::move(file)), section_(section) {}

  Result<std::size_t> read(std::span<char> out) override {
    auto n = file_->read_at(section_, at_, out);
    if (n) at_ += *n;
    return n;
  }
  std::uint64_t consumed() const override { return at_; }
  std::uint64_t reach() const override { return section_.bytes; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
    return file_->read_at(section_, offset, out);
  }
  void seek(std::uint64_t offset) override { at_ = offset; }

 private:
  std::shared_ptr<const SectionFile> file_;
  const Section& section_;
  std::uint64_t at_ = 0;
};

}  // namespace

std::unique_ptr<ByteStream> make_section_stream(std::shared_ptr<const SectionFile> file, const Section& section) {
  return std::make_unique<SectionStream>(std::move(file), section);
}

}  // namespace tv
