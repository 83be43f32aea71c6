// The state of a path at some moment, for finding out later what has changed. Links count as their targets.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tv {

struct FileState {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< since the epoch
  std::uint64_t file = 0;        ///< identifies the file: a file that replaces it has another number
  bool folder = false;
  std::int64_t changed_ns = 0;   ///< last change of the file or its permissions, in ns since the epoch
  bool pipe = false;             ///< then only the file's identity is set: a pipe is listed, but read only if it is given by name
  bool operator==(const FileState&) const = default;
};

using FilesByPath = std::map<std::string, FileState, std::less<>>;

/// State of a regular file, a folder or a named pipe. Nullopt for anything else, and if nothing is there.
std::optional<FileState> state_of(const std::string& path);
/// The present state on the server. A network file system answers with cached states that are some seconds old (sshfs 20, NFS 3
/// to 60), but asks the server when a file is opened. For a folder it can be as old as that of state_of().
std::optional<FileState> state_on_server(const std::string& path);
/// Whether the path exists but cannot be read, or its state is unknown because of permissions, a disk or a server.
bool is_out_of_reach(const std::string& path);
/// Whether it is on a network file system, or on one that hides this (FUSE).
bool is_on_network(const std::string& path);
/// The present time of the clock behind modified_ns and changed_ns.
std::int64_t file_clock_ns();

}  // namespace tv
