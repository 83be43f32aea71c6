// Console logs of Megatron-LM and its relatives: iterations with their metrics, timers, memory, validation, checkpoints.
// Source: Megatron-LM.
//
// Chunks of lines are searched in parallel for the words that such lines have. Lines that belong together are joined in file order:
// timers belong to the iteration printed before them. A line gives the mean of the iterations since the previous line, and its time
// stamp, if it has one, is their end (stamped_ends.h). Timers are durations without positions. They are placed one after the other
// in their iteration; of least and most, the slowest rank's time is used. They are cut off where they exceed the iteration, as
// timers of ranks and of overlapping work can.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "core/base/text/ascii.h"
#include "core/read/iteration_counts.h"
#include "core/read/json/find_text.h"
#include "core/read/log_parts.h"
#include "core/read/megatron/megatron_line.h"
#include "core/read/megatron/wrapped_rows.h"
#include "core/read/reader.h"
#include "core/store/logs/verl_metrics.h"

namespace tv {
namespace {

// Lines with one of these words are candidates.
constexpr std::string_view kWords[] = {"iteration", " ....", ".: ", "time (ms) |", "     rank ", ":\n", ":\r",
                                       "memory (MB) |", "[Rank ", "validation loss", "] datetime: ", "STAGE:", "checkpoint",
                                       "|\n", "|\r"};

// The kind of a line, stored in MetricStep::first_step until the lines are joined. Until then `begin` is an iteration's time stamp,
// `duration` its elapsed time, and `first_part` the line's length in bytes.
enum MegatronLine : std::int64_t {
  kIteration = -1,
  kTimers = -2,
  kTimerHeadLine = -3,
  kRank = -4,
  kMemory = -5,
  kOtherLine = -6,
  kContinuation = -7,
};

constexpr std::string_view kTimerPrefix = "timers_ms/";

// Timers of consecutive work on a rank, in this order. Other timers are parts of these or overlap them. GPT-NeoX has "forward" and
// "backward".
constexpr std::string_view kMegatronParts[] = {"forward-backward",
                                               "forward",
                                               "backward",
                                               "forward-compute",
                                               "forward-recv",
                                               "forward-send",
                                               "backward-compute",
                                               "backward-recv",
                                               "backward-send",
                                               "forward-send-forward-recv",
                                               "forward-send-backward-recv",
                                               "backward-send-forward-recv",
                                               "backward-send-backward-recv",
                                               "forward-backward-send-forward-backward-recv",
                                               "backward-params-all-reduce",
                                               "backward-embedding-all-reduce",
                                               "layernorm-grads-all-reduce",
                                               "embedding-grads-all-reduce",
                                               "all-grads-sync",
                                               "optimizer",
                                               "params-all-gather"};

std::string_view line_around(std::string_view text, std::size_t at, std::size_t& begin) {
  const std::size_t before = at == 0 ? text.npos : text.find_last_of("\r\n", at - 1);
  begin = before == text.npos ? 0 : before + 1;
  const std::size_t end = text.find_first_of("\r\n", at);
  return text.substr(begin, end == text.npos ? end : end - begin);
}

// The begins of the lines that contain any of the words, whole or cut, in order.
std::vector<std::size_t> candidate_lines(std::string_view text) {
  std::vector<std::size_t> begins = cut_words(text);
  for (const std::string_view word : kWords) {
    std::size_t begin = 0;
    for (std::size_t at = find_text(text, word, 0); at != text.npos;) {
      const std::string_view line = line_around(text, at, begin);
      begins.push_back(begin);
      at = find_text(text, word, std::max(at + 1, begin + line.size()));
    }
  }
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  return begins;
}

// Adds a line to the log, by its kind. `length`: its bytes in the file, which may be those of several joined lines.
void add_megatron_line(std::string_view line, std::uint64_t offset, std::size_t length, Ns written, LogPart& part) {
  MetricLog& log = part.log;
  MetricStep record;
  record.offset = offset;
  record.first_part = static_cast<std::uint32_t>(length);
  record.first_value = static_cast<std::uint32_t>(log.values.size());
  const auto take = [&](std::string_view name, double value) { log.values.push_back({value, log.name_id(name), true}); };
  const auto take_timer = [&](std::string_view name, double value) {
    take(std::string(kTimerPrefix).append(name), value);
  };
  const auto add = [&](MegatronLine kind, std::int64_t step) {
    record.first_step = kind;
    record.step = step;
    record.value_count = static_cast<std::uint32_t>(log.values.size()) - record.first_value;
    log.steps.push_back(record);
  };
  const auto refuse = [&] { part.problems.add(ProblemKind::out_of_range, offset, line); };
  const auto elapsed = [&](std::optional<double> ms) -> Ns {
    if (!ms) return 0;
    if (*ms >= 0 && *ms < to_seconds(kLongestStep) * 1e3) return to_ns(*ms * 1e-3);
    refuse();
    return 0;
  };
  if (const auto iteration = megatron_iteration(line, take, written)) {
    if (iteration->iteration > kMostIterations) {
      log.values.resize(record.first_value);
      return refuse();
    }
    if (iteration->end) record.begin = *iteration->end;
    log.local_time |= iteration->end && !iteration->zoned;
    record.duration = elapsed(iteration->elapsed_ms);
    return add(kIteration, iteration->iteration);
  }
  if (megatron_times(line, take_timer)) return add(kTimers, 0);
  if (const auto timer = megatron_timer(line)) {
    if (timer->least != timer->most) take_timer(std::string(timer->name).append("/min"), timer->least);
    take_timer(timer->name, timer->most);
    return add(kTimers, 0);
  }
  if (const auto rank = megatron_rank(line)) {
    take(std::to_string(rank->rank), rank->value);
    return add(kRank, 0);
  }
  const auto take_of_rank = [&](std::string_view name, std::int64_t rank, double value) {
    take(fmt::format("{}/{}", rank, name), value);
  };
  if (const auto iteration = megatron_memory(line, take_of_rank)) return add(kMemory, *iteration);
  if (const auto iteration = megatron_validation(line, take)) return add(kOtherLine, *iteration);
  log.values.resize(record.first_value);
  if (const auto continued = megatron_continuation(line, take)) {
    record.duration = elapsed(continued->elapsed_ms);
    return add(kContinuation, 0);
  }
  log.values.resize(record.first_value);
  if (const auto event = megatron_event(line)) {
    const auto before = static_cast<std::uint32_t>(log.steps.size());
    log.marks.push_back({log.name_id(event->name), offset, before, event->time.value_or(kNoPlace), 0});
    log.local_time |= event->time && !event->zoned;
    if (event->pid) part.processes.emplace_back("STAGE", *event->pid);
  } else if (const auto head = megatron_timer_head(line)) {
    take_timer(*head, 0);
    add(kTimerHeadLine, 0);
  }
}

// Joins the lines of a whole file into steps.
class MegatronJoin {
 public:
  explicit MegatronJoin(const MetricLog& lines) : lines_(lines) {}

