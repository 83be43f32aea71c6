// The manual against the command line: its page names everything that the program accepts.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "app/line/options.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

Parsed parsed_words(std::vector<const char*> words) {
  words.insert(words.begin(), "traceview");
  return parse_options(static_cast<int>(words.size()), words.data());
}

// "  -o,--output TEXT REQUIRED": the first long name of each line of --help that begins with one.
std::vector<std::string> options_in_help(const std::string& help) {
  std::vector<std::string> out;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -")) continue;
    const std::size_t begin = line.find("--");
    if (begin == std::string::npos || line.substr(0, begin).find(' ', 2) != std::string::npos) continue;
    out.push_back(line.substr(begin, line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin) - begin));
  }
  return out;
}

// Whole words only: "--settings" does not contain "--set".
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) {
    const char after = at + word.size() < text.size() ? text[at + word.size()] : ' ';
    if (after != '-' && !(after >= 'a' && after <= 'z')) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("manual: the page of the command line names every verb and every option") {
  const std::string page = read_file(source_dir() + "/assets/manual/command-line.md");
  const std::vector<std::string> verbs = parsed_words({}).options->verbs;
  CHECK(verbs.size() >= 14);
  std::size_t named = 0;
  const auto check_help = [&](const std::string& help) {
    for (const std::string& option : options_in_help(help)) {
      CAPTURE(option);
      CHECK(has_word(page, option));
      ++named;
    }
  };
  check_help(parsed_words({"--help"}).message);
  for (const std::string& verb : verbs) {
    CAPTURE(verb);
    CHECK(has_word(page, "traceview " + verb));
    check_help(parsed_words({verb.c_str(), "--help"}).message);
  }
  CHECK(named > 100);
  for (const int code : {exit_code::kOk, exit_code::kFailed, exit_code::kUsage, exit_code::kNotRecognised, exit_code::kLosses,
                         exit_code::kFailIf, exit_code::kNoDisplay, exit_code::kInterrupted}) {
    CAPTURE(code);
    CHECK(page.find("\n| " + std::to_string(code) + " | ") != std::string::npos);
  }
}

TEST_CASE("help: the topic is optional") {
  const Parsed parsed = parsed_words({"help", "formats"});
  REQUIRE(parsed.options);
  CHECK(parsed.options->verb == Verb::Help);
  CHECK(parsed.options->text == "formats");
  CHECK(parsed_words({"help"}).options->text.empty());
}
