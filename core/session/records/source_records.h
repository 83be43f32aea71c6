// The records of a source that is not text (Reader::open_table), in its database: its own file, an export of it, or a packed
// trace, which is unpacked into the cache once. Several threads can use it at once, each with a table of its own. Cost: opening
// one reads the database's schema (1 ms); a record some 30 us.
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
  enum class Many { No, Yes };  ///< Yes: leaves out data that takes a pass over another table (RecordTable::be_brief)

  /// An error if it is no longer the database that was loaded.
  static Result<std::shared_ptr<SourceRecords>> open(const Reader& reader, const SourceInfo& source, Many many);

  /// A table for one thread; it can be used by another when this is destroyed.
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
  SourceRecords(const Reader& reader, std::string path, Many many)
      : reader_(reader), path_(std::move(path)), many_(many) {}
  Result<std::unique_ptr<RecordTable>> open_table() const;

  const Reader& reader_;
  std::string path_;
  Many many_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RecordTable>> idle_;
};

}  // namespace tv
