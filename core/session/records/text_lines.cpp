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

std::optional<std::uint64_t> line_of_byte(const std::string& path, std::uint64_t byte, std::uint64_t most) {
  if (byte > most) return std::nullopt;
  auto stream = open_stream(path);
  if (!stream) return std::nullopt;
  std::vector<char> piece(std::size_t{256} << 10);
  std::uint64_t line = 1;
  while (byte > 0) {
    const auto read = stream.value()->read({piece.data(), static_cast<std::size_t>(std::min<std::uint64_t>(byte, piece.size()))});
    if (!read || read.value() == 0) return std::nullopt;
    line += newlines_in({piece.data(), read.value()});
    byte -= read.value();
  }
  return line;
}

}  // namespace tv
