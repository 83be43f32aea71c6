// The origin of a slice or instant: 16 bits source, 8 bits flags, 40 bits offset of its record (a byte of the inflated source, or
// a row of its tables). Besides name and time, a slice keeps only these eight bytes of its record; args are decoded from the file
// when they are shown. 40 bits address 1 TiB.
#pragma once

#include <cstdint>

#include "core/base/ids.h"

namespace tv {

enum ItemFlag : std::uint8_t {
  kUnfinished = 1,  ///< never closed in the file: drawn to the end and marked
  kClamped = 2,     ///< negative duration, shown as zero
  kInstant = 4,     ///< a point, not an interval
  kRepaired = 8,    ///< the record's text was malformed and repaired
};

class ItemRef {
 public:
  static constexpr std::uint64_t kMaxOffset = (1ULL << 40) - 1;

  ItemRef() = default;
  ItemRef(SourceId source, std::uint8_t flags, std::uint64_t offset)
      : bits_(static_cast<std::uint64_t>(source) << 48 | static_cast<std::uint64_t>(flags) << 40 |
              (offset & kMaxOffset)) {}

  SourceId source() const { return static_cast<SourceId>(bits_ >> 48); }
  std::uint8_t flags() const { return static_cast<std::uint8_t>(bits_ >> 40); }
  bool is(ItemFlag flag) const { return (flags() & flag) != 0; }
  std::uint64_t offset() const { return bits_ & kMaxOffset; }

  /// Source and offset without the flags: the same for a record in all snapshots of a load.
  std::uint64_t identity() const { return bits_ & ~(0xFFULL << 40); }
  bool operator==(const ItemRef&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace tv
