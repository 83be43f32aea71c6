#include "core/session/load/load_job.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <future>
#include <latch>
#include <set>

#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

using Snapshots = std::vector<std::shared_ptr<const Snapshot>>;
using Stage = LoadStatus::Stage;

std::set<std::uint64_t> records_of(const Trace& trace) {
  std::set<std::uint64_t> records;
  for (const ItemRef ref : trace.slices.ref) records.insert(ref.identity());
  return records;
}

// Keeps a pool's only thread busy until released: the reader's tasks have to wait.
class Gate {
 public:
  explicit Gate(ThreadPool& pool) : pool_(pool) {}
  ~Gate() {
    while (opened_ < closed_) open();
    for (std::future<void>& task : tasks_) task.wait();
  }
  void close() {
    ++closed_;
    tasks_.push_back(pool_.submit([this] {
      ++reached_;
      semaphore_.acquire();
    }));
  }
  void open() {
    ++opened_;
    semaphore_.release();
  }
  std::size_t reached() const { return reached_; }

 private:
  ThreadPool& pool_;
  std::counting_semaphore<> semaphore_{0};
  std::atomic<std::size_t> reached_ = 0;
  std::size_t closed_ = 0, opened_ = 0;
  std::vector<std::future<void>> tasks_;
};

const SourceInfo& source_named(const Trace& trace, std::string_view end) {
  for (const SourceInfo& source : trace.sources) {
    if (source.path.ends_with(end)) return source;
  }
  REQUIRE_MESSAGE(false, "no source ", end);
  return trace.sources.front();
}

constexpr std::size_t kLarge = 12 << 20;  // large enough for a partial snapshot to be published

constexpr std::size_t kChunk = 256 << 10;
constexpr std::size_t kAhead = 7;  // chunks by which the reader is ahead of a pool's only thread; the first is a single record

LoadOptions small_chunks() {
  LoadOptions options;
  options.chunk_bytes = kChunk / 4;  // chunks of a plain file are four times as large
  return options;
}

// Expects a closed gate that `times` * kAhead chunks have passed, lets the next kAhead pass and closes it again.
void let_chunks_pass(Gate& gate, const LoadJob& job, std::size_t times) {
  const auto handed_out = [&](std::size_t chunks) { return job.status().bytes_done >= (2 * chunks - 3) * (kChunk / 2); };
  wait_until([&] { return gate.reached() == times + 1 && handed_out((times + 1) * kAhead); });
  gate.close();  // queued behind them
  gate.open();
  wait_until([&] { return gate.reached() == times + 2 && handed_out((times + 2) * kAhead); });
}

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("load_job: threads of a process with the same name are distinguished by their ids") {
  const TempDir folder;
  const auto named = [](int pid, int tid, std::string_view name) {
    return fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}},)", pid, tid, name) +
           fmt::format(R"({{"ph":"X","name":"work","pid":{},"tid":{},"ts":1,"dur":5}})", pid, tid);
  };
  const std::string path = folder.write("a.json", "[" + named(1, 11, "worker") + "," + named(1, 12, "worker") + "," + named(1, 13, "thread 13 (worker)") +
                                                       "," + named(1, 14, "main") + "," + named(2, 11, "worker") + "]");
  const auto snapshot = load_snapshot({path}, test_pool());
  std::string names;
  for (const Lane& lane : snapshot->trace->lanes) {
    if (lane.kind == LaneKind::Thread) names += lane.name + "; ";
  }
  CHECK(names == "main; thread 13 (worker); worker (11); worker (12); worker; ");
}

TEST_CASE("load_job: published snapshots grow, and the last one equals a load at once") {
  const TempDir folder;
  std::size_t events = 0;
  const std::string path = folder.write("large.json", long_trace(kLarge, &events));
  ThreadPool pool(1);
  Gate gate(pool);
  Snapshots published;
  std::latch constructed(1);
  const LoadJob* job = nullptr;
  LoadOptions options = small_chunks();
  options.patience = 0;  // no snapshot is skipped because little is left to read
  gate.close();
  LoadJob loading({path}, pool, options, [&](std::shared_ptr<const Snapshot> snapshot) {
    published.push_back(std::move(snapshot));
    constructed.wait();
    const std::size_t n = published.size();
    if (n < 3) let_chunks_pass(gate, *job, n);
    if (n == 3) gate.open();
  });
  job = &loading;
  let_chunks_pass(gate, loading, 0);
  constructed.count_down();
  loading.wait();

  REQUIRE(published.size() == 4);
  CHECK(loading.status().stage == Stage::Done);
  for (std::size_t i = 0; i < published.size(); ++i) {
    const Snapshot& snapshot = *published[i];
    CHECK(check_invariants(*snapshot.trace) == "");
    CHECK(snapshot.complete == (i + 1 == published.size()));
    if (i == 0) continue;
    CHECK(snapshot.generation > published[i - 1]->generation);
    const auto before = records_of(*published[i - 1]->trace), now = records_of(*snapshot.trace);
    CHECK(now.size() > before.size());
    CHECK(std::includes(now.begin(), now.end(), before.begin(), before.end()));
  }
  CHECK(published[0]->trace->slice_count > 0);
  CHECK(published[3]->trace->slice_count == events);
  const auto at_once = load_snapshot({path}, test_pool());
  CHECK(trace_text(*published[3]->trace) == trace_text(*at_once->trace));
}

