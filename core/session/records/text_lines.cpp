#include "core/session/records/text_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/io/files/open_stream.h"

namespace tv {
namespace {

// Compares eight bytes at a time: the lower seven bits and the highest bit are tested apart, so that no carry crosses bytes.
std::uint64_t newlines_in(std::string_view text) {
  constexpr std::uint64_t kNewlines = 0x0a0a'0a0a'0a0a'0a0a, kLow = 0x7f7f'7f7f'7f7f'7f7f;
  std::uint64_t count = 0;
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    bytes ^= kNewlines;
    count += static_cast<std::uint64_t>(std::popcount(~(((bytes & kLow) + kLow) | bytes | kLow)));
  }
  return count + static_cast<std::uint64_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n'));
}

}  // namespace

std::vector<std::optional<std::uint64_t>> lines_of_bytes(const std::string& path, std::span<const std::uint64_t> bytes,
                                                         std::uint64_t most) {
  std::vector<std::optional<std::uint64_t>> lines(bytes.size());
  if (bytes.empty() || bytes.front() > most) return lines;
  auto stream = open_stream(path);
  if (!stream) return lines;
  std::vector<char> piece(std::size_t{256} << 10);
  std::uint64_t line = 1, at = 0;
  for (std::size_t i = 0; i < bytes.size() && bytes[i] <= most; ++i) {
    while (at < bytes[i]) {
      const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(bytes[i] - at, piece.size()));
      const auto read = stream.value()->read({piece.data(), room});
      if (!read || read.value() == 0) return lines;
      line += newlines_in({piece.data(), read.value()});
      at += read.value();
    }
    lines[i] = line;
  }
  return lines;
}

}  // namespace tv
