// What verl's trainer prints to the console: one line of metrics per step among everything else that a training prints,
// with Ray's names of processes before it, ANSI colours, progress bars that end in a carriage return. Source: verl's console,
// verl's file logger.
//
// Chunks of lines are read in parallel. A line of metrics is found by "step:" and accepted when a number, a dash and a
// metric follow (verl_record.h). Time stamps that launchers put in front say when steps ended. Before the first step, the
// calls that workers time are shown (timed_calls.h). Cost: three searches through the text.
#include <mutex>

#include "core/read/json/find_text.h"
#include "core/read/log_parts.h"
#include "core/read/reader.h"
#include "core/read/verl/timed_calls.h"
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
  std::mutex adding;
  TimedCalls calls;
  bool any_step = false;
  const auto scan = [&](std::string_view text, std::uint64_t offset, LogPart& part) {
    scan_verl_console(text, offset, written, part);
    const std::lock_guard lock(adding);
    any_step |= !part.log.steps.empty();
    if (any_step) {
      calls.clear();
    } else {
      calls.add(text, offset, written);
    }
  };
  auto log = read_log_parts(context, scan, open_verl_record);
  if (!log) return log.error();
  if (log->steps.empty()) {
    EventBatch batch;
    batch.problems.add(ProblemKind::no_steps, 0, calls.text());
    context.draft.append(std::move(batch));
    calls.hand_over(context.draft, context.path);
    log->local_time |= calls.local_time();
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
  if (const auto call = timed_call(text)) return call->length;
  std::string line;
  const auto record = first_record(text, line);
  if (!record || !record->ended) return std::nullopt;
  return record->at + record->length;
}

Result<ArgTree> decode_verl_line(std::string_view text) {
  if (const auto call = timed_call(text)) return decode_timed_call(text, *call);
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
