#include "core/session/held/segment_cache.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "core/io/files/open_stream.h"
#include "core/io/written/private_folder.h"
#include "core/session/packed/index_file.h"
#include "core/session/packed/known_damage.h"
#include "core/store/segments/trace_file.h"

namespace tv {
namespace {

constexpr std::string_view kMadeFrom = "made from";
constexpr std::uint64_t kRoomToLeave = 1ULL << 30;  // bytes that stay free for other users of the disk

Result<void> check_room(const std::string& folder, std::uint64_t bytes) {
  std::error_code code;
  const std::filesystem::space_info space = std::filesystem::space(folder, code);
  const std::uint64_t needed = bytes + kRoomToLeave;
  if (code || space.available >= needed) return {};
  return Error{fmt::format("{:.1f} GB must be free on the disk of the index cache", static_cast<double>(needed) / 1e9), folder, {},
               "delete files, or set TRACEVIEW_CACHE_DIR to a folder on another disk"};
}

}  // namespace

CacheKey cache_key(const Trace& segment, std::string choice) {
  CacheKey key;
  key.choice = std::move(choice);
  for (const SourceInfo& source : segment.sources) {
    key.files.push_back({source.path, {source.bytes, source.modified_ns}, source.clock_offset});
  }
  return key;
}

std::string segment_path(const CacheOptions& options, const std::string& choice, const std::string& first_file) {
  const std::string key = choice + '\n' + first_file;
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return fmt::format("{}/{:016x}{:016x}.tvx", options.folder, hash.high64, hash.low64);
}

std::uint64_t segment_bytes(const CacheOptions& options, const std::string& choice, const std::string& first_file) {
  const auto identity = identity_of(segment_path(options, choice, first_file));
  return identity ? identity.value().size : 0;
}

Result<HeldSegment> find_segment(const CacheOptions& options, const std::string& choice, const std::string& first_file,
                                 ColumnsAre columns, ThreadPool& pool) {
  const std::string path = segment_path(options, choice, first_file);
  if (is_known_damaged(path)) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);  // the entry will be written again
    return Error{"the entry of the index cache is damaged", path, {}, {}};
  }
  auto file = SectionFile::open(path, SectionFile::Access::Mapped);
  if (!file) return file.error();
  const Section* const key_section = (*file)->find(kMadeFrom);
  if (!key_section) return Error{"the file is not an entry of the index cache", path, {}, {}};
  const auto key_text = (*file)->load(*key_section, pool);
  if (!key_text) return key_text.error();
  // The beginning of the key names the program. Data that another program wrote must not be read.
  const Error mismatch{"the entry was made from other files or by another program", path, {}, {}};
  if (!key_text.value().text().starts_with(CacheKey{{}, choice}.text(options))) return mismatch;
  auto trace = read_trace(**file, pool, columns);
  if (!trace) return trace.error();
  CacheKey key = cache_key(**trace, choice);
  if (key_text.value().text() != key.text(options)) return mismatch;
  auto index = read_index(**file, **trace, pool);
  if (!index) return index.error();
  for (const std::string& database : exports_of(**trace)) {
    if (!identity_of(database)) return Error{"the database that nsys exported is gone", database, {}, {}};
  }
  touch_entry(path);
  return HeldSegment{std::move(key), std::move(*trace), std::move(*index), path};
}

Result<void> keep_segment(const CacheOptions& options, const std::string& choice, const Trace& segment, const SegmentIndex& index,
                          ThreadPool& pool, std::stop_token stop) {
  if (segment.sources.empty()) return Error{"a segment without files cannot be cached", {}, {}, {}};
  const CacheKey key = cache_key(segment, choice);
  // The entry contains data of files that perhaps only their owner may read.
  if (auto made = make_private_folder(options.folder); !made) return made.error();
  if (auto room = check_room(options.folder, segment.bytes() + index.bytes()); !room) return room.error();
  const std::string path = segment_path(options, choice, segment.sources.front().path);
  auto file = SectionWriter::create(path, pool, SectionWriter::kLevel, kPrivateFile);
  if (!file) return file.error();
  file->add(kMadeFrom, SectionCoding::Plain, key.text(options));
  write_trace(*file, segment, TraceCoding::Plain, stop);
  if (!stop.stop_requested()) write_index(*file, index);
  if (stop.stop_requested() || !unchanged(key)) return Error{"the entry was not written: the load was stopped, or a file has changed", path, {}, {}};
  return file->finish();
}

}  // namespace tv
