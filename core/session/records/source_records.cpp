#include "core/session/records/source_records.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/io/files/open_stream.h"
#include "core/io/written/new_file.h"
#include "core/io/written/private_folder.h"
#include "core/io/written/user_folders.h"
#include "core/session/held/index_cache.h"
#include "core/session/packed/source_text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tv {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kPiece = 8 << 20;

// Unpacks the database into a file for SQLite, unless it is there. Like an export, this file stays until the cache needs the room.
Result<std::string> unpacked(const SourceInfo& source) {
  const std::string folder = exports_folder(cache_folder());
  if (folder.empty()) return Error{"there is no folder to unpack it into: set XDG_CACHE_HOME or HOME", source.path, {}, {}};
  const std::string what = fmt::format("{} {} {}", source.packed->file_id, source.packed->section, source.packed->path);
  const XXH128_hash_t hash = XXH3_128bits(what.data(), what.size());
  const std::string path = fmt::format("{}/{:016x}{:016x}.sqlite", folder, hash.high64, hash.low64);
  if (identity_of(path)) {
    touch_entry(path);
    return path;
  }
  auto stream = open_source_text(source);
  if (!stream) return stream.error();
  if (auto made = make_private_folder(folder); !made) return made.error();
  auto file = NewFile::create(path, kPrivateFile);
  if (!file) return file.error();
  std::string piece(kPiece, '\0');
  for (bool more = true; more;) {
    const auto n = read_fully(**stream, piece);
    if (!n) return n.error();
    more = n.value() == piece.size();
    if (auto written = file->append({piece.data(), n.value()}); !written) return written.error();
  }
  if (auto done = file->commit(); !done) return done.error();
  return path;
}

Result<std::string> database_of(const SourceInfo& source) {
  if (source.packed) return unpacked(source);
  if (!source.database.empty()) return source.database;
  const auto identity = identity_of(source.path);
  if (!identity) return identity.error();
  if (identity.value() == FileIdentity{source.bytes, source.modified_ns}) return source.path;
  return Error{"the file has changed since it was loaded", source.path, {}, "read the files again"};
}

}  // namespace

Result<std::shared_ptr<SourceRecords>> SourceRecords::open(const Reader& reader, const SourceInfo& source, Many many) {
  std::shared_ptr<SourceRecords> records(new SourceRecords(reader, source, many));
  auto first = records->open_table();
  if (!first) return first.error();
  records->idle_.push_back(std::move(*first));
  return records;
}

Result<std::unique_ptr<RecordTable>> SourceRecords::open_table() const {
  // Another load may have removed an unpacked database to make room. Then it is unpacked again.
  auto path = database_of(source_);
  if (!path) return path.error();
  auto table = reader_.open_table(*path);
  if (table && many_ == Many::Yes) (*table)->be_brief();
  return table;
}

SourceRecords::Use::Use(std::shared_ptr<SourceRecords> records) : records_(std::move(records)) {
  const std::lock_guard lock(records_->mutex_);
  if (records_->idle_.empty()) return;
  table_ = std::move(records_->idle_.back());
  records_->idle_.pop_back();
}

SourceRecords::Use::~Use() {
  if (!records_ || !table_) return;
  const std::lock_guard lock(records_->mutex_);
  records_->idle_.push_back(std::move(table_));
}

Result<ArgTree> SourceRecords::Use::at(std::uint64_t offset) {
  if (!table_) {
    auto opened = records_->open_table();
    if (!opened) return opened.error();
    table_ = std::move(*opened);
  }
  return table_->at(offset);
}

}  // namespace tv
