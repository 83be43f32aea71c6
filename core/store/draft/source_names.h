// The names of a source: those of all its batches. A batch is filled on any thread and has tables of its own; when it is
// handed over they are united with the source's, in file order, and go: thousands of them would be 8 bytes for each slice.
// Cost: one look into a table for each name of a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/text/string_table.h"
#include "core/store/draft/event_batch.h"
#include "core/store/draft/label_table.h"

namespace tv {

/// Takes over all that is in a table. Which id each has there.
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
  StringTable keys;  ///< only to know them again in later batches: there can be millions
  std::uint32_t key_count = 0;

  BatchIds unite(const EventBatch& batch);
  /// Without `keys`: for those who unite no more batches that have any.
  SourceNames copy() const;
};

}  // namespace tv
