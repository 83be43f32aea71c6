#include "core/base/string_table.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace tv {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kFirstBlock = 1024;
constexpr std::size_t kLargestBlock = 1 << 20;

}  // namespace

std::uint32_t StringTable::hash_of(std::string_view text) {
  const std::size_t h = std::hash<std::string_view>{}(text);
  return static_cast<std::uint32_t>(h ^ (h >> 32));
}

std::size_t StringTable::slot_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const std::uint32_t id = slots_[slot] - 1;
    if (hashes_[id] == static_cast<std::uint32_t>(hash) && texts_[id] == text) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

StrId StringTable::intern(std::string_view text, std::uint32_t hash) {
  if ((texts_.size() + 1) * 2 > slots_.size()) grow();
  const std::size_t slot = slot_of(text, hash);
  if (slots_[slot] == 0) {
    texts_.push_back(store(text));
    hashes_.push_back(hash);
    slots_[slot] = static_cast<std::uint32_t>(texts_.size());
  }
  return id_at<StrId>(slots_[slot] - 1);
}

StrId StringTable::find(std::string_view text) const {
  if (slots_.empty()) return kNone<StrId>;
  const std::size_t slot = slot_of(text, hash_of(text));
  return slots_[slot] == 0 ? kNone<StrId> : id_at<StrId>(slots_[slot] - 1);
}

std::string_view StringTable::store(std::string_view text) {
  if (block_used_ + text.size() > block_size_) {
    block_size_ = std::max(text.size(), std::clamp(text_bytes_, kFirstBlock, kLargestBlock));
    blocks_.push_back(std::make_unique<char[]>(block_size_));
    block_used_ = 0;
  }
  char* place = blocks_.empty() ? nullptr : blocks_.back().get() + block_used_;
  if (!text.empty()) std::memcpy(place, text.data(), text.size());
  block_used_ += text.size();
  text_bytes_ += text.size();
  return {place, text.size()};
}

void StringTable::grow() {
  slots_.assign(std::max(kFirstSlots, slots_.size() * 2), 0);
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
