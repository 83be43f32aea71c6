#include "core/export/parts/record_args.h"

#include <doctest/doctest.h>

#include "core/read/registry.h"
#include "tests/export/exported.h"
#include "tests/support/places.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("record args: a row that a database no longer has cannot be read, and its neighbours still can") {
  const auto trace = load_snapshot({source_dir() + "/tests/fixtures/nsys_sqlite/small.sqlite"}, test_pool())->trace;
  RecordBlocks blocks(*trace, {}, test_pool());
  const auto block = blocks.next();
  REQUIRE(block);
  REQUIRE(block->records);
  TraceSketch elsewhere;  // its last slice refers to row 1000 of the first table, which has only a few rows
  for (int n = 0; n < 1'000; ++n) elsewhere.slice("t", 2 * n, 1);
  const auto gone = elsewhere.build();
  REQUIRE(gone->slices.ref[999].offset() == 1'000);
  RecordArgs args;
  CHECK(args.read(*trace, *block, block->slices.front()).readable);
  const RecordFacts facts = args.read(*gone, *block, id_at<SliceId>(999));
  CHECK(!facts.readable);
  CHECK(facts.args.empty());
  CHECK(args.read(*trace, *block, block->slices.back()).args.starts_with('{'));
}
