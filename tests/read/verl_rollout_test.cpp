// Each line must be read as if it stood alone, whatever comes before and after it.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/session/load/load_job.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

struct Found {
  std::multiset<std::tuple<std::string, Ns, Ns>> slices;
  std::map<std::string, std::uint64_t> problems;
  bool operator==(const Found&) const = default;
};

void read(const TempDir& folder, const std::string& text, Found& found) {
  const auto trace = load_snapshot({folder.write("step_1/worker_0.jsonl", text)}, test_pool())->trace;
  for (std::size_t i = 0; i < trace->slices.size(); ++i) {
    found.slices.emplace(trace->labels.name(trace->slices.label[i]), trace->slices.begin[i] + trace->origin_ns,
                         trace->slices.duration[i]);
  }
  for (const ProblemCount& problem : trace->sources[0].problems.entries()) {
    if (problem.kind == ProblemKind::time_went_back || problem.kind == ProblemKind::overlapping_slices) continue;
    found.problems[std::string(info(problem.kind).id)] += problem.count;
  }
}

std::string good_line(Random& random) {
  return R"({"timestamp": "2025-07-13T11:04:2)" + std::to_string(random.in(0, 9)) + R"(.706221", "event": ")" +
         random.one_of(std::vector<std::string>{"turn_start", "engine_call", "tool_execution"}) +
         R"(", "duration_sec": 0.)" + std::to_string(random.in(1, 999)) + R"(, "extra": {"request_id": "r)" +
         std::to_string(random.in(0, 5)) + R"("}, "workid": 0, "step": 1})";
}

}  // namespace

TEST_CASE("verl_rollout: a line is read among others as it is alone") {
  const TempDir folder;
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::string> lines;
    for (int i = 0; i < 40; ++i) {
      std::string line = good_line(random);
      if (random.chance(0.1)) line = random.one_of(std::vector<std::string>{"", "null", "[]", "{}", "7", "{", "}", "]", "\"x\"", ","});
      if (random.chance(0.05)) line.resize(static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(line.size()))));
      if (random.chance(0.05)) line[static_cast<std::size_t>(random.in(0, 5)) % std::max<std::size_t>(line.size(), 1)] = '[';
      if (random.chance(0.05)) line += random.one_of(std::vector<std::string>{"]", "}", ",", " x", "]]", "{}"});
      lines.push_back(line);
      // Two lines that become one record if a comma replaces the text between them.
      if (random.chance(0.05)) {
        lines.push_back(R"({"timestamp": "2025-07-13T11:04:25.7", "event": "turn_end", "duration_sec": 1, "x": [{"a": 1})");
        lines.push_back(R"({"b": 2}]})");
      }
    }
    // The beginning and end of a file have rules of their own, so simple lines stand there.
    lines.insert(lines.begin(), good_line(random));
    lines.push_back(good_line(random) + (random.chance(0.3) ? "]" : ""));
    std::string whole;
    Found alone, together;
    for (const std::string& line : lines) {
      whole += line + "\n";
      if (!line.empty()) read(folder, line + "\n", alone);
    }
    read(folder, whole, together);
    CHECK(together == alone);
  }
}
