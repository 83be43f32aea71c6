// Nothing of a log gets lost between its bytes and the display: every line is a record that something shown refers to, a record
// counted as not shown, or other training output. Records are recognised by expressions and a JSON library, independent of our
// readers.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "core/io/files/open_stream.h"
#include "core/session/load/load_job.h"
#include "tests/support/gen_trace.h"
#include "tests/support/places.h"
#include "tests/support/skip.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

bool holds(std::string_view line, const std::regex& pattern) {
  return std::regex_search(line.begin(), line.end(), pattern);
}

// Python writes NaN and Infinity, which are not valid JSON.
bool is_json_with(std::string_view line, std::initializer_list<const char*> keys) {
  static const std::regex kNoNumber(R"(: (NaN|-?Infinity)\b)");
  const auto record = nlohmann::json::parse(std::regex_replace(std::string(line), kNoNumber, ": null"), nullptr, false);
  return record.is_object() && std::ranges::all_of(keys, [&](const char* key) { return record.contains(key); });
}

// What a line of each log must hold to be a record.
const std::map<std::string, std::function<bool(std::string_view)>> kIsRecord = {
    {"verl_rollout",
     [](std::string_view line) {
       // The object is complete; Ray may print its process prefix before it.
       const std::size_t at = line.find('{');
       return at != std::string_view::npos && is_json_with(line.substr(at), {"timestamp", "event"});
     }},
    {"verl_file_logger",
     [](std::string_view line) {
       return is_json_with(line, {"step", "data"});
     }},
    {"verl_console",
     [](std::string_view line) {
       static const std::regex kSteps(R"((^|[^a-z_/.-])step:\d+( - [A-Za-z_]+[^ ]*:\S| *$))");
       return holds(line, kSteps);
     }},
    {"megatron_log",
     [](std::string_view line) {
       static const std::regex kIteration(R"(iteration +\d+/ *\d+ \|)");
       return holds(line, kIteration);
     }},
    {"paddle_log",
     [](std::string_view line) {
       static const std::regex kJob(
           R"(Profiler Info: Job \(\d+\), type = \S+, micro_batch_id = \d+, job_start_time = [\d.]+, job_end_time = [\d.]+)");
       return holds(line, kJob);
     }},
};

// In a console log of verl in which no step has ended, these lines are records, too.
bool is_timed_call(std::string_view line) {
  static const std::regex kCall(R"((Time|Total time) taken for .*:\s*[^\s:]*(\d|nan)[^\s:]*\s*sec(ond)?s?\b)");
  static const std::regex kColour("\x1b\\[[0-9;]*m");
  const std::string plain = std::regex_replace(std::string(line), kColour, "");
  return holds(plain, kCall);
}

std::string whole_text(const std::string& path) {
  auto stream = open_stream(path);
  REQUIRE(stream.ok());
  std::string text;
  std::vector<char> block(1 << 20);
  for (;;) {
    const auto got = read_fully(**stream, block);
    REQUIRE(got.ok());
    text.append(block.data(), got.value());
    if (got.value() < block.size()) return text;
  }
}

// The offsets of records that something shown refers to.
std::set<std::uint64_t> shown_offsets(const Trace& trace) {
  std::set<std::uint64_t> offsets;
  for (const ItemRef ref : trace.slices.ref) offsets.insert(ref.offset());
  for (const RolloutRequest& request : trace.rollout.requests) offsets.insert(request.offset);
  for (const RolloutPhase& phase : trace.rollout.phases) offsets.insert(phase.offset);
  for (const MetricStep& step : trace.metrics.steps) offsets.insert(step.offset);
  for (const PipelineJob& job : trace.pipeline.jobs) offsets.insert(job.offset);
  return offsets;
}

// The number of records counted as not shown, for any reason.
std::uint64_t counted(const SourceInfo& source) {
  using enum ProblemKind;
  std::uint64_t sum = 0;
  for (const ProblemKind kind :
       {bad_record, bad_line, bad_time, truncated_record, out_of_range, job_without_times, missing_phase}) {
    sum += source.problems.count(kind);
  }
  return sum;
}

// Fails if the lines do not add up; counts the shown records by format.
void check_lines(const std::string& path, std::map<std::string, int>& shown_lines) {
  const auto snapshot = load_snapshot({path}, test_pool());
  const Trace& trace = *snapshot->trace;
  if (trace.sources.size() > 1) {  // an archive
    for (const SourceInfo& member : trace.sources) {
      if (member.path != path) check_lines(member.path, shown_lines);
    }
    return;
  }
  REQUIRE(trace.sources.size() == 1);
  const SourceInfo& source = trace.sources.front();
  const auto known = kIsRecord.find(source.format);
  if (known == kIsRecord.end() || source.bytes == 0) return;
  CAPTURE(path);
  const std::string text = whole_text(path);
  const auto lasts = [](const MetricStep& step) { return step.duration > 0; };
  const bool has_steps = source.format != "verl_console" || std::ranges::any_of(trace.metrics.steps, lasts);
  const auto judge = [&](std::string_view line) { return known->second(line) || (!has_steps && is_timed_call(line)); };
  const std::set<std::uint64_t> offsets = shown_offsets(trace);
  std::uint64_t records = 0, gaps = 0, missing = 0, invented = 0;
  std::string first_missing, first_invented;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const std::size_t bytes = std::min(end + 1, text.size()) - begin;
    const auto first = offsets.lower_bound(begin);
    const bool shown = first != offsets.end() && *first < end;
    (shown ? records : gaps) += bytes;
    const bool is_record = judge(line);
    shown_lines[source.format] += shown && is_record;
    if (!shown && is_record && ++missing == 1) first_missing = line.substr(0, 200);
    if (shown && !is_record && ++invented == 1) first_invented = line.substr(0, 200);
    begin += bytes;
  }
  CHECK(records + gaps == text.size());
  CHECK_MESSAGE(missing <= counted(source), missing, " records are not shown, but ", counted(source),
                " are counted as not shown: ", first_missing);
  // Megatron's lines of timers, memory and validation are shown too, and belong to the iteration before.
  if (source.format != "megatron_log") {
    CHECK_MESSAGE(invented <= source.problems.count(ProblemKind::repaired_record), invented,
                  " lines are shown that are not records: ", first_invented);
  }
}

// Every log below a folder.
void check_folder(const fs::path& folder, std::map<std::string, int>& shown_lines) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (entry.is_regular_file() && !path.ends_with(".golden") && !path.ends_with(".md")) check_lines(path, shown_lines);
  }
}

}  // namespace

TEST_CASE("conservation: each line of the fixtures is shown, counted as not shown, or not a record") {
  std::map<std::string, int> shown_lines;
  for (const auto& [format, judge] : kIsRecord)
    check_folder(fs::path(source_dir()) / "tests/fixtures" / format, shown_lines);
  for (const auto& judge : kIsRecord) CHECK_MESSAGE(shown_lines[judge.first] > 0, judge.first);
}

TEST_CASE("conservation: each line of real logs is shown, counted as not shown, or not a record") {
  std::map<std::string, int> shown_lines;
  for (const char* folder : {"verl", "megatron", "paddle"}) {
    const std::string data = shared_sample(folder);
    if (data.empty()) return;
    check_folder(data, shown_lines);
  }
  for (const auto& judge : kIsRecord) CHECK_MESSAGE(shown_lines[judge.first] > 0, judge.first);
}
