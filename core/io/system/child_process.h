// Runs another program to its end and passes on its output. No shell is involved, so file names are never interpreted.
//
// The program gets no input. Its stdout and stderr arrive line by line while it runs. A carriage return ends a line too, since
// programs draw progress that way. The program leads a process group of its own. The group is killed on a stop request and when the
// program ends, so no process stays behind.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tv {

struct ChildEnd {
  int code = 0;          ///< exit status, or the negative number of the signal that ended the program
  bool stopped = false;  ///< the program was killed on a stop request
};

/// `command`: path of the program, then its arguments. `line` is called on this thread for each line, without its ending.
Result<ChildEnd> run_child(const std::vector<std::string>& command,
                           const std::function<void(std::string_view line)>& line, std::stop_token stop);

struct ChildAnswer {
  ChildEnd end;
  std::string text;  ///< stdout, as raw bytes
};
/// Runs a program whose output is an answer. Only the first `most` bytes are returned, and stderr is discarded.
Result<ChildAnswer> ask_child(const std::vector<std::string>& command, std::stop_token stop, std::size_t most = 16 << 20);

/// The path at which a shell would find the program. A name with a slash is a path. Empty if there is no such program.
std::string find_program(const std::string& name);

}  // namespace tv
