// Counts the content of Perfetto packets that is not read (ftrace, samples, heap graphs), by field name, so that users see what
// else the file has. A field whose name is not known is shown by its number. Cost: a look-up per packet of such a kind. Source:
// trace_packet.proto.
#pragma once

#include <cstdint>
#include <map>

#include "core/store/draft/problem.h"

namespace tv {

class PerfettoUnread {
 public:
  /// Counts a field of a packet that the reader does not read. Not counted: fields that every kind of packet can have, and those
  /// that say nothing about the program.
  void add(std::uint32_t field);
  void report(ProblemLog& problems) const;

 private:
  std::map<std::uint32_t, std::uint64_t> packets_;  // by field
};

}  // namespace tv
