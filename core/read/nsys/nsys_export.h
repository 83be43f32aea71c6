// Converts a .nsys-rep, which only NVIDIA's nsys can read, into a database with `nsys export`. The database is cached and reused
// while the report is unchanged.
//
//   <exports>/<hash of path, size, modification time>.sqlite     complete; its modification time is that of its last use
//   <exports>/<hash>.<pid>-<n>.part.sqlite                       not finished yet
//
// If a database of the report's name lies next to the report and is not older, that database is used instead.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/read/reader.h"

namespace tv {

inline constexpr std::string_view kNsysMagic = "NVIDIA Tegra Profiler Report";
inline constexpr std::string_view kPartOfExport = ".part.sqlite";

/// The version in a report's first line, "2025.5.1.121". Empty if there is none, or if the file is no report.
std::string nsys_report_version(std::string_view head);

/// Returns the path of the complete database. `progress` receives percentages as nsys prints them. An error names the command
/// that the user can run instead.
Result<std::string> export_nsys_report(const std::string& report, std::string_view version, const ReadTools& tools,
                                       const std::function<void(int percent)>& progress, std::stop_token stop);

/// The last percentage in a line: 45 in "Processing [====   45%]". -1 if there is none.
int percent_in(std::string_view line);

}  // namespace tv
