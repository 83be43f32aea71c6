// The text around log lines: launchers' prefixes, terminals that wrap lines, and the records found in such text.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/read/behind_launcher.h"
#include "core/read/megatron/wrapped_rows.h"
#include "core/read/verl/verl_record.h"
#include "core/read/wrapped_line.h"
#include "core/session/load/load_job.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::vector<std::string> verl_records(std::string_view text) {
  std::vector<std::string> out;
  for_each_verl_record(text, [&](const VerlRecord& record) {
    out.emplace_back(record.line);
    return true;
  });
  return out;
}
using FoundRecords = std::vector<std::string>;

std::string cut_at(const std::string& line, std::size_t columns, bool loses_blanks) {
  std::string out;
  for (std::size_t at = 0; at < line.size(); at += columns) {
    std::string piece = line.substr(at, columns);
    while (loses_blanks && piece.ends_with(' ')) piece.pop_back();
    out += piece + "\n";
  }
  return out;
}

std::string cut_lines(const std::string& text, std::size_t columns) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out += cut_at(text.substr(at, end - at), columns, false);
    at = end + 1;
  }
  return out;
}

// The number of slices, and the metrics with their values.
std::vector<std::string> values_of_log(const std::string& text) {
  const TempDir folder;
  const auto trace = load_snapshot({folder.write("run.log", text)}, test_pool(), {})->trace;
  std::vector<std::string> out{std::to_string(trace->slice_count)};
  for (const MetricValue& value : trace->metrics.values) out.push_back(fmt::format("{}={}", trace->metrics.name(value.name), value.value));
  return out;
}

}  // namespace

TEST_CASE("launchers' prefixes: one or several are removed, and other text stays") {
  for (const char* prefix :
       {"", "0: ", " 17: ", "[default7]:", "[rank0]:", "[1,0]<stdout>:", "(TaskRunner pid=123, ip=10.0.0.1) ",
        "(raylet) ", "trainer-1  | ", "[pod/train/worker] ", "2026-07-27T10:00:02.123456789Z ",
        "[20260727 10:00:02][rank-7/8][INFO ] ", "1785146402.123456 node7 run.sh[12]: ",
        "2026-07-27T10:00:02+0200 node7 run.sh[12]: ", "Jul 27 10:00:02 node7 run.sh[12]: ",
        "Jul  7 10:00:02.123456 node7 run.sh[12]: ", "\x1b[36m(WorkerDict pid=3)\x1b[0m ",
        "[pod/train/worker] 2026-07-27T10:00:02Z 0: [default0]:"}) {
    CAPTURE(prefix);
    CHECK(behind_launcher(std::string(prefix) + "learning rate: 3E-05 | loss: 2") == "learning rate: 3E-05 | loss: 2");
  }
  for (const char* line :
       {"[LM]TFLOPs=20.30 | [DS]TFLOPs=26.18 |", "lm loss: 2 | grad norm: 1 |", "10 apples", "June 12", "- a:1"}) {
    CAPTURE(line);
    CHECK(behind_launcher(line) == line);
  }
}

TEST_CASE("wrapped lines: columns are counted as a terminal shows them, without escape codes") {
  CHECK(columns_of("") == 0);
  CHECK(columns_of("step") == 4);
  CHECK(columns_of("\u00b5s") == 2);
  CHECK(columns_of("\x1b[2K\x1b[36mstep\x1b[0m") == 4);
}

TEST_CASE("verl records: lines wrapped at any width are joined, with or without the blanks at the edge") {
  Random random(6);
  for (int round = 0; round < 200; ++round) {
    const auto columns = static_cast<std::size_t>(random.in(60, 260));
    const std::string prefix = random.in(0, 1) == 0 ? "" : "(TaskRunner pid=15930, ip=10.4.1.33) ";
    std::string text;
    FoundRecords expected;
    for (int step = 1; step <= 3; ++step) {
      std::string line = "step:" + std::to_string(step);
      // Enough for three pieces: with two, a last piece of digits cannot be recognised as one.
      for (int item = 0; item < 40; ++item) {
        line += " - group/metric_" + std::string(static_cast<std::size_t>(random.in(0, 20)), 'x') + ":" +
                std::to_string(random.in(-9999, 99999));
        if (random.in(0, 2) == 0)
          line += "." + std::to_string(random.in(0, 999)) + (random.in(0, 3) == 0 ? "e-05" : "");
      }
      expected.push_back(line);
      text += cut_at(prefix + line, columns, round % 2 == 0);
      if (random.in(0, 1) == 0) text += "Training Progress:  2%|##   | 1/50 [00:10<01:00, 90.0s/it]\n";
    }
    CAPTURE(text);
    REQUIRE(verl_records(text) == expected);
  }
}

