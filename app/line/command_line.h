// The options of the window and of all verbs, as CLI11 parses them.
#pragma once

#include <string>
#include <vector>

#include "app/line/options.h"

namespace CLI {
class App;
}

namespace tv {

/// The parser fills this: options, and texts that parse_options() checks and converts when all have been parsed.
struct CommandLine {
  Options options;
  std::string range;  ///< --range of verbs that have their own meaning for it (stats, screenshot, export)
  std::string part;   ///< --range elsewhere: the part to load
  std::string ranks, steps, devices, roles, size, clip, align;
  std::vector<std::string> clocks;
  std::string export_format, report_like, picture_format;
  bool sample = false, diagnose = false;
};

/// Declares the window's options, and all verbs with theirs. `line` must outlive the parser.
void declare_all(CLI::App& app, CommandLine& line);

}  // namespace tv
