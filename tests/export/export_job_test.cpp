// Exports in the background, and the equivalent command lines.
#include "core/export/export_job.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <sstream>
#include <thread>

#include "core/export/formats/export_chrome.h"
#include "core/export/formats/export_csv.h"
#include "core/query/lane_filter.h"
#include "tests/export/exported.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string job_file(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void wait_for(const ExportJob& job, const std::atomic<bool>& done) {
  done.wait(false);
  while (job.running()) std::this_thread::yield();
}

std::ptrdiff_t files_there(const TempDir& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator());
}

}  // namespace

TEST_SUITE("concurrent") {
  TEST_CASE("export job: the written file equals a direct export") {
    const TempDir folder;
    const auto trace = gen_trace(3, shape_of(3)).build();
    for (const ExportFormat format : {ExportFormat::Csv, ExportFormat::Chrome}) {
      std::atomic<bool> done = false;
      const std::string path = folder.path() + "/out";
      ExportJob job({trace, {}, format, path}, test_pool(), [&] {
        done = true;
        done.notify_all();
      });
      wait_for(job, done);
      REQUIRE(job.result());
      const Exported wanted = format == ExportFormat::Csv ? exported(*trace, {}, export_csv) : exported(*trace, {}, export_chrome);
      CHECK(job_file(path) == wanted.text);
      CHECK(job.bytes() == wanted.text.size());
      CHECK(job.result().value().slices == wanted.totals.slices);
    }
  }

  TEST_CASE("export job: a cancelled or failed job leaves no partial file, and an existing file stays") {
    const TempDir folder;
    const auto trace = gen_trace(3, shape_of(3)).build();
    const std::string path = folder.write("out", "before");
    std::atomic<bool> done = false;
    {
      // The only thread of this pool is busy until the job is cancelled: the job cannot end before.
      ThreadPool busy(1);
      std::promise<void> cancelled;
      busy.submit([until = cancelled.get_future().share()] { until.wait(); });
      ExportJob job({trace, {}, ExportFormat::Csv, path}, busy, [&] {
        done = true;
        done.notify_all();
      });
      while (job.running() && files_there(folder) < 2) std::this_thread::yield();
      CHECK(files_there(folder) == 2);  // the partial file is next to the old one
      CHECK(!job.cancelled());
      job.cancel();
      cancelled.set_value();
      wait_for(job, done);
      CHECK(job.cancelled());
      REQUIRE(!job.result());
      CHECK(job.result().error().message == "cancelled");
      CHECK(job.bytes() == 0);
      CHECK(job_file(path) == "before");
      CHECK(files_there(folder) == 1);
    }
    done = false;
    ExportJob job({trace, {}, ExportFormat::Csv, folder.path()}, test_pool(), [&] {
      done = true;
      done.notify_all();
    });
    wait_for(job, done);
    REQUIRE(!job.result());
    CHECK(job.result().error().message == "it is a folder");
    CHECK(files_there(folder) == 1);
  }
}

TEST_CASE("export command: the equivalent command line is quoted for a shell") {
  ExportRequest words{{"a b.json", "c.json"}, ExportFormat::Perfetto, TimeRange{-5, 1200}, "/^rank 0 . it.s$/", "out.perfetto-trace"};
  CHECK(export_command(words) ==
        "traceview export 'a b.json' c.json --to perfetto --range -5ns..1200ns --lanes '/^rank 0 . it.s$/' -o out.perfetto-trace");
  words = {{"it's"}, ExportFormat::Csv, {}, {}, "-"};
  CHECK(export_command(words) == "traceview export 'it'\\''s' --to csv -o -");
  words.clocks = {{"b/*", -250 * kMillisecond}, {"c d.json", 0}};
  words.place_by = PlaceBy::Recorded;
  words.align = Align::Fold;
  CHECK(export_command(words) ==
        "traceview export 'it'\\''s' --clock 'b/*=-250ms' --clock 'c d.json=+0s' --clock recorded --align fold --to csv -o -");
}

TEST_CASE("export command: a lane filter, if there is one, chooses exactly the given lanes") {
  for (const std::uint64_t seed : seeds(5)) {
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    std::vector<bool> lanes(trace->lanes.size());
    for (std::size_t l = 0; l < lanes.size(); ++l) lanes[l] = (seed >> (l % 7) & 1) != 0;
    if (const auto filter = filter_of_lanes(*trace, lanes)) {
      const auto chosen = chosen_lanes(*trace, *filter);
      REQUIRE(chosen);
      CHECK(chosen.value().lanes == lanes);
    }
    CHECK(filter_of_lanes(*trace, std::vector<bool>(lanes.size(), true)) == std::string());
  }
}
