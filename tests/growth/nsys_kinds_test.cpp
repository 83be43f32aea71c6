// Growth kinds for exports of Nsight Systems, written with SQLite.
#include <sqlite3.h>

#include <memory>

#include "core/read/nsys/nsys_process.h"
#include "core/read/nsys/nvtx_payload.h"
#include "core/read/nsys/nvtx_projection.h"
#include "tests/growth/stages.h"

using namespace tv;
using namespace tv::test;

namespace {

// A database being written: one process with a main thread, plus what a kind adds.
class NsysExport {
 public:
  explicit NsysExport(const std::string& path) {
    sqlite3* opened = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &opened) == SQLITE_OK);
    file_.reset(opened);
    run("PRAGMA journal_mode=OFF");
    run("BEGIN");
    run("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)");
    run("CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT)");
    run("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'), ('EXPORT_SCHEMA_VERSION', '3.25.0')");
    run("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT)");
    run("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1780000000000000000, '', '')");
    run("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
        "correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, gridX INTEGER)");
    run("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
        "correlationId INTEGER, nameId INTEGER, returnValue INTEGER)");
    run("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, text TEXT, globalTid INTEGER, "
        "textId INTEGER, domainId INTEGER)");
  }
  ~NsysExport() { run("COMMIT"); }
  NsysExport(const NsysExport&) = delete;
  NsysExport& operator=(const NsysExport&) = delete;

  void string(std::size_t id, std::string_view text) { run(fmt::format("INSERT INTO StringIds VALUES ({}, '{}')", id, text)); }
  void kernel(std::size_t begin, std::size_t end, std::size_t correlation, std::size_t name = 1, std::size_t stream = 7, std::size_t device = 0) {
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({}, {}, {}, 1, {}, {}, {}, {}, {}, 132)", begin, end, device, stream,
                    correlation, kPid, name, name));
  }
  void call(std::size_t begin, std::size_t end, std::size_t correlation, std::size_t thread = 1) {
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({}, {}, 0, {}, {}, 2, 0)", begin, end, kPid | thread, correlation));
  }
  void range(std::size_t begin, std::size_t end, std::string_view text, std::size_t thread = 1) {
    run(fmt::format("INSERT INTO NVTX_EVENTS VALUES ({}, {}, 59, NULL, '{}', {}, NULL, 0)", begin, end, text, kPid | thread));
  }
  void run(const std::string& sql) { REQUIRE(sqlite3_exec(file_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK); }

 private:
  struct Close {
    void operator()(sqlite3* file) const { sqlite3_close_v2(file); }
  };
  static constexpr std::uint64_t kPid = (1ull << 48) | (4711ull << 24);

  std::unique_ptr<sqlite3, Close> file_;
};

std::function<void(Meter&, std::size_t)> nsys(std::function<void(NsysExport& out, std::size_t n)> fill) {
  return [fill = std::move(fill)](Meter& meter, std::size_t n) {
    const TempDir folder;
    const std::string path = folder.path("run.sqlite");
    {
      NsysExport out(path);
      out.string(1, "gemm"), out.string(2, "cudaLaunchKernel_v7000");
      fill(out, n);
    }
    look_at(meter, {path});
  };
}

