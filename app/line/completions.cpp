#include "app/line/completions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tv {
namespace {

constexpr const char* kMade = "made by the program itself, of what --help says (traceview packaging).";

// The first sentence, because a list of completions has one line for each.
std::string brief(std::string_view text) {
  text = text.substr(0, std::min(text.find('\n'), text.find(". ")));
  while (text.ends_with(':') || text.ends_with('.')) text.remove_suffix(1);
  return std::string(text);
}

std::string with_before(std::string_view text, std::string_view special, std::string_view mark) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != special.npos) out += mark;
    out += c;
  }
  return out;
}

// In single quotes, for bash and zsh.
std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// In single quotes, for fish.
std::string fish_word(std::string_view text) { return "'" + with_before(text, "\\'", "\\") + "'"; }

bool takes_files(const CommandVerb& verb) {
  return std::any_of(verb.options.begin(), verb.options.end(), [](const CommandOption& option) {
    return option.positional && option.value != "N";
  });
}

std::string names_of(const std::vector<CommandVerb>& verbs, std::string_view between) {
  std::string out;
  for (const CommandVerb& verb : verbs) out += (out.empty() ? "" : std::string(between)) + verb.name;
  return out;
}

// --- bash ---

std::string bash_values(const CommandVerb& verb) {
  std::string out, free_text;
  for (const CommandOption& option : verb.options) {
    if (option.positional || option.value.empty()) continue;
    const std::string names = fmt::format("{}", fmt::join(option.names, "|"));
    if (!option.choices.empty()) {
      out += fmt::format("        {}) values={} ;;\n", names, shell_word(fmt::format("{}", fmt::join(option.choices, "\n"))));
    } else if (option.value == "FILE" || option.value == "DIR") {
      out += fmt::format("        {}) return ;;\n", names);
    } else {
      free_text += (free_text.empty() ? "" : "|") + names;
    }
  }
  if (!free_text.empty()) out += fmt::format("        {}) compopt +o default; return ;;\n", free_text);
  return out.empty() ? out : "        case $before in\n" + out + "        esac\n";
}

std::string bash_verb(const NamedVerb& named) {
  const CommandVerb& verb = *named.verb;
  std::string options;
  for (const CommandOption& option : verb.options) {
    if (!option.positional) options += (options.empty() ? "" : "\n") + fmt::format("{}", fmt::join(option.names, "\n"));
  }
  std::string out = fmt::format("    {})\n{}", shell_word(named.name), bash_values(verb));
  out += fmt::format("        options={}\n", shell_word(options));
  if (!verb.verbs.empty()) out += fmt::format("        verbs={}\n", shell_word(names_of(verb.verbs, "\n")));
  if (!takes_files(verb)) out += "        compopt +o default\n";
  return out + "        ;;\n";
}

// --- zsh ---

std::string zsh_value(const CommandOption& option) {
  if (option.value.empty()) return {};
  std::string action = " ";
  if (!option.choices.empty()) {
    action = "(";
    for (const std::string& choice : option.choices) action += (action == "(" ? "" : " ") + with_before(choice, " :()\\", "\\");
    action += ")";
  } else if (option.value == "FILE") {
    action = "_files";
  } else if (option.value == "DIR") {
    action = "_files -/";
  }
  return ":" + option.value + ":" + action;
}

std::string zsh_options(const CommandVerb& verb) {
  std::string out;
  for (const CommandOption& option : verb.options) {
    if (option.positional) continue;
    const std::string rest = shell_word("[" + with_before(brief(option.text), "[]\\", "\\") + "]" + zsh_value(option));
    for (const std::string& name : option.names) out += fmt::format("    {}{} \\\n", option.repeated ? "'*'" : "", name + rest);
  }
  return out;
}

std::string zsh_function(const NamedVerb& named) {
  std::string function = "_traceview_" + named.name;
  std::replace(function.begin(), function.end(), ' ', '_');
  return fmt::format("{}() {{\n  _arguments \\\n{}    {}\n}}\n\n", function, zsh_options(*named.verb),
                     takes_files(*named.verb) ? "'*:file:_files'" : "");
}

std::string zsh_verb_list(const CommandVerb& verb) {
  std::string out = "  verbs=(\n";
  for (const CommandVerb& below : verb.verbs) {
    out += "    " + shell_word(below.name + ":" + with_before(brief(below.text), ":\\", "\\")) + "\n";
  }
  return out + "  )\n";
}

