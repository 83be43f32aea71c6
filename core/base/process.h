// This process, other processes, and their machine. Used for names of temporary files, to find what is installed with the program,
// to check whether the writer of a session still runs, and for crash reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tv {

std::int64_t process_id();

/// Whether a process has this number now. The number may have been reused by another process.
bool process_exists(std::int64_t id);

/// The name of a process's program, cut to 15 bytes on Linux. Empty if the system does not say.
std::string process_name(std::int64_t id);

/// A link to the file of this program. Opens it even if the file was replaced since the start.
std::string program_link();

/// Sets an environment variable for this process and those that it starts.
void set_environment(const char* name, const char* value);

/// What happens when this process writes to a pipe or socket that the other side has closed: it ends, or the write fails.
enum class ClosedPipe : bool { Ends, Fails };
void on_closed_pipe(ClosedPipe then);

/// Empty if the machine has no name.
std::string host_name();

/// Name, release and processor of the operating system: "Linux 6.1.0 x86_64".
std::string system_name();

/// The number of files that this process may have open at a time. None: the system does not say.
std::optional<std::uint64_t> most_open_files();

}  // namespace tv
