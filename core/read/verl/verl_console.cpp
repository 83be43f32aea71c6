// What verl's trainer prints to the console: one line of metrics per step among everything else that a training prints,
// with Ray's names of processes before it, ANSI colours, progress bars that end in a carriage return. Source: verl's console,
// verl's file logger.
//
// Chunks of lines are read in parallel. A line of metrics is found by "step:" and accepted when a number, a dash and a
// metric follow (verl_record.h). Time stamps that launchers put in front say when steps ended. Cost: two
// searches through the text.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/read/json/find_text.h"
#include "core/read/log_parts.h"
#include "core/read/reader.h"
#include "core/read/verl/verl_record.h"
#include "core/read/verl/verl_step_line.h"
#include "core/read/wrapped_line.h"
#include "core/store/logs/verl_metrics.h"

namespace tv {
namespace {

int probe_verl_console(const Probe& probe) {
  if (is_program(probe.path)) return 0;
  int score = 0;
  for_each_verl_record(probe.head, [&](const VerlRecord&) {
    score = 90;
    return false;
  });
  if (score > 0 || is_data(probe.head)) return score;
  // The first step can be far down a log: what verl and Ray print before it tells as much. Not in a text about such logs.
  for (const std::string_view process : {"(TaskRunner pid=", "(main_task pid=", "(WorkerDict pid=", "(AgentLoopWorker pid="}) {
    if (find_text(probe.head, process, 0) != std::string_view::npos) return 70;
  }
  return 0;
}

// "Time taken for async_generate in ...: 48.5 seconds": calls that have no place in time but show what the log is
// about.
struct TimedCalls {
  std::uint64_t count = 0;
  double longest = 0;
  std::string name;  ///< name of the longest

  void add(std::string_view text) {
    constexpr std::string_view kTaken = "Time taken for ";
    for (std::size_t at = find_text(text, kTaken, 0); at != text.npos; at = find_text(text, kTaken, at + 1)) {
      const std::string_view line = line_piece(text.substr(at + kTaken.size(), kLongestLine));
      const std::size_t colon = line.find(':');
      if (colon == line.npos) continue;
      const std::string_view rest = line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size()));
      const auto seconds = verl_value(rest.substr(0, rest.find(' ')));
      if (!seconds || rest.find(" sec") == rest.npos) continue;
      add(TimedCalls{1, seconds->value, std::string(line.substr(0, colon))});
    }
  }
  void add(const TimedCalls& other) {
    count += other.count;
    // The result must not depend on which thread comes first: of two equally long calls, the name decides.
    if (other.longest < longest || (other.longest == longest && other.name >= name && !name.empty())) return;
    longest = other.longest;
    name = other.name;
  }
  std::string text() const {
    if (count == 0) return {};
    return fmt::format("{} timed calls (longest {}: {:.1f} s), but no line of metrics (step:N - ...)",
                       format_count(count), shortened_utf8(name, kLongestName), longest);
  }

  static constexpr std::size_t kLongestLine = 256, kLongestName = 36;
};

void scan_verl_console(std::string_view text, std::uint64_t offset, Ns written, LogPart& part) {
  for_each_verl_record(
      text,
      [&](const VerlRecord& record) {
        const std::size_t before = part.log.steps.size();
        add_verl_line(record.line, offset + record.at, record.ended, part.log, part.problems);
        if (record.stamp && part.log.steps.size() > before) {
          part.log.steps.back().begin = record.stamp->time;  // really its end, until all steps are known
          part.log.local_time |= !record.stamp->zoned;
        }
        return true;
      },
      written);
  add_ray_processes(text, part);
}

Result<void> read_verl_console(ReadContext& context) {
  const Ns written = context.draft.info().modified_ns;
  std::mutex counting;
  TimedCalls calls;
  const auto scan = [&](std::string_view text, std::uint64_t offset, LogPart& part) {
    scan_verl_console(text, offset, written, part);
    TimedCalls found;
    found.add(text);
    const std::lock_guard lock(counting);
    calls.add(found);
  };
  auto log = read_log_parts(context, scan, open_verl_record);
  if (!log) return log.error();
  if (log->steps.empty()) {
    EventBatch batch;
    batch.problems.add(ProblemKind::no_steps, 0, calls.text());
    context.draft.append(std::move(batch));
  }
  begin_by_stamps(*log);
  hand_over_log(context, std::move(*log), "step", "by the time stamps of its lines, at which steps end");
  return {};
}

// The first record, if it begins the text or stands on the text's first line.
std::optional<VerlRecord> first_record(std::string_view text, std::string& line) {
  std::optional<VerlRecord> first;
  for_each_verl_record(text, [&](const VerlRecord& record) {
    first = record;
    line = record.line;
    return false;
  });
  if (first) first->line = line;
  return first;
}

std::optional<std::size_t> verl_line_length(std::string_view text) {
  std::string line;
  const auto record = first_record(text, line);
  if (!record || !record->ended) return std::nullopt;
  return record->at + record->length;
}

Result<ArgTree> decode_verl_line(std::string_view text) {
  std::string line;
  const auto record = first_record(text, line);
  if (!record) {
    return Error{"no line of metrics is there", {}, {}, "the file has changed since it was read: open it again"};
  }
  ArgTree tree;
  tree.text = line;
  tree.nodes.push_back({"", "", ArgNode::Kind::Object, 0, 0});
  const auto add = [&](std::string_view pair) {
    const std::size_t colon = pair.rfind(':');
    const auto end = static_cast<std::uint32_t>(tree.nodes.size() + 1);
    const std::string_view value = colon == std::string_view::npos ? std::string_view() : pair.substr(colon + 1);
    tree.nodes.push_back({std::string(pair.substr(0, colon)), std::string(value),
                          verl_value(value) ? ArgNode::Kind::Number : ArgNode::Kind::String, 1, end});
  };
  std::string_view rest = line;
  for (std::size_t next = rest.find(" - "); next != std::string_view::npos; next = rest.find(" - ")) {
    add(rest.substr(0, next));
    rest.remove_prefix(next + 3);
  }
  add(rest);
  tree.nodes.front().subtree_end = static_cast<std::uint32_t>(tree.nodes.size());
  return tree;
}

}  // namespace

extern const Reader kVerlConsole{"verl_console",    "verl console log", probe_verl_console,
                                 read_verl_console, verl_line_length,   decode_verl_line, nullptr, {}, true};

}  // namespace tv