TEST_CASE("load_job: with a large patience, only one partial snapshot is published") {
  const TempDir folder;
  const std::string path = folder.write("large.json", long_trace(kLarge));
  ThreadPool pool(1);
  Gate gate(pool);
  gate.close();
  LoadOptions options = small_chunks();
  options.patience = 3600;
  Snapshots published;
  std::latch constructed(1);
  LoadJob loading({path}, pool, options, [&](std::shared_ptr<const Snapshot> snapshot) {
    published.push_back(std::move(snapshot));
    constructed.wait();
    if (published.size() == 1) gate.open();
  });
  let_chunks_pass(gate, loading, 0);
  constructed.count_down();
  loading.wait();
  REQUIRE(published.size() == 2);
  CHECK(!published[0]->complete);
  CHECK(published[0]->trace->slice_count > 0);
  CHECK(published[1]->complete);
}

TEST_CASE("load_job: next to open files, a partial snapshot is published only if the wait would be long") {
  const TempDir folder;
  std::string of_another = "[" + event("a", 0, 5) + "]";  // of another process, else both would be one segment
  const std::string small = folder.write("small.json", of_another.replace(of_another.find("\"pid\":1"), 7, "\"pid\":7"));
  const std::string path = folder.write("large.json", long_trace(kLarge));
  ThreadPool pool(1);
  Snapshots published;
  const auto publish = [&](std::shared_ptr<const Snapshot> snapshot) { published.push_back(std::move(snapshot)); };
  LoadOptions options = small_chunks();
  options.patience = 3600;
  LoadJob first({small}, pool, options, publish);
  first.wait();
  published.clear();
  LoadJob beside({small, path}, pool, options, publish, first.left());
  beside.wait();
  REQUIRE(published.size() == 1);
  CHECK(published[0]->complete);
  CHECK(published[0]->trace->parts.size() == 2);
  // With nothing open, a partial snapshot comes early: see above. Here it comes only if the wait would be long.
  published.clear();
  options.patience = 0;
  Gate gate(pool);
  gate.close();
  std::latch constructed(1);
  LoadJob waited_for({small, path}, pool, options, [&](std::shared_ptr<const Snapshot> snapshot) {
    publish(std::move(snapshot));
    constructed.wait();
    if (published.size() == 1) gate.open();
  }, first.left());
  let_chunks_pass(gate, waited_for, 0);
  constructed.count_down();
  waited_for.wait();
  REQUIRE(published.size() > 1);
  CHECK(!published[0]->complete);
  CHECK(published.back()->complete);
}

TEST_CASE("load_job: a load cancelled before anything is read publishes nothing") {
  const TempDir folder;
  const std::string path = folder.write("large.json", long_trace(kLarge));
  ThreadPool pool(1);
  Gate gate(pool);
  gate.close();  // no chunk can be parsed
  int published = 0;
  LoadOptions options;
  options.progressive = false;
  LoadJob job({path}, pool, options, [&](auto) { ++published; });
  job.cancel();
  gate.open();
  job.wait();
  CHECK(job.status().stage == Stage::Cancelled);
  CHECK(!job.status().running());
  CHECK(published == 0);
}

TEST_CASE("load_job: a load cancelled midway publishes nothing more") {
  const TempDir folder;
  const std::string path = folder.write("large.json", long_trace(kLarge));
  for (const std::size_t at : {1, 2}) {
    CAPTURE(at);
    ThreadPool pool(1);
    Gate gate(pool);
    gate.close();
    std::latch constructed(1);
    LoadJob* job = nullptr;
    std::size_t published = 0;
    LoadOptions options = small_chunks();
    options.patience = 0;
    LoadJob loading({path}, pool, options, [&](auto) {
      constructed.wait();
      if (++published == at) job->cancel();
      if (published == at) gate.open();
    });
    job = &loading;
    let_chunks_pass(gate, loading, 0);
    constructed.count_down();
    loading.wait();
    CHECK(loading.status().stage == Stage::Cancelled);
    CHECK(published == at);
  }
}

