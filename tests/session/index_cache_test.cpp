#include "core/session/held/index_cache.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "core/io/files/open_stream.h"
#include "core/session/held/segment_cache.h"
#include "core/session/load/load_job.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

// A folder with a trace of two files, and a cache next to it.
class Cached {
 public:
  Cached() {
    write("b.json", "[" + event("b", 20, 5, 7) + "]");
    write("a.json", "[" + event("a", 10, 5) + "," + event("inner", 11, 2) + "]");
  }

  std::string write(std::string_view name, std::string_view text) { return folder_.write("logs/" + std::string(name), text); }
  std::string logs() const { return folder_.path("logs"); }
  std::string cache() const { return folder_.path("cache"); }

  struct Loaded {
    std::shared_ptr<const Trace> trace;
    bool from_cache = false, kept = false;
  };
  Loaded load(const std::function<void(LoadOptions&)>& change = [](LoadOptions&) {}) {
    LoadOptions options;
    options.cache = {cache(), "this program", true, 1ULL << 30, 0};
    change(options);
    Loaded out;
    LoadJob job({logs()}, test_pool(), options, [&](auto snapshot) { out.trace = snapshot->trace; });
    job.wait();
    out.from_cache = job.times().nothing_read;
    out.kept = job.times().cached > 0;
    return out;
  }

 private:
  TempDir folder_;
};

// The entry of a.json; the other one is b.json's.
std::string first_entry(const Cached& files) {
  REQUIRE(cache_entries(files.cache()).size() >= 2);
  return segment_path({files.cache(), {}, true, 0, 0}, "", files.logs() + "/a.json");
}

struct Entry {
  std::shared_ptr<const Trace> segment;
  std::shared_ptr<const SegmentIndex> index;
  std::string path;
};

// A segment of one file.
Entry segment_of(const std::string& file) {
  Trace trace;
  SourceInfo& source = trace.sources.emplace_back();
  source.path = file;
  source.bytes = identity_of(file).value().size;
  source.modified_ns = identity_of(file).value().modified_ns;
  const auto segment = std::make_shared<const Trace>(std::move(trace));
  return {segment, build_index(*segment, test_pool())->segments().front(), file};
}

bool is_found(const CacheOptions& options, const std::string& file) {
  return find_segment(options, "", file, ColumnsAre::Mapped, test_pool()).ok();
}

Result<void> keep(const CacheOptions& options, const Entry& entry, std::stop_token stop = {}) {
  return keep_segment(options, "", *entry.segment, *entry.index, test_pool(), std::move(stop));
}

}  // namespace

TEST_CASE("index_cache: the second load comes from the cache and gives the same trace") {
  Cached files;
  const auto first = files.load();
  CHECK(!first.from_cache);
  CHECK(first.kept);
  CHECK(fs::status(files.cache()).permissions() == fs::perms::owner_all);
  const auto second = files.load();
  CHECK(second.from_cache);
  CHECK(!second.kept);
  CHECK(trace_text(*second.trace) == trace_text(*first.trace));
  CHECK(second.trace->sources[0].path == first.trace->sources[0].path);
  CHECK(second.trace->sources[0].modified_ns == first.trace->sources[0].modified_ns);
}

