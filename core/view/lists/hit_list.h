// The hits of a search in time order, as a table, and the lanes with a matching name. At most kMostListed hits are listed, because
// floats cannot hold the exact positions of more rows; a note says so. Memory: 8 bytes a hit; cells are made on demand. Cost: a
// sort of the hits; made in the background (SliceSearch::list).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/query/search/search_hits.h"
#include "core/view/table/table_model.h"
#include "core/view/words/time_style.h"

namespace tv {

inline constexpr std::size_t kMostListed = 500'000;

struct HitList {
  std::shared_ptr<const Trace> trace;  ///< the trace they belong to
  std::vector<SliceId> slices;  ///< by begin; if equal, the earlier id first
  std::uint64_t total = 0;      ///< number of all hits
  std::vector<LaneId> lanes;    ///< lanes with a matching name
};

/// The first `most` in time order.
HitList list_hits(std::shared_ptr<const Trace> trace, const SearchHits& hits, const NamePattern& pattern,
                  std::size_t most = kMostListed);
/// "8,568 hits", "the first 500,000 of 1,234,567 hits; select an area and search in it for others".
std::string words_of(const HitList& list);

/// A row per hit; the row's target is the slice. The first column is the hit's position, the n of "n of m".
class HitTable : public TableModel {
 public:
  HitTable(std::shared_ptr<const HitList> list, TimeStyle style);
  std::span<const TableColumn> columns() const override { return columns_; }
  std::size_t rows() const override { return list_->slices.size(); }
  void text(std::size_t row, std::size_t column, std::string& out) const override;
  double number(std::size_t row, std::size_t column) const override;
  TableTarget target(std::size_t row) const override { return slice_row(list_->slices[row]); }
  std::uint32_t text_id(std::size_t row, std::size_t column) const override;

 private:
  enum Column : std::size_t { kPlace, kBegin, kName, kDuration, kLane, kCategory, kEnd };
  std::shared_ptr<const HitList> list_;
  TimeStyle style_;
  std::vector<TableColumn> columns_;
};

}  // namespace tv
