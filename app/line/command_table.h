// The command line as data: its verbs and their options, as parse_options declares them. The manual page and the completions of
// shells are made of it, so they cannot say anything else than --help.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tv {

struct CommandOption {
  std::vector<std::string> names;    ///< "--output", "-o", long ones first; of a positional its one name, without dashes
  std::string value;                 ///< "FILE", "DIR", "TEXT", "N"; empty: a flag
  std::vector<std::string> choices;  ///< all values there are; empty: any
  std::string text;
  bool positional = false, required = false, repeated = false;

  bool operator==(const CommandOption&) const = default;
};

struct CommandVerb {
  std::string name, text;
  std::vector<CommandOption> options;
  std::vector<CommandVerb> verbs;  ///< of their own: bench load
};

struct CommandTable {
  CommandVerb program;  ///< its options are those of the window
  std::string notes;    ///< what --help ends with: paragraphs that begin with "Heading:"
};

/// Without verbs that --help does not show.
CommandTable command_table(const CLI::App& app);

struct NamedVerb {
  std::string name;  ///< as it is typed: "bench load"; of the program itself empty
  const CommandVerb* verb;
};
/// The program, its verbs and theirs, each before those below it.
std::vector<NamedVerb> named_verbs(const CommandTable& table);

}  // namespace tv
