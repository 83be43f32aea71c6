// What verl's trainer prints to the console: one line of metrics per step among everything else that a training prints, with
// Ray's names of processes before it, ANSI colours, progress bars that end in a carriage return. Source: verl.md 4 and 5.
//
// Chunks of lines are read side by side: a line of metrics is found by "step:" and believed when a number, a dash and a metric
// follow. Cost: two searches through the text.
#include <algorithm>

#include "core/base/text/ascii.h"
#include "core/read/json/find_text.h"
#include "core/read/log_parts.h"
#include "core/read/reader.h"
#include "core/read/verl/verl_step_line.h"
#include "core/store/logs/verl_metrics.h"

namespace tv {
namespace {

constexpr std::string_view kStepColon = "step:";

// Whether the text ends with an order for a colour, "\x1b[36m", all of it on one line.
bool ends_with_colour(std::string_view text) {
  constexpr std::size_t kLongest = 6;
  const std::string_view order = text.substr(text.size() - std::min(text.size(), kLongest));
  const std::size_t escape = order.rfind('\x1b');
  return order.ends_with('m') && escape != order.npos && order.find('\n', escape) == order.npos;
}

// The lines of metrics in a text, from "step:" on.
template <class F>
void for_each_step_line(std::string_view text, F visit) {
  for (std::size_t at = find_text(text, kStepColon, 0), next = 0; at != std::string_view::npos;
       at = find_text(text, kStepColon, next)) {
    next = at + 1;
    // Not "global_step:".
    const char before = at == 0 ? '\n' : text[at - 1];
    const bool begins = !(is_digit(before) || (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                          before == '_' || before == '/' || before == '.' || before == '-');
    if (!begins && !ends_with_colour(text.substr(0, at))) continue;
    const auto line = verl_step_line(text.substr(at));
    if (!line) continue;
    visit(*line, at);
    next = at + line->size();
  }
}

int probe_verl_console(const Probe& probe) {
  if (is_program(probe.path)) return 0;
  int score = 0;
  for_each_step_line(probe.head, [&](std::string_view, std::size_t) { score = 90; });
  if (score > 0) return score;
  // The first step can be far down a log: what verl and Ray print before it tells as much. Not in a text about such logs.
  for (const std::string_view process : {"(TaskRunner pid=", "(main_task pid=", "(WorkerDict pid=", "(AgentLoopWorker pid="}) {
    if (find_text(probe.head, process, 0) != std::string_view::npos) return 70;
  }
  return 0;
}

void scan_verl_console(std::string_view text, std::uint64_t offset, LogPart& part) {
  for_each_step_line(text, [&](std::string_view line, std::size_t at) {
    add_verl_line(line, offset + at, at + line.size() < text.size(), part.log, part.problems);
  });
  add_ray_processes(text, part);
}

Result<void> read_verl_console(ReadContext& context) {
  auto log = read_log_parts(context, scan_verl_console);
  if (!log) return log.error();
  if (log->steps.empty()) {
    EventBatch batch;
    batch.problems.add(ProblemKind::no_steps, 0, {});
    context.draft.append(std::move(batch));
  }
  hand_over_log(context, std::move(*log), "step");
  return {};
}

std::optional<std::size_t> verl_line_length(std::string_view text) {
  if (const auto line = verl_step_line(text); line && line->size() < text.size()) return line->size();
  return std::nullopt;
}

Result<ArgTree> decode_verl_line(std::string_view record) {
  const auto line = verl_step_line(record);
  if (!line) {
    return Error{"no line of metrics is there", {}, {}, "the file has changed since it was read: open it again"};
  }
  ArgTree tree;
  tree.text = *line;
  tree.nodes.push_back({"", "", ArgNode::Kind::Object, 0, 0});
  const auto add = [&](std::string_view pair) {
    const std::size_t colon = pair.rfind(':');
    const auto end = static_cast<std::uint32_t>(tree.nodes.size() + 1);
    const std::string_view value = colon == std::string_view::npos ? std::string_view() : pair.substr(colon + 1);
    tree.nodes.push_back({std::string(pair.substr(0, colon)), std::string(value),
                          verl_value(value) ? ArgNode::Kind::Number : ArgNode::Kind::String, 1, end});
  };
  std::string_view rest = *line;
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
