// libarchive's reader, freed when it goes.
#pragma once

#include <archive.h>

#include <memory>
#include <new>

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

}  // namespace tv
