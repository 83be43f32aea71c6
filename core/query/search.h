// Search by name: which labels contain a text, and which slice with one of them is the next. A hit list is not
// kept; hits are found by scanning the label columns, 4 bytes per slice. How many there are: hit_spread.h.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/store/trace.h"

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

/// Hits are ordered by begin, then by id. The first one after, or last one before, this slice.
std::optional<SliceId> next_hit(const Trace& trace, const LabelSet& labels, SliceId from);
std::optional<SliceId> previous_hit(const Trace& trace, const LabelSet& labels, SliceId from);
/// The first one that begins at or after t; the last one that begins before t.
std::optional<SliceId> next_hit(const Trace& trace, const LabelSet& labels, Ns t);
std::optional<SliceId> previous_hit(const Trace& trace, const LabelSet& labels, Ns t);

}  // namespace tv
