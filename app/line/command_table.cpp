#include "app/line/command_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace tv {
namespace {

// CLI11 appends the check of a value to its type: "TEXT:{png,svg}", "UINT:SIZE [b, kb, ...]".
void take_type(CommandOption& option, const std::string& type) {
  const std::size_t colon = type.find(':');
  option.value = type.substr(0, colon);
  for (const char* number : {"UINT", "INT", "FLOAT"}) {
    if (option.value == number) option.value = "N";
  }
  if (colon == type.npos) return;
  const std::string check = type.substr(colon + 1);
  if (check.starts_with("SIZE")) option.value = "SIZE";
  if (!check.starts_with('{') || !check.ends_with('}')) return;
  const std::string words = check.substr(1, check.size() - 2);
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t comma = std::min(words.find(',', at), words.size());
    option.choices.push_back(words.substr(at, comma - at));
    at = comma + 1;
  }
}

CommandOption option_of(const CLI::Option& from) {
  CommandOption option;
  option.positional = !from.nonpositional();
  if (option.positional) option.names.push_back(from.get_name(true));
  for (const std::string& name : from.get_lnames()) option.names.push_back("--" + name);
  for (const std::string& name : from.get_snames()) option.names.push_back("-" + name);
  option.text = from.get_description();
  option.required = from.get_required();
  option.repeated = from.get_items_expected_max() > 1;
  if (from.get_items_expected_max() > 0) take_type(option, from.get_type_name());
  return option;
}

CommandVerb verb_of(const CLI::App& from) {
  CommandVerb verb{from.get_name(), from.get_description(), {}, {}};
  for (const CLI::Option* option : from.get_options()) verb.options.push_back(option_of(*option));
  for (const CLI::App* subcommand : from.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
    verb.verbs.push_back(verb_of(*subcommand));
  }
  return verb;
}

void add_named(const CommandVerb& verb, const std::string& name, std::vector<NamedVerb>& all) {
  all.push_back({name, &verb});
  for (const CommandVerb& sub : verb.verbs) add_named(sub, name.empty() ? sub.name : name + " " + sub.name, all);
}

}  // namespace

std::vector<NamedVerb> named_verbs(const CommandTable& table) {
  std::vector<NamedVerb> all;
  add_named(table.program, "", all);
  return all;
}

CommandTable command_table(const CLI::App& app) { return {verb_of(app), app.get_footer()}; }

}  // namespace tv
