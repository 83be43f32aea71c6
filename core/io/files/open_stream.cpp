#include "core/io/files/open_stream.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/io/archives/archive_file.h"
#include "core/io/archives/zip_stream.h"
#include "core/io/streams/file_stream.h"
#include "core/io/streams/piped_file.h"
#include "core/io/streams/unwrapped.h"

namespace tv {

Result<FileIdentity> identity_of(const std::string& path) {
  if (is_pipe(path)) {
    auto piped = piped_file(path);
    if (!piped) return piped.error();
    return FileIdentity{(*piped)->size, (*piped)->read_ns};
  }
  auto identity = identity_of_file(path);
  if (identity) return identity;
  // The system finds no file of this path, but the path may lead into an archive.
  const auto member = member_path(path);
  return member ? identity_of_member(*member) : std::move(identity);
}

Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path) {
  auto bytes = open_bytes(path);
  if (!bytes) {
    const auto member = member_path(path);
    return member ? open_member(*member) : std::move(bytes);
  }
  std::array<char, kZipMagic.size()> head{};
  auto n = (*bytes)->read_at(0, head);
  if (!n) return n.error();
  // A zip is opened again by its path. A pipe does not allow that, and unwrapped() reports it.
  if (std::string_view(head.data(), *n) == kZipMagic && !is_pipe(path)) {
    auto zip = open_zip_stream(path);
    return zip ? unwrapped(std::move(*zip), path) : std::move(zip);
  }
  return unwrapped(std::move(*bytes), path);
}

Result<std::string> read_text_at(const std::string& path, std::uint64_t offset, std::size_t length) {
  auto stream = open_stream(path);
  if (!stream) return stream.error();
  if (auto moved = go_to(**stream, offset); !moved) return moved.error();
  // Allocates no more than the rest of the text, if its length is known.
  const std::uint64_t reach = (*stream)->reach();
  std::string text(reach > 0 ? std::min<std::uint64_t>(length, reach - std::min(offset, reach)) : length, '\0');
  auto n = read_fully(**stream, text);
  if (!n) return n.error();
  text.resize(*n);
  // An error, because the caller could not see why a damaged file has no text at all.
  if (text.empty() && length > 0 && offset == 0) {
    if (std::string damage = (*stream)->damage(); !damage.empty()) return Error{std::move(damage), path, {}, "copy the file again"};
  }
  return text;
}

}  // namespace tv
