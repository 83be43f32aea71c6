// Another program, run to its end while its output is watched: without a shell, so that names of files are only names.
//
// It gets no input; what it prints on both outputs arrives line by line while it runs. A carriage return ends a line
// too, since that is how programs draw progress. It leads a process group of its own: a stop request kills all of it, and
// so does its end, so that nothing of it stays behind.
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
  int code = 0;          ///< exit status; when a signal ended it, minus its number
  bool stopped = false;  ///< by us
};

/// `command`: path of the program, then its arguments. `line` is called from this thread, without what ends the line.
Result<ChildEnd> run_child(const std::vector<std::string>& command,
                           const std::function<void(std::string_view line)>& line, std::stop_token stop);

/// For a program whose output is the answer: its bytes as they are, without its error output. At most `most` bytes of it are
/// kept.
struct ChildAnswer {
  ChildEnd end;
  std::string text;
};
Result<ChildAnswer> ask_child(const std::vector<std::string>& command, std::stop_token stop, std::size_t most = 16 << 20);

/// Where a shell would find it. A name with a slash is a path. Empty: there is no such program.
std::string find_program(const std::string& name);

}  // namespace tv
