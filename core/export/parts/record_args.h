// The data of a record other than name and times, as JSON. For events that store their name separately (Trace Event, Perfetto) that
// is the member "args"; for other formats it is the whole record. Strict JSON is copied from the file digit by digit; anything else
// is decoded by the reader.
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
  std::string_view cname;  ///< the colour, in quotes; empty: none
};

class RecordArgs {
 public:
  /// Valid until the next call, and as long as the block.
  RecordFacts read(const Trace& trace, const RecordBlock& block, SliceId id);

 private:
  RecordFacts of_text(const Reader& reader, std::string_view text);
  RecordFacts of_table(const RecordBlock& block, std::uint64_t offset);

  std::string decoded_;
  std::optional<SourceRecords::Use> records_;  ///< of the block's source; several sources at once need a RecordArgs each
};

/// A decoded value as JSON.
void append_json(std::string& out, const ArgTree& tree, std::size_t node);

}  // namespace tv
