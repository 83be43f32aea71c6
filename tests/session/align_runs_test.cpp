// Alignment of runs recorded on different days, from the option to the display.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/analysis/clocks/align_advice.h"
#include "core/store/segments/compose.h"
#include "core/store/segments/one_segment.h"
#include "core/store/segments/trace_file.h"
#include "core/view/keys/keymap.h"
#include "tests/session/desk.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr std::int64_t kMonday_us = 1'700'000'000'000'000, kTuesday_us = kMonday_us + 86'400'000'000;

// Two ranks on Monday, 3 ms apart, and one on Tuesday.
void write_days(const TempDir& folder) {
  folder.write("monday/rank0.json", "[" + event("m0", kMonday_us, 10'000) + "," + event("m0b", kMonday_us + 20'000, 5'000) + "]");
  folder.write("monday/rank1.json", "[" + event("m1", kMonday_us + 3'000, 20'000) + "]");
  folder.write("tuesday/rank0.json", "[" + event("t0", kTuesday_us, 15'000) + "]");
}

std::shared_ptr<const Trace> load_aligned(const TempDir& folder, AlignChoice align, LoadChoice choice = {}) {
  LoadOptions options;
  options.align = align;
  options.choice = std::move(choice);
  return load_snapshot({folder.path()}, test_pool(), options)->trace;
}

Ns begin_of(const Trace& trace, std::string_view name) {
  const SliceId slice = slice_named(trace, name);
  REQUIRE(slice != kNone<SliceId>);
  return trace.begin_of(slice);
}

}  // namespace

TEST_CASE("align_runs: a mostly empty view is reported with the option that folds it, a single run is not") {
  const TempDir folder;
  write_days(folder);
  const auto recorded = load_aligned(folder, Align::Recorded);
  const RunsInView runs = runs_in_view(*recorded);
  CHECK(runs.runs == 2);
  CHECK(runs.sparse);
  CHECK(align_text(*recorded).starts_with("2 runs fill "));
  CHECK(align_text(*recorded).find("--align fold") != std::string::npos);
  const TempDir marks;  // zero-length, 1,111 hours later: not in the first view
  marks.write("a.json", "[" + event("a", 0, 1000) + "]");
  marks.write("b.json", R"([{"ph":"i","s":"g","name":"mark","ts":4000000000000,"pid":1,"tid":1}])");
  CHECK(align_text(*load_aligned(marks, Align::Recorded)).find("of the 1111 h 06 m from the first to the last") != std::string::npos);
  const TempDir one;
  one.write("a.json", "[" + event("a", kMonday_us, 10) + "]");
  CHECK(align_text(*load_aligned(one, Align::Recorded)) == "");
  CHECK(load_aligned(one, Align::Zero)->align == Align::Recorded);  // there is nothing to align
  CHECK(load_aligned(one, Align::Zero)->origin_ns == kMonday_us * kMicrosecond);
}

TEST_CASE("align_runs: by default, runs are folded only if most of the view would be empty") {
  const TempDir days, one, close;
  write_days(days);
  const auto folded = load_aligned(days, std::nullopt);
  CHECK(folded->align == Align::Fold);
  CHECK(begin_of(*folded, "t0") == begin_of(*load_aligned(days, Align::Fold), "t0"));
  one.write("rank0.json", "[" + event("a", kMonday_us, 10'000) + "]");
  CHECK(load_aligned(one, std::nullopt)->align == Align::Recorded);
  close.write("rank0.json", "[" + event("a", kMonday_us, 10'000) + "]");
  close.write("rank1.json", "[" + event("b", kMonday_us + 20'000, 10'000) + "]");
  CHECK(load_aligned(close, std::nullopt)->align == Align::Recorded);
}

TEST_CASE("align_runs: runs begin at 0 or are folded, and slice details keep the recorded time") {
  const TempDir folder;
  write_days(folder);
  for (const Align align : {Align::Recorded, Align::Zero, Align::Fold}) {
    CAPTURE(name(align));
    const auto trace = load_aligned(folder, align);
    CHECK(trace->align == align);
    CHECK(begin_of(*trace, "m1") - begin_of(*trace, "m0") == 3 * kMillisecond);
    for (const auto& [slice, us] : {std::pair("m0", kMonday_us), {"m1", kMonday_us + 3'000}, {"t0", kTuesday_us}}) {
      CHECK(slice_details(*trace, slice_named(*trace, slice)).begin_abs == us * kMicrosecond);
    }
    CHECK(trace->sources[0].wall_clock);
  }
  const auto zero = load_aligned(folder, Align::Zero), fold = load_aligned(folder, Align::Fold);
  CHECK(zero->origin_ns == 0);  // no wall clock would be right for both runs
  CHECK(begin_of(*zero, "m0") == 0);
  CHECK(begin_of(*zero, "t0") == 0);
  CHECK(zero->extent == TimeRange{0, 25 * kMillisecond});
  CHECK(fold->origin_ns == 0);
  CHECK(begin_of(*fold, "t0") == 27 * kMillisecond);  // a twentieth of 40 ms after the end of Monday
  const RunsInView runs = runs_in_view(*fold);
  REQUIRE(runs.gaps.size() == 1);
  CHECK(runs.gaps[0].at == TimeRange{25 * kMillisecond, 27 * kMillisecond});
  CHECK(runs.folded() == 86'400 * kSecond - 27 * kMillisecond);
}

TEST_CASE("align_runs: a time window refers to the aligned view, an absolute one to the recorded times") {
  const TempDir folder;
  write_days(folder);
  for (const Align align : {Align::Zero, Align::Fold}) {
    CAPTURE(name(align));
    const auto whole = load_aligned(folder, align);
    const Ns t0 = begin_of(*whole, "t0");
    const auto part = load_aligned(folder, align, {{}, TimeRange{t0 + kMillisecond, t0 + 2 * kMillisecond}});
    CHECK(part->align == align);
    CHECK(begin_of(*part, "t0") + part->origin_ns == t0);
    CHECK(slice_details(*part, slice_named(*part, "t0")).begin_abs == kTuesday_us * kMicrosecond);
    CHECK((slice_named(*part, "m0") != kNone<SliceId>) == (align == Align::Zero));
    const Ns since_epoch = kTuesday_us * kMicrosecond;
    const auto absolute =
        load_aligned(folder, align, {{}, TimeRange{since_epoch, since_epoch + kMillisecond}, LoadChoice::Clock::Absolute});
    CHECK(absolute->slice_count == 1);
    CHECK(begin_of(*absolute, "t0") + absolute->origin_ns == t0);
  }
}

TEST_CASE("align_runs: a trace that is written and read back keeps its alignment") {
  const TempDir folder;
  write_days(folder);
  const auto trace = as_one_segment(*load_aligned(folder, Align::Fold), test_pool()).value();
  auto writer = SectionWriter::create(folder.path("kept"), test_pool());
  REQUIRE(writer.ok());
  write_trace(*writer, *trace, TraceCoding::Plain);
  REQUIRE(writer->finish().ok());
  auto file = SectionFile::open(folder.path("kept"), SectionFile::Access::Read);
  REQUIRE(file.ok());
  const auto back = read_trace(**file, test_pool());
  REQUIRE(back.ok());
  CHECK(trace_text(*back.value()) == trace_text(*trace));
  CHECK(back.value()->align == Align::Fold);
  CHECK(back.value()->work == trace->work);
  CHECK(align_text(*back.value()) == align_text(*trace));
}

TEST_CASE("align_runs: when a command changes the alignment, marks and the selected range move with their run") {
  const TempDir folder;
  write_days(folder);
  TestDesk desk;
  desk.open({folder.path()});
  const auto time_of = [&](std::string_view name) { return begin_of(desk.ws.trace(), name); };
  desk.apply(command::AddMark{time_of("t0") + kMillisecond});
  desk.apply(command::SelectRange{{time_of("t0"), time_of("t0") + 5 * kMillisecond}, {}});
  desk.select("t0");
  for (const Align align : {Align::Fold, Align::Recorded, Align::Zero}) {
    CAPTURE(name(align));
    desk.ws.apply(command::AlignRuns{align});
    desk.wait();
    CHECK(desk.ws.trace().align == align);
    CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{time_of("t0") + kMillisecond});
    CHECK(desk.ws.state().selection.range == TimeRange{time_of("t0"), time_of("t0") + 5 * kMillisecond});
    CHECK(desk.selected() == "t0");
    CHECK(desk.shows_everything());
  }
  // Where runs overlap in a view, a time belongs to the first run that is active then.
  for (const Align align : {Align::Fold, Align::Recorded, Align::Zero, Align::Fold}) {
    desk.ws.apply(*command_for(Action::NextAlign));
    desk.wait();
    CHECK(desk.ws.trace().align == align);
  }
  CHECK(desk.ws.state().notes.marks().size() == 1);
  desk.open({folder.path() + "/tuesday"});
  CHECK(desk.ws.session().read().align == Align::Recorded);  // opening something else resets the alignment
}
