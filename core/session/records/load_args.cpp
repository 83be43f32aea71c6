#include "core/session/records/load_args.h"

#include "core/read/registry.h"
#include "core/session/packed/source_text.h"
#include "core/session/records/source_records.h"

namespace tv {
namespace {

constexpr std::size_t kFirstWindow = 64 << 10;
constexpr std::size_t kLargestWindow = 64 << 20;

// Reads the record from a source that is not text.
Result<ArgTree> load_row(const Reader& reader, const SourceInfo& source, std::uint64_t offset) {
  auto records = SourceRecords::open(reader, source, SourceRecords::Many::No);
  if (!records) return records.error();
  return SourceRecords::Use(std::move(*records)).at(offset);
}

}  // namespace

Result<ArgTree> load_args(const SourceInfo& source, ItemRef ref) {
  const Reader* reader = find_reader(source.format);
  if (!reader) return Error{"there is no reader for this format", source.path, {}, {}};
  if (reader->open_table) return load_row(*reader, source, ref.offset());
  auto stream = open_source_text(source);
  if (!stream) return stream.error();
  if (auto there = go_to(**stream, ref.offset(), source.checkpoints.get()); !there) return there.error();
  std::string text;
  for (std::size_t window = kFirstWindow; window <= kLargestWindow; window *= 4) {
    const std::size_t before = text.size();
    text.resize(window);
    const auto n = read_fully(**stream, std::span(text).subspan(before));
    if (!n) return n.error();
    text.resize(before + n.value());
    const bool to_the_end = text.size() < window;
    std::optional<std::size_t> length = reader->record_length(text);
    if (!length && to_the_end) length = text.size();
    if (!length) continue;
    auto tree = reader->decode(std::string_view(text).substr(0, *length));
    if (!tree) {
      Error error = tree.error();
      error.file = source.path;
      error.byte_offset = ref.offset();
      return error;
    }
    return tree;
  }
  return Error{"the record is larger than 64 MiB", source.path, ref.offset(), "open the file in an editor"};
}

}  // namespace tv
