// Finds the line number of a byte in a file's text, for people and editors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tv {

/// The first line is 1. Reads the text up to this byte, inflating it if necessary, at a gigabyte per second. None if the byte
/// lies beyond `most`, or the text cannot be read.
std::optional<std::uint64_t> line_of_byte(const std::string& path, std::uint64_t byte, std::uint64_t most);
/// The same for several bytes in ascending order. The text is read once.
std::vector<std::optional<std::uint64_t>> lines_of_bytes(const std::string& path, std::span<const std::uint64_t> bytes,
                                                         std::uint64_t most);

}  // namespace tv
