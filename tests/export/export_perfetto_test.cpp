#include "core/export/export_perfetto.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/export/record_args.h"
#include "core/read/registry.h"
#include "core/session/source_records.h"
#include "tests/export/exported.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Trace> perfetto_again(const TempDir& folder, const std::string& bytes) {
  return load_snapshot({folder.write("exported.pftrace", bytes)}, test_pool())->trace;
}

// Packing may put groups of a lane into other slots; names, times and self times are the same.
std::vector<std::string> without_rows(std::vector<std::string> lines) {
  for (std::string& line : lines) {
    const std::size_t row = line.find("\"row\":");
    if (row != std::string::npos) line.erase(row, line.find(',', row) - row + 1);
  }
  std::ranges::sort(lines);
  return lines;
}

bool unfinished(const Trace& trace) {
  return std::ranges::any_of(trace.slices.ref, [](ItemRef ref) { return ref.is(kUnfinished); });
}

}  // namespace

TEST_CASE("perfetto export: what is read again is what was exported, for every fixture") {
  int compared = 0;
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const auto trace = load_snapshot(fixture.files, test_pool())->trace;
    if (trace->slices.size() == 0 || unfinished(*trace)) continue;
    const TempDir folder;
    const Exported out = exported(*trace, {}, export_perfetto);
    const auto again = perfetto_again(folder, out.text);
    REQUIRE(again->sources.size() == 1);
    CHECK(again->sources.front().format == "perfetto");
    CHECK(without_rows(dump_of(*again)) == without_rows(dump_of(*trace)));
    CHECK(lanes_of(*again) == lanes_of(*trace));
    CHECK(again->sources.front().problems.count(ProblemKind::unsupported_phase) == 0);
    CHECK(again->lost() == 0);
    ++compared;
  }
  CHECK(compared > 40);
}

TEST_CASE("perfetto export: generated traces of every shape come back") {
  for (const std::uint64_t seed : seeds(90)) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    const TempDir folder;
    const Exported out = exported(*trace, {}, export_perfetto);
    const auto again = perfetto_again(folder, out.text);
    CHECK(again->slice_count == trace->slice_count);
    CHECK(again->flows.size() == trace->flows.size());
    if (unfinished(*trace)) continue;
    CHECK(without_rows(dump_of(*again)) == without_rows(dump_of(*trace)));
    CHECK(lanes_of(*again) == lanes_of(*trace));
  }
}
