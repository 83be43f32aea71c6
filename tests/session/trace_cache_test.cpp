#include "core/session/load/trace_cache.h"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "core/io/files/open_stream.h"
#include "core/session/load/load_job.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

// A folder with a trace of two files, and a cache beside it.
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
    out.from_cache = job.times().was_kept;
    out.kept = job.times().kept > 0;
    return out;
  }

 private:
  TempDir folder_;
};

std::string only_entry(const Cached& files) {
  const auto entries = cache_entries(files.cache());
  REQUIRE(entries.size() == 1);
  return entries[0].path;
}

}  // namespace

TEST_CASE("trace_cache: the second time it comes from the cache, the same in all") {
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

TEST_CASE("trace_cache: what is the same however runs are aligned is there once, what is not for each way") {
  const TempDir folder;
  const auto window = [](int step, std::int64_t at_us) {
    return R"({"distributedInfo":{"rank":0},"traceEvents":[)" + event("ProfilerStep#" + std::to_string(step), at_us, 500) + "]}";
  };
  struct Loaded {
    std::shared_ptr<const Trace> trace;
    bool from_cache = false;
  };
  const auto aligned = [&](AlignChoice align) {
    LoadOptions options;
    options.cache = {folder.path("cache"), "this program", true, 1ULL << 30, 0};
    options.align = align;
    Loaded out;
    LoadJob job({folder.path("windows")}, test_pool(), options, [&](auto snapshot) { out.trace = snapshot->trace; });
    job.wait();
    out.from_cache = job.times().was_kept;
    return out;
  };
  folder.write("windows/host_4242.1.pt.trace.json", window(1, 1'700'000'000'000'000));
  CHECK(!aligned(Align::Fold).from_cache);
  CHECK(aligned({}).from_cache);
  CHECK(aligned(Align::Recorded).from_cache);
  CHECK(aligned(Align::Zero).from_cache);
  CHECK(cache_entries(folder.path("cache")).size() == 1);
  // Folding moves windows of one process apart; they are one run to all else.
  folder.write("windows/host_4242.2.pt.trace.json", window(2, 1'700'000'060'000'000));
  const Loaded recorded = aligned(Align::Recorded);
  CHECK(!recorded.from_cache);
  CHECK(aligned(Align::Zero).from_cache);
  const Loaded folded = aligned(Align::Fold);
  CHECK(!folded.from_cache);
  CHECK(folded.trace->align == Align::Fold);
  const Loaded again = aligned(Align::Fold);
  CHECK(again.from_cache);
  CHECK(trace_text(*again.trace) == trace_text(*folded.trace));
  CHECK(trace_text(*aligned(Align::Recorded).trace) == trace_text(*recorded.trace));
  CHECK(cache_entries(folder.path("cache")).size() == 3);
}

TEST_CASE("trace_cache: nobody else can read it, whoever made its folder before") {
  Cached files;
  fs::create_directories(files.cache());
  fs::permissions(files.cache(), static_cast<fs::perms>(0755));
  files.load();
  CHECK(fs::status(files.cache()).permissions() == fs::perms::owner_all);
  CHECK(fs::status(only_entry(files)).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("trace_cache: whatever changed, the files are read again") {
  Cached files;
  files.load();
  SUBCASE("another content") { files.write("a.json", "[" + event("c", 10, 5) + "]"); }
  SUBCASE("the same size at another time") {
    files.write("a.json", "[" + event("z", 10, 5) + "," + event("inner", 11, 2) + "]");
    const timespec times[2] = {{0, UTIME_OMIT}, {1'000'000'000, 5}};
    REQUIRE(::utimensat(AT_FDCWD, (files.logs() + "/a.json").c_str(), times, 0) == 0);
  }
  SUBCASE("one more file") { files.write("c.json", "[" + event("c", 1, 5) + "]"); }
  SUBCASE("one file less") { fs::remove(files.logs() + "/b.json"); }
  SUBCASE("another file of the same name and size") {
    fs::rename(files.logs() + "/b.json", files.logs() + "/c.json");
  }
  const auto again = files.load();
  CHECK(!again.from_cache);
  CHECK(again.kept);
  const auto third = files.load();
  CHECK(third.from_cache);
  CHECK(trace_text(*third.trace) == trace_text(*again.trace));
}

TEST_CASE("trace_cache: an entry that is damaged, cut off or foreign is not believed, and replaced") {
  Cached files;
  const auto first = files.load();
  const std::string entry = only_entry(files), bytes = read_file(entry);
  const auto write_entry = [&](std::string_view text) {
    fs::remove(entry);
    TempDir elsewhere;
    fs::copy_file(elsewhere.write("x", text), entry);
  };
  SUBCASE("one bit in the middle of the columns") {
    std::string changed = bytes;
    const std::size_t at = changed.find("this program") + 4096;  // the page after it holds the trace's own tables
    changed[at / 4096 * 4096] ^= 1;
    write_entry(changed);
  }
  SUBCASE("cut off") { write_entry(std::string_view(bytes).substr(0, bytes.size() / 2)); }
  SUBCASE("empty") { write_entry(""); }
  SUBCASE("something else") { write_entry("{\"traceEvents\": []}"); }
  SUBCASE("another program's") {
    const auto other = files.load([](LoadOptions& options) { options.cache.program = "another program"; });
    CHECK(!other.from_cache);
  }
  SUBCASE("another trace's") {
    Cached others;
    others.write("d.json", "[" + event("d", 10, 5) + "]");
    others.load();
    write_entry(read_file(only_entry(others)));
  }
  const auto again = files.load();
  CHECK(!again.from_cache);
  CHECK(trace_text(*again.trace) == trace_text(*first.trace));
  CHECK(files.load().from_cache);
}

TEST_CASE("trace_cache: not used, not wanted, not worth it") {
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

TEST_CASE("trace_cache: a folder that cannot be written costs nothing but time") {
  Cached files;
  TempDir folder;
  const std::string file = folder.write("a file", "not a folder");
  const auto loaded = files.load([&](LoadOptions& options) { options.cache.folder = file; });
  CHECK(!loaded.kept);
  CHECK(loaded.trace->slice_count == 3);
}

TEST_CASE("trace_cache: those not used for longest make room") {
  TempDir cache, logs;
  ThreadPool& pool = test_pool();
  CacheOptions options{cache.path(), "p", true, 1ULL << 30, 0};
  const auto trace = gen_trace(1, Shape::Nested).build();
  const auto key = [&](int i) {
    const std::string path = logs.path(std::to_string(i));
    return CacheKey{{{path, identity_of(path).value()}}, {}};
  };
  std::uint64_t entry_bytes = 0;
  for (int i = 0; i < 4; ++i) {
    logs.write(std::to_string(i), "x");
    REQUIRE(keep_cached(options, key(i), *trace, pool, {}).value());
    const std::string entry = key(i).entry_path(options);
    entry_bytes = fs::file_size(entry);
    const timespec used[2] = {{i, 0}, {i, 0}};
    REQUIRE(::utimensat(AT_FDCWD, entry.c_str(), used, 0) == 0);
  }
  REQUIRE(find_cached(options, key(0), pool).ok());  // the oldest is used again
  options.most_bytes = 3 * entry_bytes + entry_bytes / 2;
  logs.write("4", "x");
  REQUIRE(keep_cached(options, key(4), *trace, pool, {}).value());
  CHECK(cache_entries(cache.path()).size() == 3);
  CHECK(find_cached(options, key(0), pool).ok());
  CHECK(!find_cached(options, key(1), pool).ok());
  CHECK(!find_cached(options, key(2), pool).ok());
  CHECK(find_cached(options, key(3), pool).ok());
  CHECK(find_cached(options, key(4), pool).ok());
}

TEST_CASE("trace_cache: what was just written stays, also where a clock that was set back makes it the oldest") {
  TempDir cache, logs;
  ThreadPool& pool = test_pool();
  CacheOptions options{cache.path(), "p", true, 1ULL << 30, 0};
  const auto trace = gen_trace(1, Shape::Nested).build();
  const auto key = [&](const std::string& name) {
    return CacheKey{{{logs.write(name, "x"), identity_of(logs.path(name)).value()}}, {}};
  };
  const CacheKey first = key("first"), second = key("second");
  REQUIRE(keep_cached(options, first, *trace, pool, {}).value());
  const std::string entry = first.entry_path(options);
  fs::last_write_time(entry, fs::file_time_type::clock::now() + std::chrono::hours(1));
  options.most_bytes = fs::file_size(entry) * 3 / 2;
  REQUIRE(keep_cached(options, second, *trace, pool, {}).value());
  CHECK(find_cached(options, second, pool).ok());
}

TEST_CASE("trace_cache: begun exports that nobody goes on with are gone after a day") {
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

TEST_CASE("trace_cache: exports of reports count, too, and those of what is open stay") {
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

TEST_CASE("trace_cache: a trace whose export is gone is read again") {
  TempDir cache, logs;
  const CacheOptions options{cache.path(), "p", true, 1ULL << 30, 0};
  Trace trace;
  trace.sources.emplace_back().database = cache.write("nsys/1.sqlite", "x");
  const CacheKey key{{{logs.write("0", "x"), identity_of(logs.path("0")).value()}}, {}};
  REQUIRE(keep_cached(options, key, trace, test_pool(), {}).value());
  CHECK(find_cached(options, key, test_pool()).ok());
  fs::remove(trace.sources[0].database);
  const auto found = find_cached(options, key, test_pool());
  REQUIRE(!found.ok());
  CHECK(found.error().file == trace.sources[0].database);
}

TEST_CASE("trace_cache: clearing it takes everything of ours, and what is open stays open") {
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
  CHECK(open.trace->labels.name(open.trace->slices.label[0]) == "a");
  CHECK(clear_cache(files.cache() + "/nowhere").ok());
}

TEST_CASE("trace_cache: a stop ends the writing and leaves nothing") {
  TempDir cache, logs;
  const CacheOptions options{cache.path(), "p", true, 1ULL << 30, 0};
  const std::string path = logs.write("a", "x");
  std::stop_source stop;
  stop.request_stop();
  const auto kept = keep_cached(options, {{{path, identity_of(path).value()}}, {}}, *gen_trace(1, Shape::Nested).build(),
                                test_pool(), stop.get_token());
  REQUIRE(kept.ok());
  CHECK(!kept.value());
  CHECK(fs::is_empty(cache.path()));
}
