// The records of a source that is not text (Reader::open_table). They are in a database: the source's own file, an export of it,
// or a section of a packed trace, which is unpacked into the cache once. Several threads can use one SourceRecords at the same
// time, each with its own table. Cost: opening a table reads the database's schema (1 ms); a record some 30 us.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/read/reader.h"
#include "core/store/draft/source_info.h"

namespace tv {

class SourceRecords {
 public:
  /// Whether many records will be read. Yes: leaves out data that takes a pass over another table (RecordTable::be_brief).
  enum class Many { No, Yes };

  /// An error if the database is no longer the one that was loaded.
  static Result<std::shared_ptr<SourceRecords>> open(const Reader& reader, const SourceInfo& source, Many many);

  /// A table for one thread. Another thread can use the table when this object is destroyed.
  class Use {
   public:
    explicit Use(std::shared_ptr<SourceRecords> records);
    Use(Use&& other) = default;
    Use& operator=(Use&&) = delete;
    ~Use();
    Result<ArgTree> at(std::uint64_t offset);

   private:
    std::shared_ptr<SourceRecords> records_;
    std::unique_ptr<RecordTable> table_;
  };

 private:
  SourceRecords(const Reader& reader, SourceInfo source, Many many)
      : reader_(reader), source_(std::move(source)), many_(many) {}
  Result<std::unique_ptr<RecordTable>> open_table() const;

  const Reader& reader_;
  SourceInfo source_;
  Many many_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RecordTable>> idle_;
};

}  // namespace tv
