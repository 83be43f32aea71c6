// Owns libarchive's reader and frees it.
#pragma once

#include <archive.h>

#include <cerrno>
#include <memory>
#include <new>
#include <string>

namespace tv {

struct ArchiveReaderCloser {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using ArchiveReader = std::unique_ptr<archive, ArchiveReaderCloser>;

inline ArchiveReader new_archive_reader() {
  ArchiveReader reader(archive_read_new());
  if (!reader) throw std::bad_alloc();
  return reader;
}

/// The library's reason for a failure; empty if it gives none. Out of memory is not damage, so it throws std::bad_alloc.
inline std::string why_failed(archive* reader) {
  if (archive_errno(reader) == ENOMEM) throw std::bad_alloc();
  const char* const why = archive_error_string(reader);
  return why ? why : "";
}

}  // namespace tv