TEST_CASE("load_job: a load cancelled while it builds the last snapshot is either done or publishes nothing") {
  const TempDir folder;
  const std::string path = folder.write("small.json", "[" + event("a", 0, 5) + "]");
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> published = 0;
    LoadJob job({path}, test_pool(), {}, [&](auto) { ++published; });
    wait_until([&] { return job.status().stage >= Stage::Building; });
    job.cancel();
    job.wait();
    // Whichever came first: it is done and shown, or cancelled and not shown.
    const bool done = job.status().stage == Stage::Done;
    CHECK(published == (done ? 1 : 0));
    CHECK(job.status().stage == (done ? Stage::Done : Stage::Cancelled));
  }
}

TEST_CASE("load_job: nothing is published after a job is destroyed") {
  const TempDir folder;
  const std::string path = folder.write("large.json", long_trace(kLarge));
  ThreadPool pool(2);
  std::atomic<bool> gone = false, late = false;
  {
    LoadJob job({path}, pool, {}, [&](auto) { late = late || gone; });
    wait_until([&] { return job.status().bytes_done > 0; });
  }
  gone = true;
  pool.submit([] {}).get();
  CHECK(!late);
}

TEST_CASE("load_job: all files of a folder are read and listed in natural order") {
  const TempDir folder;
  for (int i = 0; i < 40; ++i) {
    folder.write("rank" + std::to_string(i) + "_trace.json", "[" + event("a", i, 5) + "," + event("b", i + 7, 5) + "]");
  }
  ThreadPool pool(3);
  LoadStatus status;
  std::shared_ptr<const Snapshot> last;
  {
    LoadJob job({folder.path()}, pool, {}, [&](std::shared_ptr<const Snapshot> snapshot) { last = std::move(snapshot); });
    job.wait();
    status = job.status();
  }
  CHECK(status.files_done == 40);
  CHECK(status.files_total == 40);
  CHECK(status.bytes_done == status.bytes_total);
  REQUIRE(last);
  CHECK(last->trace->slice_count == 80);
  for (std::size_t i = 0; i < 40; ++i) CHECK(last->trace->sources[i].rank == static_cast<std::int64_t>(i));  // natural order
}

TEST_SUITE_END();

TEST_CASE("load_job: without anything readable the snapshot is empty, and each file has a reason") {
  const TempDir folder;
  folder.write("empty.json", "");
  folder.write("notes.txt", "hello\n");
  folder.write("page.html", "<html>");
  folder.write("numbers.json", "[1, 2, 3]");
  folder.write("keys.json", R"({"schema": "1.0", "a\u001b": 2, "nested": {"inner": 3}, "list": [{"x": 1}], "text": "no: \"key\""})");
  folder.write("binary.bin", std::string("\x7f" "ELF\0\1", 6));
  folder.write("report.nsys-rep", "NVIDIA Tegra Profiler Report");
  folder.write(".hidden.json", "[" + event("a", 0, 1) + "]");
  const auto snapshot = load_snapshot({folder.path(), folder.path("missing.json")}, test_pool());
  const Trace& trace = *snapshot->trace;
  CHECK(snapshot->complete);
  CHECK(trace.slice_count == 0);
  CHECK(check_invariants(trace) == "");
  CHECK(trace.sources.size() == 8);
  const auto reason = [&](const char* name) { return source_named(trace, name).reason; };
  CHECK(source_named(trace, "missing.json").state == SourceState::Rejected);
  CHECK(reason("missing.json") == "no such file or folder (check the path)");
  CHECK(source_named(trace, "empty.json").state == SourceState::Rejected);
  CHECK(reason("empty.json") == "the file is empty");
  CHECK(reason("notes.txt") == "text of a format that is not known");
  CHECK(reason("page.html") == "an HTML or XML page, not a trace");
  CHECK(reason("numbers.json") == "JSON, but there are no trace events in it");
  CHECK(reason("keys.json") == "JSON, but there are no trace events in it (its keys: schema, nested, list, text)");
  CHECK(reason("binary.bin") == "a binary file of a format that is not known");
  CHECK(source_named(trace, "report.nsys-rep").state == SourceState::Rejected);
  CHECK(source_named(trace, "report.nsys-rep").format == "nsys_report");
  CHECK(reason("report.nsys-rep").find("nsys export --type sqlite -o report.sqlite report.nsys-rep") != std::string::npos);
}

