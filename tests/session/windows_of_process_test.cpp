// Several files of one process, as torch.profiler writes them with a repeating schedule: one process, one GPU, several
// windows; and files that only look like that.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <regex>
#include <set>
#include <sstream>

#include "core/analysis/clocks/clock_table.h"
#include "core/analysis/gpu/gpu_activity.h"
#include "core/analysis/gpu/gpu_gaps.h"
#include "core/analysis/run/capture_check.h"
#include "core/query/lane_gaps.h"
#include "core/session/load/load_job.h"
#include "core/session/packed/packed_trace.h"
#include "core/view/details/gap_details.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

struct WindowText {
  int pid = 1987;
  int rank = -1;
  int step = -1;  ///< first profiler step
};

// A window that begins this many milliseconds after an epoch, with three operators and their kernels.
std::string window_text(std::int64_t begin_ms, WindowText of = {}) {
  std::string text = R"({"schemaVersion":1,"deviceProperties":[{"id":0}],"baseTimeNanoseconds":1700000000000000000,)";
  if (of.rank >= 0) text += fmt::format(R"("distributedInfo":{{"rank":{}}},)", of.rank);
  text += R"("traceEvents":[)";
  for (const auto& [pid, labels] : {std::pair(of.pid, "CPU"), std::pair(0, "GPU 0")}) {
    text += fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":"python"}}}},)", pid);
    text += fmt::format(R"({{"ph":"M","name":"process_labels","pid":{},"tid":0,"args":{{"labels":"{}"}}}},)", pid, labels);
  }
  for (int i = 0; i < 3; ++i) {
    const std::int64_t ts = begin_ms * 1'000 + i * 100;
    if (of.step >= 0) {
      text += fmt::format(
          R"({{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{}","pid":{},"tid":{},"ts":{},"dur":90}},)",
          of.step + i, of.pid, of.pid, ts);
    }
    text += fmt::format(R"({{"ph":"X","cat":"cpu_op","name":"mm","pid":{},"tid":{},"ts":{},"dur":60}},)", of.pid, of.pid, ts);
    text += fmt::format(R"({{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{},"dur":40}}{})", ts + 30,
                        i < 2 ? "," : "");
  }
  return text + "]}";
}

struct Found {
  std::size_t gpus = 0, groups = 0;
  std::set<std::string> names;  // of the groups
  std::shared_ptr<const Trace> trace;
};

Found found(const std::vector<std::string>& paths) {
  Found out;
  out.trace = load_snapshot(paths, test_pool())->trace;
  out.gpus = make_gpu_activity(out.trace, test_pool())->gpus.size();
  for (const Lane& lane : out.trace->lanes) {
    if (lane.depth > 0) continue;
    ++out.groups;
    out.names.insert(lane.name);
  }
  return out;
}

Found found_in(const TempDir& folder) { return found({folder.path()}); }

// The sorted lines of a trace's text, without numbers of rows: windows that were packed together are on other rows.
std::multiset<std::string> without_rows(const Trace& trace) {
  std::istringstream text(std::regex_replace(trace_text(trace), std::regex(R"("row":\d+,)"), ""));
  std::multiset<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.insert(line);
  return lines;
}

}  // namespace

