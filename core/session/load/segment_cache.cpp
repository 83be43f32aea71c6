#include "core/session/load/segment_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/index/index_file.h"
#include "core/io/written/private_folder.h"
#include "core/store/trace/trace_file.h"

namespace tv {
namespace {

constexpr std::string_view kPartMadeFrom = "made from";
constexpr std::uint64_t kRoomToLeave = 1ULL << 30;  // bytes, for everybody else on that disk

std::string part_path(const CacheOptions& options, const CacheKey& files, std::size_t part) {
  const std::filesystem::path entry = files.entry_path(options);
  return fmt::format("{}/{}.part{}.tvx", options.folder, entry.stem().string(), part);
}

Result<KeptSegment> open_part(const std::string& path, std::string_view made_from, ThreadPool& pool) {
  auto file = SectionFile::open(path, SectionFile::Access::Mapped);
  if (!file) return file.error();
  const Section* const from = (*file)->find(kPartMadeFrom);
  if (!from) return Error{"no part of a trace", path, {}, {}};
  const auto text = (*file)->load(*from, pool);
  if (!text) return text.error();
  if (text.value().text() != made_from) return Error{"made from other files or by another program", path, {}, {}};
  auto trace = read_trace(**file, pool, {}, ColumnsAre::Believed);
  if (!trace) return trace.error();
  auto index = read_index(**file, **trace, pool);
  if (!index) return index.error();
  return KeptSegment{{}, std::move(*trace), std::move(*index), path};
}

Result<void> check_room(const std::string& folder, std::uint64_t bytes) {
  std::error_code code;
  const std::filesystem::space_info space = std::filesystem::space(folder, code);
  if (code || space.available >= bytes + kRoomToLeave) return {};
  return Error{fmt::format("{:.1f} GB are needed on the disk of the index cache", static_cast<double>(bytes) / 1e9), folder, {},
               "make room, or set TRACEVIEW_CACHE_DIR to another disk"};
}

std::string words_of_part(const CacheOptions& options, const CacheKey& files, std::size_t part, std::size_t parts) {
  return files.text(options) + fmt::format("part {} of {}\n", part, parts);
}

}  // namespace

Result<KeptSegments> find_segments(const CacheOptions& options, const CacheKey& files, ThreadPool& pool) {
  if (options.folder.empty() || !options.believe) return Error{"the cache is not in use", {}, {}, {}};
  std::size_t parts = 0;
  while (identity_of(part_path(options, files, parts))) ++parts;
  if (parts == 0) return Error{"no parts", options.folder, {}, {}};
  KeptSegments found;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::string path = part_path(options, files, p);
    auto part = open_part(path, words_of_part(options, files, p, parts), pool);
    if (!part) return part.error();
    part->made_of.choice = files.choice;
    for (const SourceInfo& source : part->segment->sources) {
      part->made_of.files.push_back({source.path, {source.bytes, source.modified_ns}, source.clock_offset});
    }
    touch_entry(path);
    found.push_back(std::move(*part));
  }
  return found;
}

Result<KeptSegments> keep_segments(const CacheOptions& options, const CacheKey& files, const Snapshot& loaded, ThreadPool& pool,
                                   std::stop_token stop) {
  if (auto made = make_private_folder(options.folder); !made) return made.error();
  const Segments segments = segments_of(loaded.trace);
  std::uint64_t bytes = loaded.index->bytes();
  for (const auto& segment : segments) bytes += segment->bytes();
  if (auto room = check_room(options.folder, bytes); !room) return room.error();
  // Where there were more, those at the end do not count any more.
  for (std::size_t p = segments.size(); identity_of(part_path(options, files, p)); ++p) {
    std::error_code none;
    std::filesystem::remove(part_path(options, files, p), none);
  }
  for (std::size_t p = 0; p < segments.size(); ++p) {
    auto file = SectionWriter::create(part_path(options, files, p), pool, SectionWriter::kLevel, kPrivateFile);
    if (!file) return file.error();
    file->add(kPartMadeFrom, SectionCoding::Plain, words_of_part(options, files, p, segments.size()));
    write_trace(*file, *segments[p], TraceCoding::Plain, stop);
    write_index(*file, *loaded.index->segments()[p]);
    if (stop.stop_requested()) return Error{"stopped", {}, {}, {}};
    if (auto done = file->finish(); !done) return done.error();
  }
  CacheOptions believed = options;
  believed.believe = true;
  return find_segments(believed, files, pool);
}

}  // namespace tv
