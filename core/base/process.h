// This process, others beside it, and the machine they run on: what names a temporary file, tells whether who wrote a
// session still runs, and goes into a report of a fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tv {

std::int64_t process_id();

/// Whether a process has this number now; it may be another one than the one that was meant.
bool process_exists(std::int64_t id);

/// Empty when the machine has no name.
std::string host_name();

/// Name, release and processor of the operating system: "Linux 6.1.0 x86_64".
std::string system_name();

/// How many files this process may have open at a time; none: nobody says.
std::optional<std::uint64_t> most_open_files();

}  // namespace tv
