#include "core/io/files/find_files.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

// Found paths, relative to the folder.
std::vector<std::string> names(const TempDir& folder, const FoundFiles& found) {
  std::vector<std::string> out;
  for (const std::string& file : found.files) out.push_back(fs::relative(file, folder.path()).string());
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("find_files: files of a folder come in natural order, without hidden ones") {
  const TempDir folder;
  for (const char* name : {"step_10/worker_0.jsonl", "step_2/worker_10.jsonl", "step_2/worker_9.jsonl", "a.json",
                           "rank10.json", "rank9.json", ".hidden", ".git/config", "step_2/.tmp/x"}) {
    folder.write(name, "x");
  }
  fs::create_directories(folder.path("empty"));
  const FoundFiles found = find_files({folder.path()});
  CHECK(names(folder, found) == Names{"a.json", "rank9.json", "rank10.json", "step_2/worker_9.jsonl",
                                      "step_2/worker_10.jsonl", "step_10/worker_0.jsonl"});
  CHECK(found.problems.empty());
}

TEST_CASE("find_files: paths keep their order, and a file given twice is listed once") {
  const TempDir folder;
  const std::string b = folder.write("b.json", "x"), a = folder.write("a.json", "x"), c = folder.write("d/c.json", "x");
  CHECK(names(folder, find_files({b, a})) == Names{"b.json", "a.json"});
  CHECK(names(folder, find_files({b, folder.path(), b, c})) == Names{"b.json", "a.json", "d/c.json"});
  CHECK(names(folder, find_files({folder.path() + "/", folder.path()})) == Names{"a.json", "b.json", "d/c.json"});
  CHECK(names(folder, find_files({folder.path("d"), folder.path("./d"), folder.path("d//c.json")})) == Names{"d/c.json"});
  CHECK(find_files({}).files.empty());
}

TEST_CASE("find_files: a hidden file or folder is found if it is named explicitly") {
  const TempDir folder;
  const std::string hidden = folder.write(".hidden.json", "x");
  folder.write(".run/a.json", "x");
  CHECK(names(folder, find_files({hidden})) == Names{".hidden.json"});
  CHECK(names(folder, find_files({folder.path(".run")})) == Names{".run/a.json"});
}

TEST_CASE("find_files: a missing path is reported as a problem, and the rest is found") {
  const TempDir folder;
  const std::string a = folder.write("a.json", "x");
  const FoundFiles found = find_files({folder.path("missing"), a, ""});
  CHECK(names(folder, found) == Names{"a.json"});
  REQUIRE(found.problems.size() == 2);
  CHECK(found.problems[0].file == folder.path("missing"));
  CHECK(found.problems[0].message == "no such file or folder");
}

TEST_CASE("find_files: a report that traceview wrote is not part of the run it lies in") {
  const TempDir folder;
  const std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">" + std::string(kReportMark) + "\n";
  for (const char* name : {"run/rank0.json", "run/report/metrics.csv", "run/report/lanes/rank1.json"}) folder.write(name, "x");
  folder.write("run/report/report.json", "{\n \"traceview\": \"1.0\"\n}\n");
  folder.write("run/report/index.html", page);
  const FoundFiles found = find_files({folder.path("run")});
  CHECK(names(folder, found) == Names{"run/rank0.json", "run/report/lanes/rank1.json"});
  CHECK(found.problems.empty());
  CHECK(found.states.contains(folder.path("run/report/report.json")));  // not taken for new when the run is followed
  // A report in the run's own folder, a page of another program, a report alone, and a file of that report.
  folder.write("flat/index.html", page);
  for (const char* name : {"flat/step_times.svg", "flat/train.log", "other/index.html", "other/report.json"})
    folder.write(name, "x");
  folder.write("flat/gpu.json", "{\n \"gpus\": []\n}\n");
  CHECK(names(folder, find_files({folder.path("flat")})) == Names{"flat/train.log"});
  CHECK(names(folder, find_files({folder.path("other")})) == Names{"other/index.html", "other/report.json"});
  folder.write("alone/index.html", page);
  const FoundFiles alone = find_files({folder.path("alone")});
  CHECK(alone.files.empty());
  REQUIRE(alone.problems.size() == 1);
  CHECK(alone.problems[0].message == "it is a report that traceview wrote");
  CHECK(names(folder, find_files({folder.path("alone/index.html")})) == Names{"alone/index.html"});
}

TEST_CASE("find_files: a trace named like a report's JSON file is found next to the report") {
  const TempDir folder;
  folder.write("index.html", "<!doctype html>\n" + std::string(kReportMark));
  folder.write("report.json", "{\"cdf_per_step\":{}}");
  folder.write("training.json", "{\"traceEvents\": []}");
  folder.write("gpu.json", "");
  CHECK(names(folder, find_files({folder.path()})) == Names{"gpu.json", "training.json"});
}

TEST_CASE("find_files: links to files are followed, and links to parent folders cause no loop") {
  const TempDir folder;
  const std::string a = folder.write("d/a.json", "x");
  fs::create_symlink(a, folder.path("link.json"));
  fs::create_directory_symlink(folder.path(), folder.path("d/up"));
  fs::create_symlink(folder.path("nowhere"), folder.path("broken.json"));
  CHECK(names(folder, find_files({folder.path()})).size() == 2);
}

TEST_CASE("find_files: thousands of files are listed once each, in natural order") {
  const TempDir folder;
  for (int i = 0; i < 3000; ++i) folder.write("f" + std::to_string(i), "");
  const FoundFiles found = find_files({folder.path(), folder.path()});
  REQUIRE(found.files.size() == 3000);
  CHECK(found.files[2] == folder.path("f2"));
  CHECK(found.files.back() == folder.path("f2999"));
}
