// The origin of a slice or instant: 16 bits for the source, 8 for flags, 40 for the offset of the record, which is a byte of the
// decompressed source or a row of its tables. Of its record, a slice keeps only name, times and these eight bytes; args are
// decoded from the file when they are shown. 40 bits address 1 TiB.
#pragma once

#include <cstdint>

#include "core/base/ids.h"

namespace tv {

enum ItemFlag : std::uint8_t {
  kUnfinished = 1,  ///< the file has no end for it: it is drawn to the end of the file's work and marked
  kClamped = 2,     ///< the negative duration is shown as zero
  kInstant = 4,     ///< a point, not an interval
  kRepaired = 8,    ///< the text of the record was malformed and was repaired
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

  /// Source and offset without flags. A record has the same identity in all snapshots of a load.
  std::uint64_t identity() const { return bits_ & ~(0xFFULL << 40); }
  bool operator==(const ItemRef&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace tv
