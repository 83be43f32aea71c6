// Runs another program to its end while its output is watched. No shell is involved, so file names are never interpreted.
//
// It gets no input; its stdout and stderr arrive line by line while it runs. A carriage return ends a line too, since programs draw
// progress that way. It leads its own process group, which is killed on a stop request and when the program ends, so that no
// process stays behind.
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
  int code = 0;          ///< exit status; if a signal ended it, the negative signal number
  bool stopped = false;  ///< killed on the stop request
};

/// `command`: path of the program, then its arguments. `line` is called on this thread, without the line ending.
Result<ChildEnd> run_child(const std::vector<std::string>& command,
                           const std::function<void(std::string_view line)>& line, std::stop_token stop);

/// For a program whose output is the answer: its stdout as raw bytes, of which at most `most` are kept.
struct ChildAnswer {
  ChildEnd end;
  std::string text;
};
Result<ChildAnswer> ask_child(const std::vector<std::string>& command, std::stop_token stop, std::size_t most = 16 << 20);

/// The path at which a shell would find the program. A name with a slash is a path. Empty: there is no such program.
std::string find_program(const std::string& name);

}  // namespace tv
