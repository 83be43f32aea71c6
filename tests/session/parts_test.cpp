// Files that together exceed memory are read one by one and mapped, with the same result as all at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/session/held/segment_cache.h"
#include "core/session/load/load_job.h"
#include "core/session/load/segment_groups.h"
#include "core/session/records/load_args.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr std::size_t kRanks = 5, kBytesOfRank = 1 << 20;
constexpr std::uint64_t kLimit = 3 << 20;  // bytes of memory: enough for two of them

std::string rank_trace(std::size_t rank, std::int64_t begin_us) {
  const std::string pid = "\"pid\":" + std::to_string(100 + rank);
  std::string text = R"({"distributedInfo":{"rank":)" + std::to_string(rank) + R"(},"traceEvents":[)";
  for (std::int64_t n = 0; text.size() < kBytesOfRank; ++n) {
    std::string one = event("op" + std::to_string(n % 100), begin_us + 10 * n, 5, static_cast<int>(n % 3));
    text += (n > 0 ? ",\n" : "") + one.replace(one.find("\"pid\":1"), 7, pid);
  }
  return text + "]}";
}

struct Ranks {
  TempDir folder, cache;
  std::vector<std::string> paths;

  // The last one may be from another day.
  explicit Ranks(std::int64_t last_us = 0) {
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      const std::string text = rank_trace(rank, rank + 1 == kRanks ? last_us : 0);
      paths.push_back(folder.write("rank" + std::to_string(rank) + ".pt.trace.json", text));
    }
  }
  LoadOptions options(std::uint64_t limit) const {
    LoadOptions options;
    options.progressive = false;
    options.memory_limit = limit;
    options.cache.folder = cache.path("traces");
    options.cache.program = "test";
    options.cache.least_bytes = 0;
    return options;
  }
  std::vector<std::string> parts() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(cache.path("traces"))) {
      if (entry.path().extension() == ".tvx") names.push_back(entry.path().string());
    }
    return names;
  }
};

struct Loaded {
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const TooLarge> too_large;
  bool nothing_read = false;
};

Loaded load(const std::vector<std::string>& paths, const LoadOptions& options) {
  Loaded out;
  LoadJob job(paths, test_pool(), options, [&](std::shared_ptr<const Snapshot> snapshot) { out.snapshot = std::move(snapshot); });
  job.wait();
  out.too_large = job.too_large();
  out.nothing_read = job.times().nothing_read;
  return out;
}

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("parts: ranks that together exceed memory are read one by one, with the same result") {
  const Ranks ranks;
  const auto at_once = load_snapshot(ranks.paths, test_pool())->trace;
  const Loaded first = load(ranks.paths, ranks.options(kLimit));
  REQUIRE(first.snapshot);
  CHECK(!first.too_large);
  CHECK(!first.nothing_read);
  CHECK(trace_text(*first.snapshot->trace) == trace_text(*at_once));
  REQUIRE(first.snapshot->trace->parts.size() == kRanks);
  for (const ViewPart& part : first.snapshot->trace->parts) CHECK(part.segment->columns_are == ColumnsAre::Unchecked);
  CHECK(ranks.parts().size() == kRanks);
  const SliceId last = id_at<SliceId>(first.snapshot->trace->items() - 1);
  const ItemRef ref = first.snapshot->trace->ref_of(last);
  CHECK(load_args(first.snapshot->trace->sources[idx(ref.source())], ref).ok());

  const Loaded again = load(ranks.paths, ranks.options(kLimit));
  CHECK(again.nothing_read);
  CHECK(trace_text(*again.snapshot->trace) == trace_text(*at_once));

  // One file changes.
  std::ofstream(ranks.paths[2]) << R"({"distributedInfo":{"rank":2},"traceEvents":[)" << event("new", 5, 5) << "]}";
  const Loaded changed = load(ranks.paths, ranks.options(kLimit));
  CHECK(!changed.too_large);
  CHECK(sorted_trace_text(*changed.snapshot->trace) == sorted_trace_text(*load_snapshot(ranks.paths, test_pool())->trace));
}

