// Finds the line numbers of bytes in a file's text, for people and editors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tv {

/// The first line is 1. `bytes` must be in ascending order. Reads the text once, up to the last of them, inflating it if necessary,
/// at a gigabyte per second. None for a byte that lies beyond `most` or that cannot be reached.
std::vector<std::optional<std::uint64_t>> lines_of_bytes(const std::string& path, std::span<const std::uint64_t> bytes,
                                                         std::uint64_t most);

}  // namespace tv
