// A file that several tabs show is read once and held once.
#include "core/session/held/segment_store.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <thread>

#include "core/session/load/load_job.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

using Paths = std::vector<std::string>;

// A tab: its load and the snapshot that it shows.
struct Tab {
  Tab(const Paths& paths, LoadOptions options)
      : job(paths, test_pool(), std::move(options), [this](std::shared_ptr<const Snapshot> snapshot) { shown = std::move(snapshot); }) {}
  const Trace& trace() {
    job.wait();
    return *shown->trace;
  }
  std::shared_ptr<const Snapshot> shown;
  LoadJob job;
};

LoadOptions sharing(std::shared_ptr<SegmentStore> store = std::make_shared<SegmentStore>()) {
  LoadOptions options;
  options.align = std::nullopt;
  options.store = std::move(store);
  return options;
}

// The events belong to process 1000 + `pid`, so that files with different numbers are different segments.
std::string trace_of(int pid, int events = 1) {
  std::string text;
  for (int i = 0; i < events; ++i) {
    text += (i > 0 ? ",\n" : "[") + event("op" + std::to_string(pid + i % 7), 10 * i + pid, 5);
    text.replace(text.rfind("\"pid\":1"), 7, "\"pid\":" + std::to_string(1000 + pid));
  }
  return text + "]";
}

std::string text_of(const Trace& trace) { return sorted_trace_text(trace, {}); }

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("segment_store: a file that another tab shows is not read again, alone or with other files") {
  const TempDir folder;
  const std::string a = folder.write("a.json", trace_of(1));
  const std::string b = folder.write("b.json", trace_of(2));
  const LoadOptions options = sharing();
  Tab first({a}, options);
  const Trace* const read = &first.trace();
  Tab second({a}, options);
  CHECK(&second.trace() == read);
  CHECK(second.job.times().nothing_read);
  Tab both({a, b}, options);
  REQUIRE(both.trace().parts.size() == 2);
  CHECK(both.trace().parts.front().segment.get() == read);
  CHECK(text_of(both.trace()) == text_of(*load_snapshot({a, b}, test_pool(), {})->trace));
}

TEST_CASE("segment_store: a changed file, a reload and another choice of ranks read the file again") {
  const TempDir folder;
  const std::string a = folder.write("a.json", trace_of(1));
  const LoadOptions options = sharing();
  Tab first({a}, options);
  const Trace* const read = &first.trace();
  LoadOptions as_recorded = options;
  as_recorded.place_by = PlaceBy::Recorded;
  Tab same({a}, as_recorded);
  CHECK(&same.trace() == read);
  LoadOptions of_rank = options;
  of_rank.choice.ranks = {{0, 0}};
  Tab otherwise({a}, of_rank);
  CHECK(&otherwise.trace() != read);
  LoadOptions again = options;
  again.again = true;
  Tab reloaded({a}, again);
  CHECK(&reloaded.trace() != read);
  folder.write("a.json", trace_of(1, 2));
  Tab now({a}, options);
  CHECK(now.trace().slice_count == 2);
  CHECK(read->slice_count == 1);
}

TEST_CASE("segment_store: nothing is held when the last tab is closed") {
  const TempDir folder;
  const std::string a = folder.write("a.json", trace_of(1));
  const LoadOptions options = sharing();
  std::weak_ptr<const Trace> held;
  {
    Tab tab({a}, options);
    tab.job.wait();
    held = tab.shown->trace;
    CHECK(options.store->find({std::string_view(a)}).size() == 1);
  }
  CHECK(held.expired());
  CHECK(options.store->find({std::string_view(a)}).empty());
}

TEST_CASE("segment_store: tabs that open the same files at once read each of them once") {
  const TempDir folder;
  Paths files;
  for (int i = 0; i < 5; ++i) files.push_back(folder.write("rank" + std::to_string(i) + ".json", trace_of(i, 3000)));
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const LoadOptions options = sharing();
    const Paths last_two(files.end() - 2, files.end());
    Tab all(files, options), again(files, options), some(last_two, options);
    const auto segment_of = [](const Trace& view, const std::string& file) -> const Trace* {
      if (view.parts.empty()) return &view;
      for (const ViewPart& part : view.parts) {
        if (part.segment->sources.front().path == file) return part.segment.get();
      }
      return nullptr;
    };
    for (const std::string& file : files) CHECK(segment_of(all.trace(), file) == segment_of(again.trace(), file));
    for (const std::string& file : last_two) CHECK(segment_of(all.trace(), file) == segment_of(some.trace(), file));
    CHECK(text_of(all.trace()) == text_of(again.trace()));
  }
}

TEST_CASE("segment_store: a load that waits for another tab's can be cancelled, and reads if that one gives up") {
  const TempDir folder;
  const std::string a = folder.write("a.json", trace_of(1));
  const LoadOptions options = sharing();
  {
    const SegmentStore::Reading reading = options.store->read({std::string_view(a)}, LoadChoice{}.text(), {});
    Tab waiting({a}, options);
    wait_until([&] { return waiting.job.status().stage == LoadStatus::Stage::Waiting; });
    waiting.job.cancel();
    waiting.job.wait();
    CHECK(waiting.job.status().stage == LoadStatus::Stage::Cancelled);
  }
  auto reading = std::make_unique<SegmentStore::Reading>(options.store->read({std::string_view(a)}, LoadChoice{}.text(), {}));
  Tab waiting({a}, options);
  Tab other({folder.write("b.json", trace_of(2))}, options);
  CHECK(other.trace().slice_count == 1);  // does not wait
  reading.reset();
  CHECK(waiting.trace().slice_count == 1);
}
