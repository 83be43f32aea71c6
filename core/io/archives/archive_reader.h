// A libarchive reader that frees itself.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <cstddef>
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

/// libarchive's reason for a failure; empty if it gives none. Throws std::bad_alloc if memory ran out, because that is no damage.
inline std::string why_failed(archive* reader) {
  if (archive_errno(reader) == ENOMEM) throw std::bad_alloc();
  const char* const why = archive_error_string(reader);
  return why ? why : "";
}

/// The path of an entry in its archive. `number`: for an entry without a name.
inline std::string name_of(archive_entry* entry, std::size_t number) {
  const char* name = archive_entry_pathname_utf8(entry);
  if (!name) name = archive_entry_pathname(entry);  // the name is not UTF-8
  std::string text = name ? name : "file " + std::to_string(number);
  while (text.starts_with("./")) text.erase(0, 2);
  return text;
}

}  // namespace tv
