// Supplies a zip file's bytes to libarchive.
#pragma once

#include <archive.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "core/io/streams/plain_file.h"

namespace tv {

/// Keeps the message of a failed read. If libarchive opened the file itself, it would retry a failed read in another way and report
/// the failure of the retry.
struct ZipBytes {
  PlainFile file;
  std::uint64_t at = 0;
  std::vector<char> piece = std::vector<char>(64 << 10);
  std::optional<Error> error = {};

  static la_ssize_t read(archive* zip, void* self, const void** out) {
    auto& bytes = *static_cast<ZipBytes*>(self);
    const auto n = bytes.file.read_at(bytes.at, bytes.piece);
    if (!n) {
      bytes.error = n.error();
      archive_set_error(zip, EIO, "%s", bytes.error->message.c_str());
      return ARCHIVE_FATAL;
    }
    bytes.at += n.value();
    *out = bytes.piece.data();
    return static_cast<la_ssize_t>(n.value());
  }
  static la_int64_t seek(archive*, void* self, la_int64_t offset, int whence) {
    auto& bytes = *static_cast<ZipBytes*>(self);
    const auto size = static_cast<la_int64_t>(bytes.file.size());
    const la_int64_t from = whence == SEEK_END ? size : whence == SEEK_CUR ? static_cast<la_int64_t>(bytes.at) : 0;
    const la_int64_t to = std::clamp<la_int64_t>(from + offset, 0, size);
    bytes.at = static_cast<std::uint64_t>(to);
    return to;
  }
};

}  // namespace tv
