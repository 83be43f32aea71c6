#include "app/terminal/standard_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "app/line/options.h"

namespace tv {

void hold_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // open() returns the lowest free descriptor, which is this one. It is opened for the wrong direction, so that every use fails.
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) return;
  }
}

void print_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  throw std::system_error(errno, std::generic_category(), "stdout");
}

bool output_failed() { return std::ferror(stdout) != 0; }

int end_output(int exit) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  int code = flushed ? 0 : errno;
  if (flushed && !output_failed()) return exit;
  // The failed data may be gone from the buffer, and the error with them. Writing one more byte fails for the same reason.
  if (code == 0 && ::write(STDOUT_FILENO, "\n", 1) < 0) code = errno;
  std::fprintf(stderr, "traceview: stdout: cannot write: %s\n", code == 0 ? "some of the output is missing" : std::strerror(code));
  return exit == exit_code::kOk ? exit_code::kFailed : exit;
}

}  // namespace tv
