// Changes a file of sections (a packed trace or a cache entry): the contents of its tables and columns, with checksums corrected
// so that the change gets past them. Now and then it changes the raw file. Cost: packing a small file, tens of microseconds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/section_bytes.h"

namespace tv::test {

class SectionMutator {
 public:
  SectionMutator(std::string file, std::size_t most, std::uint64_t seed)
      : file_(std::move(file)), most_(most), dice_(seed) {}

  std::string change() {
    auto sections = unpack_sections(file_);
    if (!sections || sections->empty() || dice_.chance(0.1)) return changed_anyhow(file_, most_);
    for (std::size_t n = 1 + below(dice_, 3); n > 0 && !sections->empty(); --n) change_one(*sections);
    std::string out = pack_sections(*sections);
    return out.size() <= most_ ? out : changed_anyhow(file_, most_);
  }

 private:
  void change_one(std::vector<HeldSection>& sections) {
    HeldSection& section = sections[below(dice_, sections.size())];
    std::string& bytes = section.bytes;
    switch (below(dice_, 12)) {
      case 0:
        sections.erase(sections.begin() + static_cast<std::ptrdiff_t>(&section - sections.data()));
        return;
      case 1:
        bytes = sections[below(dice_, sections.size())].bytes;
        return;
      case 2:
        std::swap(section.coding, sections[below(dice_, sections.size())].coding);
        return;
      case 3:
        bytes = changed_anyhow(bytes, std::max<std::size_t>(2 * bytes.size(), 64));
        return;
      case 4:
        bytes.resize(bytes.size() - std::min(bytes.size(), std::size_t{8} << below(dice_, 3)));
        return;
      case 5:
        bytes += bytes.substr(bytes.size() - std::min(bytes.size(), std::size_t{4} << below(dice_, 3)));
        return;
      default:
        return change_number(bytes);
    }
  }

  // Changes a number of one, four or eight bytes, aligned as in columns or anywhere as in tables.
  void change_number(std::string& bytes) {
    constexpr std::size_t kWidths[] = {1, 4, 8, 8};
    const std::size_t width = dice_.one_of(kWidths);
    if (bytes.size() < width) return;
    std::size_t at = below(dice_, bytes.size() - width + 1);
    if (dice_.chance(0.5)) at -= at % width;
    std::uint64_t number = edge_number(dice_);
    if (dice_.chance(0.4)) {  // close to its old value
      std::uint64_t was = 0;
      std::memcpy(&was, bytes.data() + at, width);
      number = was + below(dice_, 5) - 2;
    }
    std::memcpy(bytes.data() + at, &number, width);
  }

  std::string file_;
  std::size_t most_;
  Random dice_;
};

}  // namespace tv::test