TEST_CASE("verl records: a line that follows a record but does not continue it is not part of it") {
  const std::string line = "step:1 - a/b:1 - perf/throughput:2900.5";
  for (const char* next : {"step:2 - a/b:2", "done", "5", "foo:1", "12:30:05", "(TaskRunner pid=1) more",
                           "http://10.0.0.1:8265/", "", "loss: 5", "2026-07-27T10:00:02Z x"}) {
    CAPTURE(next);
    CHECK(verl_records(line + "\n" + next + "\n").front() == line);
  }
  CHECK(verl_records("step:1 - a/b:1 - perf/throughput:290\n0.5 - c:1\n") ==
        FoundRecords{"step:1 - a/b:1 - perf/throughput:2900.5 - c:1"});
  CHECK(verl_records("(T pid=1) step:1\n - a:1\n(T pid=1)  - b:none\n - c:3\nx\n") ==
        FoundRecords{"step:1 - a:1 - b:none - c:3"});
}

TEST_CASE("verl records: a line begins right after any code of a terminal, but not within a word") {
  const std::string line = "step:1 - a/b:1 - perf/throughput:2900.5";
  for (const char* before : {"\x1b[36m", "\x1b[m", "\x1b[1;36m", "\x1b[38;2;255;128;0m", "\x1b[2K", "\x1b[1A\x1b[2K", "(T)\x1b[0m"}) {
    CAPTURE(before);
    CHECK(verl_records(before + line + "\n") == FoundRecords{line});
  }
  for (const char* before : {"global_", "[1;36m", "\x1b[36\nm", "\x1b(m"}) {
    CAPTURE(before);
    CHECK(verl_records(before + line + "\n").empty());
  }
}

TEST_CASE("verl records: a record that may continue is held back at the end of a chunk") {
  const std::string line = "(TaskRunner pid=1) step:1 - a/b:1 - perf/throughput:2900.5\n";
  CHECK(open_verl_record(line) == line.size());
  CHECK(open_verl_record("before\n" + line) == line.size());
  CHECK(open_verl_record(line + "another line\n") == 0);
  CHECK(open_verl_record("global_step:7\n") == 0);
  CHECK(open_verl_record("") == 0);
}

TEST_CASE("verl records: the records are the same wherever a chunk ends") {
  const std::string list = "(T pid=1) step:1\n - a/b:3\tstep:2\n - c:-0.25\n - timing_s/gen:10.0\n - timing_s/step:20.5\n";
  for (const std::string& text : {list, list + list, "x\n" + list + "step:7 - a:1 - step:8\n - b:1\nstep:9 - c:1\n\n" + list}) {
    const FoundRecords all = verl_records(text);
    for (std::size_t end = text.find('\n') + 1; end < text.size(); end = text.find('\n', end) + 1) {
      CAPTURE(end);
      const std::size_t cut = end - open_verl_record(text.substr(0, end));
      FoundRecords parts = verl_records(text.substr(0, cut));
      std::ranges::copy(verl_records(text.substr(cut)), std::back_inserter(parts));
      CHECK(parts == all);
    }
  }
}

