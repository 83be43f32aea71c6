// Compressed files and zip archives, made by the libraries themselves; text to put into them, and the text of a stream.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/streams/byte_stream.h"
#include "tests/support/gen_trace.h"

namespace tv::test {

inline std::string gzipped(std::string text) {
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<std::uint8_t*>(text.data());
  stream.avail_in = static_cast<std::uint32_t>(text.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  REQUIRE(isal_deflate_stateless(&stream) == COMP_OK);
  out.resize(stream.total_out);
  return out;
}

inline std::string zstd_compressed(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3);
  REQUIRE(!ZSTD_isError(size));
  out.resize(size);
  return out;
}

/// Files by name, in this order; a name that ends with / is a folder.
inline std::string zipped(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string out(1 << 20, '\0');
  std::size_t used = 0;
  archive* zip = archive_write_new();
  archive_write_set_format_zip(zip);
  REQUIRE(archive_write_open_memory(zip, out.data(), out.size(), &used) == ARCHIVE_OK);
  for (const auto& [name, text] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    REQUIRE(archive_write_header(zip, entry) == ARCHIVE_OK);
    archive_write_data(zip, text.data(), text.size());
    archive_entry_free(entry);
  }
  archive_write_close(zip);
  archive_write_free(zip);
  out.resize(used);
  return out;
}

/// Text that compresses, but not to almost nothing.
inline std::string some_text(std::size_t bytes, std::uint64_t seed = 1) {
  Random random(seed);
  std::string text;
  while (text.size() < bytes) text += "op" + std::to_string(random.in(0, 5000)) + (random.chance(0.1) ? "\n" : ",");
  text.resize(bytes);
  return text;
}

/// All of a stream, read `piece` bytes at a time. Only the last read may give less than was asked for.
inline std::string all_of(ByteStream& stream, std::size_t piece = 1 << 16) {
  std::string text, buffer(piece, '\0');
  for (;;) {
    auto n = stream.read(buffer);
    REQUIRE(n.ok());
    text.append(buffer, 0, *n);
    if (*n < piece) {
      auto after = stream.read(buffer);
      REQUIRE(after.ok());
      REQUIRE(*after == 0);
      return text;
    }
  }
}

inline constexpr std::size_t kPieces[] = {1, 2, 3, 64, 1000, 1 << 16};

}  // namespace tv::test
