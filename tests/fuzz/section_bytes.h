// A file of sections (core/io/tables/section_file.h) in memory, for tests that damage one. It unpacks each section, and packs
// sections into a file with correct checksums, so that damage gets past the checksums to the code that reads the tables.
//
// It shares only the coding of numbers with the program's reader and writer. Unpacking and packing a file that the program wrote
// does not change its contents.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/io/tables/number_planes.h"
#include "core/io/tables/section_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tv::test {

struct HeldSection {
  std::string name;
  SectionCoding coding = SectionCoding::Plain;
  std::string bytes;
};

inline constexpr std::string_view kSectionMagic("\x89TVX\r\n\x1a\n", 8);
inline constexpr std::size_t kSectionHead = 64, kSectionPage = 4096;

inline std::uint64_t sum_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }
inline unsigned width_of(SectionCoding coding) {
  return coding == SectionCoding::Deltas4 ? 4 : coding == SectionCoding::Deltas8 ? 8 : 0;
}

/// The unpacked sections; none if this is not such a file, is damaged, or has more than `most` bytes unpacked.
inline std::optional<std::vector<HeldSection>> unpack_sections(std::string_view file, std::size_t most = 4 << 20) {
  if (file.size() < kSectionHead || !file.starts_with(kSectionMagic)) return std::nullopt;
  ByteReader head(file.substr(kSectionMagic.size() + 8));
  const auto at = head.number<std::uint64_t>();
  if (at > file.size()) return std::nullopt;
  ByteReader contents(file.substr(at));
  std::vector<HeldSection> out(contents.count(25));
  for (HeldSection& section : out) {
    std::uint64_t bytes = 0;
    contents(section.name, section.coding, bytes);
    const std::size_t blocks = contents.count(24);
    if (bytes > most || section.coding > SectionCoding::Deltas8) return std::nullopt;
    most -= bytes;
    for (std::size_t b = 0; b < blocks; ++b) {
      const auto offset = contents.number<std::uint64_t>(), stored = contents.number<std::uint64_t>();
      contents.number<std::uint64_t>();
      if (offset > file.size() || stored > file.size() - offset) return std::nullopt;
      const std::string_view block = file.substr(offset, stored);
      std::string held(std::min<std::size_t>(kSectionBlock, bytes - section.bytes.size()), '\0');
      if (section.coding == SectionCoding::Plain) {
        held = block;
      } else if (ZSTD_decompress(held.data(), held.size(), block.data(), block.size()) != held.size()) {
        return std::nullopt;
      }
      if (const unsigned width = width_of(section.coding); width != 0 && held.size() % width == 0) {
        std::string numbers(held.size(), '\0');
        from_planes(held, width, numbers);
        held = std::move(numbers);
      }
      section.bytes += held;
    }
    if (section.bytes.size() != bytes) return std::nullopt;
  }
  return contents.done() ? std::optional(std::move(out)) : std::nullopt;
}

inline std::string pack_sections(const std::vector<HeldSection>& sections) {
  std::string file(kSectionHead, '\0');
  ByteWriter contents;
  contents(std::uint64_t{sections.size()});
  for (const HeldSection& section : sections) {
    const unsigned width = width_of(section.coding);
    const bool plain = section.coding == SectionCoding::Plain;
    if (plain && file.size() % kSectionPage != 0) file.append(kSectionPage - file.size() % kSectionPage, '\0');
    const std::size_t blocks = (section.bytes.size() + kSectionBlock - 1) / kSectionBlock;
    contents(section.name, section.coding, std::uint64_t{section.bytes.size()}, std::uint64_t{blocks});
    for (std::size_t b = 0; b < blocks; ++b) {
      std::string stored = section.bytes.substr(b * kSectionBlock, kSectionBlock);
      if (width != 0 && stored.size() % width == 0) {
        std::string planes(stored.size(), '\0');
        to_planes(stored, width, planes);
        stored = std::move(planes);
      }
      if (!plain) {
        std::string packed(ZSTD_compressBound(stored.size()), '\0');
        packed.resize(ZSTD_compress(packed.data(), packed.size(), stored.data(), stored.size(), 1));
        stored = std::move(packed);
      }
      contents(std::uint64_t{file.size()}, std::uint64_t{stored.size()}, sum_of(stored));
      file += stored;
    }
  }
  ByteWriter head;
  head.raw(kSectionMagic);
  head(std::uint32_t{2}, std::uint32_t{0x01020304}, std::uint64_t{file.size()}, std::uint64_t{contents.bytes().size()},
       sum_of(contents.bytes()));
  file.replace(0, head.bytes().size(), head.bytes());
  return file + contents.bytes();
}

}  // namespace tv::test
