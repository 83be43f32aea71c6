#include "app/window/copy_picture.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/io/system/child_process.h"

extern char** environ;

namespace tv {
namespace {

struct CopyProgram {
  const char *name, *package, *display;  ///< `display`: the environment variable that is set if the program can be used
  std::vector<const char*> arguments;
};

const std::vector<CopyProgram>& copy_programs() {
  static const std::vector<CopyProgram> all = {
      {"wl-copy", "wl-clipboard", "WAYLAND_DISPLAY", {"--type", "image/png"}},
      {"xclip", "xclip", "DISPLAY", {"-selection", "clipboard", "-t", "image/png"}},
  };
  return all;
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && *value;
}

// A file in memory, positioned at its start; it vanishes when the last descriptor is closed.
int unnamed_file(const std::string& bytes) {
  const int file = ::memfd_create("picture", MFD_CLOEXEC);
  if (file < 0) return -1;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) {
      ::close(file);
      return -1;
    }
    done += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

// Both programs read all input, leave a background process that owns the clipboard, and exit.
Result<void> run_copy(const std::string& path, const CopyProgram& program, int input) {
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (const char* argument : program.arguments) argv.push_back(const_cast<char*>(argument));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, path.c_str(), &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return Error{fmt::format("{} cannot be started: {}", program.name, std::strerror(failed)), {}, {}, {}};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Error{fmt::format("{} failed to copy the picture", program.name), {}, {}, {}};
}

}  // namespace

Result<void> copy_picture(const std::string& png) {
  std::string missing;
  for (const CopyProgram& program : copy_programs()) {
    if (!is_set(program.display)) continue;
    const std::string path = find_program(program.name);
    if (path.empty()) {
      if (missing.empty()) missing = fmt::format("pictures are copied with {}, which is not installed (package {})", program.name, program.package);
      continue;
    }
    const int input = unnamed_file(png);
    if (input < 0) return Error{std::string("no memory to copy the picture: ") + std::strerror(errno), {}, {}, {}};
    const Result<void> done = run_copy(path, program, input);
    ::close(input);
    return done;
  }
  return Error{missing.empty() ? "there is no clipboard without a display" : missing, {}, {}, {}};
}

}  // namespace tv
