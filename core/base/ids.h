// Strong ids: positions in the tables of one Trace. They never convert to each other and never outlive the Trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tv {

enum class StrId : std::uint32_t {};     ///< in a StringTable
enum class LabelId : std::uint32_t {};   ///< (name, category) pair, in Trace::labels
enum class LaneId : std::uint32_t {};    ///< node of the lane tree: a group or a lane, in display order
enum class RowId : std::uint32_t {};     ///< slices of a segment that do not overlap, in Trace::rows
enum class SliceId : std::uint64_t {};   ///< slice or instant of a Trace; in a view: its segment's first id plus its SegmentSlice
enum class SegmentSlice : std::uint32_t {};  ///< a slice within one segment: its position in Trace::slices
enum class SourceId : std::uint16_t {};  ///< one opened file, in Trace::sources

template <class Id>
inline constexpr Id kNone = Id{std::numeric_limits<std::underlying_type_t<Id>>::max()};

/// The id as an index into its table.
template <class Id>
  requires std::is_enum_v<Id>
constexpr std::size_t idx(Id id) {
  return static_cast<std::size_t>(id);
}

/// The id for an index; the caller guarantees that the table is small enough.
template <class Id>
constexpr Id id_at(std::size_t index) {
  return static_cast<Id>(static_cast<std::underlying_type_t<Id>>(index));
}

/// A range of consecutive ids.
template <class Id>
class IdRange {
 public:
  class Iterator {
   public:
    using value_type = Id;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(std::size_t at) : at_(at) {}
    Id operator*() const { return id_at<Id>(at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    std::size_t at_ = 0;
  };

  IdRange(std::size_t first, std::size_t count) : first_(first), end_(first + count) {}
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(end_); }
  std::size_t size() const { return end_ - first_; }

 private:
  std::size_t first_, end_;
};

}  // namespace tv
