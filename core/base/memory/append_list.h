// A list that only grows. Copies of a list share its beginning in memory, so only new values cost anything.
//
//   earlier   [........][...]
//   later     [........][...][.]      the same memory except for the last block
//
// A shared block never changes. If there are more than kMostBlocks, the two neighbours with the fewest values are merged, so
// share() copies at most an eighth of the list. Cost of reading a value: one comparison if the value is in the first block, which
// has nearly all values, else up to five more.
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tv {

template <class T>
class AppendList {
 public:
  static constexpr std::size_t kMostBlocks = 16;

  std::size_t size() const { return shared_size() + own_.size(); }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t i) const {
    return !shared_.empty() && i < shared_.front().end ? shared_.front().data[i] : after_first_block(i);
  }
  const T& front() const { return (*this)[0]; }
  const T& back() const { return (*this)[size() - 1]; }
  /// Values that were all appended between the same two calls of share(), and are therefore contiguous.
  std::span<const T> span(std::size_t first, std::size_t count) const {
    if (count == 0) return {};
    assert(&(*this)[first] + (count - 1) == &(*this)[first + count - 1]);
    return {&(*this)[first], count};
  }

  void push_back(const T& value) { own_.push_back(value); }
  void reserve_more(std::size_t n) { own_.reserve(own_.size() + n); }
  /// Values that are not shared yet, which can still be changed.
  std::vector<T>& own() { return own_; }
  /// Makes later copies share all present values.
  void share() {
    if (own_.empty()) return;
    shared_.push_back(block_of(std::exchange(own_, {}), shared_size()));
    if (shared_.size() <= kMostBlocks) return;
    std::size_t fewest = 0;  // the first of the two neighbours to merge
    const auto values_in_two = [&](std::size_t b) { return shared_[b + 1].end - shared_[b].begin; };
    for (std::size_t b = 1; b + 1 < shared_.size(); ++b) {
      if (values_in_two(b) <= values_in_two(fewest)) fewest = b;
    }
    std::vector<T> both;
    both.reserve(values_in_two(fewest));
    for (const std::size_t b : {fewest, fewest + 1}) both.insert(both.end(), shared_[b].values->begin(), shared_[b].values->end());
    shared_[fewest + 1] = block_of(std::move(both), shared_[fewest].begin);
    shared_.erase(shared_.begin() + static_cast<std::ptrdiff_t>(fewest));
  }
  /// A list of the first `count` values. It shares only blocks that have no other values.
  AppendList first(std::size_t count) const {
    AppendList out;
    for (std::size_t b = 0; b < shared_.size() && shared_[b].end <= count; ++b) out.shared_.push_back(shared_[b]);
    out.reserve_more(count - out.shared_size());
    for (std::size_t i = out.shared_size(); i < count; ++i) out.push_back((*this)[i]);
    return out;
  }
  /// The number of leading values that both lists share in memory and that are therefore equal.
  std::size_t same_memory(const AppendList& other) const {
    std::size_t b = 0;
    while (b < std::min(shared_.size(), other.shared_.size()) && shared_[b].values == other.shared_[b].values) ++b;
    return b == 0 ? 0 : shared_[b - 1].end;
  }
  std::size_t bytes() const { return (shared_size() + own_.capacity()) * sizeof(T); }

  class Iterator {
   public:
    using value_type = T;
    using reference = const T&;
    using pointer = const T*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    Iterator() = default;
    Iterator(const AppendList& list, std::size_t at) : list_(&list), at_(at) {}
    const T& operator*() const { return (*list_)[at_]; }
    const T* operator->() const { return &(*list_)[at_]; }
    const T& operator[](difference_type n) const { return *(*this + n); }
    Iterator& operator+=(difference_type n) {
      at_ += static_cast<std::size_t>(n);
      return *this;
    }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) { return std::exchange(*this, *this + 1); }
    Iterator operator--(int) { return std::exchange(*this, *this - 1); }
    friend Iterator operator+(Iterator it, difference_type n) { return it += n; }
    friend Iterator operator+(difference_type n, Iterator it) { return it += n; }
    friend Iterator operator-(Iterator it, difference_type n) { return it -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) { return static_cast<difference_type>(a.at_ - b.at_); }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

   private:
    const AppendList* list_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  struct Block {
    std::shared_ptr<const std::vector<T>> values;
    const T* data = nullptr;         // values->data()
    std::size_t begin = 0, end = 0;  // in the list
  };
  static Block block_of(std::vector<T> values, std::size_t begin) {
    const auto shared = std::make_shared<const std::vector<T>>(std::move(values));
    return {shared, shared->data(), begin, begin + shared->size()};
  }
  // A separate function, so that access to the first block is short enough to be inlined.
  [[gnu::noinline]] const T& after_first_block(std::size_t i) const {
    const auto block = std::ranges::upper_bound(shared_, i, {}, &Block::end);
    return block == shared_.end() ? own_[i - shared_size()] : block->data[i - block->begin];
  }
  std::size_t shared_size() const { return shared_.empty() ? 0 : shared_.back().end; }

  std::vector<Block> shared_;
  std::vector<T> own_;  // the values after the shared blocks
};

}  // namespace tv
