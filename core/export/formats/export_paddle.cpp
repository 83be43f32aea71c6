#include "core/export/formats/export_paddle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "core/base/text/json_text.h"
#include "core/export/formats/paddle_colours.h"
#include "core/export/formats/paddle_run.h"
#include "core/export/parts/microseconds.h"
#include "core/export/parts/record_args.h"

namespace tv {
namespace {

constexpr int kStepThread = 2333;  // as in Paddle's tool; device numbers follow it

std::optional<ArgTree> decode_of(const Trace& trace, const RecordBlock& block, SliceId id) {
  const std::string_view text = block.from(trace, id);
  if (text.empty()) return std::nullopt;
  auto tree = block.reader->decode(text.substr(0, block.reader->record_length(text).value_or(text.size())));
  if (!tree) return std::nullopt;
  return std::move(tree.value());
}

// Becomes a B and an E event, in both of the tool's formats.
struct PaddleEvent {
  std::string_view name, category;
  std::string tid;  // JSON
  Ns begin, end;    // absolute
  std::string_view colour;
  std::string args;  // JSON; empty: none
};

// Writes on one thread: logs are small, and commas depend on earlier events.
class PaddleExport {
 public:
  PaddleExport(const Trace& trace, const ExportChoice& choice, PaddleShape shape, ThreadPool& pool,
               const ExportSink& sink)
      : trace_(trace), choice_(choice), shape_(shape), sink_(sink), blocks_(trace, chosen_records(trace, choice), pool) {
    int next = kStepThread + 1;
    for (const auto& [lane, device] : paddle_devices(trace)) {
      const std::string machine = device.machine.empty() ? "" : "(machine:" + device.machine + ")";
      const bool named = device.number.find_first_not_of("0123456789") != std::string::npos;
      const std::string rest = device.number + machine;
      threads_[lane] = {next++, json_quoted(named ? rest : "GPU" + rest), json_quoted(named ? rest : "GPU:" + rest)};
    }
  }

  Result<ExportTotals> run() {
    text_ = "{\"traceEvents\":[";
    while (const auto block = blocks_.next()) {
      for (const SliceId id : block->slices) add_job(*block, id);
      if (auto written = flush(); !written) return written.error();
    }
    add_steps();
    if (shape_ == PaddleShape::Perfetto) add_names();
    text_ += "\n]}\n";
    if (auto written = flush(); !written) return written.error();
    totals_.problems = blocks_.problems();
    name_left_out(trace_, totals_, {.args = shape_ == PaddleShape::Profile, .arrows = true, .samples = true});
    return totals_;
  }

 private:
  struct Thread {
    int number;
    std::string tid, name;  // JSON
  };

  Result<void> flush() {
    totals_.bytes += text_.size();
    auto written = sink_(text_);
    text_.clear();
    return written;
  }

  void add_job(const RecordBlock& block, SliceId id) {
    const auto thread = threads_.find(trace_.row(trace_.row_of(id)).lane);
    if (thread == threads_.end()) return;  // a step; add_steps() merges steps over all devices
    const LabelId label = trace_.label_of(id);
    const std::string_view type = trace_.labels.category(label);
    const std::optional<ArgTree> record = decode_of(trace_, block, id);
    if (!record) ++totals_.without_args;
    // "Job" is the number in brackets in the log. What it counts depends on the version of Paddle.
    const ArgNode* const number = record ? record->find("Job") : nullptr;
    const std::string name(number ? std::string(type) + "_" + number->value : std::string(trace_.labels.name(label)));
    std::string args;
    if (record && shape_ == PaddleShape::Perfetto) append_json(args, *record, 0);
    const Ns begin = trace_.begin_of(id) + trace_.origin_ns;
    add({name, type, tid_of(thread->second), begin, begin + trace_.duration_of(id), paddle_colour(type),
         args});
  }

  void add_steps() {
    const bool chosen = std::ranges::any_of(
        trace_.rows, [&](const Row& row) { return !threads_.contains(row.lane) && choice_.has_lane(row.lane); });
    if (!chosen) return;
    for (const PaddleRunStep& step : paddle_run_steps(trace_)) {
      if (!choice_.touches(step.begin, step.end - step.begin)) continue;
      const std::string name = fmt::format("step{}", step.number);
      const std::string tid = shape_ == PaddleShape::Perfetto ? std::to_string(kStepThread) : "\"Step\"";
      add({name, "step", tid, step.begin + trace_.origin_ns, step.end + trace_.origin_ns, paddle_colour("step"), {}});
      any_step_ = true;
    }
  }

