// Converts the tables of logs to bytes and back: the number of entries, then the entries. The caller's each(bytes, entry) writes
// or reads one entry (core/base/bytes.h). Texts are in the order of their ids. Cost: O(bytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/bytes.h"
#include "core/base/text/string_table.h"
#include "core/base/time.h"

namespace tv {

/// Sums and differences of two times cannot overflow if both are at most this far from 0. Times of traces are much closer to 0,
/// but an edited file may contain any.
inline constexpr Ns kFarthestTime = INT64_MAX / 2;
inline bool can_count_with(Ns t) { return t >= -kFarthestTime && t <= kFarthestTime; }

template <class Table, class Each>
void put_table(ByteWriter& bytes, const Table& table, Each each) {
  bytes(std::uint64_t{table.size()});
  for (const auto& entry : table) each(bytes, entry);
}

/// `least`: the least number of bytes that an entry takes.
template <class Table, class Each>
void take_table(ByteReader& bytes, std::size_t least, Table& table, Each each) {
  table.resize(bytes.count(least));
  for (auto& entry : table) each(bytes, entry);
}

inline void put_texts(ByteWriter& bytes, const StringTable& texts) {
  bytes(std::uint64_t{texts.size()});
  for (std::size_t t = 0; t < texts.size(); ++t) bytes(std::string(texts[id_at<StrId>(t)]));
}

/// The reader fails if a text occurs twice, because the ids of later texts would not be those that were written.
inline void take_texts(ByteReader& bytes, StringTable& texts) {
  std::string text;
  const std::size_t n = bytes.count(8);
  for (std::size_t t = 0; t < n && bytes.ok(); ++t) {
    bytes(text);
    if (idx(texts.intern(text)) != t) bytes.fail();
  }
}

}  // namespace tv
