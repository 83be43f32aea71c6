#include "core/session/packed/packed_trace.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "core/base/text/path_parts.h"
#include "core/io/tables/section_file.h"
#include "core/session/load/load_job.h"
#include "core/session/load/packed_traces.h"
#include "core/session/records/load_args.h"
#include "core/store/logs/table_bytes.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

PackTotals pack(const Trace& trace, const std::string& path) {
  std::atomic<std::uint64_t> done = 0;
  const auto totals = pack_trace(trace, path, test_pool(), done);
  REQUIRE_MESSAGE(totals.ok(), totals.error().text());
  CHECK(done == totals.value().text_bytes);
  return totals.value();
}

}  // namespace

TEST_CASE("packed_trace: opens without the files it was made from, with the same trace and records") {
  for (const std::string_view format : {"chrome_json", "verl_rollout", "paddle_log"}) {
    const TempDir folder;
    const std::string logs = folder.path("logs"), path = folder.path("exp.tvx");
    std::filesystem::copy(fixtures_folder() + "/" + std::string(format), logs, std::filesystem::copy_options::recursive);
    const auto before = load_snapshot({logs}, test_pool())->trace;
    const auto records_of = [](const Trace& trace) {
      std::vector<std::string> records;
      for (const Row& row : trace.rows) {
        for (const SliceId slice : trace.ids_of(row)) {
          const ItemRef ref = trace.ref_of(slice);
          const auto args = load_args(trace.sources[idx(ref.source())], ref);
          records.push_back(args ? args.value().text : args.error().message);
        }
      }
      return records;
    };
    const std::vector<std::string> records = records_of(*before);
    pack(*before, path);
    std::filesystem::remove_all(logs);

    const auto after = load_snapshot({path}, test_pool())->trace;
    CHECK(trace_text(*after) == trace_text(*before));
    REQUIRE(records.size() == after->items());
    CHECK(records_of(*after) == records);
  }
}

TEST_CASE("packed_trace: packing a packed trace again gives the same trace") {
  const TempDir folder;
  const auto first = load_snapshot({folder.write("a.json", "[" + event("a", 1, 5) + "]")}, test_pool())->trace;
  pack(*first, folder.path("1.tvx"));
  const auto second = load_snapshot({folder.path("1.tvx")}, test_pool())->trace;
  pack(*second, folder.path("2.tvx"));
  std::filesystem::remove(folder.path("1.tvx"));
  const auto third = load_snapshot({folder.path("2.tvx")}, test_pool())->trace;
  CHECK(trace_text(*third) == trace_text(*first));
  CHECK(load_args(third->sources[0], third->slices.ref[0]).ok());
}

TEST_CASE("packed_trace: a long trace takes less than a tenth of its text") {
  const TempDir folder;
  const auto trace = load_snapshot({folder.write("a.json", long_trace(3 << 20))}, test_pool())->trace;
  const PackTotals totals = pack(*trace, folder.path("a.tvx"));
  CHECK(totals.text_bytes > 3 << 20);
  CHECK(totals.packed_bytes < totals.text_bytes / 10);
  CHECK(totals.packed_bytes == std::filesystem::file_size(folder.path("a.tvx")));
}

TEST_CASE("packed_trace: records far into a large file can be read") {
  const TempDir folder;
  // The text is written in parts of eight blocks for each thread.
  ThreadPool alone(1);
  const std::string text = long_trace(9 << 20);
  REQUIRE(text.size() > 8 * kSectionBlock);
  const auto before = load_snapshot({folder.write("a.json", text)}, test_pool())->trace;
  std::atomic<std::uint64_t> done = 0;
  REQUIRE(pack_trace(*before, folder.path("a.tvx"), alone, done).ok());
  CHECK(done == text.size());
  const auto after = load_snapshot({folder.path("a.tvx")}, test_pool())->trace;
  for (const std::size_t slice : {std::size_t{0}, before->slices.size() / 2, before->slices.size() - 1}) {
    CAPTURE(slice);
    const auto found = load_args(after->sources[0], after->slices.ref[slice]);
    REQUIRE(found.ok());
    CHECK(found.value().text == load_args(before->sources[0], before->slices.ref[slice]).value().text);
  }
}