TEST_CASE("iterations: lines wrapped at any width give the same steps and values") {
  std::string nemo, primus, neox, named, megatron, bigscience;
  for (int i = 0; i < 12; ++i) {
    nemo += fmt::format("Training epoch 0, iteration {}/11 | lr: {:.2e} | global_batch_size: 8 | global_step: {} | reduced_train_loss: {} | "
                        "train_step_timing in s: {}{}\n",
                        i, 1e-7 * i, i, 12.25 - i, 2.5 + 0.125 * i, i % 3 == 0 ? "" : fmt::format(" | consumed_samples: {}", 8 * i));
    if (i % 4 == 1) nemo += "[NeMo W 2025-08-19 14:27:47 rerun_state_machine:1263] Implicit initialization of Rerun State Machine!\n";
    primus += fmt::format("[20260727 10:00:{:02}][rank-7/8][INFO ] [-----megatron-training.py:1499] : iteration {}/12 | consumed samples: {} | "
                          "elapsed time per iteration (ms): {:.1f}/{:.1f} | lm loss: {:.6E} |\n",
                          3 * i, i + 1, 128 * i, 2000 + 8.5 * i, 2000.0, 12.25 - i);
    neox += fmt::format(" samples/sec: 26.2 | iteration {:8}/  320000 | elapsed time per iteration (ms): {:.1f} | lm loss: {:.6E} |\n", i + 1,
                        3001.5 + i, 12.25 - i);
    named += fmt::format("[iteration-log] iteration {}/12 | elapsed time per iteration (ms): {:.1f} | lm loss: {:.6E} |\n", i + 1, 2000 + 8.5 * i,
                         12.25 - i);
    megatron += fmt::format(" [2026-07-27 10:00:{:02}] iteration {:8}/    1000 | consumed samples: {:12} | elapsed time per iteration (ms): {:.1f} | "
                            "learning rate: 1.500E-04 | lm loss: {:.6E} | number of skipped iterations:   0 | number of nan iterations:   0 |\n",
                            3 * i, i + 1, 4 * i, 2000.5 + i, 12.25 - i);
    bigscience += fmt::format("[default7]: iteration {:8}/  115311 | consumed samples: {:12} | consumed tokens: {:14} | elapsed time per iteration "
                              "(s): {:.2f} | global batch size:  2048 | lm loss: {:.6E} | num zeros: 0.0 | number of nan iterations:   0 | TFLOPs: {:.2f} |\n",
                              i + 1, 2048 * i, 4'194'304 * i, 100.5 + i, 12.25 - i, 110.25 + i);
    if (i % 4 == 1) bigscience += "[default7]:time (ms)\n";
    if (i % 4 == 1) primus += "[20260727 10:00:01][rank-7/8][INFO ] [-----megatron-training.py:1499] : nothing to log in this i\n";
  }
  const TempDir folder;
  const auto loaded = [&](const std::string& of) { return load_snapshot({folder.write("run.log", of)}, test_pool(), {})->trace; };
  const auto said = [](const Trace& trace) {
    std::string out = std::to_string(trace.slice_count);
    for (const MetricStep& step : trace.metrics.steps) out += fmt::format(" {}+{}", step.begin, step.duration);
    for (const MetricValue& value : trace.metrics.values) out += fmt::format(" {}={}", trace.metrics.name(value.name), value.value);
    return out;
  };
  // In 20 columns, "samples/sec: 26.2 |" is a line of its own, which the iteration before gets.
  for (const auto& [text, least] : {std::pair(nemo, 20u), std::pair(primus, 20u), std::pair(neox, 21u), std::pair(named, 20u),
                                    std::pair(megatron, 20u), std::pair(bigscience, 20u)}) {
    const std::string expected = said(*loaded(text));
    REQUIRE(expected.starts_with("12 "));
    for (std::size_t columns = least; columns < 240; columns += columns < 100 ? 1 : 20) {
      CAPTURE(columns);
      CHECK(said(*loaded(cut_lines(text, columns))) == expected);
    }
  }
}

TEST_CASE("rows of a log: timers, memory and validation give the same values wrapped at any width") {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += fmt::format(" iteration {:8}/    1000 | consumed samples: {:12} | elapsed time per iteration (ms): {:.1f} | lm loss: {:.6E} |\n",
                        10 * (i + 1), 40 * i, 2000.5 + i, 12.25 - i);
    const std::string rank = i % 2 == 0 ? "" : "[default7]:";
    text += fmt::format("{}time (ms) | forward-compute: {:.2f} | forward-recv: {:.2f} | backward-compute: {:.2f} | backward-send: {:.2f} | "
                        "optimizer: {:.2f} | batch-generator: {:.2f}\n",
                        rank, 265.42 + i, 111.25, 462.83 - i, 65.31, 82.95 + 10 * i, 2.87);
    if (i % 2 == 0) {
      for (const int number : {17, 3}) {  // on one line
        text += fmt::format("[Rank {}] (after {} iterations) memory (MB) | allocated: {} | max allocated: {:.6f} | reserved: 18738.0 | "
                            "max reserved: {}.0",
                            number, 10 * (i + 1), 15492.84619140625 + i, 17504.5, 24410 + number * i);
      }
      text += "\n";
    }
    if (i % 3 == 0) {
      text += "-----------------------------------------------------------------------------\n";
      text += fmt::format(" validation loss at iteration {} | lm loss value: {:.6E} | lm loss PPL: {:.6E} | \n", 10 * (i + 1), 8.25 - i, 3281.5 + i);
    }
  }
  const std::vector<std::string> expected = values_of_log(text);
  REQUIRE(expected.size() > 8 * 12);
  for (std::size_t columns = 20; columns < 240; columns += columns < 130 ? 1 : 10) {
    CAPTURE(columns);
    CHECK(values_of_log(cut_lines(text, columns)) == expected);
  }
}

