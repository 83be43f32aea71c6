// This process, other processes, and their machine. Used for names of temporary files, to check whether the writer of a session
// still runs, and for crash reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tv {

std::int64_t process_id();

/// Whether a process has this number now. The number may have been reused by another process.
bool process_exists(std::int64_t id);

/// Empty if the machine has no name.
std::string host_name();

/// Name, release and processor of the operating system: "Linux 6.1.0 x86_64".
std::string system_name();

/// The number of files that this process may have open at a time. None: the system does not say.
std::optional<std::uint64_t> most_open_files();

}  // namespace tv
