#include "core/io/streams/byte_stream.h"

#include <algorithm>
#include <vector>

namespace tv {

Result<std::size_t> ByteStream::read_at(std::uint64_t, std::span<char>) const { return 0; }
void ByteStream::seek(std::uint64_t) {}
void ByteStream::note_checkpoints(std::shared_ptr<TextCheckpoints>) {}
std::uint64_t ByteStream::resume(const TextCheckpoints&, std::uint64_t) { return 0; }

Result<void> go_to(ByteStream& fresh, std::uint64_t offset, const TextCheckpoints* checkpoints) {
  if (fresh.reach() > 0) {
    fresh.seek(std::min(offset, fresh.reach()));
    return {};
  }
  if (checkpoints) offset -= fresh.resume(*checkpoints, offset);
  std::vector<char> skipped(std::min<std::uint64_t>(offset, 1 << 20));
  while (offset > 0) {
    auto n = fresh.read(std::span(skipped).first(std::min<std::uint64_t>(offset, skipped.size())));
    if (!n) return n.error();
    if (*n == 0) break;
    offset -= *n;
  }
  return {};
}

Result<std::size_t> read_fully(ByteStream& stream, std::span<char> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    auto n = stream.read(out.subspan(done));
    if (!n) return n;
    if (*n == 0) break;
    done += *n;
  }
  return done;
}

}  // namespace tv
