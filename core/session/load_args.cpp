#include "core/session/load_args.h"

#include "core/io/byte_stream.h"
#include "core/io/plain_file.h"
#include "core/read/registry.h"

namespace tv {
namespace {

constexpr std::size_t kFirstWindow = 64 << 10;
constexpr std::size_t kLargestWindow = 64 << 20;

}  // namespace

Result<ArgTree> load_args(const SourceInfo& source, ItemRef ref) {
  const Reader* reader = find_reader(source.format);
  if (!reader) return Error{"no reader for this format", source.path, {}, {}};
  const auto identity = identity_of(source.path);
  if (!identity) return identity.error();
  if (identity.value() != FileIdentity{source.bytes, source.modified_ns}) {
    return Error{"the file has changed since it was loaded", source.path, {}, "reload it with F5"};
  }
  for (std::size_t window = kFirstWindow; window <= kLargestWindow; window *= 4) {
    const auto text = read_text_at(source.path, ref.offset(), window);
    if (!text) return text.error();
    const bool to_the_end = text.value().size() < window;
    std::optional<std::size_t> length = reader->record_length(text.value());
    if (!length && to_the_end) length = text.value().size();
    if (!length) continue;
    auto tree = reader->decode(std::string_view(text.value()).substr(0, *length));
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
