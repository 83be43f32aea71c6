// The args of a record as JSON: the member "args" in formats that have one (Trace Event, Perfetto), the whole record in others.
// Strict JSON is copied verbatim, so that numbers keep all digits; anything else is decoded by the reader.
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
  /// The result is valid until the next call, while the block exists.
  RecordFacts read(const Trace& trace, const RecordBlock& block, SliceId id);

 private:
  RecordFacts of_text(const Reader& reader, std::string_view text);
  RecordFacts of_table(const RecordBlock& block, std::uint64_t offset);

  std::string decoded_;
  std::optional<SourceRecords::Use> records_;  ///< set by the first block: use one RecordArgs per source
};

/// Appends the value at `node`.
void append_json(std::string& out, const ArgTree& tree, std::size_t node);

}  // namespace tv