TEST_CASE("packed_trace: nothing is shown twice when packed traces are opened with their files") {
  const TempDir folder;
  const std::string a = folder.write("a.json", "[" + event("a", 1, 5) + "]"), b = folder.write("b.json", "[" + event("b", 2, 5) + "]");
  const std::string all = folder.path("all.tvx"), packed_a = folder.path("a.tvx"), packed_b = folder.path("b.tvx");
  const auto load = [](std::vector<std::string> paths) { return load_snapshot(paths, test_pool())->trace; };
  pack(*load({a, b}), all);
  pack(*load({a}), packed_a);
  pack(*load({b}), packed_b);
  const auto left_out = [](const Trace& trace) {
    std::string names;
    for (const SourceInfo& source : trace.sources) {
      if (source.state == SourceState::LeftOut) names += std::string(last_part(source.path)) + " ";
    }
    return names;
  };
  CHECK(left_out(*load({a, b, all})) == "all.tvx ");
  CHECK(left_out(*load({a, all})) == "a.json ");
  CHECK(left_out(*load({packed_a, all, b})) == "a.tvx b.json ");
  CHECK(left_out(*load({packed_a, packed_b})).empty());
  CHECK(left_out(*load({packed_a, b})).empty());
  for (const auto& paths : {std::vector{a, b, all}, {a, all}, {packed_a, all, b}, {packed_a, packed_b}, {packed_b, a}, {all}}) {
    const auto trace = load(paths);
    CHECK(trace->slice_count == 2);
    CHECK(check_invariants(*trace) == "");
  }
  // A choice of ranks leaves out packed traces that have only others.
  const std::string r3 = folder.write("rank3.json", "[" + event("c", 1, 5) + "]"), r4 = folder.write("rank4.json", "[" + event("d", 1, 5) + "]");
  for (const auto& [path, name] : {std::pair(r3, "r3.tvx"), std::pair(r4, "r4.tvx")}) pack(*load({path}), folder.path(name));
  LoadOptions third;
  third.choice.ranks = {{3, 3}};
  const auto chosen = load_snapshot({folder.path("r3.tvx"), folder.path("r4.tvx"), packed_a}, test_pool(), third)->trace;
  CHECK(left_out(*chosen) == "r4.tvx ");
  CHECK(chosen->slice_count == 2);  // rank 3's, and those of the file without a rank
  // A clock offset matches the name of a file in a packed trace, or of the packed trace itself.
  for (const char* const name : {"rank3.json", "r3.tvx"}) {
    LoadOptions moved;
    moved.clocks = {{name, -7 * kMillisecond}};
    const auto trace = load_snapshot({folder.path("r3.tvx"), folder.path("r4.tvx")}, test_pool(), moved)->trace;
    for (const SliceId slice : trace->ids()) {
      const bool moves = trace->name_of(slice) == "c";
      CHECK(trace->begin_of(slice) + trace->origin_ns == kMicrosecond - (moves ? 7 * kMillisecond : 0));
    }
  }
  // A file that has changed since it was packed is a different one.
  folder.write("a.json", "[" + event("a", 1, 5) + "," + event("later", 7, 5) + "]");
  CHECK(load({a, packed_a})->slice_count == 3);
}

TEST_CASE("packed_trace: one that is left out stays so when another does not fit into the view") {
  const auto file = [](const char* path) {
    SourceInfo info;
    info.path = path;
    info.state = SourceState::Ready;
    info.modified_ns = 1;
    return info;
  };
  PackedTraces all;
  const auto add = [&](const char* path, const char* packed_file, Ns origin_ns) {
    auto trace = std::make_shared<Trace>();
    trace->sources = {file(packed_file)};
    trace->origin_ns = origin_ns;
    all.add(file(path), {std::move(trace), nullptr}, {});
  };
  add("early.tvx", "a.json", -kFarthestTime);
  add("late.tvx", "b.json", kFarthestTime);
  add("copy.tvx", "a.json", -kFarthestTime);
  all.leave_out_copies({});
  const auto view = all.compose_with({}, PlaceBy::Recorded, {}, {}, Align::Recorded, test_pool());
  REQUIRE(view->sources.size() == 3);
  CHECK(view->sources[0].state == SourceState::Ready);
  CHECK(view->sources[1].path == "late.tvx");
  CHECK(view->sources[1].state == SourceState::Rejected);
  CHECK(view->sources[1].reason.find("too far apart") != std::string::npos);
  CHECK(view->sources[2].path == "copy.tvx");
  CHECK(view->sources[2].state == SourceState::LeftOut);
  CHECK(view->sources[2].reason.find("all that is packed in it is shown") != std::string::npos);
}

