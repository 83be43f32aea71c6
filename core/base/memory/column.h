// A column: a fixed number of plain values, contiguous, in memory of its own or in a part of a larger block that the column keeps
// alive (one allocation for several columns, a mapped file).
//
// A column is not a std::vector for two reasons. The values start uninitialised: each column is always written completely, and
// writing 300 MB twice would be noticeable. And from 64 KiB on, freed memory goes back to the system, which malloc does not
// promise: while a trace is built, columns are freed as fast as others fill.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace tv {

/// Uninitialised bytes, aligned to 64. Not in huge pages, which are no faster to fill here and take more memory than requested.
std::shared_ptr<std::byte> allocate_bytes(std::size_t bytes);

template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Column() = default;
  explicit Column(std::size_t n) : owner_(allocate_bytes(n * sizeof(T))), size_(n) {
    data_ = reinterpret_cast<T*>(owner_.get());
  }
  /// A part of the memory that `owner` keeps alive.
  Column(std::shared_ptr<std::byte> owner, T* data, std::size_t n) : owner_(std::move(owner)), data_(data), size_(n) {}
  // A column has one writer, so two columns must never share values by accident.
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column&& other) noexcept {
    Column(std::move(other)).swap(*this);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) {
    assert(i < size_);
    return data_[i];
  }
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return data_[i];
  }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  friend bool operator==(const Column& a, std::span<const T> b) { return std::ranges::equal(a, b); }

 private:
  void swap(Column& other) noexcept {
    std::swap(owner_, other.owner_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  std::shared_ptr<std::byte> owner_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A column of varying length. It allocates again only to grow.
template <class T>
class Scratch {
 public:
  /// Sets the length; the values are undefined.
  void resize(std::size_t n) {
    if (n > memory_.size()) {
      memory_ = {};
      memory_ = Column<T>(n);
    }
    size_ = n;
  }
  std::size_t size() const { return size_; }
  std::span<T> all() { return {memory_.data(), size_}; }
  T& operator[](std::size_t i) { return memory_[i]; }
  const T& operator[](std::size_t i) const { return memory_[i]; }
  T* begin() { return memory_.data(); }
  T* end() { return memory_.data() + size_; }
  const T* begin() const { return memory_.data(); }
  const T* end() const { return memory_.data() + size_; }
  T* data() { return memory_.data(); }
  const T* data() const { return memory_.data(); }
  friend bool operator==(const Scratch& a, std::span<const T> b) { return std::ranges::equal(a, b); }

 private:
  Column<T> memory_;
  std::size_t size_ = 0;
};

}  // namespace tv