// A verb with subcommands or files: the program, bench.
std::string zsh_parent(const NamedVerb& named) {
  const CommandVerb& verb = *named.verb;
  const std::string function = named.name.empty() ? "_traceview" : "_traceview_" + named.name;
  const bool files = takes_files(verb);
  std::string out = fmt::format("{}() {{\n  local curcontext=$curcontext state state_descr line ret=1\n  local -a verbs\n", function);
  out += "  local -A opt_args\n" + zsh_verb_list(verb);
  out += fmt::format("  _arguments -C \\\n{}    '1:verb:->first' '*::argument:->rest' && ret=0\n  case $state in\n", zsh_options(verb));
  out += fmt::format("  first)\n    _describe -t verbs verb verbs && ret=0\n{}    ;;\n  rest)\n    case $words[1] in\n",
                     files ? "    _files && ret=0\n" : "");
  for (const CommandVerb& below : verb.verbs) out += fmt::format("    {0}) {1}_{0} && ret=0 ;;\n", below.name, function);
  if (files) out += fmt::format("    *) _arguments \\\n{}    '*:file:_files' && ret=0 ;;\n", zsh_options(verb));
  return out + "    esac\n    ;;\n  esac\n  return ret\n}\n\n";
}

// --- fish ---

std::string fish_option(const std::string& condition, const CommandOption& option) {
  std::string out = fmt::format("complete -c traceview -n {}", condition);
  for (const std::string& name : option.names) out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty()) {
    std::string words;
    for (const std::string& choice : option.choices) words += (words.empty() ? "\"" : " \"") + choice + "\"";
    out += " -x -a " + fish_word(words);
  } else if (option.value == "FILE") {
    out += " -r -F";
  } else if (option.value == "DIR") {
    out += " -x -a '(__fish_complete_directories)'";
  } else if (!option.value.empty()) {
    out += " -x";
  }
  return out + " -d " + fish_word(brief(option.text)) + "\n";
}

std::string fish_verb(const NamedVerb& named) {
  const CommandVerb& verb = *named.verb;
  const std::string condition = "'__traceview_verb " + with_before("\"" + named.name + "\"", "'", "\\") + "'";
  std::string out;
  for (const CommandVerb& below : verb.verbs) {
    out += fmt::format("complete -c traceview -n {} -a {} -d {}\n", condition, below.name, fish_word(brief(below.text)));
  }
  for (const CommandOption& option : verb.options) {
    if (!option.positional) out += fish_option(condition, option);
  }
  if (!takes_files(verb)) out += fmt::format("complete -c traceview -n {} -f\n", condition);
  return out;
}

// The words of a line lead from verb to verb: emits `line` for each step, with "verb/word" and the resulting verb.
std::string verb_steps(const CommandTable& table, std::string (*line)(const std::string& from, const std::string& to)) {
  std::string out;
  for (const NamedVerb& named : named_verbs(table)) {
    for (const CommandVerb& below : named.verb->verbs) {
      out += line(named.name + "/" + below.name, named.name.empty() ? below.name : named.name + " " + below.name);
    }
  }
  return out;
}

}  // namespace

std::string bash_completion(const CommandTable& table) {
  std::string out = fmt::format("# bash completion of traceview, {}\n_traceview() {{\n", kMade);
  out += R"sh(    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb= options= verbs= values= word i
    local IFS=$'\n'
    COMPREPLY=()
    # --times=wall is three words to bash.
    if [ "$current" = = ]; then
        current=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$verb/${COMP_WORDS[i]}" in
)sh";
  out += verb_steps(table, [](const std::string& from, const std::string& to) {
    return fmt::format("        {}) verb={} ;;\n", shell_word(from), shell_word(to));
  });
  out += "        esac\n    done\n    case $verb in\n";
  for (const NamedVerb& named : named_verbs(table)) out += bash_verb(named);
  out += R"sh(    esac
    if [ -n "$values" ]; then
        for word in $(compgen -W "$values" -- "$current"); do
            COMPREPLY+=("$(printf %q "$word")")
        done
        compopt +o default
    elif [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif [ -n "$verbs" ]; then
        COMPREPLY=($(compgen -W "$verbs" -- "$current"))
        [ -n "$verb" ] || { compopt -o filenames; COMPREPLY+=($(compgen -f -- "$current")); }
    fi
}
complete -o default -F _traceview traceview
)sh";
  return out;
}

std::string zsh_completion(const CommandTable& table) {
  std::string out = fmt::format("#compdef traceview\n# zsh completion of traceview, {}\n\n", kMade);
  std::vector<NamedVerb> all = named_verbs(table);
  std::reverse(all.begin(), all.end());  // functions before those that call them
  for (const NamedVerb& named : all) out += named.verb->verbs.empty() ? zsh_function(named) : zsh_parent(named);
  return out + "_traceview \"$@\"\n";
}

std::string fish_completion(const CommandTable& table) {
  std::string out = fmt::format("# fish completion of traceview, {}\nfunction __traceview_verb\n    set -l verb ''\n", kMade);
  out += "    for word in (commandline -opc)[2..-1]\n        switch \"$verb/$word\"\n";
  out += verb_steps(table, [](const std::string& from, const std::string& to) {
    return fmt::format("            case {}\n                set verb {}\n", fish_word(from), fish_word(to));
  });
  out += "        end\n    end\n    test \"$verb\" = \"$argv[1]\"\nend\n\n";
  for (const NamedVerb& named : named_verbs(table)) out += fish_verb(named);
  return out;
}

}  // namespace tv
