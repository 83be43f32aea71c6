// How much more memory this process may have, from /proc and the control groups. The files are read below any root, so that tests
// can supply their own trees. Cost: microseconds, to read a few small files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tv {

/// The minimum of these: the memory that the system reports as available; the memory that each control group around this process
/// leaves, version 1 or 2, including nested ones; and what the limits of its address space and data (ulimit -v, -d) leave. A
/// group's file cache counts as free, since the system can drop it, and reading large files fills the group with it. None if
/// nothing is known. `root`: a folder that contains proc and sys, "" for the real ones.
std::optional<std::uint64_t> memory_room(const std::string& root);

}  // namespace tv