  MetricLog run() {
    out_.local_time = lines_.local_time;
    for (const LogProcess& process : lines_.processes) {
      out_.processes.push_back({out_.name_id(lines_.name(process.name)), process.pid, 0});
    }
    for (std::size_t l = 0; l < lines_.steps.size(); ++l) {
      marks_before(l);
      add(lines_.steps[l]);
    }
    marks_before(lines_.steps.size() + 1);
    stretch();
    begin_by_stamps(out_);
    anchor();
    close_ranks();
    return std::move(out_);
  }

 private:
  void add(const MetricStep& line) {
    switch (line.first_step) {
      case kIteration:
        begin_step(line, true);
        wrapped_end_ = line.offset + line.first_part;
        return;
      case kContinuation: return continue_line(line);
      case kOtherLine:
        continue_step(line);
        return add_values(line);
      case kMemory: {
        continue_step(line);
        for (std::uint32_t v = 0; v < line.value_count; ++v) {
          const MetricValue& value = lines_.values[line.first_value + v];
          const std::string_view name = lines_.name(value.name);  // "17/memory_mb/allocated"
          const std::size_t slash = name.find('/');
          add_of_rank(std::string(name.substr(slash + 1)), name.substr(0, slash), value.value);
        }
        return;
      }
      case kTimers: return add_values(line);
      case kTimerHeadLine: head_ = lines_.name(lines_.values[line.first_value].name); return;
      case kRank: {
        const MetricValue& value = lines_.values[line.first_value];
        if (!head_.empty()) add_of_rank(head_, lines_.name(value.name), value.value);
        return;
      }
      default: return;
    }
  }

  // Continues the last step if the line names its iteration or none, else begins a step without a time.
  void continue_step(const MetricStep& line) {
    if (line.step >= 0 && (out_.steps.empty() || line.step != out_.steps.back().step)) begin_step(line, false);
  }

  // The next line of an iteration that was wrapped; elsewhere such a line belongs to some other table.
  void continue_line(const MetricStep& line) {
    constexpr std::uint64_t kLineEnd = 2;  // "\r\n"
    if (out_.steps.empty() || line.offset < wrapped_end_ || line.offset > wrapped_end_ + kLineEnd) return;
    wrapped_end_ = line.offset + line.first_part;
    MetricStep& step = out_.steps.back();
    if (step.duration == 0) step.duration = line.duration;
    add_values(line);
  }

