// Lays out the slices of a lane in rows.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/store/trace/row_layout.h"
#include "tests/support/gen_trace.h"

namespace tv::test {

struct Item {
  Ns begin, duration;
  std::uint32_t group = kNoGroup;
};

struct Laid {
  std::vector<Ns> begin, duration;
  std::vector<std::uint32_t> group;
  std::vector<Ns> self;
  RowLayout layout;

  std::vector<std::uint32_t> depths() const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t row : layout.row) out.push_back(layout.rows[row].depth);
    return out;
  }
  std::vector<std::uint32_t> slots() const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t row : layout.row) out.push_back(layout.rows[row].slot);
    return out;
  }
  std::vector<TimeRange> ranges() const {
    std::vector<TimeRange> out;
    for (std::size_t i = 0; i < begin.size(); ++i) out.push_back({begin[i], begin[i] + duration[i]});
    return out;
  }
  /// Empty when every row is sorted and free of overlap, in the order the layout gives.
  std::string check_rows() const {
    std::map<std::uint32_t, Ns> end_of_row;
    for (const std::uint32_t item : layout.order) {
      const auto [end, fresh] = end_of_row.try_emplace(layout.row[item], begin[item]);
      if (begin[item] < end->second) return "item " + std::to_string(item) + " overlaps";
      end->second = begin[item] + duration[item];
      if (layout.row[item] >= layout.rows.size()) return "item " + std::to_string(item) + " is on no row";
    }
    return {};
  }
};

inline constexpr std::size_t kOnePart = std::size_t{1} << 32;

inline Laid lay_out(const std::vector<Item>& items, RowRule rule = RowRule::Nest, Ns tolerance = 0, ThreadPool& pool = test_pool(),
             std::size_t least_part = kOnePart) {
  Laid laid;
  for (const Item& item : items) {
    laid.begin.push_back(item.begin);
    laid.duration.push_back(item.duration);
    laid.group.push_back(item.group);
  }
  const LaneItems columns{
      laid.begin, laid.duration,
      rule == RowRule::Pack ? std::span<const std::uint32_t>(laid.group) : std::span<const std::uint32_t>()};
  laid.self.resize(items.size());
  lay_out_rows(columns, rule, tolerance, laid.self, laid.layout, pool, least_part);
  return laid;
}

}  // namespace tv::test
