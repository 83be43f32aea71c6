#include "core/io/written/user_folders.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace tv {
namespace {

// Sets an environment variable for its lifetime; null unsets it.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const was = std::getenv(name)) was_ = was;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { was_ ? ::setenv(name_, was_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> was_;
};

}  // namespace

TEST_CASE("user_folders: the program's own variable comes first, then the XDG one, then the home folder") {
  const Variable home("HOME", "/home/ann"), own("TRACEVIEW_STATE_DIR", nullptr);
  {
    const Variable xdg("XDG_STATE_HOME", nullptr);
    CHECK(state_folder() == "/home/ann/.local/state/traceview");
  }
  const Variable xdg("XDG_STATE_HOME", "/data/state");
  CHECK(state_folder() == "/data/state/traceview");
  const Variable named("TRACEVIEW_STATE_DIR", "/tmp/here");
  CHECK(state_folder() == "/tmp/here");
}

TEST_CASE("user_folders: a relative XDG folder is ignored, and without HOME there is no folder") {
  const Variable own("TRACEVIEW_CONFIG_DIR", nullptr), xdg("XDG_CONFIG_HOME", "relative/config");
  {
    const Variable home("HOME", "/home/ann");
    CHECK(config_folder() == "/home/ann/.config/traceview");
  }
  const Variable home("HOME", nullptr);
  CHECK(config_folder().empty());
}

}  // namespace tv