  void begin_step(const MetricStep& line, bool timed) {
    MetricStep step = line;
    step.first_step = line.step;
    step.first_value = static_cast<std::uint32_t>(out_.values.size());
    step.value_count = 0;
    step.first_part = 0;
    of_ranks_.clear();
    if (!timed) {
      step.duration = 0;
      step.begin = kNoPlace;
    }
    out_.steps.push_back(step);
    if (timed) add_values(line);
  }

  // Timers from before the training belong to no step.
  void add_values(const MetricStep& line) {
    if (out_.steps.empty()) return;
    for (std::uint32_t v = 0; v < line.value_count; ++v) {
      const MetricValue& value = lines_.values[line.first_value + v];
      add_value(lines_.name(value.name), value.value);
    }
  }

  std::size_t add_value(std::string_view name, double value) {
    out_.values.push_back({value, out_.name_id(name), true});
    ++out_.steps.back().value_count;
    return out_.values.size() - 1;
  }

  // For values of each rank: keeps the most, the least, and the rank with the most. Thousands of ranks would be thousands of
  // metrics.
  void add_of_rank(const std::string& name, std::string_view rank, double value) {
    if (out_.steps.empty()) return;
    double number = 0;
    std::from_chars(rank.data(), rank.data() + rank.size(), number);
    const auto [known, is_new] = of_ranks_.try_emplace(name);
    OfRanks& at = known->second;
    if (is_new) {
      at = {add_value(name, value), add_value(name + "/min", value), add_value(name + "/rank of max", number)};
      return;
    }
    if (value > out_.values[at.most].value) {
      out_.values[at.most].value = value;
      out_.values[at.whose].value = number;
    }
    out_.values[at.least].value = std::min(out_.values[at.least].value, value);
  }

  void marks_before(std::size_t line) {
    for (; mark_ < lines_.marks.size() && lines_.marks[mark_].steps_before <= line; ++mark_) {
      StepMark mark = lines_.marks[mark_];
      mark.name = out_.name_id(lines_.name(mark.name));
      mark.steps_before = static_cast<std::uint32_t>(out_.steps.size());
      out_.marks.push_back(mark);
    }
  }

  // Scales the mean of one iteration to all iterations of the line, and places the timers in them.
  void stretch() {
    std::vector<IterationLine> lines;
    for (const MetricStep& step : out_.steps) {
      if (step.duration > 0) lines.push_back({step.step, step.duration, step.begin});
    }
    const std::vector<std::int64_t> counts = iteration_counts(lines);
    auto count = counts.begin();
    for (MetricStep& step : out_.steps) {
      if (step.duration > 0) stretch(step, *count++);
    }
  }

  void stretch(MetricStep& step, std::int64_t count) {
    const Ns mean = step.duration;
    if (mean > kLongestStep / count) count = 1;
    step.first_step = step.step - count + 1;
    step.duration = mean * count;
    step.first_part = static_cast<std::uint32_t>(out_.parts.size());
    Ns left = step.duration;
    for (const std::string_view part : kMegatronParts) {
      const double ms = timer_of(step, part);
      if (!(ms > 0) || ms * static_cast<double>(count) > to_seconds(kLongestStep) * 1e3 || left <= 0) continue;
      const Ns duration = std::min(left, to_ns(ms * 1e-3) * count);
      out_.parts.push_back({out_.name_id(part), duration});
      left -= duration;
      ++step.part_count;
      if (part == "forward" || part == "forward-backward") forward_told_ = true;
      if (part == "backward" || part == "forward-backward") backward_told_ = true;
    }
    forward_told_ = backward_told_ = false;
  }

  double timer_of(const MetricStep& step, std::string_view part) const {
    // Parts of a timer that is already counted.
    if ((forward_told_ && part.starts_with("forward")) || (backward_told_ && part.starts_with("backward"))) return 0;
    for (std::uint32_t v = step.first_value; v < step.first_value + step.value_count; ++v) {
      const std::string_view name = out_.name(out_.values[v].name);
      if (name.starts_with(kTimerPrefix) && name.substr(kTimerPrefix.size()) == part) return out_.values[v].value;
    }
    return 0;
  }

  // Without time stamps, each of the trainings in a log begins when the log says so.
  void anchor() {
    for (const StepMark& mark : out_.marks) {
      if (mark.time == kNoPlace || out_.name(mark.name) != "before the start of training step") continue;
      const auto first = std::find_if(out_.steps.begin() + mark.steps_before, out_.steps.end(),
                                      [](const MetricStep& step) { return step.duration > 0; });
      if (first != out_.steps.end() && first->begin == kNoPlace) first->begin = mark.time;
    }
  }