  void add_names() {
    const auto name = [&](int thread, std::string_view quoted) {
      separate();
      text_ += fmt::format(
          R"({{"args":{{"name":{}}},"cat":"__metadata","name":"thread_name","ph":"M","pid":0,"tid":{},"ts":0}})",
          quoted, thread);
    };
    if (any_step_) name(kStepThread, "\"STEP\"");
    for (const auto& [lane, thread] : threads_) {
      if (choice_.has_lane(lane)) name(thread.number, thread.name);
    }
  }

  std::string tid_of(const Thread& thread) const {
    return shape_ == PaddleShape::Perfetto ? std::to_string(thread.number) : thread.tid;
  }

  void separate() {
    text_ += any_event_ ? ",\n" : "\n";
    any_event_ = true;
  }

  void add(const PaddleEvent& event) {
    ++totals_.slices;
    for (const bool first : {true, false}) {
      separate();
      text_ += "{\"name\":";
      append_json_quoted(text_, event.name);
      text_ += ",\"cat\":";
      append_json_quoted(text_, event.category);
      text_ += first ? ",\"ph\":\"B\",\"ts\":" : ",\"ph\":\"E\",\"ts\":";
      append_microseconds(text_, first ? event.begin : event.end);
      text_.append(",\"pid\":0,\"tid\":").append(event.tid);
      if (!event.colour.empty()) text_.append(",\"cname\":\"").append(event.colour).append("\"");
      if (first && !event.args.empty()) text_.append(",\"args\":").append(event.args);
      text_ += '}';
    }
  }

  const Trace& trace_;
  const ExportChoice& choice_;
  const PaddleShape shape_;
  const ExportSink& sink_;
  RecordBlocks blocks_;
  std::map<LaneId, Thread> threads_;
  ExportTotals totals_;
  std::string text_;
  bool any_event_ = false, any_step_ = false;
};

// Whole, as Paddle's tool writes it, unless a clock was moved by less.
std::string milliseconds_text(Ns time) {
  const Ns whole = time / kMillisecond, rest = time % kMillisecond;
  if (rest == 0) return std::to_string(whole);
  return fmt::format("{}{}.{:06}", time < 0 ? "-" : "", std::abs(whole), std::abs(rest));
}

// Dygraph: writes each record as a B and an E event, at the times of the slice.
Result<ExportTotals> export_dygraph(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                    const ExportSink& sink) {
  RecordBlocks blocks(trace, chosen_records(trace, choice), pool);
  ExportTotals totals;
  std::string text = "[";
  while (const auto block = blocks.next()) {
    for (const SliceId id : block->slices) {
      std::optional<ArgTree> record = decode_of(trace, *block, id);
      if (!record) {
        ++totals.without_args;
        continue;
      }
      for (const bool first : {true, false}) {
        text += totals.slices == 0 && first ? " " : ",\n";
        const Ns time = trace.origin_ns + (first ? trace.begin_of(id) : trace.end_of(id));
        for (ArgNode& node : record->nodes) {
          if (node.depth == 1 && node.key == "ph") node.value = first ? "B" : "E";
          if (node.depth == 1 && node.key == "ts") node.value = milliseconds_text(time);
        }
        append_json(text, *record, 0);
      }
      ++totals.slices;
    }
    totals.bytes += text.size();
    if (auto written = sink(text); !written) return written.error();
    text.clear();
  }
  text += " ]\n";
  totals.bytes += text.size();
  totals.problems = blocks.problems();
  name_left_out(trace, totals, {.arrows = true, .samples = true});
  if (auto written = sink(text); !written) return written.error();
  return totals;
}

}  // namespace

Result<ExportTotals> export_paddle(const Trace& trace, const ExportChoice& choice, PaddleShape shape, ThreadPool& pool,
                                   const ExportSink& sink) {
  if (is_paddle_run(trace)) return PaddleExport(trace, choice, shape, pool, sink).run();
  if (is_dygraph_run(trace)) return export_dygraph(trace, choice, pool, sink);
  return Error{"this is not one run of Paddle's pipeline logs, and the files of Paddle's tool can hold nothing else",
               {},
               {},
               "open the log folder of one run, or export --to chrome"};
}

}  // namespace tv
