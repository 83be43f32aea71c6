// Any bytes as a gzip file: the same text and the same damage for any size of read, and no more bytes consumed than there are.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/io/streams/text_streams.h"
#include "tests/io/memory_stream.h"

namespace {

constexpr std::size_t kMost = 4 << 20;

struct Inflated {
  std::string text, damage;
};

Inflated inflate(const std::string& bytes, std::size_t piece) {
  const auto stream = tv::make_gzip_stream(std::make_unique<tv::test::MemoryStream>(bytes));
  Inflated out;
  std::string buffer(piece, '\0');
  while (out.text.size() < kMost) {
    auto n = stream->read(buffer);
    if (!n.ok()) std::abort();
    out.text.append(buffer, 0, *n);
    if (*n < piece) break;
  }
  out.damage = stream->damage();
  if (stream->consumed() > bytes.size()) std::abort();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Inflated at_once = inflate(bytes, kMost), in_pieces = inflate(bytes, 64);
  if (at_once.text != in_pieces.text || at_once.damage != in_pieces.damage) {
    std::fprintf(stderr, "%zu bytes, \"%s\"; in pieces %zu bytes, \"%s\"\n", at_once.text.size(), at_once.damage.c_str(),
                 in_pieces.text.size(), in_pieces.damage.c_str());
    std::abort();
  }
  return 0;
}
