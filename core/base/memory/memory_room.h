// How much more memory this process may have, from /proc and the control groups. Cost: microseconds, to read a few small files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tv {

/// The minimum of these: the memory that the system reports as available; the memory that each control group around this process
/// leaves, version 1 or 2, including nested ones; and what the limits on address space and data (ulimit -v, -d) leave. A group's
/// file cache counts as free, since reading large files fills it and the system can drop it. None if nothing is known. `root`: the
/// folder that contains proc and sys, "" for the real ones; tests supply their own.
std::optional<std::uint64_t> memory_room(const std::string& root);

}  // namespace tv
