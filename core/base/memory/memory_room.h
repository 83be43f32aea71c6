// How much more memory this process may have: read from /proc and the control groups, below any root, so that tests can show it
// trees of their own. Microseconds; a few small files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tv {

/// The least of: what the system says is available; what each control group around this process leaves, version 1 or 2, nested
/// ones too; what the limits of its address space and of its data (ulimit -v, -d) leave. File cache that a group could drop counts
/// as free: a container that has read large files is full of it. None when nothing is known. `root`: a folder with proc and sys in
/// it, "" for the real ones.
std::optional<std::uint64_t> memory_room(const std::string& root);

}  // namespace tv
