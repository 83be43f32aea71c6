// The names of all batches of a source. A batch is filled on any thread and has its own tables; when it is handed over, they are
// merged into the source's, in file order, and dropped: the tables of thousands of batches would take 8 bytes per slice.
// Cost: one table lookup for each name of a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/text/string_table.h"
#include "core/store/draft/event_batch.h"
#include "core/store/draft/label_table.h"

namespace tv {

/// Adds all names of a table. Returns the id of each in `to`.
std::vector<std::uint32_t> unite(StringTable& to, const StringTable& from);
std::vector<LabelId> unite(LabelTable& to, const LabelTable& from);

/// The source's ids for the ids of a batch.
struct BatchIds {
  std::vector<std::uint32_t> track, key;
  std::vector<LabelId> label;
};

struct SourceNames {
  LabelTable labels;
  StringTable tracks;
  StringTable keys;  ///< for later batches, and for told_collectives(); can be millions
  std::uint32_t key_count = 0;

  BatchIds unite(const EventBatch& batch);
  /// Without `keys`: for callers that merge no more batches with keys.
  SourceNames copy() const;
};

}  // namespace tv
