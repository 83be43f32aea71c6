// The console output of verl's trainer: one line of metrics per step among all other output of a training, with Ray's process
// names as prefixes, ANSI colours, and progress bars that end in a carriage return. Source: verl's console, verl's file logger.
//
// Chunks of lines are read in parallel. A line of metrics is found by "step:" and accepted if a number, a dash and a metric
// follow (verl_record.h). Steps end at the timestamps that launchers prepend to lines. Until a step has ended, the calls that
// workers time are shown instead (timed_calls.h). Cost: three searches through the text.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

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
  // The first step can be far down a log, so the process names that Ray prints identify a log too. Their score is lower, because
  // a text about such logs can contain them.
  for (const std::string_view process : {"(TaskRunner pid=", "(main_task pid=", "(WorkerDict pid=", "(AgentLoopWorker pid="}) {
    if (find_text(probe.head, process, 0) != std::string_view::npos) return 70;
  }
  TimedCalls calls;
  calls.add(probe.head, 0, 0);
  return calls.any_of_process() ? 60 : 0;
}

void scan_verl_console(std::string_view text, std::uint64_t offset, Ns written, LogPart& part) {
  for_each_verl_record(
      text,
      [&](const VerlRecord& record) {
        const std::size_t before = part.log.steps.size();
        add_verl_line(record.line, offset + record.at, record.ended, part.log, part.problems);
        if (record.stamp && part.log.steps.size() > before) {
          part.log.steps.back().begin = record.stamp->time;  // holds the end until begin_by_stamps()
          part.log.local_time |= !record.stamp->zoned;
        }
        return true;
      },
      written);
  add_ray_processes(text, part);
}

// Whether any step has a duration: a validation before the training has only a step number.
bool any_lasts(const std::vector<MetricStep>& steps) {
  return std::ranges::any_of(steps, [](const MetricStep& step) { return step.duration > 0; });
}

Result<void> read_verl_console(ReadContext& context) {
  const Ns written = context.draft.info().modified_ns;
  std::mutex adding;
  TimedCalls calls;
  std::atomic<bool> any_step = false;
  const auto scan = [&](std::string_view text, std::uint64_t offset, LogPart& part) {
    scan_verl_console(text, offset, written, part);
    if (any_lasts(part.log.steps)) any_step = true;
    if (any_step) return;
    TimedCalls found;
    found.add(text, offset, written);
    const std::lock_guard lock(adding);
    calls.add(found);
  };
  auto log = read_log_parts(context, scan, open_verl_record);
  if (!log) return log.error();
  std::string instead;
  if (!any_step) {
    instead = calls.hand_over(context.draft, context.path);
    log->local_time |= calls.local_time();
  }
  if (log->steps.empty()) {
    EventBatch batch;
    batch.problems.add(ProblemKind::no_steps, 0, instead);
    context.draft.append(std::move(batch));
  }
  begin_by_stamps(*log);
  hand_over_log(context, std::move(*log), "step", "by the time stamps of its lines, at which steps end");
  return {};
}

// The first record in the text. Its line is copied to `line`, because the visitor's is valid only during the visit.
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

// The timed call at the beginning of the text. Nullopt if a step's record begins on the same line: a wrapped record begins
// at the start of its line, where the call is.
std::optional<TimedCall> call_at(std::string_view text) {
  auto call = timed_call(text);
  const std::size_t newline = text.find('\n');
  if (!call || text.substr(0, newline).find("step:") == text.npos) return call;
  std::string line;
  const auto step = first_record(text, line);
  return step && step->at < newline ? std::nullopt : std::move(call);
}

std::optional<std::size_t> verl_line_length(std::string_view text) {
  if (const auto call = call_at(text)) return call->length < text.size() ? std::optional(call->length) : std::nullopt;
  std::string line;
  const auto record = first_record(text, line);
  if (!record || !record->ended) return std::nullopt;
  return record->at + record->length;
}

Result<ArgTree> decode_verl_line(std::string_view text) {
  if (const auto call = call_at(text)) return decode_timed_call(text, *call);
  std::string line;
  const auto record = first_record(text, line);
  if (!record) {
    return Error{"there is no line of metrics at this place", {}, {}, "the file has changed since it was read: open it again"};
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
