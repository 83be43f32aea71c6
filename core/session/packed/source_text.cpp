#include "core/session/packed/source_text.h"

#include "core/io/files/open_stream.h"
#include "core/io/streams/plain_file.h"
#include "core/io/tables/section_file.h"

namespace tv {
namespace {

Result<std::unique_ptr<ByteStream>> open_packed_text(const SourceInfo& source) {
  const PackedText& packed = *source.packed;
  auto file = SectionFile::open(packed.path, SectionFile::Access::Read);
  if (!file) return file.error();
  if ((*file)->id() != packed.file_id) {
    return Error{"the packed trace was replaced since it was opened", packed.path, {}, "read the files again"};
  }
  const Section* const text = (*file)->find(packed.section);
  if (!text) return Error{"the trace was packed without records", packed.path, {}, "pack the files again, without --no-records"};
  return make_section_stream(std::move(*file), *text);
}

}  // namespace

Result<std::unique_ptr<ByteStream>> open_source_text(const SourceInfo& source) {
  if (source.packed) return open_packed_text(source);
  if (!source.database.empty()) return open_stream(source.database);
  const auto identity = identity_of(source.path);
  if (!identity) return identity.error();
  if (identity.value() != FileIdentity{source.bytes, source.modified_ns}) {
    return Error{"the file has changed since it was loaded", source.path, {}, "read the files again"};
  }
  auto stream = open_stream(source.path);
  if (stream) (*stream)->note_checkpoints(source.checkpoints);
  return stream;
}

std::string packed_text_name(std::size_t source) { return "text " + std::to_string(source); }

}  // namespace tv
