#include "core/session/records/record_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/session/load/load_job.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/records/load_args.h"
#include "core/session/records/record_index.h"
#include "core/session/workspace/session.h"
#include "tests/io/archives.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const RecordHits> search(std::shared_ptr<const Trace> trace, const std::string& text) {
  RecordSearch job(std::move(trace), text, test_pool(), [] {});
  job.wait();
  CHECK(job.hits()->complete);
  return job.hits();
}

// Each record as the details panel shows it. A record shared by two slices belongs to the last one.
std::vector<std::pair<SliceId, std::string>> texts_of_records(const Trace& trace) {
  std::map<std::pair<SourceId, std::uint64_t>, SliceId> of_record;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const ItemRef ref = trace.slices.ref[i];
    of_record.insert_or_assign({ref.source(), ref.offset()}, id_at<SliceId>(i));
  }
  std::vector<std::pair<SliceId, std::string>> out;
  for (const auto& [record, slice] : of_record) {
    const ItemRef ref = trace.ref_of(slice);
    if (auto args = load_args(trace.sources[idx(ref.source())], ref)) out.emplace_back(slice, std::move(args.value().text));
  }
  return out;
}

std::set<SliceId> naive(const std::vector<std::pair<SliceId, std::string>>& records, std::string_view text) {
  std::set<SliceId> found;
  for (const auto& [slice, record] : records) {
    if (record.find(text) != record.npos) found.insert(slice);
  }
  return found;
}

bool ordered(const Trace& trace, const std::vector<SliceId>& slices) {
  return std::ranges::is_sorted(slices, {}, [&](SliceId s) { return std::tuple(trace.begin_of(s), s); });
}

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("record_search: finds the same slices as a scan of each record, in every format") {
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const auto trace = load_snapshot({fixture.path}, test_pool())->trace;
    const auto records = texts_of_records(*trace);
    for (const char* text : {"\"", "ph", "a", "_", "request_id", "no such thing", "\"ts\"", "1", "}"}) {
      CAPTURE(text);
      const auto hits = search(trace, text);
      CHECK(std::set(hits->slices.begin(), hits->slices.end()) == naive(records, text));
      CHECK(ordered(*trace, hits->slices));
    }
  }
}

TEST_CASE("record_search: finds records across block and window boundaries in plain, gzipped and packed files") {
  const TempDir folder;
  // Records of all lengths, some longer than a window; "needle" at every distance from their ends.
  std::string text = "[";
  std::set<std::string> with_needle;
  Random random(1);
  for (int i = 0; text.size() < 9 << 20; ++i) {
    const auto length = static_cast<std::size_t>(random.chance(0.01) ? random.in(200'000, 400'000) : random.in(0, 2000));
    std::string filler(length, 'x');
    const bool has = random.chance(0.9);
    if (has) filler.insert(static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(length))), "needle");
    const std::string name = "op" + std::to_string(i);
    if (has) with_needle.insert(name);
    text += (i ? ",\n" : "") + std::string(R"({"ph":"X","name":")") + name + R"(","ts":)" + std::to_string(i) +
            R"(,"dur":1,"args":{"text":")" + filler + R"("}})";
    if (random.chance(0.1)) text += R"(,{"ph":"M","name":"process_name","pid":1,"args":{"name":"needle"}})";
  }
  text += "]";
  const auto check = [&](const std::string& path) {
    CAPTURE(path);
    const auto trace = load_snapshot({path}, test_pool())->trace;
    const auto hits = search(trace, "needle");
    std::set<std::string> found;
    for (const SliceId slice : hits->slices) found.insert(name_of(*trace, slice));
    CHECK(found == with_needle);
    CHECK(hits->slices.size() == with_needle.size());
    CHECK(hits->bytes == text.size());
    return trace;
  };
  const auto plain = check(folder.write("t.json", text));
  check(folder.write("t.json.gz", gzipped(text)));
  std::atomic<std::uint64_t> done = 0;
  REQUIRE(pack_trace(*plain, folder.path("t.tvx"), test_pool(), done).ok());
  check(folder.path("t.tvx"));
}

TEST_CASE("record_search: finds a hit that spans two windows") {
  constexpr std::size_t kWindow = 256 << 10;  // for a text with random access
  const TempDir folder;
  std::string text = "[";
  std::size_t borders = 0;
  for (int i = 0; text.size() < 5 * kWindow; ++i) {
    text += (i ? ",\n" : "") + std::string(R"({"ph":"X","name":"op","ts":)") + std::to_string(i) + R"(,"dur":1,"args":{"text":")";
    const std::size_t left = kWindow - text.size() % kWindow;
    if (left > 10 && left < 2000) {
      text += std::string(left - 3, 'x') + "needle";
      ++borders;
    } else {
      text += std::string(1500, 'x');
    }
    text += R"("}})";
  }
  text += "]";
  const auto trace = load_snapshot({folder.write("t.json", text)}, test_pool())->trace;
  CHECK(borders >= 4);
  CHECK(search(trace, "needle")->slices.size() == borders);
}

TEST_CASE("record_search: a changed file is reported, and the others are searched") {
  const TempDir folder;
  folder.write("a.json", "[" + event("needle", 1, 5) + "]");
  folder.write("b.json", "[" + event("needle", 1, 5) + "]");
  const auto trace = load_snapshot({folder.path()}, test_pool())->trace;
  folder.append("a.json", " ");
  const auto hits = search(trace, "needle");
  CHECK(hits->slices.size() == 1);
  REQUIRE(hits->problems.size() == 1);
  CHECK(hits->problems[0].find("has changed") != std::string::npos);
}

TEST_CASE("record_index: finds the same last record before a byte as a scan of all records") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    const RecordIndex index(*trace, test_pool());
    const auto all = index.slices_of(SourceId{0});
    CHECK(all.size() == trace->slices.size());
    CHECK(std::ranges::is_sorted(all, {}, [&](SliceId id) { return trace->ref_of(id).offset(); }));
    Random random(seed);
    for (int i = 0; i < 50; ++i) {
      const auto at = static_cast<std::uint64_t>(random.in(0, 200'000));
      std::optional<std::uint64_t> best;
      for (const ItemRef ref : trace->slices.ref) {
        if (ref.offset() <= at && (!best || ref.offset() > *best)) best = ref.offset();
      }
      const auto found = index.before(*trace, SourceId{0}, at);
      REQUIRE(found.has_value() == best.has_value());
      if (found) CHECK(trace->ref_of(*found).offset() == *best);
    }
  }
}

TEST_CASE("session: the last record search counts, and an empty one clears the hits") {
  const TempDir folder;
  Session session(test_pool(), [] {});
  session.open({folder.write("a.json", "[" + event("needle", 1, 5) + "]")});
  wait_until([&] { return !session.busy(); });
  CHECK(session.record_hits() == nullptr);
  for (int i = 0; i < 20; ++i) session.search_records(*session.snapshot(), i % 2 ? "needle" : "other");
  wait_until([&] { return !session.busy(); });
  CHECK(session.record_hits()->slices.size() == 1);
  session.search_records(*session.snapshot(), "");
  CHECK(session.record_hits() == nullptr);
}

TEST_SUITE_END();
