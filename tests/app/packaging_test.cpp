// A package's manual page, completions and icons cover the whole command table and are well-formed. install_test.py checks that
// man and the shells accept them.
#include "app/line/packaging.h"

#include <doctest/doctest.h>

#include <map>

#include "app/line/completions.h"
#include "app/line/man_page.h"

using namespace tv;

namespace {

CommandTable real_table() {
  const char* const arguments[] = {"traceview", "packaging", "x"};
  const Parsed parsed = parse_options(3, arguments);
  REQUIRE(parsed.options);
  CHECK(parsed.options->verb == Verb::Packaging);
  CHECK(parsed.options->output == "x");
  return parsed.options->commands;
}

const CommandVerb& verb_named(const CommandTable& table, const std::string& name) {
  for (const NamedVerb& named : named_verbs(table)) {
    if (named.name == name) return *named.verb;
  }
  FAIL("no verb ", name);
  return table.program;
}

const CommandOption& option_named(const CommandVerb& verb, const std::string& name) {
  for (const CommandOption& option : verb.options) {
    if (!option.names.empty() && option.names.front() == name) return option;
  }
  FAIL("no option ", name);
  return verb.options.front();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// Everything that quoting can get wrong.
CommandTable odd_table() {
  CommandVerb verb{"odd", "It's a verb: [odd] \\ \"x\"", {}, {}};
  verb.options.push_back({{"--when", "-w"}, "TEXT", {"wall clock", "don't"}, "A 'time'. More of it", false, false, false});
  verb.options.push_back({{"--plain"}, "", {}, ".begins with a dot\n'and a quote", false, false, false});
  return {{"traceview", "traceview - odd", {}, {verb}}, "Examples:\n  traceview -x\n\nExit codes: 0 ok"};
}

}  // namespace

TEST_CASE("command table: it holds what parse_options declares, without hidden verbs") {
  const CommandTable table = real_table();
  std::vector<std::string> names;
  for (const NamedVerb& named : named_verbs(table)) names.push_back(named.name);
  CHECK(names.front() == "");
  CHECK(std::find(names.begin(), names.end(), "bench load") != names.end());
  CHECK(std::find(names.begin(), names.end(), "packaging") == names.end());

  const CommandVerb& shot = verb_named(table, "screenshot");
  const CommandOption& output = option_named(shot, "--output");
  CHECK(output.names == std::vector<std::string>{"--output", "-o"});
  CHECK(output.value == "FILE");
  CHECK(output.required);
  CHECK(option_named(shot, "--times").choices == std::vector<std::string>{"since begin", "wall clock", "since step", "seconds"});
  CHECK(option_named(shot, "--scale").value == "N");
  CHECK(option_named(shot, "--light").value.empty());
  CHECK(option_named(shot, "--memory-limit").value == "SIZE");
  CHECK(option_named(shot, "--no-cache").value.empty());
  CHECK(option_named(shot, "--clock").repeated);
  CHECK(!option_named(shot, "PATH").required);
  CHECK(option_named(verb_named(table, "info"), "PATH").positional);
  CHECK(option_named(verb_named(table, "info"), "PATH").required);
}

TEST_CASE("man page: it lists every verb and option, and common options only once") {
  const CommandTable table = real_table();
  const std::string page = man_page(table, "9.8.7");
  CHECK(page.starts_with(".\\\""));
  CHECK(has(page, ".TH TRACEVIEW 1 \"\" \"traceview 9.8.7\""));
  CHECK(has(page, "traceview \\- timelines of training runs"));
  for (const NamedVerb& named : named_verbs(table)) {
    CAPTURE(named.name);
    if (named.verb->verbs.empty()) CHECK(has(page, ".SS \\fBtraceview " + named.name + "\\fR"));
    for (const CommandOption& option : named.verb->options) {
      std::string name = option.names.front();
      for (std::size_t at = 0; (at = name.find('-', at)) != name.npos; at += 2) name.insert(at, "\\");
      CAPTURE(name);
      CHECK(has(page, name));
    }
  }
  std::size_t described = 0;
  for (std::size_t at = 0; (at = page.find(".TP\n\\fB\\-\\-memory\\-limit", at)) != page.npos; ++at) ++described;
  CHECK(described == 1);
  CHECK(has(page, ".SH EXAMPLES\n.nf\n"));
  CHECK(has(page, ".SH EXIT CODES\n"));
}

TEST_CASE("man page: no line of a text is taken for a request") {
  const std::string page = man_page(odd_table(), "1");
  CHECK(has(page, "\n\\&.begins with a dot\n.br\n\\&'and a quote\n"));
  CHECK(has(page, "One of: wall clock, don't"));
}

TEST_CASE("completions: words with spaces and quotes stay one word") {
  const std::string bash = bash_completion(odd_table());
  CHECK(has(bash, "--when|-w) values='wall clock\ndon'\\''t' ;;"));
  const std::string zsh = zsh_completion(odd_table());
  CHECK(has(zsh, "--when'[A '\\''time'\\'']:TEXT:(wall\\ clock don'\\''t)'"));
  const std::string fish = fish_completion(odd_table());
  CHECK(has(fish, "-l when -s w -x -a '\"wall clock\" \"don\\'t\"' -d 'A \\'time\\''"));
}

TEST_CASE("packaged files: they include a man page, three completions and icons of all sizes") {
  std::map<std::string, std::string> files;
  for (const PackagedFile& file : packaged_files(real_table())) files[file.path] = file.bytes;
  for (const char* name : {"man/traceview.1", "completions/traceview.bash", "completions/_traceview", "completions/traceview.fish"}) {
    CAPTURE(name);
    CHECK(files[name].size() > 1000);
  }
  CHECK(has(files["icons/hicolor/scalable/apps/traceview.svg"], "<svg"));
  for (const int size : {16, 22, 24, 32, 48, 64, 96, 128, 256, 512}) {
    const std::string sized = std::to_string(size);
    const std::string& png = files["icons/hicolor/" + sized + "x" + sized + "/apps/traceview.png"];
    REQUIRE(png.size() > 33);
    CHECK(png.substr(1, 3) == "PNG");
    const auto big_endian = [&](std::size_t at) {
      int value = 0;
      for (std::size_t i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(png[at + i]);
      return value;
    };
    CHECK(big_endian(16) == size);
    CHECK(big_endian(20) == size);
  }
}
