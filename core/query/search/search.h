// Search by name: finds the labels that match a text or a pattern. search_hits.h finds their slices.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/query/name_pattern.h"
#include "core/store/trace/trace.h"

namespace tv {

class LabelSet {
 public:
  LabelSet() = default;
  explicit LabelSet(std::size_t labels) : bits_((labels + 63) / 64) {}

  void insert(LabelId id) {
    std::uint64_t& word = bits_[idx(id) / 64];
    const std::uint64_t bit = 1ULL << (idx(id) % 64);
    if ((word & bit) == 0) ++size_;
    word |= bit;
  }
  bool contains(LabelId id) const { return (bits_[idx(id) / 64] >> (idx(id) % 64) & 1) != 0; }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }  ///< labels in the set
  bool operator==(const LabelSet&) const = default;

 private:
  std::vector<std::uint64_t> bits_;
  std::size_t size_ = 0;
};

/// Labels whose name contains the text; ASCII letters match in either case. An empty text matches nothing.
LabelSet find_labels(const LabelTable& labels, std::string_view text);
/// Labels whose name fits the pattern. Uses all threads, because a trace may have a name per slice.
LabelSet find_labels(const LabelTable& labels, const NamePattern& pattern, ThreadPool& pool);
/// Lanes and groups whose name fits the pattern, in display order.
std::vector<LaneId> find_lanes(const Trace& trace, const NamePattern& pattern);

}  // namespace tv
