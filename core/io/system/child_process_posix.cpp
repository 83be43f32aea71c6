#include "core/io/system/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/io/written/unfinished.h"

extern char** environ;

namespace tv {
namespace {

constexpr std::size_t kLongestLine = 64 << 10;  // output without line ends is shown in pieces of this size

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int get() const { return number_; }

 private:
  int number_;
};

Error failure(const std::string& program, int number) { return {std::strerror(number), program, {}, {}}; }

class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& line) : line_(line) {}

  void add(std::string_view text) {
    for (const char c : text) {
      if (c == '\n' || c == '\r' || part_.size() >= kLongestLine) end();
      if (c != '\n' && c != '\r') part_ += c;
    }
  }
  void end() {
    if (!part_.empty()) line_(part_);
    part_.clear();
  }

 private:
  const std::function<void(std::string_view)>& line_;
  std::string part_;
};

struct Spawned {
  pid_t pid = -1;
  int error = 0;
};

// A program inherits an ignored SIGCHLD from its launcher. The system then discards the exit status of children.
void keep_exit_status_of_children() {
  struct sigaction now {};
  if (::sigaction(SIGCHLD, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) ::signal(SIGCHLD, SIG_DFL);
}

Spawned spawn(const std::vector<std::string>& command, int output, bool with_stderr) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  if (with_stderr) {
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  Spawned out;
  out.error = posix_spawn(&out.pid, command[0].c_str(), &files, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return out;
}

// False if nothing can be read now. Sets `closed` if nothing will follow.
bool read_some(int pipe, const std::function<void(std::string_view)>& take, bool& closed) {
  std::array<char, 4096> buffer;
  const ssize_t n = ::read(pipe, buffer.data(), buffer.size());
  if (n > 0) take({buffer.data(), static_cast<std::size_t>(n)});
  closed = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
  return n > 0;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// Passes the program's output to `take` in pieces.
Result<ChildEnd> run_program(const std::vector<std::string>& command, bool with_stderr,
                             const std::function<void(std::string_view)>& take, const std::stop_token& stop) {
  keep_exit_status_of_children();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failure(command[0], errno);
  const Descriptor output(ends[0]);
  Descriptor input(ends[1]);
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);  // affects only our end: the child's end blocks
  const Descriptor stopped(::eventfd(0, EFD_CLOEXEC));
  if (stopped.get() < 0) return failure(command[0], errno);
  Unfinished running;
  const Spawned child = [&] {
    const AllOrNone together;  // a signal must not come between the start and its registration
    const Spawned started = spawn(command, input.get(), with_stderr);
    if (started.error == 0) running.begin(std::to_string(started.pid), Unfinished::Kind::Processes);
    return started;
  }();
  if (child.error != 0) return failure(command[0], child.error);
  input.close();
  // Reports the child's exit even if one of its own child processes keeps the pipe open. Linux before 5.3 lacks this call; there we
  // wait for the end of the pipe.
  const Descriptor alive(static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0)));
  const std::stop_callback wake(stop, [&] { (void)::eventfd_write(stopped.get(), 1); });

  std::array<pollfd, 3> watched = {pollfd{output.get(), POLLIN, 0}, pollfd{stopped.get(), POLLIN, 0},
                                   pollfd{alive.get(), POLLIN, 0}};
  bool closed = false, ended = false;
  while (!ended && !(closed && alive.get() < 0) && !stop.stop_requested()) {
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) break;
    ended = watched[2].revents != 0;
    while (!closed && read_some(output.get(), take, closed)) {
    }
    if (closed) watched[0].fd = -1;
  }
  // We have not waited for the child yet, so its number still belongs to its group.
  const bool killed = stop.stop_requested();
  if (killed || ended) ::kill(-child.pid, SIGKILL);
  running.forget();
  ChildEnd out{wait_for(child.pid), killed};
  while (!closed && read_some(output.get(), take, closed)) {
  }
  return out;
}

}  // namespace

Result<ChildEnd> run_child(const std::vector<std::string>& command, const std::function<void(std::string_view)>& line,
                           std::stop_token stop) {
  Lines lines(line);
  auto end = run_program(command, true, [&](std::string_view text) { lines.add(text); }, stop);
  lines.end();
  return end;
}

Result<ChildAnswer> ask_child(const std::vector<std::string>& command, std::stop_token stop, std::size_t most) {
  ChildAnswer answer;
  const auto end = run_program(command, false, [&](std::string_view text) {
    answer.text += text.substr(0, most - std::min(most, answer.text.size()));
  }, stop);
  if (!end) return end.error();
  answer.end = end.value();
  return answer;
}

std::string find_program(const std::string& name) {
  const auto runs = [](const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? name : std::string();
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable ? variable : "";
  while (!name.empty() && !folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    const std::string path = std::string(folder.empty() ? "." : folder) + "/" + name;
    if (runs(path)) return path;
  }
  return {};
}

}  // namespace tv
