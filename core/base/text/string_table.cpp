#include "core/base/text/string_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tv {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kFirstBlock = 1024;
constexpr std::size_t kLargestBlock = 1 << 20;

}  // namespace

StringTable::StringTable(const StringTable& other, std::size_t count) {
  texts_.assign(other.texts_.begin(), other.texts_.begin() + static_cast<std::ptrdiff_t>(count));
  hashes_.assign(other.hashes_.begin(), other.hashes_.begin() + static_cast<std::ptrdiff_t>(count));
  for (const Block& block : other.blocks_) {
    if (block.first < count) blocks_.push_back(block);
  }
  if (count == 0) return;
  if (count == other.size()) slots_ = other.slots_;
  else use_slots(std::max(kFirstSlots, std::bit_ceil(2 * count)));
}

std::uint32_t StringTable::hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
}

template <class IsMeant>
std::size_t StringTable::slot_of(std::uint32_t hash, IsMeant is_meant) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const std::uint32_t id = slots_[slot] - 1;
    if (hashes_[id] == hash && is_meant(texts_[id])) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

StrId StringTable::add(std::size_t slot, std::string_view text, std::uint32_t hash) {
  texts_.push_back(text);
  hashes_.push_back(hash);
  slots_[slot] = static_cast<std::uint32_t>(texts_.size());
  return id_at<StrId>(texts_.size() - 1);
}

StrId StringTable::intern(std::string_view text, std::uint32_t hash) {
  make_room();
  const std::size_t slot = slot_of(hash, [&](std::string_view known) { return known == text; });
  if (slots_[slot] != 0) return id_at<StrId>(slots_[slot] - 1);
  char* const place = room_for(text.size());
  std::copy(text.begin(), text.end(), place);
  return add(slot, {place, text.size()}, hash);
}

StrId StringTable::intern_pair(std::string_view first, std::uint32_t hash_of_first, std::string_view second) {
  make_room();
  const std::uint32_t hash = hash_of_first * 31 + hash_of(second);
  const std::size_t slot = slot_of(hash, [&](std::string_view known) {
    return known.size() == first.size() + 1 + second.size() && known.ends_with(second) && known.starts_with(first) &&
           known[first.size()] == '\0';
  });
  if (slots_[slot] != 0) return id_at<StrId>(slots_[slot] - 1);
  const std::size_t bytes = first.size() + 1 + second.size();
  char* const place = room_for(bytes);
  char* const middle = std::copy(first.begin(), first.end(), place);
  *middle = '\0';
  std::copy(second.begin(), second.end(), middle + 1);
  return add(slot, {place, bytes}, hash);
}

StrId StringTable::find(std::string_view text) const {
  if (slots_.empty()) return kNone<StrId>;
  const std::size_t slot = slot_of(hash_of(text), [&](std::string_view known) { return known == text; });
  return slots_[slot] == 0 ? kNone<StrId> : id_at<StrId>(slots_[slot] - 1);
}

char* StringTable::room_for(std::size_t bytes) {
  if (blocks_.empty() || block_used_ + bytes > block_size_) {
    block_size_ = std::max(bytes, std::clamp(text_bytes_, kFirstBlock, kLargestBlock));
    blocks_.push_back({std::make_shared_for_overwrite<char[]>(block_size_), texts_.size()});
    block_used_ = 0;
  }
  char* const place = blocks_.back().text.get() + block_used_;
  block_used_ += bytes;
  text_bytes_ += bytes;
  return place;
}

void StringTable::reserve(std::size_t count) {
  texts_.reserve(count);
  hashes_.reserve(count);
  if (const std::size_t slots = std::bit_ceil(2 * count); slots > std::max(kFirstSlots, slots_.size())) use_slots(slots);
}

void StringTable::make_room() {
  if ((texts_.size() + 1) * 2 > slots_.size()) use_slots(std::max(kFirstSlots, slots_.size() * 2));
}

void StringTable::use_slots(std::size_t count) {
  slots_.assign(count, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t id = 0; id < hashes_.size(); ++id) {
    std::size_t slot = hashes_[id] & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(id + 1);
  }
}

std::size_t StringTable::bytes() const {
  return text_bytes_ + texts_.capacity() * sizeof(std::string_view) + (hashes_.capacity() + slots_.capacity()) * 4;
}

}  // namespace tv
