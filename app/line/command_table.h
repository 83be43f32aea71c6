// The command line as data: the verbs and options that parse_options declares. The manual page and the shell completions are
// generated from this table, so they always agree with --help.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tv {

struct CommandOption {
  std::vector<std::string> names;    ///< "--output", "-o": long names first. A positional argument has one name, without dashes
  std::string value;                 ///< "FILE", "DIR", "TEXT", "N"; empty for a flag
  std::vector<std::string> choices;  ///< the allowed values; empty if any value is allowed
  std::string text;
  bool positional = false, required = false, repeated = false;

  bool operator==(const CommandOption&) const = default;
};

struct CommandVerb {
  std::string name, text;
  std::vector<CommandOption> options;
  std::vector<CommandVerb> verbs;  ///< subcommands, such as `load` of `bench`
};

struct CommandTable {
  CommandVerb program;  ///< the program itself, with the options of the window
  std::string notes;    ///< the end of --help: paragraphs that begin with "Heading:"
};

/// Omits verbs that --help does not show.
CommandTable command_table(const CLI::App& app);

struct NamedVerb {
  std::string name;  ///< as typed: "bench load"; empty for the program itself
  const CommandVerb* verb;
};
/// The program, its verbs and the subcommands of these; parents come first.
std::vector<NamedVerb> named_verbs(const CommandTable& table);

}  // namespace tv
