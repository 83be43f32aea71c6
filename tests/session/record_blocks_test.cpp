// Records of chosen slices in one pass over a text: far apart, close together, at the ends of windows.
#include "core/session/records/record_blocks.h"

#include <doctest/doctest.h>

#include <set>

#include "core/session/load/load_job.h"
#include "core/session/records/load_args.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// Checks that each chosen slice comes once and in file order, with the same record as when it is read alone.
void check_records(const Trace& trace, const std::set<SliceId>& chosen) {
  RecordBlocks blocks(trace, [&](SliceId id) { return chosen.contains(id); }, test_pool());
  std::set<SliceId> seen;
  std::uint64_t before = 0;
  while (const auto block = blocks.next()) {
    for (const SliceId id : block->slices) {
      const ItemRef ref = trace.ref_of(id);
      CHECK(seen.insert(id).second);
      CHECK(ref.offset() >= before);
      before = ref.offset();
      const std::string_view text = block->from(trace, id);
      const auto record = load_args(trace.sources[idx(ref.source())], ref);
      REQUIRE(record.ok());
      CHECK(text.substr(0, record.value().text.size()) == record.value().text);
    }
  }
  CHECK(seen == chosen);
  CHECK(blocks.problems().empty());
}

}  // namespace

TEST_CASE("record_blocks: reading continues correctly after a stretch without chosen records") {
  const TempDir folder;
  const auto trace = load_snapshot({folder.write("a.json", long_trace(6 << 20))}, test_pool())->trace;
  const auto first_at = [&](std::uint64_t least) {
    SliceId found = kNone<SliceId>;
    std::uint64_t nearest = UINT64_MAX;
    for (std::size_t i = 0; i < trace->slices.size(); ++i) {
      const std::uint64_t offset = trace->slices.ref[i].offset();
      if (offset < least || offset >= nearest) continue;
      nearest = offset;
      found = id_at<SliceId>(i);
    }
    return found;
  };
  constexpr std::uint64_t kMiB = 1 << 20;
  // From 0 across more than a window to 3 MiB, then into the next window.
  check_records(*trace, {first_at(0), first_at(3 * kMiB), first_at(4 * kMiB + kMiB / 2)});
  // Neighbours, one of which is cut by the end of the window that starts at the first.
  std::set<SliceId> neighbours{first_at(0)};
  for (std::size_t i = 0; i < trace->slices.size(); ++i) {
    const std::uint64_t offset = trace->slices.ref[i].offset();
    if (offset >= 3 * kMiB && offset < 5 * kMiB) neighbours.insert(id_at<SliceId>(i));
  }
  std::size_t n = 0;
  std::erase_if(neighbours, [&](SliceId) { return ++n % 50 != 1; });
  check_records(*trace, neighbours);
}
