// The examples of --help are commands that the program accepts.
#include "app/line/examples.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/line/options.h"

using namespace tv;

namespace {

// Splits a line as a shell does, with single quotes.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words = {"traceview", ""};
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

Parsed parsed(const std::vector<std::string>& words) {
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  return parse_options(static_cast<int>(pointers.size()), pointers.data());
}

std::string help_of(const std::string& verb) {
  return parsed(verb.empty() ? std::vector<std::string>{"traceview", "--help"} : std::vector<std::string>{"traceview", verb, "--help"}).message;
}

}  // namespace

TEST_CASE("examples: every example parses as a command line of its verb") {
  for (const Example& example : examples()) {
    CAPTURE(example.words);
    const std::vector<std::string> words = words_of(example.words);
    const Parsed found = parsed(words);
    CAPTURE(found.message);
    CHECK(found.options.has_value());
    if (!example.verb.empty()) CHECK(words.at(1) == example.verb);
  }
}

TEST_CASE("examples: a verb's help shows its own examples, and the program's help one of each verb") {
  for (const Example& example : examples()) {
    CAPTURE(example.words);
    CHECK(help_of(std::string(example.verb)).find("traceview " + std::string(example.words)) != std::string::npos);
  }
  CHECK(help_of("pack").find("traceview stats") == std::string::npos);
  CHECK(help_of("").find("pack logs/exp -o exp.tvx") != std::string::npos);
  CHECK(help_of("").find("pack logs/exp --each") == std::string::npos);
  CHECK(help_of("bench").find("Examples") == std::string::npos);
  CHECK(help_of("bench").find("Exit codes") != std::string::npos);
}