TEST_CASE("packed_trace: files with the same name, size and time, as archives give them, are told apart") {
  const TempDir folder;
  std::vector<std::string> files, packed;
  const auto load = [](const std::vector<std::string>& paths) { return load_snapshot(paths, test_pool())->trace; };
  const auto as_from_an_archive = [](const std::string& path) {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type(std::chrono::seconds(1'000'000)));
  };
  for (const int rank : {0, 1}) {
    files.push_back(folder.write(fmt::format("rank{}/trace.json", rank), "[" + event(rank == 0 ? "a" : "b", 1, 5) + "]"));
    as_from_an_archive(files.back());
    packed.push_back(folder.path(fmt::format("r{}.tvx", rank)));
    pack(*load({files.back()}), packed.back());
  }
  CHECK(load(files)->slice_count == 2);
  CHECK(load(packed)->slice_count == 2);
  CHECK(load({packed[0], files[1]})->slice_count == 2);
  CHECK(load({packed[0], files[0]})->slice_count == 1);
  // The run was copied elsewhere.
  const std::string copy = folder.write("elsewhere/rank0/trace.json", read_file(files[0]));
  as_from_an_archive(copy);
  CHECK(load({packed[0], copy})->slice_count == 1);
}

TEST_CASE("packed_trace: a trace that cannot be shown, opened, packed or read gives the reason") {
  const TempDir folder;
  const std::string path = folder.write("a.json", "[" + event("a", 1, 5) + "]");
  const auto trace = load_snapshot({path}, test_pool())->trace;
  pack(*trace, folder.path("a.tvx"));

  SUBCASE("opened with the file that it contains") {
    const auto mixed = load_snapshot({path, folder.path("a.tvx")}, test_pool())->trace;
    CHECK(mixed->slice_count == 1);
    CHECK(mixed->sources[1].state == SourceState::LeftOut);
    CHECK(mixed->sources[1].reason.find("all that is packed in it is shown") != std::string::npos);
  }
  SUBCASE("the file is truncated") {
    const std::string bytes = read_file(folder.path("a.tvx"));
    const auto cut = load_snapshot({folder.write("cut.tvx", bytes.substr(0, bytes.size() - 9))}, test_pool())->trace;
    REQUIRE(cut->sources.size() == 1);
    CHECK(cut->sources[0].state == SourceState::Rejected);
    CHECK(cut->sources[0].reason.find("cut off") != std::string::npos);
  }
  SUBCASE("the file has changed since it was loaded") {
    folder.append("a.json", " ");
    std::atomic<std::uint64_t> done = 0;
    const auto packed = pack_trace(*trace, folder.path("b.tvx"), test_pool(), done);
    REQUIRE(!packed.ok());
    CHECK(packed.error().message.find("has changed") != std::string::npos);
    CHECK(!std::filesystem::exists(folder.path("b.tvx")));
  }
  SUBCASE("the packed trace was replaced") {
    const auto open = load_snapshot({folder.path("a.tvx")}, test_pool())->trace;
    folder.write("a.json", "[" + event("other", 1, 5) + "]");
    pack(*load_snapshot({path}, test_pool())->trace, folder.path("a.tvx"));
    const auto args = load_args(open->sources[0], open->slices.ref[0]);
    REQUIRE(!args.ok());
    CHECK(args.error().remedy.find("read the files again") != std::string::npos);
  }
}