  // Stamps are whole seconds, so steps that overlap by at most two seconds are treated as consecutive.
  void close_ranks() {
    constexpr Ns kStamps = 2 * kSecond;
    Ns end = kNoPlace;
    for (MetricStep& step : out_.steps) {
      if (step.duration == 0 || step.begin == kNoPlace) continue;
      if (end != kNoPlace && step.begin < end && end - step.begin <= kStamps) step.begin = end;
      end = step.begin + step.duration;
    }
  }

  const MetricLog& lines_;
  MetricLog out_;
  std::size_t mark_ = 0;
  std::string head_;
  struct OfRanks {
    std::size_t most, least, whose;  // in out_.values
  };
  std::map<std::string, OfRanks> of_ranks_;  // for the current step
  bool forward_told_ = false, backward_told_ = false;  // for the current step: a timer of the whole pass was counted
  std::uint64_t wrapped_end_ = 0;  // end of the line that a continuation may follow
};

int probe_megatron(const Probe& probe) {
  if (is_program(probe.path)) return 0;
  int score = cut_words(probe.head).empty() ? 0 : 90;
  for (std::size_t at = find_text(probe.head, "iteration", 0); at != probe.head.npos && score == 0;
       at = find_text(probe.head, "iteration", at + 1)) {
    std::size_t begin = 0;
    line_around(probe.head, at, begin);
    if (begins_iteration(probe.head.substr(begin))) score = 90;
  }
  // The first iteration can be far down a log: its settings and datasets come before.
  const bool settings = probe.head.find("[after megatron is initialized] datetime: ") != probe.head.npos ||
                        probe.head.find("> setting tensorboard ...") != probe.head.npos ||
                        probe.head.find("using world size: ") != probe.head.npos ||
                        probe.head.find("pretrain_gpt") != probe.head.npos;
  return std::max(score, settings && !is_data(probe.head) ? 70 : 0);
}

void scan_megatron(std::string_view text, std::uint64_t offset, Ns written, LogPart& part) {
  std::size_t end = 0;  // end of the last joined line
  for (const std::size_t begin : candidate_lines(text)) {
    if (begin < end) continue;  // a piece of the previous line
    const std::string_view line = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
    const WrappedLine whole = whole_row(text.substr(begin));
    if (whole.pieces > 1) {
      end = begin + whole.length;
      add_megatron_line(pieces_before(text, begin, written).text + whole.text, offset + begin, whole.length, written, part);
    } else {
      add_megatron_line(line, offset + begin, line.size(), written, part);
    }
  }
}

Result<void> read_megatron(ReadContext& context) {
  const Ns written = context.draft.info().modified_ns;
  const auto scan = [written](std::string_view text, std::uint64_t offset, LogPart& part) {
    scan_megatron(text, offset, written, part);
  };
  const auto open_end = [written](std::string_view lines) { return open_row(lines, written); };
  auto lines = read_log_parts(context, scan, open_end);
  if (!lines) return lines.error();
  MetricLog log = MegatronJoin(*lines).run();
  if (log.steps.empty()) {
    EventBatch batch;
    batch.problems.add(ProblemKind::no_steps, 0, {});
    context.draft.append(std::move(batch));
  }
  hand_over_log(context, std::move(log), "iteration", "by the log's own times, each end within the second of its stamp");
  return {};
}

std::optional<std::size_t> megatron_line_length(std::string_view text) {
  const std::size_t end = text.find_first_of("\r\n");
  if (end == text.npos) return std::nullopt;
  const WrappedLine whole = whole_row(text);
  return whole.pieces > 1 ? whole.length : end;
}

Result<ArgTree> decode_megatron(std::string_view record) {
  ArgTree tree;
  WrappedLine whole = whole_row(record);
  tree.text = whole.pieces > 1 ? std::move(whole.text) : std::string(record.substr(0, record.find_first_of("\r\n")));
  tree.nodes.push_back({"", "", ArgNode::Kind::Object, 0, 0});
  const auto add = [&](std::string_view name, double value) {
    const auto end = static_cast<std::uint32_t>(tree.nodes.size() + 1);
    tree.nodes.push_back({std::string(name), fmt::format("{}", value), ArgNode::Kind::Number, 1, end});
  };
  if (const auto iteration = megatron_iteration(tree.text, add)) {
    add("iteration", static_cast<double>(iteration->iteration));
  } else if (!megatron_validation(tree.text, add)) {
    if (const auto event = megatron_event(tree.text)) {
      tree.nodes.push_back({"event", std::string(event->name), ArgNode::Kind::String, 1, 2});
    }
  }
  tree.nodes.front().subtree_end = static_cast<std::uint32_t>(tree.nodes.size());
  return tree;
}

}  // namespace

extern const Reader kMegatronLog{"megatron_log", "Megatron-LM console log", probe_megatron,
                                 read_megatron,  megatron_line_length,      decode_megatron, nullptr, {}, true};

}  // namespace tv
