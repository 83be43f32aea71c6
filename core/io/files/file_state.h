// The state of a path at some moment, to find out later what has changed. Links count as their targets.
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
  std::uint64_t file = 0;        ///< identifies the file: a file that replaces this one has another number
  bool folder = false;
  std::int64_t changed_ns = 0;   ///< last change of the file or its permissions, in ns since the epoch
  bool pipe = false;             ///< a named pipe: of the other members, only `file` is set
  bool operator==(const FileState&) const = default;
};

using FilesByPath = std::map<std::string, FileState, std::less<>>;

/// The state of a regular file, a folder or a named pipe. Nullopt for anything else, or if nothing is there.
std::optional<FileState> state_of(const std::string& path);
/// The present state on the server. A network file system returns cached states that are some seconds old (sshfs 20, NFS 3 to 60),
/// but asks the server when a file is opened. The state of a folder can be as old as that from state_of().
std::optional<FileState> state_on_server(const std::string& path);
/// Whether the path exists but cannot be read, or its state is unknown because of permissions, a disk or a server.
bool is_out_of_reach(const std::string& path);
/// Whether the path is on a network file system, or on one that may be (FUSE).
bool is_on_network(const std::string& path);
/// The present time of the clock behind modified_ns and changed_ns.
std::int64_t file_clock_ns();

}  // namespace tv
