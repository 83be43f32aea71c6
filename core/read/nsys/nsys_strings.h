// The table of texts of an Nsight Systems export, by id: names of kernels, calls, threads and everything else. Ids are sparse;
// equal texts are stored once, in the order of the table. Memory: 40 bytes per id, and each text.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/text/string_table.h"

namespace tv {

class NsysStrings {
 public:
  static constexpr std::uint32_t kMissing = UINT32_MAX;

  void add(std::int64_t id, std::string_view text) { place_.emplace(id, static_cast<std::uint32_t>(texts_.intern(text))); }

  /// The index of the text, less than size(); kMissing if there is no such id.
  std::uint32_t place_of(std::int64_t id) const {
    const auto found = place_.find(id);
    return found == place_.end() ? kMissing : found->second;
  }
  std::string_view at(std::uint32_t place) const { return texts_[static_cast<StrId>(place)]; }
  /// Empty if there is no such id.
  std::string_view text(std::int64_t id) const {
    const std::uint32_t place = place_of(id);
    return place == kMissing ? std::string_view() : at(place);
  }
  std::size_t size() const { return texts_.size(); }

 private:
  StringTable texts_;
  std::unordered_map<std::int64_t, std::uint32_t> place_;
};

}  // namespace tv
