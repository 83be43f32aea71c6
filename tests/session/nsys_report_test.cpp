// Nsight Systems reports, exported by a fake nsys (a shell script) and loaded, and their records, read from the file, the export
// or a packed trace.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "core/io/written/user_folders.h"
#include "core/read/registry.h"
#include "core/session/held/index_cache.h"
#include "core/session/load/load_job.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/records/load_args.h"
#include "core/session/records/record_search.h"
#include "core/session/records/source_records.h"
#include "tests/session/trace_files.h"
#include "tests/support/fake_nsys.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

std::string fixture() { return source_dir() + "/tests/fixtures/nsys_sqlite/small.sqlite"; }

// A report, and a fake nsys that exports the fixture.
struct Report {
  TempDir folder;
  std::string report = folder.write("logs/small.nsys-rep", fake_report());
  LoadOptions options;

  explicit Report(std::string_view does = {}) {
    const std::string copy = "printf '[50%%]\\r'; cp '" + fixture() + "' \"$out\"";
    options.tools = {write_fake_nsys(folder, does.empty() ? copy : does), folder.path("cache/nsys")};
    options.cache = {folder.path("cache"), "this program", true, 1ULL << 30, 0};
  }
  std::shared_ptr<const Trace> load() { return load_snapshot({folder.path("logs")}, test_pool(), options)->trace; }
};

std::string value_of(const Result<ArgTree>& tree, std::string_view key) {
  REQUIRE(tree.ok());
  const ArgNode* const node = tree.value().find(key);
  return node ? node->value : "(none)";
}

std::vector<SliceId> found(const std::shared_ptr<const Trace>& trace, std::string text) {
  RecordSearch search(trace, std::move(text), test_pool(), {});
  search.wait();
  CHECK(search.hits()->problems.empty());
  return search.hits()->slices;
}

// Replaces the folder in which the program unpacks files.
class CacheHome {
 public:
  CacheHome() : before_(std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "") {
    ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  ~CacheHome() {
    before_.empty() ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", before_.c_str(), 1);
  }

 private:
  TempDir folder_;
  std::string before_;
};

}  // namespace

TEST_CASE("nsys_report: a report of an excluded rank is read only far enough to learn its rank") {
  const auto source_with = [](LoadChoice choice) {
    LoadOptions options;
    options.choice = std::move(choice);
    return load_snapshot({fixture()}, test_pool(), options)->trace->sources.at(0);
  };
  LoadChoice own, another;
  own.ranks = {{3, 3}};
  another.ranks = {{0, 2}};
  const SourceInfo shown = source_with(own), left_out = source_with(another);
  CHECK(shown.state == SourceState::Ready);
  CHECK(shown.rank == 3);
  CHECK(shown.role == "actor");
  CHECK(left_out.state == SourceState::LeftOut);
  CHECK(left_out.rank == 3);
  CHECK(left_out.role.empty());  // only its ranges tell the role, and they are most of the file
}

TEST_CASE("nsys_report: a report shows the same trace as its export, with its version and the export's path") {
  Report report;
  const auto trace = report.load();
  REQUIRE(trace->sources.size() == 1);
  const SourceInfo& source = trace->sources[0];
  CHECK(source.state == SourceState::Ready);
  CHECK(source.reason == "");
  CHECK(source.format == "nsys_report");
  CHECK(source.path == report.report);
  CHECK(fs::path(source.database).parent_path() == report.options.tools.exports);
  const auto has_version = [](const SourceFact& fact) { return fact.what == "version" && fact.value == "2025.5.1.121"; };
  CHECK(std::ranges::any_of(source.facts, has_version));
  const auto direct = load_snapshot({fixture()}, test_pool())->trace;
  CHECK(trace_text(*trace) == trace_text(*direct));
}

TEST_CASE("nsys_report: a cached trace refers to its export, and is not used once the export is gone") {
  Report report;
  const auto first = report.load();
  const auto again = report.load();
  CHECK(nsys_calls(report.folder).find('\n') == nsys_calls(report.folder).size() - 1);  // one call
  REQUIRE(again->sources.size() == 1);
  CHECK(again->sources[0].database == first->sources[0].database);
  CHECK(again->sources[0].facts == first->sources[0].facts);
  fs::remove(first->sources[0].database);
  const auto third = report.load();
  CHECK(third->sources[0].state == SourceState::Ready);
  CHECK(fs::exists(third->sources[0].database));
}

TEST_CASE("nsys_report: of a report and its own export only the export is shown") {
  Report report;
  fs::copy_file(fixture(), report.folder.path("logs/small.sqlite"));
  const auto trace = report.load();
  REQUIRE(trace->sources.size() == 2);
  for (const SourceInfo& source : trace->sources) {
    const bool is_report = source.format == "nsys_report";
    CHECK(source.state == (is_report ? SourceState::LeftOut : SourceState::Ready));
    CHECK(source.reason.empty() != is_report);
  }
  CHECK(nsys_calls(report.folder).empty());
}

TEST_CASE("nsys_report: a report and the export of an earlier report are both shown") {
  Report report;
  const std::string exported = report.folder.path("logs/small.sqlite");
  fs::copy_file(fixture(), exported);
  fs::last_write_time(exported, fs::last_write_time(exported) - std::chrono::hours(1));
  const auto trace = report.load();
  REQUIRE(trace->sources.size() == 2);
  for (const SourceInfo& source : trace->sources) CHECK(source.state == SourceState::Ready);
}

