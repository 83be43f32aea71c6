// A program with the command line and output of nsys: a shell script in a folder of the test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/support/temp_dir.h"

namespace tv::test {

/// Writes the program and returns its path. `does` is the shell code of `export`, with $out for the path of the database and
/// $report for that of the report. The arguments of each call are added to nsys_calls(), one line per call.
inline std::string write_fake_nsys(const TempDir& folder, std::string_view does, std::string_view version = "2026.1.1") {
  const std::string script = std::string("#!/bin/sh\n") + "if [ \"$1\" = --version ]; then\n  echo 'NVIDIA Nsight Systems version " +
                             std::string(version) + ".204-261137v0'\n  exit 0\nfi\necho \"$@\" >> '" + folder.path("calls") +
                             "'\nout=\nreport=\nwhile [ $# -gt 0 ]; do\n  if [ \"$1\" = -o ]; then out=$2; fi\n"
                             "  report=$1\n  shift\ndone\n" + std::string(does) + "\n";
  const std::string path = folder.write("nsys", script);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

inline std::string nsys_calls(const TempDir& folder) {
  const std::string path = folder.path("calls");
  return std::filesystem::exists(path) ? read_file(path) : std::string();
}

/// The first line of a report and some bytes.
inline std::string fake_report(std::string_view version = "2025@5@1@121") {
  return "NVIDIA Tegra Profiler Report " + std::string(version) + "-255136380782v0.\n" + std::string("\x0a\x00\x12", 3);
}

/// Bytes that begin as any SQLite database does.
inline std::string database_head() { return std::string("SQLite format 3\0", 16) + "and so on"; }

}  // namespace tv::test