const GrowthKind kNsysKinds[] = {
    {"rows of kernels", 640, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.kernel(20 * i, 20 * i + 15, i + 1);
     })},
    {"rows of kernels with calls", 200, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.call(20 * i, 20 * i + 10, i + 1), out.kernel(20 * i + 30, 20 * i + 45, i + 1);
     })},
    {"rows of one correlation", 200, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.call(20 * i, 20 * i + 10, 1), out.kernel(20 * i + 30, 20 * i + 45, 1);
     })},
    {"strings", 320, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.string(i + 10, fmt::format("void gemm<{}>(float*)", i));
       for (std::size_t i = 0; i < n; ++i) out.kernel(20 * i, 20 * i + 15, i + 1, i + 10);
     })},
    {"streams of an export", 96, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < 2 * n; ++i) out.kernel(20 * i, 20 * i + 15, i + 1, 1, i % n + 1);
     })},
    {"devices of an export", 48, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < 2 * n; ++i) out.kernel(20 * i, 20 * i + 15, i + 1, 1, 7, i % n);
     })},
    {"threads of an export", 96, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < 2 * n; ++i) out.call(20 * i, 20 * i + 15, i + 1, i % n + 1);
     })},
    {"ranges", 640, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         out.range(100 * i, 100 * i + 90, fmt::format("iteration {}", i));
         out.call(100 * i + 10, 100 * i + 20, i + 1), out.kernel(100 * i + 50, 100 * i + 120, i + 1);
       }
     })},
    {"ranges within ranges", 640, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.range(i, 4 * n - i, fmt::format("range {}", i % 10));
       for (std::size_t i = 0; i < 4; ++i) out.call(2 * n, 2 * n + 1, i + 1), out.kernel(5 * n + 20 * i, 5 * n + 20 * i + 15, i + 1);
     })},
    {"names of ranges", 320, nsys([](NsysExport& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.range(10 * i, 10 * i + 5, fmt::format("range named {}", i));
     })},
    {"tables of unknown names", 48, nsys([](NsysExport& out, std::size_t n) {
       out.kernel(0, 15, 1);
       for (std::size_t i = 0; i < n; ++i) {
         out.run(fmt::format("CREATE TABLE MY_EVENTS_{} (start INTEGER, end INTEGER, globalTid INTEGER)", i));
         out.run(fmt::format("INSERT INTO MY_EVENTS_{} VALUES ({}, {}, 4711)", i, 20 * i, 20 * i + 15));
       }
     })},
    {"columns of a table", 120, nsys([](NsysExport& out, std::size_t n) {
       out.kernel(0, 15, 1);
       std::string columns, values;
       for (std::size_t i = 0; i < n; ++i) columns += fmt::format(", column{} INTEGER", i), values += fmt::format(", {}", i);
       out.run("CREATE TABLE MY_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER" + columns + ")");
       for (std::size_t i = 0; i < 10; ++i) out.run(fmt::format("INSERT INTO MY_EVENTS VALUES ({}, {}, 4711{})", 20 * i, 20 * i + 15, values));
     })},
};

// Reads the fields of as many payloads as there are layouts, all of the same length.
void decode_payloads(Meter& meter, std::size_t n) {
  const TempDir folder;
  const std::string path = folder.path("run.sqlite");
  {
    NsysExport out(path);
    out.run("CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, payloadSize INTEGER)");
    out.run("CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER, idx INTEGER, name TEXT, type INTEGER, "
            "offset INTEGER)");
    for (std::size_t i = 0; i < n; ++i) {
      out.run(fmt::format("INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (1, {}, 8)", i + 1));
      out.run(fmt::format("INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1, {}, 0, 'field {}', 18, 0)", i + 1, i));
    }
  }
  auto file = SqliteFile::open(path);
  REQUIRE(file.ok());
  const auto tables = file->tables();
  REQUIRE(tables.ok());
  meter.stage("payloads", [&] {
    NvtxLayouts layouts;
    layouts.read(*file, tables.value());
    const std::string bytes(8, '\0');
    for (std::size_t i = 0; i < n; ++i) CHECK(layouts.fields(1, "ncclCommInitRank", bytes).empty());
  });
}

// These kinds are made without rows, because reading rows costs so much that the work for pairs would only show among thousands.
const GrowthKind kNsysParts[] = {
    {"devices of one launch", 640, [](Meter& meter, std::size_t n) {
       std::vector<GpuWork> work;
       for (std::size_t i = 0; i < n; ++i) work.push_back({1, 7, static_cast<std::int64_t>(i), 100, 120});
       std::size_t found = 0;
       meter.stage("launches", [&] {
         const LaunchedWork launched(std::move(work));
         for (std::size_t i = 0; i < n; ++i) found += launched.of(1).size();
       });
       CHECK(found > 0);
     }},
    {"processes with names of threads", 640, [](Meter& meter, std::size_t n) {
       NsysEvidence evidence;
       for (std::size_t i = 0; i < n; ++i) {
         const std::int64_t process = (std::int64_t{1} << 48) | (static_cast<std::int64_t>(i + 1) << 24);
         evidence.processes.insert(process);
         evidence.thread_names[process | static_cast<std::int64_t>(i + 1)] = fmt::format("MPI Rank {}", i);
       }
       std::map<std::int64_t, NsysProcess> processes;
       meter.stage("processes", [&] { processes = nsys_processes(NsysReportInfo(), evidence, "run.sqlite"); });
       REQUIRE(processes.size() == n);
       CHECK(processes.rbegin()->second.rank == static_cast<std::int64_t>(n) - 1);
     }},
    {"layouts of payloads", 320, decode_payloads},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: exports of Nsight Systems cost at most n log n") { check_growth(kNsysKinds); }
  TEST_CASE("growth: what joins the rows of an export costs at most n log n") { check_growth(kNsysParts); }
}
