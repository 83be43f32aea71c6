// The args of a record as JSON: its member "args" in formats that have one (Trace Event, Perfetto), else the whole record. Strict
// JSON is copied verbatim, so that numbers keep all digits; the reader decodes anything else.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/read/reader.h"
#include "core/session/records/record_blocks.h"
#include "core/session/records/source_records.h"
#include "core/store/trace/trace.h"

namespace tv {

struct RecordFacts {
  bool readable = false;
  std::string_view args;   ///< JSON; empty: none
  std::string_view cname;  ///< name of a colour, in quotes; empty: none
};

class RecordArgs {
 public:
  /// The texts of the result are valid until the next call, and only while the block exists.
  RecordFacts read(const Trace& trace, const RecordBlock& block, SliceId id);

 private:
  RecordFacts of_text(const Reader& reader, std::string_view text);
  RecordFacts of_table(const RecordBlock& block, std::uint64_t offset);

  std::string decoded_;
  std::optional<SourceRecords::Use> records_;  ///< of the first block's source: use one RecordArgs per source
};

/// Appends the value of a node as JSON.
void append_json(std::string& out, const ArgTree& tree, std::size_t node);

}  // namespace tv
