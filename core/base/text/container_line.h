// Unwraps log lines that a container runtime wrote. The runtime adds a stream name and a time to each line, and cuts a line
// of more than about 16 KiB into pieces at any byte.
//
//   2026-07-27T10:00:02.123456789Z stdout P a piece that      containerd, CRI-O, podman: F ends a line, P does not
//   {"log":"a whole line\n","stream":"stdout","time":"..."}    Docker's json-file: a newline ends a line
//   {"MESSAGE":"...","__REALTIME_TIMESTAMP":"1785..."}         journalctl -o json: always whole
//
// Sources: kubernetes/cri-api; moby/daemon/logger/jsonfilelog; systemd.journal-fields(7). Cost: O(line).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tv {

enum class ContainerLog : std::uint8_t { Cri, Docker, Journal };

struct ContainerLine {
  std::string time;    ///< as written; of a journal: seconds since the epoch, with decimals
  std::string stream;  ///< "stdout"; all pieces of a line have the same stream
  std::string text;    ///< without a final newline
  bool whole = true;   ///< false: the stream's next piece continues the line
};

/// Parses one line of such a log, without its newline. Nullopt if the line has another format.
std::optional<ContainerLine> container_line(std::string_view line, ContainerLog kind);

/// Recognises the kind of log by the first lines of a text. Nullopt if the text is no such log.
std::optional<ContainerLog> container_log(std::string_view head);
/// Whether a text may be such a log, judged by its first 64 bytes, so that the head of other files need not be read. The text must
/// begin with a digit or with a JSON object that has a typical first key.
bool may_be_container_log(std::string_view begin);

}  // namespace tv