TEST_CASE("rows of a log: the table of timers gives the same values wrapped at any width that holds the names") {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += fmt::format(" iteration {:8}/    1000 | elapsed time per iteration (ms): {:.1f} | lm loss: {:.6E} |\n", i + 1, 2000.5 + i, 12.25 - i);
    text += "    (min, max) time across ranks (ms):\n";
    for (const auto& [name, value] : {std::pair("forward-backward", 1610.375), std::pair("embedding-grads-all-reduce", 0.25), std::pair("optimizer", 82.5)})
      text += fmt::format("    {:.<48}: ({:.2f}, {:.2f})\n", std::string(name) + " ", value, value + 3 * i);
    text += fmt::format("    {:.<48}: {:.3f}\n", "batch-generator ", 12.375 + i);
  }
  const std::vector<std::string> expected = values_of_log(text);
  REQUIRE(std::ranges::count_if(expected, [](const std::string& value) { return value.starts_with("timers_ms/"); }) > 8 * 6);
  for (std::size_t columns = 40; columns < 90; ++columns) {
    CAPTURE(columns);
    CHECK(values_of_log(cut_lines(text, columns)) == expected);
  }
}

TEST_CASE("rows of a log: they are the same wherever a chunk ends") {
  const std::string text =
      "before the training\n"
      "[20260727 10:00:00][rank-7/8] : iteration 1/12 | elapsed time per iteration (ms): 2000.0 | lm loss: 1.2E+01 |\n"
      "[20260727 10:00:02][rank-7/8] : iteration 2/12 | elapsed time per iteration (ms): 2000.0 | lm loss: 1.1E+01 |\n"
      "time (ms) | forward-compute: 265.42 | backward-compute: 462.83 | optimizer: 82.95\n"
      "a line that is no row\n"
      "[Rank 3] (after 2 iterations) memory (MB) | allocated: 19539.361328125 | max reserved: 26880.0\n"
      "[20260727 10:00:04][rank-7/8] : iteration 3/12 | elapsed time per iteration (ms): 2000.0 | lm loss: 1.0E+01 |\n";
  const auto rows = [](std::string_view in) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < in.size();) {
      const WrappedLine line = whole_row(in.substr(at));
      if (begins_row(in.substr(at))) out.push_back(pieces_before(in, at).text + line.text);
      at = std::min(in.find('\n', at + line.length), in.size() - 1) + 1;
    }
    return out;
  };
  const std::vector<std::string> expected = rows(text);
  REQUIRE(expected.size() == 5);
  for (std::size_t columns = 20; columns < 110; ++columns) {
    const std::string cut = cut_lines(text, columns);
    REQUIRE(rows(cut) == expected);
    for (std::size_t end = cut.find('\n') + 1; end < cut.size(); end = cut.find('\n', end) + 1) {
      CAPTURE(columns);
      CAPTURE(end);
      const std::size_t chunk = end - open_row(std::string_view(cut).substr(0, end));
      std::vector<std::string> parts = rows(std::string_view(cut).substr(0, chunk));
      std::ranges::copy(rows(std::string_view(cut).substr(chunk)), std::back_inserter(parts));
      REQUIRE(parts == expected);
    }
  }
}

TEST_CASE("iterations: a line that follows one but does not continue it is not joined, even if both are as wide as the window") {
  const std::string line = " iteration 7/12 | elapsed time per iteration (ms): 2000.0 |";
  for (const std::string other : {"a line of the program that says nothing of any value to us", "Training:  12%|##   | 3/25 [00:10<01:00, 2.7s/it, loss: 5 |",
                                  "[2026-07-27 10:00:00] saving a checkpoint of the model: 7 |", "0:     learning rate: 1.0E-04 | global batch size:   512 |"}) {
    CAPTURE(other);
    REQUIRE(columns_of(other) >= columns_of(line) - 1);
    REQUIRE(columns_of(other) <= columns_of(line) + 1);
    CHECK(whole_row(line + "\n" + other + "\n").text == line);
    CHECK(whole_row(line + "\n" + other + "\n" + other + "\n grad norm: 0.5 |\n").text == line);
  }
  CHECK(whole_row(line + "\n learning rate: 1.0E-04 | number of skipped samples per ite\nration:   0 |\n").pieces == 3);
}

TEST_CASE("iterations: the timestamp of another line is not taken, even if that line ends at the window's edge") {
  const std::string line = "iteration 7/12 | elapsed time per iteration (ms): 2000.0 | lm loss: 1.2E+01 |\n";
  const auto before = [&](const std::string& text) {
    const std::string cut = cut_lines(text + line, 30);
    return pieces_before(cut, cut.rfind('\n', cut.find("iteration 7")) + 1).text;  // npos + 1 is 0
  };
  CHECK(before("") == "");
  CHECK(before("[2026-07-27 10:00:00] [rank 7] ") == "[2026-07-27 10:00:00] [rank 7]");
  CHECK(before("[2026-07-27 10:00:00] all done\n") == "[2026-07-27 10:00:00] all done");  // as short as a logger's name
  CHECK(before("[2026-07-27 10:00:00] saved a checkpoint of the model in 7 s\n") == "");
  CHECK(before("[2026-07-27 10:00:00] loss: 5 |\n") == "");
  CHECK(before("[2026-07-27 10:00:00] all\n") == "");
}