TEST_CASE("parts: logs opened with ranks that exceed memory give the same result, and are cached with them") {
  Ranks ranks;
  ranks.paths.clear();
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    ranks.paths.push_back(ranks.folder.write("r" + std::to_string(rank) + ".pt.trace.json", rank_trace(rank, 1'772'700'000'000'000)));
  }
  const auto fixture = [&](const std::string& name, const std::string& as) {
    std::filesystem::copy_file(source_dir() + std::string("/tests/fixtures") + name, ranks.folder.path(as));
    ranks.paths.push_back(ranks.folder.path(as));
  };
  fixture("/megatron_log/gap.log", "megatron.log");
  fixture("/verl_console/plain.log", "verl.log");
  const auto at_once = [&] { return sorted_trace_text(*load_snapshot(ranks.paths, test_pool())->trace); };
  const Loaded first = load(ranks.paths, ranks.options(kLimit));
  REQUIRE(first.snapshot);
  CHECK(!first.too_large);
  CHECK(!first.nothing_read);
  CHECK(first_difference(at_once(), sorted_trace_text(*first.snapshot->trace)) == "");
  CHECK(first.snapshot->trace->parts.size() == kRanks + 2);
  CHECK(ranks.parts().size() == kRanks + 2);
  const Loaded again = load(ranks.paths, ranks.options(kLimit));
  CHECK(again.nothing_read);
  CHECK(first_difference(at_once(), sorted_trace_text(*again.snapshot->trace)) == "");
  // The same parts are used when everything fits into memory.
  CHECK(load(ranks.paths, ranks.options(0)).nothing_read);
  // When a file that affects the logs changes, they are read again with it.
  std::ofstream(ranks.paths[2]) << R"({"distributedInfo":{"rank":2},"traceEvents":[)" << event("new", 1'772'700'000'000'000, 5) << "]}";
  const Loaded changed = load(ranks.paths, ranks.options(kLimit));
  CHECK(!changed.nothing_read);
  CHECK(first_difference(at_once(), sorted_trace_text(*changed.snapshot->trace)) == "");
}

TEST_CASE("parts: runs that together exceed memory are aligned, and the cached parts serve any other alignment") {
  const Ranks ranks(86'400'000'000);
  const auto aligned = [&](AlignChoice align, bool read) {
    LoadOptions options = ranks.options(kLimit);
    options.align = align;
    const Loaded loaded = load(ranks.paths, options);
    CHECK(!loaded.too_large);
    CHECK(loaded.nothing_read == !read);
    REQUIRE(loaded.snapshot);
    LoadOptions all;
    all.align = align;
    const auto at_once = load_snapshot(ranks.paths, test_pool(), all)->trace;
    CHECK(trace_text(*loaded.snapshot->trace) == trace_text(*at_once));
    CHECK(loaded.snapshot->trace->align == align.value_or(Align::Fold));
    CHECK(loaded.snapshot->trace->sources.back().aligned == at_once->sources.back().aligned);
  };
  aligned(Align::Fold, true);
  aligned(Align::Zero, false);
  aligned({}, false);
  CHECK(ranks.parts().size() == kRanks);
}

TEST_CASE("parts: snapshots show what has been read so far") {
  const Ranks ranks;
  LoadOptions options = ranks.options(kLimit);
  options.progressive = true;
  std::vector<std::shared_ptr<const Snapshot>> pictures;
  LoadJob job(ranks.paths, test_pool(), options,
              [&](std::shared_ptr<const Snapshot> snapshot) { pictures.push_back(std::move(snapshot)); });
  job.wait();
  // Snapshots from before memory ran out have one segment with everything read so far.
  std::erase_if(pictures, [](const auto& picture) { return segments_of(picture->trace).front()->columns_are != ColumnsAre::Unchecked; });
  REQUIRE(pictures.size() > 1);
  CHECK(pictures.size() <= kRanks);
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    CHECK(pictures[p]->complete == (p + 1 == pictures.size()));
    if (p > 0) CHECK(pictures[p]->trace->items() > pictures[p - 1]->trace->items());
    REQUIRE(pictures[p]->index->segments().size() == pictures[p]->trace->parts.size());
  }
  CHECK(pictures.back()->trace->parts.size() == kRanks);
  CHECK(trace_text(*pictures.back()->trace) == trace_text(*load_snapshot(ranks.paths, test_pool())->trace));
}

TEST_CASE("parts: of ranks that were opened before, a changed one is read again and the others are mapped") {
  const Ranks ranks;
  const auto columns = [](const Trace& trace) {
    std::string all;
    for (const ViewPart& part : trace.parts) {
      all += part.segment->columns_are == ColumnsAre::Own ? 'o' : part.segment->columns_are == ColumnsAre::Mapped ? 'm' : 'b';
    }
    return all;
  };
  const Loaded first = load(ranks.paths, ranks.options(0));
  CHECK(columns(*first.snapshot->trace) == "ooooo");
  CHECK(ranks.parts().size() == kRanks);
  const Loaded again = load(ranks.paths, ranks.options(0));
  CHECK(again.nothing_read);
  CHECK(columns(*again.snapshot->trace) == "mmmmm");
  CHECK(trace_text(*again.snapshot->trace) == trace_text(*first.snapshot->trace));
  std::ofstream(ranks.paths[3]) << R"({"distributedInfo":{"rank":3},"traceEvents":[)" << event("new", 5, 5, 77) << "]}";
  const Loaded changed = load(ranks.paths, ranks.options(0));
  std::string of_parts = columns(*changed.snapshot->trace);
  std::ranges::sort(of_parts);
  CHECK(of_parts == "mmmmo");
  CHECK(sorted_trace_text(*changed.snapshot->trace) == sorted_trace_text(*load_snapshot(ranks.paths, test_pool())->trace));
  // A subset of them is mapped, too.
  CHECK(columns(*load({ranks.paths[0], ranks.paths[3]}, ranks.options(0)).snapshot->trace) == "mm");
}

TEST_CASE("parts: files of one process that were cached with others come from the cache when opened together") {
  const TempDir folder;
  const auto write = [&](const std::string& name, int pid, const std::string& event_name) {
    std::string text = "[" + event(event_name, 10, 5) + "]";
    return folder.write(name, text.replace(text.find("\"pid\":1"), 7, "\"pid\":" + std::to_string(pid)));
  };
  const std::string a = write("a.json", 1, "a"), b = write("b.json", 1, "b"), c = write("c.json", 3, "c"), d = write("d.json", 4, "d");
  LoadOptions options;
  options.cache = {folder.path("cache"), "test", true, 1ULL << 30, 0};
  REQUIRE(load({a, c}, options).snapshot->trace->parts.size() == 2);
  REQUIRE(load({b, d}, options).snapshot->trace->parts.size() == 2);
  REQUIRE(load({a, c}, options).nothing_read);
  for (const std::vector<std::string>& paths : {std::vector{a, b}, std::vector{a, b, c, d}}) {
    const Loaded loaded = load(paths, options);
    CHECK(loaded.nothing_read);
    CHECK(trace_text(*loaded.snapshot->trace) == trace_text(*load_snapshot(paths, test_pool())->trace));
  }
}

TEST_CASE("parts: a load without a cache, or of a file that is too large alone, is reported as too large") {
  const Ranks ranks;
  LoadOptions none = ranks.options(kLimit);
  none.cache.folder.clear();
  CHECK(load(ranks.paths, none).too_large);
  const Loaded loaded = load(ranks.paths, ranks.options(1 << 20));
  REQUIRE(loaded.too_large);
  REQUIRE(loaded.snapshot);
  std::size_t rejected = 0;
  for (const SourceInfo& source : loaded.snapshot->trace->sources) rejected += source.state == SourceState::Rejected && !source.reason.empty();
  CHECK(rejected == kRanks);
}

TEST_CASE("parts: cached parts are used by the same program only, and a missing part is made again") {
  const Ranks ranks;
  REQUIRE(load(ranks.paths, ranks.options(kLimit)).snapshot);
  LoadOptions other = ranks.options(kLimit);
  other.cache.program = "another";
  CHECK(!load(ranks.paths, other).nothing_read);
  std::filesystem::remove(ranks.parts().front());
  const Loaded loaded = load(ranks.paths, ranks.options(kLimit));
  CHECK(!loaded.too_large);
  CHECK(ranks.parts().size() == kRanks);
}

TEST_SUITE_END();