TEST_CASE("load_job: other nsys exports get advice, and a folder of Parquet tables is listed once") {
  const TempDir folder;
  folder.write("run.parquetdir/StringIds.parquet", "PAR1");
  folder.write("run.parquetdir/NVTX_EVENTS.parquet", "PAR1");
  folder.write("table.parquet", "PAR1");
  folder.write("x.qdstrm", "...");
  const auto snapshot = load_snapshot({folder.path()}, test_pool());
  const Trace& trace = *snapshot->trace;
  REQUIRE(trace.sources.size() == 3);
  CHECK(source_named(trace, "run.parquetdir").reason.find("nsys export --type sqlite") != std::string::npos);
  CHECK(source_named(trace, "table.parquet").state == SourceState::NotReadYet);
  CHECK(source_named(trace, "table.parquet").reason.find("nsys export --type sqlite") != std::string::npos);
  CHECK(source_named(trace, "x.qdstrm").reason.find("QdstrmImporter") != std::string::npos);
}

TEST_CASE("load_job: an empty folder, or no path at all, gives a complete empty snapshot") {
  const TempDir folder;
  for (const std::vector<std::string>& paths : {std::vector<std::string>{folder.path()}, std::vector<std::string>{}}) {
    const auto snapshot = load_snapshot(paths, test_pool());
    REQUIRE(snapshot);
    CHECK(snapshot->complete);
    CHECK(snapshot->trace->sources.empty());
    CHECK(check_invariants(*snapshot->trace) == "");
  }
}

TEST_CASE("load_job: a bad file does not affect the others") {
  const TempDir folder;
  folder.write("a_good.json", "[" + event("a", 0, 5) + "]");
  folder.write("b_cut.json", "[" + event("b", 10, 5) + ",{\"ph\":\"X\",\"name\":\"");
  const std::string cut = read_file(fixtures_folder() + "/chrome_json/compressed.json.gz");
  folder.write("c_cut.json.gz", std::string_view(cut).substr(0, 30));
  folder.write("d_junk.json.gz", "\x1f\x8b\x08 this is not gzip at all");
  folder.write("e_good/step_1/worker_0.jsonl",
               "{\"timestamp\": \"1970-01-01T00:00:01\", \"event\": \"total\", \"duration_sec\": 1.0}\n");
  REQUIRE(::mkfifo(folder.path("pipe.json").c_str(), 0600) == 0);
  const auto trace = load_snapshot({folder.path()}, test_pool())->trace;
  CHECK(check_invariants(*trace) == "");
  CHECK(source_named(*trace, "a_good.json").slices == 1);
  CHECK(source_named(*trace, "b_cut.json").slices == 1);
  CHECK(source_named(*trace, "b_cut.json").problems.count(ProblemKind::truncated_record) == 1);
  CHECK(source_named(*trace, "worker_0.jsonl").slices == 1);
  CHECK(source_named(*trace, "pipe.json").state == SourceState::Rejected);
  CHECK(source_named(*trace, "pipe.json").reason.starts_with("it is a named pipe"));
  CHECK(source_named(*trace, "d_junk.json.gz").state == SourceState::Rejected);
  // The part of a cut archive that inflates is shown and the loss reported; if nothing inflates, it is rejected.
  const SourceInfo& cut_source = source_named(*trace, "c_cut.json.gz");
  CHECK(((cut_source.state == SourceState::Rejected) ||
         cut_source.problems.count(ProblemKind::truncated_archive) == 1));
}

TEST_CASE("load job: threads are ordered by the file's sort index, not by their ids") {
  const TempDir folder;
  std::string text = "[";
  for (int tid = 1; tid <= 3; ++tid) {
    const std::string number = std::to_string(tid), order = std::to_string(10 - tid);
    text += R"({"ph":"M","name":"thread_name","pid":1,"tid":)" + number + R"(,"args":{"name":"called )" + number + R"("}},)";
    text += R"({"ph":"M","name":"thread_sort_index","pid":1,"tid":)" + number + R"(,"args":{"sort_index":)" + order + "}},";
    text += R"({"ph":"X","name":"x","pid":1,"tid":)" + number + R"(,"ts":1,"dur":5})" + (tid < 3 ? "," : "]");
  }
  const auto trace = load_snapshot({folder.write("t.json", text)}, test_pool())->trace;
  std::string names;
  for (const Lane& lane : trace->lanes) names += lane.slices > 0 ? lane.name + "; " : "";
  CHECK(names == "called 3; called 2; called 1; ");
}