TEST_CASE("index_cache: a file has one entry, whatever else is open and however runs are aligned") {
  const TempDir folder;
  const auto window = [](int step, std::int64_t at_us) {
    return R"({"distributedInfo":{"rank":0},"traceEvents":[)" + event("ProfilerStep#" + std::to_string(step), at_us, 500) + "]}";
  };
  const auto is_cached = [&](AlignChoice align, const std::string& path) {
    LoadOptions options;
    options.cache = {folder.path("cache"), "this program", true, 1ULL << 30, 0};
    options.align = align;
    LoadJob job({path}, test_pool(), options, [](auto) {});
    job.wait();
    return job.times().nothing_read;
  };
  const std::string all = folder.path("windows"), first = folder.write("windows/host_4242.1.pt.trace.json", window(1, 1'700'000'000'000'000));
  CHECK(!is_cached(Align::Fold, all));
  for (const AlignChoice align : {AlignChoice(), AlignChoice(Align::Recorded), AlignChoice(Align::Zero)}) CHECK(is_cached(align, all));
  const std::string second = folder.write("windows/host_4242.2.pt.trace.json", window(2, 1'700'000'060'000'000));
  CHECK(!is_cached(Align::Recorded, all));
  for (const AlignChoice align : {AlignChoice(), AlignChoice(Align::Zero), AlignChoice(Align::Fold)}) CHECK(is_cached(align, all));
  CHECK(is_cached({}, first));
  CHECK(is_cached({}, second));
  CHECK(cache_entries(folder.path("cache")).size() == 2);
}

TEST_CASE("index_cache: a time window is cached for the same set of files only") {
  Cached files;
  const auto stretch = [](LoadOptions& options) { options.choice.window = TimeRange{0, 12 * kMicrosecond}; };
  const auto first = files.load(stretch);
  CHECK(first.kept);
  const auto second = files.load(stretch);
  CHECK(second.from_cache);
  CHECK(trace_text(*second.trace) == trace_text(*first.trace));
  CHECK(!files.load().from_cache);
  files.write("c.json", "[" + event("c", 2, 5) + "]");  // begins before all others
  const auto third = files.load(stretch);
  CHECK(!third.from_cache);
  CHECK(third.trace->slice_count == 3);  // without b
}

TEST_CASE("index_cache: only the owner can read the cache, even if its folder was open to others before") {
  Cached files;
  fs::create_directories(files.cache());
  fs::permissions(files.cache(), static_cast<fs::perms>(0755));
  files.load();
  CHECK(fs::status(files.cache()).permissions() == fs::perms::owner_all);
  CHECK(fs::status(first_entry(files)).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("index_cache: files are read again after any change") {
  Cached files;
  files.load();
  const std::string as_large = "[" + event("z", 10, 5) + "," + event("inner", 11, 2) + "]";  // as long as a.json
  const auto date_back = [](const std::string& path) {
    const timespec times[2] = {{0, UTIME_OMIT}, {1'000'000'000, 5}};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  };
  SUBCASE("changed content") { files.write("a.json", "[" + event("c", 10, 5) + "]"); }
  SUBCASE("same size, different time") { date_back(files.write("a.json", as_large)); }
  SUBCASE("another file of the same name and size") {
    const std::string other = files.write("other", as_large);
    date_back(other);
    fs::rename(other, files.logs() + "/a.json");
  }
  SUBCASE("one more file") { files.write("c.json", "[" + event("c", 1, 5) + "]"); }
  SUBCASE("a renamed file") { fs::rename(files.logs() + "/b.json", files.logs() + "/c.json"); }
  const auto again = files.load();
  CHECK(!again.from_cache);
  CHECK(again.kept);
  const auto third = files.load();
  CHECK(third.from_cache);
  CHECK(trace_text(*third.trace) == trace_text(*again.trace));
  const auto afresh = files.load([](LoadOptions& options) { options.cache.folder.clear(); });
  CHECK(!afresh.from_cache);
  CHECK(sorted_trace_text(*third.trace) == sorted_trace_text(*afresh.trace));
}

TEST_CASE("index_cache: a file is found whatever other files are open") {
  Cached files;
  files.load();
  fs::remove(files.logs() + "/b.json");
  const auto less = files.load();
  CHECK(less.from_cache);
  CHECK(less.trace->slice_count == 2);
  files.write("notes.txt", "nothing to show");
  CHECK(files.load().trace->sources.size() == 2);
  CHECK(files.load().from_cache);
}

TEST_CASE("index_cache: a file of unknown format does not prevent loading from the cache") {
  const TempDir folder;
  folder.write("run/profile_record_tmp_file_for_rank_0", std::string("\x01\x02\x00\xff", 4));  // of an unknown format
  folder.write("run/pipeline_profile.json", "[" + event("a", 10, 5) + "]");
  LoadOptions options;
  options.cache = {folder.path("cache"), "this program", true, 1ULL << 30, 0};
  for (const bool kept : {false, true}) {
    CAPTURE(kept);
    std::shared_ptr<const Trace> trace;
    LoadJob job({folder.path("run")}, test_pool(), options, [&](auto snapshot) { trace = snapshot->trace; });
    job.wait();
    CHECK(job.times().nothing_read == kept);
    CHECK(trace->slice_count == 1);
    CHECK(trace->sources.size() == 2);
  }
}

TEST_CASE("index_cache: logs are found in the cache despite a file that is not read") {
  const TempDir folder;
  for (int step = 1; step <= 2; ++step) {
    folder.write(fmt::format("run/step_{}/worker_0.jsonl", step),
                 fmt::format("{{\"timestamp\": \"2026-07-27T10:00:{:02}.000000\", \"event\": \"total_step_duration\", \"duration_sec\": 2, "
                             "\"workid\": 0, \"step\": {}}}\n",
                             10 * step, step));
  }
  folder.write("run/notes.txt", "nothing to show");
  LoadOptions options;
  options.cache = {folder.path("cache"), "this program", true, 1ULL << 30, 0};
  for (const bool kept : {false, true}) {
    LoadJob job({folder.path("run")}, test_pool(), options, [](auto) {});
    job.wait();
    CHECK(job.times().nothing_read == kept);
  }
}

TEST_CASE("index_cache: an entry that is damaged, truncated or foreign is rejected and replaced") {
  Cached files;
  const auto first = files.load();
  const std::string entry = first_entry(files), bytes = read_file(entry);
  const auto write_entry = [&](std::string_view text) {
    fs::remove(entry);
    TempDir elsewhere;
    fs::copy_file(elsewhere.write("x", text), entry);
  };
  SUBCASE("one flipped bit") {
    std::string changed = bytes;
    const std::size_t at = changed.find("this program") + 4096;  // the page after it holds the trace's own tables
    changed[at / 4096 * 4096] ^= 1;
    write_entry(changed);
  }
  SUBCASE("truncated") { write_entry(std::string_view(bytes).substr(0, bytes.size() / 2)); }
  SUBCASE("empty") { write_entry(""); }
  SUBCASE("not an entry") { write_entry("{\"traceEvents\": []}"); }
  SUBCASE("another program's entry") {
    const auto other = files.load([](LoadOptions& options) { options.cache.program = "another program"; });
    CHECK(!other.from_cache);
  }
  SUBCASE("another trace's entry") {
    Cached others;
    others.write("d.json", "[" + event("d", 10, 5) + "]");
    others.load();
    write_entry(read_file(first_entry(others)));
  }
  const auto again = files.load();
  CHECK(!again.from_cache);
  CHECK(sorted_trace_text(*again.trace) == sorted_trace_text(*first.trace));
  CHECK(files.load().from_cache);
}

TEST_CASE("index_cache: nothing is kept if disabled, too small or too large, and existing entries can be ignored") {
  Cached files;
  CHECK(!files.load([](LoadOptions& options) { options.cache.folder.clear(); }).kept);
  CHECK(!files.load([](LoadOptions& options) { options.cache.least_bytes = 1 << 20; }).kept);
  CHECK(!files.load([](LoadOptions& options) { options.cache.most_bytes = 10; }).kept);
  CHECK(cache_entries(files.cache()).empty());
  files.load();
  const auto afresh = files.load([](LoadOptions& options) { options.cache.believe = false; });
  CHECK(!afresh.from_cache);
  CHECK(afresh.kept);
}

TEST_CASE("index_cache: a cache folder that cannot be written does not prevent loading") {
  Cached files;
  TempDir folder;
  const std::string file = folder.write("a file", "not a folder");
  const auto loaded = files.load([&](LoadOptions& options) { options.cache.folder = file; });
  CHECK(!loaded.kept);
  CHECK(loaded.trace->slice_count == 3);
}

TEST_CASE("index_cache: the least recently used entries are removed, except those in use") {
  TempDir cache, logs;
  CacheOptions options{cache.path(), "p", true, 1ULL << 30, 0};
  std::vector<std::string> files;
  std::uint64_t entry_bytes = 0;
  const auto use = [&](const std::string& file, std::time_t at) {
    const timespec used[2] = {{at, 0}, {at, 0}};
    REQUIRE(::utimensat(AT_FDCWD, segment_path(options, "", file).c_str(), used, 0) == 0);
  };
  for (int i = 0; i < 5; ++i) {
    files.push_back(logs.write(std::to_string(i), "x"));
    REQUIRE(keep(options, segment_of(files.back())).ok());
    entry_bytes = fs::file_size(segment_path(options, "", files.back()));
    use(files.back(), i);
  }
  REQUIRE(is_found(options, files[0]));  // the oldest is used again
  options.most_bytes = 3 * entry_bytes + entry_bytes / 2;
  trim_cache(options, {segment_path(options, "", files[1])});  // is open
  CHECK(cache_entries(cache.path()).size() == 4);
  CHECK(is_found(options, files[0]));
  CHECK(is_found(options, files[1]));
  CHECK(!is_found(options, files[2]));
  CHECK(is_found(options, files[3]));
  CHECK(is_found(options, files[4]));
}

TEST_CASE("index_cache: abandoned partial exports are removed after a day") {
  TempDir cache;
  const std::string day_old = cache.write("nsys/1.1-1.part.sqlite", "x"), log = cache.write("nsys/1.1-1.part.sqlite-wal", "x"),
                    fresh = cache.write("nsys/2.1-1.part.sqlite", "x"), whole = cache.write("nsys/3.sqlite", "x");
  for (const std::string& path : {day_old, log, whole}) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(25));
  }
  trim_cache({cache.path(), "p", true, 1ULL << 30, 0}, {});
  CHECK(!fs::exists(day_old));
  CHECK(!fs::exists(log));
  CHECK(fs::exists(fresh));
  CHECK(fs::exists(whole));
}

TEST_CASE("index_cache: exports of reports count towards the size limit, and open ones stay") {
  TempDir cache;
  CacheOptions options{cache.path(), "p", true, 1ULL << 30, 0};
  const std::string bytes(1000, 'x');
  std::vector<std::string> exports;
  for (int i = 0; i < 4; ++i) {
    exports.push_back(cache.write("nsys/" + std::to_string(i) + ".sqlite", bytes));
    const timespec used[2] = {{i, 0}, {i, 0}};
    REQUIRE(::utimensat(AT_FDCWD, exports.back().c_str(), used, 0) == 0);
  }
  const std::string part = cache.write("nsys/9.1-1.part.sqlite", bytes);
  CHECK(cache_entries(cache.path()).size() == 4);
  options.most_bytes = 2500;
  trim_cache(options, {exports[0]});
  CHECK(fs::exists(exports[0]));
  CHECK(!fs::exists(exports[1]));
  CHECK(fs::exists(exports[2]));
  CHECK(fs::exists(exports[3]));
  CHECK(fs::exists(part));
  REQUIRE(clear_cache(cache.path()).ok());
  CHECK(cache_entries(cache.path()).empty());
  CHECK(!fs::exists(part));
}

TEST_CASE("index_cache: an entry whose export is gone is not found") {
  TempDir cache, logs;
  const CacheOptions options{cache.path(), "p", true, 1ULL << 30, 0};
  Entry entry = segment_of(logs.write("0", "x"));
  Trace trace;
  trace.sources = entry.segment->sources;
  trace.sources[0].database = cache.write("nsys/1.sqlite", "x");
  entry.segment = std::make_shared<const Trace>(std::move(trace));
  REQUIRE(keep(options, entry).ok());
  CHECK(is_found(options, entry.path));
  const std::string database = entry.segment->sources[0].database;
  fs::remove(database);
  const auto found = find_segment(options, "", entry.path, ColumnsAre::Mapped, test_pool());
  REQUIRE(!found.ok());
  CHECK(found.error().file == database);
}

TEST_CASE("index_cache: clearing removes all our files and no others, and an open trace stays usable") {
  Cached files;
  files.load();
  const auto open = files.load();
  REQUIRE(open.from_cache);
  TempDir other;
  fs::copy_file(other.write("x", "half"), files.cache() + "/e.tvx.1-1.part");
  fs::copy_file(other.write("y", "mine"), files.cache() + "/notes.txt");
  REQUIRE(clear_cache(files.cache()).ok());
  CHECK(cache_entries(files.cache()).empty());
  CHECK(!fs::exists(files.cache() + "/e.tvx.1-1.part"));
  CHECK(fs::exists(files.cache() + "/notes.txt"));
  CHECK(open.trace->name_of(SliceId{0}) == "a");
  CHECK(clear_cache(files.cache() + "/nowhere").ok());
}

TEST_CASE("index_cache: a stop request ends writing and leaves no file") {
  TempDir cache, logs;
  const CacheOptions options{cache.path(), "p", true, 1ULL << 30, 0};
  std::stop_source stop;
  stop.request_stop();
  CHECK(!keep(options, segment_of(logs.write("a", "x")), stop.get_token()).ok());
  CHECK(fs::is_empty(cache.path()));
}
