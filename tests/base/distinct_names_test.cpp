#include "core/base/names/distinct_names.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "tests/support/gen_trace.h"

namespace tv {
namespace {

using Paths = std::vector<std::string_view>;
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("told apart: files are named by the parts of their names that differ") {
  CHECK(distinct_names(Paths{"/d/before.pt.trace.json", "/d/after.pt.trace.json"}) == Texts{"before", "after"});
  CHECK(distinct_names(Paths{"after.json.gz", "before.json"}) == Texts{"after", "before"});
  CHECK(distinct_names(Paths{"x/trace_bs32_v1.json", "x/trace_bs64_v1.json"}) == Texts{"bs32", "bs64"});
  CHECK(distinct_names(Paths{"trace.json", "trace_new.json"}) == Texts{"trace", "trace_new"});
  CHECK(distinct_names(Paths{"trace.json", "new-trace.json"}) == Texts{"trace", "new-trace"});
  CHECK(distinct_names(Paths{"run_1.json", "run_2.json", "run_10.json"}) == Texts{"run_1", "run_2", "run_10"});
  CHECK(distinct_names(Paths{"host-a_12.json", "host-b_13.json"}) == Texts{"a_12", "b_13"});
}

TEST_CASE("told apart: a trailing time or rank is dropped where words distinguish the files") {
  CHECK(distinct_names(Paths{"c/graph_capture_rank_0.1773709742341309550.pt.trace.json.gz", "graph_execution.json.gz"}) == Texts{"capture", "execution"});
  CHECK(distinct_names(Paths{"before-rank3.json", "after-rank3.json"}) == Texts{"before", "after"});
  CHECK(distinct_names(Paths{"a_rank0.json", "a_rank1.json"}) == Texts{"rank0", "rank1"});
  CHECK(distinct_names(Paths{"warm_rank_0.json", "warm_rank_1.json", "cold_rank_0.json"}) == Texts{"warm_rank_0", "warm_rank_1", "cold_rank_0"});
}

TEST_CASE("told apart: the outermost differing folder is used where file names do not differ in words") {
  CHECK(distinct_names(Paths{"/r/before/trace.json", "/r/after/trace.json"}) == Texts{"before", "after"});
  CHECK(distinct_names(Paths{"/r/before/profile/trace.json", "/r/after/profile/trace.json"}) == Texts{"before", "after"});
  CHECK(distinct_names(Paths{"/r/before/t.json", "/r/after/profile/t.json"}) == Texts{"before", "after"});
  CHECK(distinct_names(Paths{"/r/before/w0_1687.json", "/r/after/w0_2791.json"}) == Texts{"before", "after"});
  CHECK(distinct_names(Paths{"/r/old/t.json", "/r/t.json"}) == Texts{"old", "r"});
  CHECK(distinct_names(Paths{"/r/run_1/t.json", "/r/run_2/t.json"}) == Texts{"run_1", "run_2"});
  CHECK(distinct_names(Paths{"/a/x/t.json", "/a/y/t.json", "/b/x/t.json"}) == Texts{"a/x/t", "a/y/t", "b/x/t"});
  CHECK(distinct_names(Paths{"/r/before.tvx//tmp/t.json", "/r/after.tvx//tmp/t.json"}) == Texts{"before", "after"});
}

TEST_CASE("told apart: dates stay whole, and Unix times become dates") {
  CHECK(distinct_names(Paths{"t_2026-11-27.json", "t_2026-11-28.json"}) == Texts{"2026-11-27", "2026-11-28"});
  CHECK(distinct_names(Paths{"t_2026-11-27_10-15.json", "t_2026-11-27_10-30.json"}) == Texts{"2026-11-27_10-15", "2026-11-27_10-30"});
  CHECK(distinct_names(Paths{"/2026-11-27/t.json", "/2026-11-28/t.json"}) == Texts{"2026-11-27", "2026-11-28"});
  CHECK(distinct_names(Paths{"x_12.1764252732000.pt.trace.json", "x_15.1764343935000.pt.trace.json"}) == Texts{"2025-11-27", "2025-11-28"});
  CHECK(distinct_names(Paths{"x_12.1764252732.pt.trace.json", "x_12.1764253935.pt.trace.json"}) ==
        Texts{"2025-11-27 14:12", "2025-11-27 14:32"});
}

TEST_CASE("told apart: groups that differ in the same way get the same names") {
  const std::vector<std::size_t> ranks = {0, 1, 0, 1};
  CHECK(distinct_names(Paths{"before_r0.json", "before_r1.json", "after_r0.json", "after_r1.json"}, ranks) ==
        Texts{"before", "before", "after", "after"});
  CHECK(distinct_names(Paths{"a/r0_31.json", "a/r1_32.json", "b/r0_41.json", "b/r1_42.json"}, ranks) == Texts{"a", "a", "b", "b"});
  // Stamps of one run are seconds apart: its ranks share the day.
  CHECK(distinct_names(Paths{"x_1.1764252732000.json", "x_2.1764252733000.json", "x_3.1764343935000.json", "x_4.1764343936000.json"}, ranks) ==
        Texts{"2025-11-27", "2025-11-27", "2025-11-28", "2025-11-28"});
}

TEST_CASE("told apart: extensions or numbers distinguish files where nothing else differs") {
  CHECK(distinct_names(Paths{"t.json", "t.json.gz"}) == Texts{"t.json", "t.json.gz"});
  CHECK(distinct_names(Paths{"t.json", "t.json"}) == Texts{"t (1)", "t (2)"});
  CHECK(distinct_names(Paths{}).empty());
  CHECK(distinct_names(Paths{"/", ""}).size() == 2);
}

TEST_CASE("told apart: random paths get distinct names within their group") {
  const std::string_view parts[] = {"a", "b", "run_1", "run_2", "2026-11-28", "12", "x-y", "1764252732", "__", "t.json.gz", ""};
  for (const std::uint64_t seed : test::seeds(200)) {
    std::mt19937_64 random(seed);
    std::vector<std::string> paths(1 + random() % 6);
    std::vector<std::size_t> group;
    for (std::string& path : paths) {
      for (std::size_t depth = random() % 4 + 1; depth-- > 0;) path += "/" + std::string(parts[random() % std::size(parts)]);
      group.push_back(random() % 2);
    }
    const Paths given(paths.begin(), paths.end());
    const Texts names = distinct_names(given, group);
    REQUIRE(names.size() == paths.size());
    std::set<std::pair<std::size_t, std::string>> seen;
    for (std::size_t p = 0; p < names.size(); ++p) {
      CHECK_FALSE(names[p].empty());
      CHECK_MESSAGE(seen.emplace(group[p], names[p]).second, "seed ", seed, ": ", paths[p], " is ", names[p], ", as is another");
    }
  }
}

}  // namespace tv
