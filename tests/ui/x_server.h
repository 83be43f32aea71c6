// A test's own X server (Xvfb), so that tests of the real window run on machines without a display, and open no windows on those
// with one. While it lives, DISPLAY names it and WAYLAND_DISPLAY is unset.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace tv::test {

class XServer {
 public:
  XServer() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
      const char* const value = std::getenv(name);
      before_[name] = value ? std::optional<std::string>(value) : std::nullopt;
      unsetenv(name);
    }
    int ends[2];
    if (pipe(ends) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      close(ends[0]);
      const std::string end = std::to_string(ends[1]);
      freopen("/dev/null", "w", stderr);
      execlp("Xvfb", "Xvfb", "-displayfd", end.c_str(), "-screen", "0", "1280x800x24", "-noreset", static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    std::string number;  // once it listens
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) number += c;
    close(ends[0]);
    runs_ = !number.empty();
    if (runs_) setenv("DISPLAY", (":" + number).c_str(), 1);
  }
  ~XServer() {
    if (child_ > 0) {
      kill(child_, SIGTERM);
      waitpid(child_, nullptr, 0);
    }
    for (const auto& [name, value] : before_) {
      if (value) {
        setenv(name, value->c_str(), 1);
      } else {
        unsetenv(name);
      }
    }
  }
  XServer(const XServer&) = delete;
  XServer& operator=(const XServer&) = delete;

  bool runs() const { return runs_; }

 private:
  std::map<const char*, std::optional<std::string>> before_;
  pid_t child_ = -1;
  bool runs_ = false;
};

}  // namespace tv::test
