// Files as segments of their own give what reading them into one gives.
#include "core/session/load/segment_groups.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/io/files/open_stream.h"
#include "core/session/load/given_sources.h"
#include "core/session/load/load_job.h"
#include "core/store/trace/trace_builder.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

SourceView told(std::string path, std::string format, std::int64_t pid, std::optional<std::int64_t> rank, std::string host = {}) {
  SourceView view;
  view.info.path = std::move(path);
  view.info.format = std::move(format);
  view.info.pid = pid;
  view.info.rank = rank;
  view.info.host = std::move(host);
  view.lanes["t"].path = {{"thread", 0, view.info.path}};
  view.batches.push_back({std::make_shared<SliceBlock>(), std::make_shared<BatchRest>(EventBatch()), nullptr});
  return view;
}

std::string text_of(const SegmentGroups& groups) {
  std::string text;
  for (const auto& group : groups) {
    for (const std::size_t file : group) text += std::to_string(file);
    text += " ";
  }
  return text;
}

std::string groups_of(std::vector<SourceView> files) { return text_of(segment_groups(files, Align::Recorded)); }

// Read by hand, all into one segment.
std::shared_ptr<const Trace> in_one(const std::vector<std::string>& files, AlignChoice align) {
  std::vector<SourceView> views;
  for (const SourceInfo& info : given_sources(files, {}).sources) {
    SourceDraft draft(info);
    auto known = recognise(info.path);
    if (!known.ok() || !known.value().reader) continue;
    const Reader& reader = *known.value().reader;
    draft.edit_info([&](SourceInfo& i) { i.format = reader.id; });
    auto stream = open_stream(info.path);
    REQUIRE(stream.ok());
    ReadProgress progress;
    ReadContext context{info.path, known.value().head, **stream, draft, test_pool(), progress, {}, 1 << 20};
    Result<void> read = reader.read(context);
    std::uint64_t items = 0;
    for (const StoredBatch& batch : draft.view().batches) {
      const EventBatch& rest = *batch.rest;
      items += batch.slices->size() + rest.halves.size() + rest.instants.size() + rest.samples.size() + rest.flows.size();
    }
    if (note_end(draft, **stream, {std::move(read), items, true})) {
      draft.edit_info([](SourceInfo& i) { i.state = SourceState::Ready; });
    }
    views.push_back(draft.take());
  }
  return build_trace(std::move(views), test_pool(), {}, PlaceBy::Collectives, align);
}

std::string all_in(const Trace& trace) {
  std::vector<std::string> lines;
  for (const SourceInfo& source : trace.sources) {
    lines.push_back(source.path + " " + std::to_string(source.shift) + " " + std::to_string(source.work.begin) + " " +
                    std::to_string(source.work.end) + " " + source.process + " " + std::to_string(source.aligned));
  }
  for (const Lane& lane : trace.lanes) {
    lines.push_back(lane.name + " " + std::to_string(lane.busy) + " " + std::to_string(lane.extent.begin) + " " +
                    std::to_string(lane.extent.end));
  }
  lines.push_back(std::to_string(trace.origin_ns) + " " + std::to_string(trace.extent.end));
  return sorted_trace_text(trace, std::move(lines));
}

std::vector<std::string> files_of_fixtures() {
  std::vector<std::string> fixtures;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(source_dir()) / "tests/fixtures")) {
    const auto ending = entry.path().extension();
    if (!entry.is_regular_file() || ending == ".golden" || ending == ".py") continue;
    const auto known = recognise(entry.path().string());
    if (known.ok() && known.value().reader && known.value().reader->read) fixtures.push_back(entry.path().string());
  }
  std::ranges::sort(fixtures);
  return fixtures;
}

}  // namespace

