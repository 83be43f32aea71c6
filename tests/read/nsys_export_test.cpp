// Exports .nsys-rep files with a shell script in place of nsys: the command, the stored files, the message on failure.
#include "core/read/nsys/nsys_export.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>

#include "tests/support/fake_nsys.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

struct Export {
  TempDir folder;
  std::string report = folder.write("run/worker_process_4711.nsys-rep", fake_report());
  ReadTools tools = {{}, folder.path("cache/nsys")};
  std::vector<int> percents;

  Result<std::string> run(std::stop_token stop = {}) {
    const auto progress = [this](int percent) { percents.push_back(percent); };
    return export_nsys_report(report, "2025.5.1.121", tools, progress, stop);
  }
  void nsys(std::string_view does, std::string_view version = "2026.1.1") {
    tools.nsys = write_fake_nsys(folder, does, version);
    folder.write("fixture", database_head());
  }
  std::string copy() const { return "cp '" + folder.path("fixture") + "' \"$out\"\n"; }
  std::size_t kept() const {
    std::size_t n = 0;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(tools.exports, code)) n += entry.is_regular_file();
    return n;
  }
  std::string failure() {
    const auto result = run();
    REQUIRE_FALSE(result.ok());
    return result.error().text();
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("nsys_export: the version is read from a report's first line") {
  CHECK(nsys_report_version(fake_report()) == "2025.5.1.121");
  CHECK(nsys_report_version("NVIDIA Tegra Profiler Report ") == "");
  CHECK(nsys_report_version("something else") == "");
  // Written by 2022.4: this is the version of the report's format.
  CHECK(nsys_report_version("NVIDIA Tegra Profiler Report 1.\n") == "");
}

TEST_CASE("nsys_export: percentages are read as programs print them") {
  CHECK(percent_in("Processing [=====          45%]") == 45);
  CHECK(percent_in("\tGenerating: 7 % of 100 % ") == 100);
  CHECK(percent_in("12.5% done") == 12);
  CHECK(percent_in("done") == -1);
  CHECK(percent_in("%") == -1);
  CHECK(percent_in("1000%") == -1);
}

TEST_CASE("nsys_export: a report is exported once, with progress, and again only after it changes") {
  Export e;
  e.nsys("echo 'Processing 12 events:'; printf '[ 1%%]\\r[==50%%]\\r[=100%%]\\n'; " + e.copy());
  const auto first = e.run();
  REQUIRE(first.ok());
  CHECK(fs::path(first.value()).parent_path() == e.tools.exports);
  CHECK(read_file(first.value()) == database_head());
  CHECK(e.percents == std::vector<int>{1, 50, 100});
  const std::string call = nsys_calls(e.folder);
  CHECK(has(call, "export --type sqlite --force-overwrite true --include-blobs true -o "));
  CHECK(call.ends_with(e.report + "\n"));
  CHECK(e.kept() == 1);

  const auto again = e.run();
  REQUIRE(again.ok());
  CHECK(again.value() == first.value());
  CHECK(nsys_calls(e.folder) == call);

  e.folder.append("run/worker_process_4711.nsys-rep", "more");
  const auto changed = e.run();
  REQUIRE(changed.ok());
  CHECK(changed.value() != first.value());
  CHECK(nsys_calls(e.folder) != call);
}

TEST_CASE("nsys_export: a database next to the report is used unless it is older or invalid") {
  Export e;
  e.nsys(e.copy());
  const std::string beside = e.folder.write("run/worker_process_4711.sqlite", database_head());
  const auto now = fs::last_write_time(e.report);
  fs::last_write_time(beside, now + std::chrono::seconds(1));
  CHECK(e.run().value() == beside);
  CHECK(nsys_calls(e.folder).empty());
  fs::last_write_time(beside, now - std::chrono::seconds(1));
  CHECK(e.run().value() != beside);
  e.folder.write("run/worker_process_4711.sqlite", "no database");
  CHECK(e.run().value() != beside);
}

TEST_CASE("nsys_export: blanks, quotes and dollar signs in file names do no harm") {
  Export e;
  e.nsys(e.copy());
  e.report = e.folder.write("a b/it's $(1) \"x\".nsys-rep", fake_report());
  CHECK(e.run().ok());
}

TEST_CASE("nsys_export: without nsys the error says what to run") {
  Export e;
  e.tools.nsys = e.folder.path("nowhere/nsys");
  const std::string why = e.failure();
  CHECK(has(why, "report of version 2025.5.1.121"));
  CHECK(has(why, "there is no program " + e.tools.nsys));
  CHECK(has(why, "nsys export --type sqlite -o worker_process_4711.sqlite worker_process_4711.nsys-rep"));
  CHECK(has(why, "then open worker_process_4711.sqlite"));
  e.tools.exports.clear();
  CHECK(has(e.failure(), "XDG_CACHE_HOME"));
}

TEST_CASE("nsys_export: a failing nsys is quoted in the error, and none of its files are kept") {
  Export e;
  e.nsys("echo one; echo two; echo 'Unable to open: bad file'; : > \"$out\"; exit 5");
  const std::string why = e.failure();
  CHECK(has(why, "nsys export ended with 5: one | two | Unable to open: bad file"));
  CHECK_FALSE(has(why, "use that version or a newer one"));
  CHECK(e.kept() == 0);
  e.nsys("echo half > \"$out\"; kill -SEGV $$");
  CHECK(has(e.failure(), "was ended by signal 11"));
  e.nsys("echo 'nothing to do'");
  CHECK(has(e.failure(), "made no database: nothing to do"));
  CHECK(e.kept() == 0);
}

TEST_CASE("nsys_export: an nsys that does not know an option is run again without it") {
  Export e;
  e.nsys("case \"$(tail -1 '" + e.folder.path("calls") + "')\" in *blobs*) echo \"unrecognised option '--include-blobs'\"; exit 1;; esac\n" +
         e.copy());
  CHECK(e.run().ok());
  CHECK(e.kept() == 1);
}

TEST_CASE("nsys_export: an nsys older than the report is named as the reason for the failure") {
  Export e;
  e.nsys("exit 1", "2024.5.1");
  CHECK(has(e.failure(), "this nsys is 2024.5.1, the report was made by 2025.5.1.121"));
}

TEST_CASE("nsys_export: an export folder that cannot be written is reported") {
  Export e;
  e.nsys(e.copy());
  e.tools.exports = e.folder.write("file", "") + "/nsys";
  CHECK(has(e.failure(), "its export needs the folder"));
}

TEST_SUITE_BEGIN("nsys_export: concurrent");

TEST_CASE("nsys_export: cancelling a hanging nsys leaves no files behind") {
  Export e;
  // It begins to write, reports progress, and never ends.
  e.nsys("echo half > \"$out\"; : > \"$out-journal\"; printf '[ 3%%]\\r'; trap '' TERM; sleep 3600");
  std::stop_source stop;
  const auto progress = [&](int) { stop.request_stop(); };
  const auto result = export_nsys_report(e.report, "", e.tools, progress, stop.get_token());
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message == "cancelled");
  CHECK(e.kept() == 0);
}

TEST_SUITE_END();
