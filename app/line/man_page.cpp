#include "app/line/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tv {
namespace {

constexpr std::size_t kSharedBy = 4;  // an option of at least this many verbs is described once for all of them

constexpr const char* kAbout =
    "Without a verb it opens a window that shows the files, and all files below the folders, on one clock. With a verb it answers "
    "on standard output or writes a file, and needs no display. Files are recognised by what they contain, never by their names.";

// Escapes text for man(7): no line can be parsed as a request, and dashes stay ASCII.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// Preserves the line breaks of a description.
std::string paragraph(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (at > 0) out += ".br\n";
    out += roff(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

std::string option_head(const CommandOption& option) {
  std::string out;
  for (const std::string& name : option.names) out += (out.empty() ? "" : ", ") + (option.positional ? italic(name) : bold(name));
  if (!option.positional && !option.value.empty()) out += " " + italic(option.value);
  if (option.repeated) out += " ...";
  return out;
}

std::string option_entry(const CommandOption& option) {
  std::string text = option.text;
  if (!option.choices.empty()) text += fmt::format("\nOne of: {}", fmt::join(option.choices, ", "));
  return ".TP\n" + option_head(option) + "\n" + paragraph(text);
}

std::string usage(const std::string& name, const CommandVerb& verb) {
  std::string out = bold(name.empty() ? "traceview" : "traceview " + name) + " [" + italic("OPTION") + "]...";
  for (const CommandOption& option : verb.options) {
    if (!option.required) continue;
    out += " " + (option.positional ? option_head(option) : bold(option.names.front()) + " " + italic(option.value));
  }
  return out;
}

// "Examples:\n traceview ..." becomes a section of its own; indented text is unchanged.
std::string note_sections(const std::string& notes) {
  std::string out;
  for (std::size_t at = 0; at < notes.size();) {
    const std::size_t end = std::min(notes.find("\n\n", at), notes.size());
    const std::string_view note = std::string_view(notes).substr(at, end - at);
    const std::size_t colon = note.find(':');
    std::string heading(note.substr(0, colon));
    for (char& c : heading) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    std::string_view body = colon == note.npos ? note : note.substr(colon + 1);
    const bool as_typed = body.starts_with('\n');
    body.remove_prefix(std::min(body.find_first_not_of(" \n"), body.size()));
    out += ".SH " + heading + "\n";
    out += as_typed ? ".nf\n" + roff(body) + "\n.fi\n" : paragraph(body);
    at = end + 2;
  }
  return out;
}

constexpr const char* kFiles = R"(.SH FILES
.TP
.I ~/.config/traceview
Settings and keys (\fBTRACEVIEW_CONFIG_DIR\fR, \fBXDG_CONFIG_HOME\fR).
.TP
.I ~/.local/state/traceview
What is remembered of the last time (\fBTRACEVIEW_STATE_DIR\fR, \fBXDG_STATE_HOME\fR).
.TP
.I ~/.cache/traceview
The index cache (\fBTRACEVIEW_CACHE_DIR\fR, \fBXDG_CACHE_HOME\fR).
)";

}  // namespace

std::string man_page(const CommandTable& table, const std::string& version) {
  const CommandVerb& program = table.program;
  std::vector<NamedVerb> leaves = named_verbs(table);
  std::erase_if(leaves, [&](const NamedVerb& each) { return each.verb == &program || !each.verb->verbs.empty(); });
  const auto shared = [&](const CommandOption& option) {
    const auto has = [&](const NamedVerb& leaf) {
      return std::find(leaf.verb->options.begin(), leaf.verb->options.end(), option) != leaf.verb->options.end();
    };
    return static_cast<std::size_t>(std::count_if(leaves.begin(), leaves.end(), has)) >= kSharedBy;
  };

  std::string out = fmt::format(".\\\" Made by the program itself, of what --help says.\n.TH TRACEVIEW 1 \"\" \"traceview {}\" \"User Commands\"\n.ad l\n.nh\n", version);
  out += ".SH NAME\n" + roff(program.text) + "\n";
  out += ".SH SYNOPSIS\n" + usage("", program) + " [" + italic("PATH") + "]...\n";
  out += ".br\n" + bold("traceview") + " " + italic("VERB") + " [" + italic("OPTION") + "]... [" + italic("PATH") + "]...\n";
  out += ".SH DESCRIPTION\n" + paragraph(kAbout);
  // A verb's own options, and the names of those it shares with others.
  const auto options_of = [&](const CommandVerb& verb) {
    std::string own, also;
    for (const CommandOption& option : verb.options) {
      if (!shared(option)) {
        own += option_entry(option);
      } else if (!option.positional) {
        also += (also.empty() ? "" : ", ") + bold(option.names.front());
      }
    }
    return own + (also.empty() ? "" : ".P\nAlso, of the common options: " + also + "\n");
  };
  out += ".SH OPTIONS\n" + options_of(program);
  out += ".SH COMMON OPTIONS\n";
  std::vector<CommandOption> said;
  for (const NamedVerb& leaf : leaves) {
    for (const CommandOption& option : leaf.verb->options) {
      if (!shared(option) || std::find(said.begin(), said.end(), option) != said.end()) continue;
      said.push_back(option);
      out += option_entry(option);
    }
  }
  out += ".SH VERBS\n";
  for (const NamedVerb& leaf : leaves) {
    out += ".SS " + usage(leaf.name, *leaf.verb) + "\n" + paragraph(leaf.verb->text);
    out += options_of(*leaf.verb);
  }
  out += note_sections(table.notes);
  return out + kFiles;
}

}  // namespace tv
