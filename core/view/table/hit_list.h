// The hits of a search one by one, in the order of time, as a table, and what else has such a name. Of more than kMostListed hits
// the first are listed, and it says so: more rows than that have no exact place on a screen that counts in floats.
// Memory: 4 bytes a hit; cells are made when they are looked at. Cost: a sort of the hits; made in the background
// (SliceSearch::list).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/query/search/search_hits.h"
#include "core/view/table/table_model.h"
#include "core/view/words/time_words.h"

namespace tv {

inline constexpr std::size_t kMostListed = 500'000;

struct HitList {
  std::shared_ptr<const Trace> trace;  ///< that they are of
  std::vector<SliceId> slices;  ///< by begin; of equal ones the earlier first
  std::uint64_t of = 0;         ///< hits there are
  std::vector<LaneId> lanes;    ///< with such a name
};

/// The first `most` in the order of time.
HitList list_hits(std::shared_ptr<const Trace> trace, const SearchHits& hits, const NamePattern& pattern,
                  std::size_t most = kMostListed);
/// "8,568 hits", "the first 500,000 of 1,234,567 hits; select an area and search in it for others".
std::string words_of(const HitList& list);

/// A row per hit, which leads to its slice. The first column is its place, the n of "n of m".
class HitTable : public TableModel {
 public:
  HitTable(std::shared_ptr<const HitList> list, TimeWords words);
  std::span<const TableColumn> columns() const override { return columns_; }
  std::size_t rows() const override { return list_->slices.size(); }
  void text(std::size_t row, std::size_t column, std::string& out) const override;
  double number(std::size_t row, std::size_t column) const override;
  TableTarget target(std::size_t row) const override { return slice_row(list_->slices[row]); }
  std::uint32_t text_id(std::size_t row, std::size_t column) const override;

 private:
  enum Column : std::size_t { kPlace, kBegin, kName, kDuration, kLane, kCategory, kEnd };
  std::shared_ptr<const HitList> list_;
  TimeWords words_;
  std::vector<TableColumn> columns_;
};

}  // namespace tv
