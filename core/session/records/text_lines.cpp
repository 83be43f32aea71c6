#include "core/session/records/text_lines.h"

#include <algorithm>
#include <vector>

#include "core/io/streams/byte_stream.h"

namespace tv {

std::optional<std::uint64_t> line_of_byte(const std::string& path, std::uint64_t byte, std::uint64_t most) {
  if (byte > most) return std::nullopt;
  auto stream = open_stream(path);
  if (!stream) return std::nullopt;
  std::vector<char> piece(std::size_t{256} << 10);
  std::uint64_t line = 1;
  while (byte > 0) {
    const auto read = stream.value()->read({piece.data(), static_cast<std::size_t>(std::min<std::uint64_t>(byte, piece.size()))});
    if (!read || read.value() == 0) return std::nullopt;
    line += static_cast<std::uint64_t>(std::count(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(read.value()), '\n'));
    byte -= read.value();
  }
  return line;
}

}  // namespace tv
