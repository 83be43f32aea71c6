// The names of all batches of a source. A batch is filled on any thread and has its own tables. When it is handed over, its
// tables are merged into those of the source, in file order, and dropped, because the tables of thousands of batches would take 8
// bytes per slice. Cost: one table lookup for each name of a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/text/string_table.h"
#include "core/store/draft/event_batch.h"
#include "core/store/draft/label_table.h"

namespace tv {

/// Adds all names of `from` to `to`. Returns the id that each has in `to`.
std::vector<std::uint32_t> unite(StringTable& to, const StringTable& from);
std::vector<LabelId> unite(LabelTable& to, const LabelTable& from);

/// By id of a batch: the id of the source.
struct BatchIds {
  std::vector<std::uint32_t> track, key;
  std::vector<LabelId> label;
};

struct SourceNames {
  LabelTable labels;
  StringTable tracks;
  StringTable keys;  ///< may be millions; needed for further batches and for told_collectives()
  std::uint32_t key_count = 0;  ///< the number of keys, even if `keys` has moved elsewhere

  BatchIds unite(const EventBatch& batch);
  /// A copy without `keys`: no further batch with keys may be added to it.
  SourceNames copy() const;
};

}  // namespace tv
