// The slices of a segment as columns: 36 bytes per slice.
#pragma once

#include <cstddef>

#include "core/base/ids.h"
#include "core/base/memory/column.h"
#include "core/base/time.h"
#include "core/store/draft/item_ref.h"

namespace tv {

struct SliceTable {
  SliceTable() = default;
  explicit SliceTable(std::size_t n) : begin(n), duration(n), self(n), label(n), ref(n) {}

  Column<Ns> begin;     ///< relative to Trace::origin_ns
  Column<Ns> duration;  ///< >= 0
  Column<Ns> self;      ///< duration minus the union of the direct children
  Column<LabelId> label;
  Column<ItemRef> ref;

  std::size_t size() const { return begin.size(); }
};

}  // namespace tv
