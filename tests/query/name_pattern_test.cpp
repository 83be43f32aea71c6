#include "core/query/name_pattern.h"

#include <doctest/doctest.h>

#include "core/query/search/search.h"

using namespace tv;

namespace {

bool found(const char* text, const char* name, bool match_case = false, bool regex = false) {
  const auto pattern = NamePattern::of({text, match_case, regex});
  REQUIRE(pattern.ok());
  return pattern.value().matches(name);
}

std::string complaint(const char* text) {
  const auto pattern = NamePattern::of({text, false, true});
  return pattern ? "none" : pattern.error().text();
}

}  // namespace

TEST_CASE("name_pattern: plain texts and expressions match, with or without case") {
  CHECK(found("gEMM", "void Gemm_128x64"));
  CHECK_FALSE(found("gEMM", "void Gemm_128x64", true));
  CHECK(found("Gemm", "void Gemm_128x64", true));
  CHECK_FALSE(found("g.mm", "void Gemm"));
  CHECK(found("g.mm", "void Gemm", false, true));
  CHECK_FALSE(found("g.mm", "void Gemm", true, true));
  CHECK(found("^nccl.*(Reduce|Gather)", "ncclDevKernel_AllGather_RING", true, true));
  CHECK_FALSE(found("^Gather", "ncclDevKernel_AllGather", true, true));
  CHECK_FALSE(found("", "anything"));
  CHECK_FALSE(found("", "anything", false, true));
  CHECK(found("步骤.二", "步骤 二", false, true));
  CHECK(found("(", "f(x)"));  // plain text, not an expression
}

TEST_CASE("name_pattern: an error in an expression is reported with its position") {
  CHECK(complaint("a(b") == "( is never closed, at character 2");
  CHECK(complaint("(a)(b") == "( is never closed, at character 4");
  CHECK(complaint("[(](b") == "( is never closed, at character 4");
  CHECK(complaint("ab)") == ") has no opening (, at character 3");
  CHECK(complaint("步骤[ab") == "[ is never closed, at character 3");
  CHECK(complaint("ab\\") == "\\ has nothing after it, at character 3");
  CHECK(complaint("*a") == "there is nothing before * to repeat, at character 1");
  CHECK(complaint("a**") == "** repeats a repetition, at character 2");
  CHECK(complaint("ab[z-a]") == "z-a is a range that ends before it begins, at character 4");
  CHECK(complaint("a\\q") == "\\q is not an escape sequence, at character 2");
  CHECK(complaint("a{2000}").starts_with("{2000} repeats more than 1000 times"));
  CHECK(complaint("(?=a)b").find("at character 1") != std::string::npos);
  CHECK(complaint("a\xff") != "none");
}

// A backtracking library needs longer than the age of the universe for these; here they take a fraction of a second.
TEST_CASE("name_pattern: no pattern hangs") {
  const std::string name(2'000, 'a');
  CHECK_FALSE(found("(a+)+$b", name.c_str(), true, true));
  CHECK_FALSE(found("(a|a)*(a|a)*(a|a)*b", name.c_str(), true, true));
  CHECK_FALSE(found("(.*)(.*)(.*)(.*)(.*)x", name.c_str(), true, true));
  CHECK(complaint("((a{100}){100}){100}") != "none");
  CHECK(complaint("(a{100}b{100}c{100}){9}") == "the expression is too large: use fewer repetitions");
}

TEST_CASE("find_labels: the result is the same for any number of threads") {
  LabelTable labels;
  for (int i = 0; i < 10'000; ++i) labels.intern("c", "name " + std::to_string(i));
  const auto pattern = NamePattern::of({"7[0-4]$", false, true});
  ThreadPool one(1), three(3);
  const LabelSet found = find_labels(labels, pattern.value(), one);
  CHECK(found.size() == 500);
  CHECK(found == find_labels(labels, pattern.value(), three));
}
