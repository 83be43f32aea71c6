// Lines of logs as container runtimes keep them: each is wrapped with its stream and its time, and one that is longer
// than 16 KiB or so is cut into pieces, anywhere.
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
  std::string time;    ///< as it is written, or seconds since the epoch
  std::string stream;  ///< "stdout"; pieces of a line are of one stream
  std::string text;    ///< without a newline at its end
  bool whole = true;   ///< it ends a line
};

/// One line of such a log, without its newline; nullopt: it is none.
std::optional<ContainerLine> container_line(std::string_view line, ContainerLog kind);

/// What a text is by its first lines.
std::optional<ContainerLog> container_log(std::string_view head);
/// False: by its first 64 bytes it is none, and more need not be read. Nearly all other texts are told by one byte or one name.
bool may_be_container_log(std::string_view begin);

}  // namespace tv