TEST_CASE("windows_of_process: two windows of one process on one host are one process with one GPU") {
  const TempDir folder;
  folder.write("host-a_1987.1700000000000.pt.trace.json", window_text(1));
  folder.write("host-a_1987.1700000010000.pt.trace.json", window_text(10'001));
  const Found found = found_in(folder);
  CHECK(found.gpus == 1);
  CHECK(found.groups == 1);
  CHECK(found.trace->lanes.front().name == "host-a, pid 1987");
  CHECK(found.trace->sources[0].process == found.trace->sources[1].process);
  CHECK(found.trace->sources[0].host == "host-a");
  CHECK(clock_table(*found.trace).rows.empty());  // a clock is not compared with itself
}

TEST_CASE("windows_of_process: between the windows a GPU is neither busy nor idle") {
  const TempDir folder;
  folder.write("host-a_1987.1700000000000.pt.trace.json", window_text(1));
  folder.write("host-a_1987.1700000010000.pt.trace.json", window_text(10'001));
  const auto trace = load_snapshot({folder.path()}, test_pool(), {})->trace;
  const auto gpus = make_gpu_activity(trace, test_pool());
  REQUIRE(gpus->gpus.size() == 1);
  const Gpu& gpu = gpus->gpus.front();
  // From the first kernel's begin (30 us) to the last one's end (270 us) in each window, with 3 x 40 us of work.
  CHECK(gpu.span.length() == 10 * kSecond + 240 * kMicrosecond);
  CHECK(gpu.unrecorded.size() == 1);
  CHECK(gpu.time.busy() == 240 * kMicrosecond);
  CHECK(gpu.recorded() == (240 + 270) * kMicrosecond);  // the second window is known from its first operator on
  CHECK(gpu.idle() == 270 * kMicrosecond);
  CHECK(find_gaps(*gpus, 1, test_pool()).gaps.size() == 4);
  CHECK(find_gaps(*gpus, kUsualGap, test_pool()).gaps.empty());

  // Its recorded range spans the windows from the first to the last.
  const auto captures = check_captures(*gpus, test_pool());
  REQUIRE(captures.size() == 1);
  CHECK(captures.front().recorded == TimeRange{trace->sources[0].work.begin, trace->sources[1].work.end});

  const Scope second{.range = {5 * kSecond, 20 * kSecond}};
  const auto part = activity_within(gpus, second, test_pool());
  REQUIRE(part);
  CHECK(part->gpus.front().idle() <= gpu.idle());
}

TEST_CASE("windows_of_process: a gap between the windows is said to be unrecorded, and gets no cause") {
  const TempDir folder;
  folder.write("host-a_1987.1700000000000.pt.trace.json", window_text(1));
  folder.write("host-a_1987.1700000010000.pt.trace.json", window_text(10'001));
  const auto snapshot = load_snapshot({folder.path()}, test_pool(), {});
  const auto gpus = make_gpu_activity(snapshot->trace, test_pool());
  std::size_t between = 0;
  for (std::size_t l = 0; l < snapshot->trace->lanes.size(); ++l) {
    for (const Gap& gap : gaps_of_lane(*snapshot->trace, id_at<LaneId>(l))) {
      const GapDetails details = gap_details(*snapshot, gpus.get(), gap);
      const std::string_view hole = "nothing was recorded in 10 s of the gap, between two recordings of this process";
      const bool is_between = gap.time.length() > kSecond;
      CHECK((details.reasons == std::vector<std::string>{std::string(hole)}) == is_between);
      between += is_between ? 1 : 0;
    }
  }
  CHECK(between == 2);  // on the thread and on the stream
}

TEST_CASE("windows_of_process: the windows of a rank form one group that is named after it") {
  const TempDir folder;
  for (const int rank : {0, 1}) {
    for (const int window : {0, 1}) {
      const WindowText of{.pid = 4'000 + rank, .rank = rank, .step = 10 * window};
      folder.write(fmt::format("host-a_{}.170000000{}000.pt.trace.json", of.pid, window), window_text(1 + 500 * window, of));
    }
  }
  const Found found = found_in(folder);
  CHECK(found.gpus == 2);
  CHECK(found.groups == 2);
  CHECK(found.trace->lanes.front().name == "rank 0");
}

TEST_CASE("windows_of_process: ranks with one pid on one host are not mixed up") {
  const TempDir folder;
  for (const int rank : {0, 1}) {
    for (const int window : {0, 1}) {
      const WindowText of{.rank = rank, .step = 10 * window};
      folder.write(fmt::format("host-a_1987.17{}000{}000.pt.trace.json", rank, window), window_text(1 + 500 * window, of));
    }
  }
  const Found found = found_in(folder);
  CHECK(found.gpus == 2);
  CHECK(found.groups == 2);
  CHECK(found.trace->sources[0].process != found.trace->sources[2].process);
}

TEST_CASE("windows_of_process: a window that is moved by hand still belongs to its process") {
  const TempDir folder;
  const std::string first = folder.write("host-a_1987.1700000000000.pt.trace.json", window_text(1));
  const std::string second = folder.write("host-a_1987.1700000010000.pt.trace.json", window_text(10'001));
  LoadOptions options;
  options.clocks = {{second, -20 * kSecond}};
  const auto trace = load_snapshot({first, second}, test_pool(), options)->trace;
  CHECK(trace->sources[0].process == trace->sources[1].process);
  CHECK(trace->sources[0].process != "");
}

TEST_CASE("windows_of_process: a time range is cut at the times of the view, even if only steps join the windows") {
  const TempDir folder;
  folder.write("step_1.pt.trace.json", window_text(1, {.pid = 10, .step = 10}));
  folder.write("step_2.pt.trace.json", window_text(3'001, {.pid = 10, .step = 20}));
  LoadOptions options;
  options.align = Align::Zero;
  const auto whole = load_snapshot({folder.path()}, test_pool(), options)->trace;
  options.choice.window = TimeRange{0, 100 * kSecond};
  const auto cut = load_snapshot({folder.path()}, test_pool(), options)->trace;
  CHECK(whole->extent.length() > 3 * kSecond);
  CHECK(cut->extent == whole->extent);
  CHECK(cut->slice_count == whole->slice_count);
}

TEST_CASE("windows_of_process: packed windows are joined with others of their process, packed or not") {
  const TempDir folder;
  const auto window = [&](int number) {
    return folder.write(fmt::format("host-a_1987.17000000{}0000.pt.trace.json", number), window_text(1 + 10'000 * number));
  };
  std::vector<std::string> files;
  for (int number = 0; number < 4; ++number) files.push_back(window(number));
  const Found at_once = found(files);
  REQUIRE(at_once.groups == 1);
  const std::string ends = packed({files[0], files[3]}, folder.path("ends.tvx")), middle = packed({files[1], files[2]}, folder.path("middle.tvx"));
  for (const auto& paths : {std::vector{ends, files[1], files[2]}, std::vector{files[1], ends, files[2]}, std::vector{ends, middle}}) {
    const Found one = found(paths);
    CHECK(one.groups == 1);
    CHECK(one.gpus == 1);
    CHECK(one.trace->lanes.front().name == at_once.trace->lanes.front().name);
    CHECK((without_rows(*one.trace) == without_rows(*at_once.trace)));
    for (const SourceInfo& source : one.trace->sources) CHECK(source.process == at_once.trace->sources.front().process);
  }

  // A process was started again with the same pid. Its windows overlap those of the first.
  const TempDir again;
  const std::string other = again.write("host-a_1987.1700000000000.pt.trace.json", window_text(2)),
                    more = again.write("host-a_1987.1700000010000.pt.trace.json", window_text(30'002));
  const Found two = found({ends, packed({other, more}, folder.path("again.tvx"))});
  CHECK(two.groups == 2);
  CHECK(two.gpus == 2);
  CHECK(two.trace->sources.front().process != two.trace->sources.back().process);
  CHECK(two.names.size() == 2);
}

TEST_CASE("windows_of_process: packed windows of ranks with the same small pid are joined by rank and steps") {
  const TempDir folder;
  // Two ranks with the same small pid, as in two containers.
  const auto window = [&](int rank, int step) {
    return folder.write(fmt::format("rank{}_step{}.pt.trace.json", rank, step), window_text(1 + 100 * step, {.pid = 7, .rank = rank, .step = step}));
  };
  std::vector<std::string> all;
  for (const int rank : {0, 1}) {
    for (const int step : {0, 10, 20, 30}) all.push_back(window(rank, step));
  }
  const Found raw = found({all[0], all[1], all[2], all[3]});
  REQUIRE(raw.groups == 1);
  // One rank per pack.
  const std::string first = packed({all[0], all[1]}, folder.path("0.tvx")), second = packed({all[4], all[5]}, folder.path("1.tvx"));
  const Found ranks = found({first, second});
  CHECK(ranks.names == std::set<std::string>{"rank 0", "rank 1"});
  CHECK(ranks.gpus == 2);
  // The windows of one rank are in two packs, or in a pack and in files; one pack spans the time of the others.
  const std::string outer = packed({all[0], all[3]}, folder.path("outer.tvx")), inner = packed({all[1], all[2]}, folder.path("inner.tvx"));
  for (const auto& paths : {std::vector{outer, inner}, std::vector{outer, all[1], all[2]}}) {
    const Found one = found(paths);
    CHECK(one.names == std::set<std::string>{"rank 0"});
    CHECK(one.groups == 1);
    CHECK((without_rows(*one.trace) == without_rows(*raw.trace)));
  }
}

TEST_CASE("windows_of_process: files of other hosts, ranks, folders or pids, or of the same time, are other processes") {
  const auto are_two = [](std::string first_name, std::string first, std::string second_name, std::string second) {
    const TempDir folder;
    folder.write(first_name, first);
    folder.write(second_name, second);
    const Found found = found_in(folder);
    CHECK(found.gpus == 2);
    CHECK(found.groups == 2);
    CHECK(found.trace->sources[0].process == "");
  };
  const std::string a = "host-a_1987.1700000000000.pt.trace.json", later = "host-a_1987.1700000010000.pt.trace.json";
  are_two(a, window_text(1), "host-b_1987.1700000010000.pt.trace.json", window_text(10'001));
  are_two(a, window_text(1, {.rank = 0}), later, window_text(10'001, {.rank = 1}));
  are_two("monday/" + a, window_text(1), "tuesday/" + later, window_text(10'001));
  are_two(a, window_text(1), "host-a_1988.1700000010000.pt.trace.json", window_text(10'001, {.pid = 1988}));
  are_two(a, window_text(1), later, window_text(1));  // at the same time
  // No process in the file has the pid in the name.
  are_two("worker_0.1700000000000.pt.trace.json", window_text(1), "worker_0.1700000010000.pt.trace.json", window_text(10'001));
}

TEST_CASE("windows_of_process: small pids of containers and files without a host are joined only by continuing steps") {
  const auto groups = [](const std::string& stem, int pid, int first, int second) {
    const TempDir folder;
    folder.write(stem + "1700000000000.pt.trace.json", window_text(1, {.pid = pid, .step = first}));
    folder.write(stem + "1700000010000.pt.trace.json", window_text(10'001, {.pid = pid, .step = second}));
    return found_in(folder).groups;
  };
  CHECK(groups("host-a_7.", 7, -1, -1) == 2);
  CHECK(groups("host-a_7.", 7, 10, 10) == 2);  // started again
  CHECK(groups("host-a_7.", 7, 10, 20) == 1);
  CHECK(groups("step_", 1987, -1, -1) == 2);
  CHECK(groups("step_", 1987, 10, 10) == 2);
  CHECK(groups("step_", 1987, 10, 20) == 1);
}
