// Finds when a line of a log was written, from the time stamp in front of its message. Launchers and loggers write stamps
// in many forms:
//
//   2026-07-27T10:00:02.123456789Z step:1        kubectl logs --timestamps, docker logs -t, containerd
//   [2026-07-27 10:00:02,123] [INFO] ...         Python's logging, Megatron-LM
//   [20260727 10:00:02][rank-7/8] ...            Primus
//   2026-07-27T10:00:02+0200 node7 run.sh[12]:   journalctl -o short-iso
//   1785146402.123456 node7 ...                  journalctl -o short-unix
//   Mon Jul 27 10:00:02 2026[1,0]<stdout>:       mpirun --timestamp-output
//
//   Jul 27 10:00:02 node7 run.sh[12]:            journalctl, syslog: taken as the last such day before the file was written
//
// A stamp without a zone is local time and is taken as UTC. Times are ns since the epoch.
// Cost: O(1), because only the first and the last 256 bytes of a text are searched.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace tv {

struct LogStamp {
  Ns time = 0;
  bool zoned = false;      ///< the stamp names its zone
  bool fraction = false;   ///< the stamp has a fraction of a second
  std::size_t length = 0;  ///< bytes of the text that the stamp takes
};

/// The stamp at the beginning of the text. `written`: when the file was written, which decides the year of a stamp without
/// one; 0: unknown, and such stamps are not found.
std::optional<LogStamp> stamp_at_front(std::string_view text, Ns written = 0);

/// When a message was written, from the text before it on its line. The last stamp counts, because it is the program's own. A
/// launcher's stamp before it is used instead if it gives the same moment more exactly, with a zone or a fraction of a second.
std::optional<LogStamp> stamp_before_message(std::string_view before, Ns written = 0);

}  // namespace tv
