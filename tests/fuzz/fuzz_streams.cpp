// gzip, zstd and UTF-16, told apart by their first bytes as files are: the text and the error are the same for any sizes in which
// bytes arrive and text is read; reading from a checkpoint gives the same text as reading from the beginning.
#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "core/base/text/utf8.h"
#include "core/io/streams/byte_stream.h"
#include "core/io/streams/unwrapped.h"
#include "tests/fuzz/reader_fuzz.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr std::size_t kMost = 1 << 20;
constexpr std::uint64_t kApart = 64 << 10;  // checkpoints

struct Streamed {
  std::string text, damage;
  bool operator==(const Streamed&) const = default;
};

// None if the wrapper is refused at once, with a message.
std::optional<Streamed> stream_of(std::unique_ptr<ByteStream> bytes, std::size_t piece,
                                  std::shared_ptr<TextCheckpoints> marks = {}) {
  auto stream = unwrapped(std::move(bytes), "fuzz");
  if (!stream.ok()) {
    if (stream.error().message.empty()) fail("refused without a message");
    return std::nullopt;
  }
  if (marks) (*stream)->note_checkpoints(std::move(marks));
  Streamed out;
  std::string buffer(piece, '\0');
  while (out.text.size() < kMost) {
    const auto n = (*stream)->read(buffer);
    if (!n.ok()) fail("reading from memory failed", n.error().text());
    out.text.append(buffer, 0, n.value());
    if (n.value() == 0) break;
  }
  out.text.resize(std::min(out.text.size(), kMost));
  if (out.text.size() < kMost) out.damage = (*stream)->damage();
  return out;
}

void check_checkpoints(const std::string& bytes, const Streamed& expected) {
  const auto plain = [&] { return std::make_unique<MemoryStream>(MemoryStream::plain_file(bytes)); };
  const auto marks = std::make_shared<TextCheckpoints>(kApart);
  if (stream_of(plain(), 4096, marks) != expected) fail("noting checkpoints changes what is read");
  const std::uint64_t at = expected.text.size() / 2;
  auto stream = unwrapped(plain(), "fuzz");
  if (!stream.ok() || !go_to(**stream, at, marks.get()).ok()) fail("what was opened cannot be opened again");
  std::string rest(std::min<std::size_t>(expected.text.size() - at, 1000), '\0');
  const auto n = read_fully(**stream, rest);
  if (!n.ok() || n.value() != rest.size() || !std::string_view(expected.text).substr(at).starts_with(rest))
    fail("a checkpoint leads elsewhere");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto at_once = stream_of(std::make_unique<MemoryStream>(bytes), kMost);
  const auto in_pieces = stream_of(std::make_unique<MemoryStream>(bytes, 7), 63);
  const auto from_file = stream_of(std::make_unique<MemoryStream>(MemoryStream::plain_file(bytes)), 1000);
  if (at_once != in_pieces || at_once != from_file) {
    if (!at_once || !in_pieces || !from_file) fail("refused by some ways of reading only");
    fail(fmt::format("{}, {} and {} bytes", at_once->text.size(), in_pieces->text.size(), from_file->text.size())
             .c_str(),
         at_once->damage + "\n" + in_pieces->damage + "\n" + from_file->damage);
  }
  if (!at_once) return 0;
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    if (at_once->text.size() < kMost && valid_utf8(at_once->text) != at_once->text)
      fail("UTF-16 became text that is not UTF-8");
  }
  check_checkpoints(bytes, *at_once);
  return 0;
}
