#include "core/base/process.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace tv {

std::int64_t process_id() { return ::getpid(); }

bool process_exists(std::int64_t id) {
  // Signal 0 only checks. EPERM: the process exists and belongs to another user.
  return id > 0 && id <= std::numeric_limits<pid_t>::max() && (::kill(static_cast<pid_t>(id), 0) == 0 || errno != ESRCH);
}

std::string process_name(std::int64_t id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

std::string program_link() { return "/proc/self/exe"; }

void set_environment(const char* name, const char* value) { ::setenv(name, value, 1); }

void on_closed_pipe(ClosedPipe then) {
  // SIG_IGN instead of an empty function would be inherited by child processes.
  ::signal(SIGPIPE, then == ClosedPipe::Ends ? SIG_DFL : [](int) {});
}

std::string host_name() {
  char host[256] = {};
  return ::gethostname(host, sizeof(host) - 1) == 0 ? host : "";
}

std::string system_name() {
  struct utsname name {};
  if (::uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + ' ' + name.release + ' ' + name.machine;
}

std::optional<std::uint64_t> most_open_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return std::nullopt;
  return files.rlim_cur;
}

}  // namespace tv
