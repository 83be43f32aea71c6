#include <doctest/doctest.h>

#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/io/system/child_process.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using tv::test::TempDir;

namespace {

struct Heard {
  std::vector<std::string> lines;
  Result<ChildEnd> end = Error{};
};

Heard run(const std::vector<std::string>& command) {
  Heard heard;
  heard.end = run_child(command, [&](std::string_view line) { heard.lines.emplace_back(line); }, {});
  return heard;
}

Heard run_shell(const std::string& script) { return run({"/bin/sh", "-c", script}); }

// Waits until the process whose id is in the file has ended. A zombie counts as ended: there may be no init that collects it.
bool ends(const std::string& pid_file) {
  std::string pid;
  std::ifstream(pid_file) >> pid;
  if (pid.empty()) return false;
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    std::getline(std::ifstream("/proc/" + pid + "/stat"), text);
    const std::size_t name_end = text.rfind(") ");
    if (name_end == std::string::npos || text[name_end + 2] == 'Z') return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("child_process: both outputs are split at newlines and carriage returns, and an unended last line is kept") {
  const Heard heard = run_shell("printf 'one\\n10%%\\r20%%\\r\\n'; printf 'two\\n' >&2; printf 'rest'; exit 3");
  REQUIRE(heard.end.ok());
  CHECK(heard.end.value().code == 3);
  CHECK_FALSE(heard.end.value().stopped);
  CHECK(heard.lines == std::vector<std::string>{"one", "10%", "20%", "two", "rest"});
}

TEST_CASE("child_process: arguments bypass the shell, and standard input is empty") {
  const Heard heard = run({"/bin/echo", "a b", "$HOME", "`id`", "*", "quote \" and '", ""});
  CHECK(heard.lines == std::vector<std::string>{"a b $HOME `id` * quote \" and ' "});
  CHECK(run({"/bin/cat"}).lines.empty());
}

TEST_CASE("child_process: a missing program is an error, and a signal gives a negative exit code") {
  const Heard missing = run({"/nowhere/to/be/found"});
  REQUIRE_FALSE(missing.end.ok());
  CHECK(missing.end.error().file == "/nowhere/to/be/found");
  CHECK(missing.end.error().message == "No such file or directory");
  const Heard killed = run_shell("kill -TERM $$");
  REQUIRE(killed.end.ok());
  CHECK(killed.end.value().code == -15);
}

TEST_CASE("child_process: the exit code is known even if SIGCHLD is ignored") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const Heard heard = run_shell("exit 3");
  std::signal(SIGCHLD, before);
  REQUIRE(heard.end.ok());
  CHECK(heard.end.value().code == 3);
}

TEST_CASE("child_process: much output arrives in full, and a very long line in pieces") {
  const Heard many = run_shell("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done");
  REQUIRE(many.lines.size() == 20000);
  CHECK(many.lines.back() == "line 19999");
  const Heard wide = run_shell("head -c 1000000 /dev/zero | tr '\\0' x");
  std::size_t length = 0;
  for (const std::string& line : wide.lines) length += line.size();
  CHECK(length == 1000000);
  CHECK(wide.lines.size() > 1);
}

TEST_CASE("child_process: the run ends with the program, and a child of it that holds the pipe is killed") {
  const TempDir folder;
  const Heard heard = run_shell("sleep 3600 & echo $! > " + folder.path("pid") + "; echo done");
  REQUIRE(heard.end.ok());
  CHECK(heard.end.value().code == 0);
  CHECK(heard.lines == std::vector<std::string>{"done"});
  CHECK(ends(folder.path("pid")));
}

TEST_CASE("child_process: a program that closes its outputs is waited for") {
  const TempDir folder;
  const Heard heard = run_shell("exec >&- 2>&-; sleep 0.1; echo late > " + folder.path("late") + "; exit 7");
  REQUIRE(heard.end.ok());
  CHECK(heard.end.value().code == 7);
  CHECK(std::filesystem::exists(folder.path("late")));
}

TEST_SUITE_BEGIN("child_process: concurrent");

TEST_CASE("child_process: a stop request kills a program that ignores signals, and its children") {
  const TempDir folder;
  std::stop_source stop;
  // Ignores the usual signals, and prints when it is ready.
  const std::string script = "trap '' TERM INT HUP; sleep 3600 & echo $! > " + folder.path("pid") + "; echo ready; wait; echo never";
  std::vector<std::string> lines;
  const auto heard = [&](std::string_view line) {
    lines.emplace_back(line);
    if (line == "ready") stop.request_stop();
  };
  const Result<ChildEnd> end = run_child({"/bin/sh", "-c", script}, heard, stop.get_token());
  REQUIRE(end.ok());
  CHECK(end.value().stopped);
  CHECK(end.value().code == -9);
  CHECK(lines == std::vector<std::string>{"ready"});
  CHECK(ends(folder.path("pid")));
}

TEST_CASE("child_process: a stop request works from another thread and before the start") {
  std::stop_source stop;
  std::jthread other;
  const auto heard = [&](std::string_view line) {
    if (line == "ready") other = std::jthread([&] { stop.request_stop(); });
  };
  const Result<ChildEnd> end = run_child({"/bin/sh", "-c", "echo ready; sleep 3600"}, heard, stop.get_token());
  REQUIRE(end.ok());
  CHECK(end.value().stopped);
  const Result<ChildEnd> again = run_child({"/bin/sleep", "3600"}, [](std::string_view) {}, stop.get_token());
  REQUIRE(again.ok());
  CHECK(again.value().stopped);
}

TEST_SUITE_END();

TEST_CASE("child_process: programs are found as a shell finds them") {
  const TempDir folder;
  CHECK(find_program("sh").ends_with("/sh"));
  CHECK(find_program("no such program").empty());
  CHECK(find_program("").empty());
  const std::string script = folder.write("tool", "#!/bin/sh\n");
  CHECK(find_program(script).empty());  // not executable yet
  ::chmod(script.c_str(), 0755);
  CHECK(find_program(script) == script);
  CHECK(find_program(folder.path()).empty());  // a folder is not a program
}
