// In which line of a file's text a byte is: what people count by, and editors go to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tv {

/// 1 is the first. The text is read up to there, inflated where it is compressed, at a gigabyte a second; none beyond `most` bytes,
/// and where it cannot be read.
std::optional<std::uint64_t> line_of_byte(const std::string& path, std::uint64_t byte, std::uint64_t most);

}  // namespace tv