TEST_CASE("nsys_report: a report that cannot be exported is rejected with the reason, and other files are still read") {
  Report report("echo 'no licence'; exit 1");
  report.folder.write("logs/a.json", "[" + event("a", 0, 5) + "]");
  const auto trace = report.load();
  REQUIRE(trace->sources.size() == 2);
  CHECK(trace->sources[0].state == SourceState::Ready);
  CHECK(trace->sources[1].state == SourceState::Rejected);
  CHECK(trace->sources[1].reason.find("ended with 1: no licence") != std::string::npos);
  CHECK(trace->sources[1].reason.find("nsys export --type sqlite -o small.sqlite small.nsys-rep") != std::string::npos);
}

TEST_CASE("nsys_report: records of a file, of an export and of a packed trace are the same") {
  const CacheHome home;
  Report report;
  const auto direct = load_snapshot({fixture()}, test_pool())->trace;
  const auto exported = report.load();
  std::atomic<std::uint64_t> done = 0;
  std::vector<std::shared_ptr<const Trace>> traces = {direct, exported};
  for (const auto& trace : {direct, exported}) {
    const std::string path = report.folder.path(std::to_string(traces.size()) + ".tvx");
    REQUIRE(pack_trace(*trace, path, test_pool(), done).ok());
    const auto packed = open_packed(path, test_pool());
    REQUIRE(packed.ok());
    traces.push_back(packed.value().trace);
  }
  for (const auto& trace : traces) {
    const SliceId kernel = slice_named(*trace, "void gemm<float>(int, float*)");
    REQUIRE(kernel != kNone<SliceId>);
    const auto args = [&](SliceId id) { return load_args(trace->sources[0], trace->ref_of(id)); };
    CHECK(value_of(args(kernel), "table") == "CUPTI_ACTIVITY_KIND_KERNEL");
    CHECK(value_of(args(kernel), "demangledName") == "void gemm<float>(int, float*)");
    CHECK(value_of(args(kernel), "gridX") == "132");
    CHECK(value_of(args(slice_named(*trace, "Memcpy HtoD (Pinned -> Device)")), "bytes") == "4096");
    CHECK(found(trace, "\"bytes\": 4096") == std::vector<SliceId>{slice_named(*trace, "Memcpy HtoD (Pinned -> Device)")});
    CHECK(found(trace, "no such text").empty());
    CHECK(found(trace, "\"table\": ").size() == trace->slice_count);
  }
}

TEST_CASE("nsys_report: a database unpacked from a packed trace counts as used, and is unpacked again if it was removed") {
  const CacheHome home;
  const TempDir folder;
  const auto trace = load_snapshot({packed({fixture()}, folder.path("a.tvx"))}, test_pool())->trace;
  const SourceInfo& source = trace->sources[0];
  const ItemRef kernel = trace->ref_of(slice_named(*trace, "void gemm<float>(int, float*)"));
  const auto records = SourceRecords::open(*find_reader(source.format), source, SourceRecords::Many::No);
  REQUIRE(records.ok());
  const auto unpacked = cache_entries(cache_folder());
  REQUIRE(unpacked.size() == 1);
  fs::remove(unpacked[0].path);
  SourceRecords::Use first(records.value()), second(records.value());
  CHECK(value_of(first.at(kernel.offset()), "gridX") == "132");
  CHECK(value_of(second.at(kernel.offset()), "gridX") == "132");  // this one opens its own table
  const auto long_ago = fs::last_write_time(unpacked[0].path) - std::chrono::hours(1);
  fs::last_write_time(unpacked[0].path, long_ago);
  CHECK(value_of(load_args(source, kernel), "gridX") == "132");
  CHECK(fs::last_write_time(unpacked[0].path) > long_ago);
}

TEST_CASE("nsys_report: records of a missing export or a changed database give an error") {
  Report report;
  const auto trace = report.load();
  fs::remove(trace->sources[0].database);
  CHECK_FALSE(load_args(trace->sources[0], trace->slices.ref[0]).ok());
  const std::string copy = report.folder.path("copy.sqlite");
  fs::copy_file(fixture(), copy);
  const auto direct = load_snapshot({copy}, test_pool())->trace;
  report.folder.append("copy.sqlite", "more");
  const auto args = load_args(direct->sources[0], direct->slices.ref[0]);
  REQUIRE_FALSE(args.ok());
  CHECK(args.error().message.find("has changed") != std::string::npos);
}

TEST_SUITE_BEGIN("nsys_report: concurrent");

TEST_CASE("nsys_report: a load can be cancelled while nsys hangs") {
  Report report("printf '[ 7%%]\\r'; trap '' TERM; sleep 3600");
  std::shared_ptr<const Snapshot> snapshot;
  LoadJob job({report.report}, test_pool(), report.options, [&](auto shown) { snapshot = std::move(shown); });
  wait_until([&] { return job.status().bytes_done > 0; });
  CHECK(job.status().bytes_done < job.status().bytes_total);
  job.cancel();
  job.wait();
  CHECK(job.status().stage == LoadStatus::Stage::Cancelled);
  CHECK(fs::is_empty(report.options.tools.exports));
}

TEST_SUITE_END();