TEST_CASE("segment_groups: ranks are alone, windows of one process and rollouts of one run together") {
  const std::string kineto = "chrome_json";
  CHECK(groups_of({}) == " ");
  CHECK(groups_of({told("d/a", kineto, 400, 0), told("d/b", kineto, 401, 1)}) == "0 1 ");
  CHECK(groups_of({told("d/a", kineto, 400, 0), told("d/b", kineto, 401, 1), told("d/c", kineto, 400, 0)}) == "02 1 ");
  CHECK(groups_of({told("d/a", kineto, 400, 0), told("e/b", kineto, 400, 0)}) == "0 1 ");
  CHECK(groups_of({told("d/a", kineto, 400, 0, "h"), told("e/b", kineto, 400, 0, "h")}) == "01 ");
  // The same number in containers: other ranks are other processes, until one is there twice.
  CHECK(groups_of({told("d/a", kineto, 1, 0), told("d/b", kineto, 1, 1)}) == "0 1 ");
  CHECK(groups_of({told("d/a", kineto, 1, 0), told("d/b", kineto, 1, 1), told("d/c", kineto, 1, 1)}) == "012 ");
  CHECK(groups_of({told("a", "nsys_sqlite", 7, {}, "h"), told("b", "nsys_sqlite", 7, {}, "h"), told("c", "nsys_sqlite", 7, {}, "i")}) ==
        "01 2 ");
  CHECK(groups_of({told("d/a", kineto, 400, 0), told("d/b", kineto, 401, 1), told("l", "megatron_log", 9, {})}) == "0 1 2 ");
  const auto rollout = [&](const std::string& path) {
    SourceView view = told(path, "verl_rollout", 0, {});
    view.info.pid.reset();
    view.rollout = std::make_shared<RolloutLog>();
    return view;
  };
  CHECK(groups_of({rollout("run/step_1/worker_0.jsonl"), rollout("other/step_1/worker_0.jsonl"), told("d/a", kineto, 400, 0),
                   rollout("run/step_2/worker_1.jsonl")}) == "03 1 2 ");
  // A lane in common, and what shows nothing.
  SourceView same = told("d/c", kineto, 402, 2);
  same.lanes["t"].path = {{"thread", 0, "d/a"}};
  CHECK(groups_of({told("d/a", kineto, 400, 0), told("d/b", kineto, 401, 1), same}) == "02 1 ");
  SourceView nothing;
  nothing.info.path = "README";
  CHECK(groups_of({nothing, told("d/a", kineto, 400, 0), nothing, told("d/b", kineto, 401, 1), nothing}) == "012 34 ");
  CHECK(groups_of({nothing, nothing}) == "01 ");
  CHECK(text_of(segment_groups({told("d/a", kineto, 400, 0), told("d/b", kineto, 401, 1)}, Align::Zero)) == "0 1 ");
}

TEST_CASE("segment_groups: runs of different days are alone, until files of one group are to be moved apart") {
  const auto on_day = [](std::int64_t day, const std::string& path, std::int64_t pid, std::int64_t step) {
    SliceColumns slices;
    SourceView view = told(path, "chrome_json", pid, 0);
    auto names = std::make_shared<SourceNames>();
    const LabelId label = names->labels.intern("", fmt::format("ProfilerStep#{}", step));
    slices.add(0, 1'700'000'000 * kSecond + day * 86'400 * kSecond, kSecond, label, kNoGroup, 0, 0);
    view.batches = {{std::make_shared<SliceBlock>(slices), std::make_shared<BatchRest>(EventBatch()), nullptr}};
    view.names = names;
    return view;
  };
  const std::vector<SourceView> alone{on_day(0, "d/a", 400, 1), on_day(1, "d/b", 401, 2), on_day(2, "d/c", 402, 3)};
  const std::vector<SourceView> windows{on_day(0, "d/a", 400, 1), on_day(1, "d/b", 400, 2), on_day(2, "d/c", 402, 3)};
  for (const AlignChoice align : {AlignChoice(), AlignChoice(Align::Recorded), AlignChoice(Align::Zero), AlignChoice(Align::Fold)}) {
    CHECK(text_of(segment_groups(alone, align)) == "0 1 2 ");
    // When each run begins at 0, windows of one process are one run; folding takes out what is between them.
    const bool apart = align.value_or(Align::Fold) == Align::Fold;
    CHECK(text_of(segment_groups(windows, align)) == (apart ? "012 " : "01 2 "));
  }
}

TEST_CASE("segment_groups: a lane with nothing on it does not reach into the times of others") {
  const TempDir folder;
  const std::string ends = folder.write("only_ends.json", R"([{"ph":"E","pid":1,"tid":2,"ts":100},{"ph":"E","pid":1,"tid":2,"ts":200}])");
  const AlignChoice choices[] = {std::nullopt, Align::Recorded, Align::Zero, Align::Fold};
  std::size_t several = 0;
  for (const std::string& other : files_of_fixtures()) {
    CAPTURE(other);
    LoadOptions options;
    options.align = choices[several % 4];
    const auto trace = load_snapshot({ends, other}, test_pool(), options)->trace;
    CHECK(first_difference(all_in(*in_one({ends, other}, options.align)), all_in(*trace)) == "");
    several += trace->parts.size() > 1;
  }
  CHECK(several > 50);
}

TEST_CASE("segment_groups: fixtures of all formats, as segments and in one, are the same") {
  const std::vector<std::string> fixtures = files_of_fixtures();
  REQUIRE(fixtures.size() > 50);
  std::size_t several = 0, aligned = 0;
  for (const std::uint64_t seed : seeds(150)) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    std::vector<std::string> files;
    std::ranges::sample(fixtures, std::back_inserter(files), static_cast<std::ptrdiff_t>(2 + seed % 4), random);
    std::string given;
    for (const std::string& file : files) given += file + " ";
    CAPTURE(given);
    LoadOptions options;
    const AlignChoice choices[] = {std::nullopt, Align::Recorded, Align::Zero, Align::Fold};
    options.align = choices[seed % 4];
    const auto trace = load_snapshot(files, test_pool(), options)->trace;
    REQUIRE(check_invariants(*trace) == "");
    CHECK(first_difference(all_in(*in_one(files, options.align)), all_in(*trace)) == "");
    several += trace->parts.size() > 1;
    aligned += trace->parts.size() > 1 && trace->align != Align::Recorded;
  }
  CHECK(several > 0);
  CHECK(aligned > 0);
}
