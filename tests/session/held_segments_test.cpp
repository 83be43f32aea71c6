// Opening files one after another gives the same as opening them at once, and nothing is read twice.
#include "core/session/held/held_segments.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/session/load/segment_groups.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/workspace/session.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

using Paths = std::vector<std::string>;

LoadOptions as_windows_do() {
  LoadOptions options;
  options.align = std::nullopt;
  options.store = std::make_shared<SegmentStore>();
  return options;
}

void wait_read(const Session& session) {
  wait_until([&] { return !session.status().running(); });
}

void open_and_wait(Session& session, const Paths& paths, bool add = false) {
  session.open(paths, add);
  wait_read(session);
}

// The whole content of a trace, independent of the order of its files.
std::string all_of(const Trace& trace) {
  std::vector<std::string> lines;
  for (const SourceInfo& source : trace.sources) {
    lines.push_back(source.path + " " + std::to_string(source.shift.by) + " " + std::to_string(source.clock_fit.offset) + " " +
                    std::to_string(source.aligned.by) + " " + std::string(name(source.state)) + " " + source.reason);
  }
  lines.push_back(std::to_string(trace.extent.end) + " " + std::to_string(trace.origin_ns));
  return sorted_trace_text(trace, std::move(lines));
}

bool has(const Trace& view, const std::shared_ptr<const Trace>& segment) {
  return std::ranges::find(view.parts, segment, &ViewPart::segment) != view.parts.end();
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string trace_of(int pid, const std::string& name, std::int64_t at_us, std::int64_t lasting_us) {
  std::string text = "[" + event(name, at_us, lasting_us) + "]";
  return text.replace(text.find("\"pid\":1"), 7, "\"pid\":" + std::to_string(pid));
}

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("held_segments: adding or changing one file among others reads only that file") {
  const TempDir folder;
  const std::string a = folder.write("rank0.json", trace_of(1001, "a", 1, 5));
  const std::string b = folder.write("rank1.json", trace_of(1002, "b", 2, 5));
  const std::string c = packed({folder.write("rank2.json", trace_of(1003, "c", 3, 5))}, folder.path("c.tvx"));
  Session session(test_pool(), {}, as_windows_do());
  open_and_wait(session, {a});
  const auto first = session.snapshot()->trace;
  open_and_wait(session, {b}, true);
  const auto both = session.snapshot()->trace;
  REQUIRE(both->parts.size() == 2);
  CHECK(has(*both, first));
  CHECK(session.status().bytes_total == std::filesystem::file_size(b));
  open_and_wait(session, {c}, true);
  const auto three = session.snapshot();
  REQUIRE(three->trace->parts.size() == 3);
  CHECK(session.status().bytes_total == 0);
  for (const ViewPart& part : both->parts) CHECK(has(*three->trace, part.segment));
  CHECK(three->trace->slice_count == 3);
  // Opening the same file again reads nothing.
  open_and_wait(session, {a}, true);
  REQUIRE(session.snapshot()->trace->parts.size() == 3);
  for (std::size_t p = 0; p < 3; ++p) {
    CHECK(session.snapshot()->trace->parts[p].segment == three->trace->parts[p].segment);
    CHECK(session.snapshot()->index->segments()[p] == three->index->segments()[p]);
  }
  // Only the changed one is read.
  folder.write("rank1.json", "[" + event("b", 2, 5) + "," + event("later", 9, 5) + "]");
  open_and_wait(session, {a}, true);
  const auto changed = session.snapshot()->trace;
  REQUIRE(changed->parts.size() == 3);
  CHECK(changed->slice_count == 4);
  CHECK(has(*changed, first));
  CHECK(session.status().bytes_total == std::filesystem::file_size(b));
  // A reload does the same, but reads everything if no file has changed.
  folder.write("rank1.json", trace_of(1002, "b", 2, 5));
  session.reload();
  wait_read(session);
  CHECK(has(*session.snapshot()->trace, first));
  CHECK(session.snapshot()->trace->slice_count == 3);
  session.reload();
  wait_read(session);
  CHECK(!has(*session.snapshot()->trace, first));
  CHECK(session.snapshot()->trace->slice_count == 3);
  CHECK(session.snapshot()->trace->parts.size() == 3);
}

TEST_CASE("held_segments: of a folder that was opened at once, only the file that changed is read again") {
  const TempDir folder, cache;
  for (int rank = 0; rank < 20; ++rank) {
    folder.write("rank" + std::to_string(rank) + ".json", trace_of(1000 + rank, "r" + std::to_string(rank), 10 + rank, 5));
  }
  LoadOptions options = as_windows_do();
  options.cache = {cache.path(), "p", true, 1ULL << 30, 0};
  for (const bool from_cache : {false, true}) {
    CAPTURE(from_cache);
    Session session(test_pool(), {}, options);
    open_and_wait(session, {folder.path()});
    const auto before = session.snapshot()->trace;
    REQUIRE(before->parts.size() == 20);
    const std::string text = trace_of(1007, from_cache ? "twice" : "once", 3, 5);
    const std::string changed = folder.write("rank7.json", text);
    session.reload();
    wait_read(session);
    const auto trace = session.snapshot()->trace;
    REQUIRE(trace->parts.size() == 20);
    CHECK(session.status().bytes_total == text.size());
    CHECK(std::ranges::count_if(before->parts, [&](const ViewPart& part) { return has(*trace, part.segment); }) == 19);
    const auto at_once = load_snapshot({folder.path()}, test_pool(), as_windows_do())->trace;
    CHECK(first_difference(all_of(*at_once), all_of(*trace)) == "");
    // Brings the cache up to date, for the next round to open from it.
    load_snapshot({folder.path()}, test_pool(), options);
  }
}

TEST_CASE("held_segments: a manual clock offset moves its segment, and nothing is read") {
  const TempDir folder;
  constexpr std::int64_t kBegin_us = 1'700'000'000'000'000;
  const auto file = [&](const std::string& name, int pid, std::int64_t at_us) {
    return folder.write(name, trace_of(pid, name, at_us, 2'000'000));
  };
  const Paths files{file("a.json", 1001, kBegin_us), file("b.json", 1002, kBegin_us + 1'000), file("c.json", 1003, kBegin_us + 2'000),
                    file("no_wall.json", 1004, 5'000)};
  Session session(test_pool(), {}, as_windows_do());
  open_and_wait(session, files);
  const auto first = session.snapshot();
  REQUIRE(first->trace->parts.size() == 4);
  for (const ClockOffsets& clocks : {ClockOffsets{{"b.json", -3 * kMillisecond}}, ClockOffsets{{"b.json", 2 * kSecond}, {"no_wall.json", 7}},
                                     ClockOffsets{{"a.json", kMillisecond}}, ClockOffsets{}}) {
    session.read_with(&ReadSettings::clocks, clocks);
    wait_read(session);
    const auto moved = session.snapshot();
    REQUIRE(moved->trace->parts.size() == 4);
    CHECK(session.status().bytes_total == 0);
    for (std::size_t p = 0; p < 4; ++p) {
      CHECK(has(*moved->trace, first->trace->parts[p].segment));
      CHECK(std::ranges::count(moved->index->segments(), first->index->segments()[p]) == 1);
    }
    LoadOptions options = as_windows_do();
    options.clocks = clocks;
    const auto at_once = load_snapshot(files, test_pool(), options)->trace;
    CHECK(first_difference(all_of(*at_once), all_of(*moved->trace)) == "");
    for (const SourceInfo& source : moved->trace->sources) {
      CHECK(source.clock_offset == clock_offset_of(clocks, source.path));
    }
  }
  // Moved so far that the runs are folded.
  session.read_with(&ReadSettings::clocks, {{"a.json", 3'600 * kSecond}});
  wait_read(session);
  CHECK(session.snapshot()->trace->align == Align::Fold);
  CHECK(session.status().bytes_total == 0);
  LoadOptions options = as_windows_do();
  options.clocks = {{"a.json", 3'600 * kSecond}};
  CHECK(first_difference(all_of(*load_snapshot(files, test_pool(), options)->trace), all_of(*session.snapshot()->trace)) == "");
}

TEST_CASE("held_segments: changing the alignment of runs keeps their segments and reads nothing") {
  const TempDir folder;
  constexpr std::int64_t kBegin_us = 1'700'000'000'000'000, kDay_us = 86'400'000'000;
  const auto file = [&](const std::string& name, int pid, std::int64_t at_us) {
    return folder.write(name, trace_of(pid, name, at_us, 2'000'000));
  };
  const Paths read{file("a.json", 1001, kBegin_us), file("b.json", 1002, kBegin_us + 1'000), file("c.json", 1003, kBegin_us + kDay_us),
                   file("no_wall.json", 1004, 5'000)};
  Paths files = read;
  files.push_back(packed({file("d.json", 1005, kBegin_us + 3 * kDay_us)}, folder.path("d.tvx")));
  std::atomic<std::uint64_t> done = 0;
  const auto mapped = load_snapshot({file("e.json", 1006, kBegin_us + kDay_us + 7)}, test_pool())->trace;
  REQUIRE(pack_trace(*mapped, folder.path("e.tvx"), test_pool(), done, {.mapped = true}).ok());
  files.push_back(folder.path("e.tvx"));
  Session session(test_pool(), {}, as_windows_do());
  open_and_wait(session, files);
  const auto first = session.snapshot();
  REQUIRE(first->trace->parts.size() == 6);
  CHECK(first->trace->align == Align::Fold);
  for (const AlignChoice align : {AlignChoice(Align::Zero), AlignChoice(Align::Recorded), AlignChoice(Align::Fold), AlignChoice(Align::Recorded),
                                  AlignChoice()}) {
    session.read_with(&ReadSettings::align, align);
    wait_read(session);
    const auto aligned = session.snapshot();
    CHECK(aligned->trace->align == align.value_or(Align::Fold));
    CHECK(session.status().bytes_total == 0);
    REQUIRE(aligned->trace->parts.size() == 6);
    for (std::size_t p = 0; p < 6; ++p) {
      CHECK(has(*aligned->trace, first->trace->parts[p].segment));
      CHECK(std::ranges::count(aligned->index->segments(), first->index->segments()[p]) == 1);
    }
    LoadOptions options;
    options.align = align;
    CHECK(first_difference(all_of(*load_snapshot(files, test_pool(), options)->trace), all_of(*aligned->trace)) == "");
  }
  CHECK(first_difference(all_of(*first->trace), all_of(*session.snapshot()->trace)) == "");
}

TEST_CASE("held_segments: changing the alignment of windows of one process keeps their segments and reads nothing") {
  const TempDir folder;
  const auto window = [&](const std::string& name, int step, std::int64_t at_us) {
    return folder.write(name, R"({"distributedInfo":{"rank":0},"traceEvents":[)" +
                                  event("ProfilerStep#" + std::to_string(step), 1'700'000'000'000'000 + at_us, 500) + "]}");
  };
  const Paths files{window("host_4242.1.pt.trace.json", 1, 0), window("host_4242.2.pt.trace.json", 2, 60'000'000),
                    folder.write("later.json", trace_of(1001, "later", 1'700'086'400'000'000, 5'000))};
  LoadOptions options;
  Session session(test_pool(), {}, options);
  open_and_wait(session, files);
  const auto before = segments_of(session.snapshot()->trace);
  CHECK(before.size() == 3);
  for (const Align align : {Align::Zero, Align::Fold, Align::Zero, Align::Recorded}) {
    CAPTURE(name(align));
    session.read_with(&ReadSettings::align, align);
    wait_read(session);
    const auto trace = session.snapshot()->trace;
    CHECK(trace->align == align);
    CHECK(segments_of(trace) == before);
    CHECK(session.status().bytes_total == 0);
    CHECK(trace->sources[0].process == trace->sources[1].process);
    // When each run begins at 0, windows of one process are one run; folding removes the time between them.
    CHECK((trace->sources[0].aligned.by != trace->sources[1].aligned.by) == (align == Align::Fold));
    options.align = align;
    CHECK(first_difference(all_of(*load_snapshot(files, test_pool(), options)->trace), all_of(*trace)) == "");
  }
}

TEST_CASE("held_segments: closing files of a folder keeps the other segments and reads nothing") {
  const TempDir folder;
  Paths ranks;
  for (int rank = 0; rank < 4; ++rank) {
    ranks.push_back(folder.write("run/rank" + std::to_string(rank) + ".json", trace_of(1001 + rank, "a", 1 + rank, 5)));
  }
  const std::string four = folder.write("four.json", trace_of(1005, "b", 9, 5));
  packed({four}, folder.path("run/four.tvx"));
  Session session(test_pool(), {}, as_windows_do());
  const auto shown = [&](std::size_t parts, std::uint64_t read) {
    wait_read(session);
    const auto trace = session.snapshot()->trace;
    REQUIRE(trace->parts.size() == parts);
    CHECK(session.status().bytes_total == read);
    LoadOptions options = as_windows_do();
    options.closed = session.read().closed;
    CHECK(first_difference(all_of(*load_snapshot(session.paths(), test_pool(), options)->trace), all_of(*trace)) == "");
    return trace;
  };
  const std::uint64_t size = std::filesystem::file_size(ranks[0]);
  session.open({folder.path("run")});
  const auto all = shown(5, 4 * size);
  session.close_files({ranks[1]});
  const auto fewer = shown(4, 0);
  for (const ViewPart& part : fewer->parts) CHECK(has(*all, part.segment));
  session.close_files({ranks[3], four});
  CHECK(has(*shown(2, 0), fewer->parts.front().segment));
  CHECK(session.read().closed.size() == 3);
  // A reload leaves them closed; opening them again brings them back.
  session.reload();
  shown(2, 2 * size);
  session.open({ranks[3]}, true);
  shown(3, size);
  session.read_with(&ReadSettings::closed, {});
  shown(5, size);
  CHECK(session.paths().size() == 2);
  session.close_files({ranks[3]});
  CHECK(session.paths() == Paths{folder.path("run")});
  session.close();
  CHECK(session.paths().empty());
  CHECK(session.snapshot()->trace->parts.empty());
}

TEST_CASE("held_segments: windows of one process, then a log of unknown time zone, opened one by one, equal a load at once") {
  const TempDir folder;
  // Two windows of one process.
  const auto window = [&](const std::string& name, int step) {
    return folder.write(name, R"({"distributedInfo":{"rank":0},"traceEvents":[)" +
                                  event("ProfilerStep#" + std::to_string(step), 1'700'000'000'000'000 + step * 1'000, 500) + "]}");
  };
  const std::string first = window("host_4242.1.pt.trace.json", 1), second = window("host_4242.2.pt.trace.json", 2);
  Session session(test_pool(), {}, as_windows_do());
  open_and_wait(session, {first});
  open_and_wait(session, {second}, true);
  const auto at_once = load_snapshot({first, second}, test_pool(), as_windows_do())->trace;
  CHECK(first_difference(all_of(*at_once), all_of(*session.snapshot()->trace)) == "");
  // A log whose time zone other files may determine.
  const std::string log = folder.write("megatron.log", text_of(source_dir() + std::string("/tests/fixtures/megatron_log/gap.log")));
  open_and_wait(session, {log}, true);
  const auto with_log = load_snapshot({first, second, log}, test_pool(), as_windows_do())->trace;
  CHECK(first_difference(all_of(*with_log), all_of(*session.snapshot()->trace)) == "");
}

TEST_CASE("held_segments: adding logs keeps the segments of traces, and adding a trace does not read the logs again") {
  const TempDir folder;
  const auto trace = [&](const std::string& name, int pid) {
    return folder.write(name, trace_of(pid, name, 1'772'700'000'000'000, 5'000'000));
  };
  const std::string fixtures = source_dir() + std::string("/tests/fixtures/");
  const std::string a = trace("rank0.json", 1001), b = trace("rank1.json", 1002), c = trace("rank2.json", 1003);
  const std::string megatron = folder.write("megatron.log", text_of(fixtures + "megatron_log/gap.log"));
  const std::string verl = folder.write("verl.log", text_of(fixtures + "verl_console/plain.log"));
  Session session(test_pool(), {}, as_windows_do());
  Paths files;
  const auto is_as_at_once = [&](LoadOptions options) {
    return first_difference(all_of(*load_snapshot(files, test_pool(), options)->trace), all_of(*session.snapshot()->trace)) == "";
  };
  const auto open = [&](const Paths& more) {
    open_and_wait(session, more, true);
    files.insert(files.end(), more.begin(), more.end());
    CHECK(is_as_at_once(as_windows_do()));
    return session.snapshot()->trace;
  };
  const auto traces = open({a, b});
  REQUIRE(traces->parts.size() == 2);
  const auto bytes = [](const std::string& path) { return std::filesystem::file_size(path); };
  const auto keeps_traces = [&] {
    return std::ranges::all_of(traces->parts, [&](const ViewPart& part) { return has(*session.snapshot()->trace, part.segment); });
  };
  open({megatron, verl});
  CHECK(session.snapshot()->trace->parts.size() == 4);
  CHECK(session.status().bytes_total == bytes(megatron) + bytes(verl));
  CHECK(keeps_traces());
  // A trace might determine the time zone of a log.
  open({c});
  CHECK(session.status().bytes_total == bytes(c));
  CHECK(keeps_traces());
  // Nothing has changed: the logs' segments are the same, too.
  const auto before = session.snapshot()->trace;
  open_and_wait(session, {a}, true);
  REQUIRE(session.snapshot()->trace->parts.size() == 5);
  for (const ViewPart& part : before->parts) CHECK(has(*session.snapshot()->trace, part.segment));
  // One log is moved.
  session.read_with(&ReadSettings::clocks, {{megatron, 3600 * kSecond}});
  wait_read(session);
  CHECK(session.status().bytes_total == 0);
  CHECK(keeps_traces());
  LoadOptions moved = as_windows_do();
  moved.clocks = {{megatron, 3600 * kSecond}};
  CHECK(is_as_at_once(moved));
  session.read_with(&ReadSettings::clocks, {});
  wait_read(session);
  // One log has grown.
  folder.write("megatron.log", text_of(megatron) + text_of(megatron));
  session.reload();
  wait_read(session);
  CHECK(session.status().bytes_total == bytes(megatron));
  CHECK(keeps_traces());
  CHECK(is_as_at_once(as_windows_do()));
  // Everything is read again if nothing has changed.
  session.reload();
  wait_read(session);
  CHECK(session.status().bytes_total == bytes(a) + bytes(b) + bytes(c) + bytes(megatron) + bytes(verl));
  CHECK(!keeps_traces());
  CHECK(is_as_at_once(as_windows_do()));
}

TEST_CASE("held_segments: runs recorded years apart are folded, as when they are opened at once") {
  const TempDir folder;
  const auto run = [&](const std::string& name, std::int64_t at_s) {
    return folder.write(name, trace_of(static_cast<int>(at_s % 1'000'000'007), name, at_s * 1'000'000, 5'000'000));
  };
  const std::string a = run("a.json", 1'600'000'000), b = run("b.json", 1'700'000'000);
  Session session(test_pool(), {}, as_windows_do());
  open_and_wait(session, {a});
  open_and_wait(session, {b}, true);
  const auto trace = session.snapshot()->trace;
  CHECK(trace->align == Align::Fold);
  CHECK(trace->extent.end < 20 * kSecond);
  CHECK(session.status().bytes_total == std::filesystem::file_size(b));
  CHECK(first_difference(all_of(*load_snapshot({a, b}, test_pool(), as_windows_do())->trace), all_of(*trace)) == "");
}

TEST_CASE("held_segments: a cancelled load keeps the segments that were open before") {
  const TempDir folder;
  const std::string a = folder.write("a.json", trace_of(1001, "a", 1, 5));
  const std::string b = folder.write("b.json", long_trace(20 << 20));
  Session session(test_pool(), {}, as_windows_do());
  open_and_wait(session, {a});
  const auto first = session.snapshot()->trace;
  session.open({b}, true);
  session.cancel();
  wait_read(session);
  const std::string c = folder.write("c.json", trace_of(1003, "c", 2, 5));
  open_and_wait(session, {c}, true);
  CHECK(has(*session.snapshot()->trace, first));
  CHECK(session.snapshot()->complete);
}

TEST_SUITE_END();
