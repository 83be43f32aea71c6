// Interned strings: each distinct text is stored once. Ids are dense and in order of first use, so nothing built from them depends
// on hashes. Views of texts stay valid while the table lives, even if it is moved.
// Cost: one hash and one comparison per intern; 28 to 36 bytes per distinct string plus its text.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace tv {

class StringTable {
 public:
  static std::uint32_t hash_of(std::string_view text);

  StringTable() = default;
  /// The first `count` texts of another table, with their ids. Texts are shared, not copied or hashed again. Cost: 28 bytes each.
  StringTable(const StringTable& other, std::size_t count);
  StringTable(StringTable&&) noexcept = default;
  StringTable& operator=(StringTable&&) noexcept = default;

  StrId intern(std::string_view text) { return intern(text, hash_of(text)); }
  /// Interns first + '\0' + second, without concatenating them if the table already has the result. Such a text must never be
  /// passed to intern(), which hashes it differently.
  StrId intern_pair(std::string_view first, std::string_view second) { return intern_pair(first, hash_of(first), second); }
  /// `hash_of_first`: hash_of(first), for callers that know it.
  StrId intern_pair(std::string_view first, std::uint32_t hash_of_first, std::string_view second);
  /// Interns a text of another table without hashing it again.
  StrId intern_from(const StringTable& other, StrId id) { return intern(other[id], other.hashes_[idx(id)]); }
  /// Makes room for `count` texts in all, so that nothing is moved until there are more.
  void reserve(std::size_t count);
  /// The id of a text that was interned before, or kNone.
  StrId find(std::string_view text) const;

  std::string_view operator[](StrId id) const { return texts_[idx(id)]; }
  std::size_t size() const { return texts_.size(); }
  std::size_t bytes() const;

 private:
  StrId intern(std::string_view text, std::uint32_t hash);
  char* room_for(std::size_t bytes);
  void make_room();  ///< for one more text
  void use_slots(std::size_t count);
  /// The slot of the text with this hash that satisfies `is_meant`, else the free slot for it.
  template <class IsMeant>
  std::size_t slot_of(std::uint32_t hash, IsMeant is_meant) const;
  StrId add(std::size_t slot, std::string_view text, std::uint32_t hash);

  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> hashes_;  ///< of each text: saves comparisons, and hashing texts again
  std::vector<std::uint32_t> slots_;   ///< open addressing, id + 1, 0 = free; size is a power of two
  struct Block {
    std::shared_ptr<char[]> text;
    std::size_t first;  ///< id of its first text; texts are in the order of their ids
  };
  std::vector<Block> blocks_;  ///< only the last is written to, and only if this table allocated it
  std::size_t block_used_ = 0, block_size_ = 0;  ///< of the last block; 0 if another table allocated it
  std::size_t text_bytes_ = 0;  ///< in blocks that this table allocated
};

}  // namespace tv
