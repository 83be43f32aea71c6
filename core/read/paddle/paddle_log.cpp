// Paddle pipeline logs: workerlog.N, or machineM/workerlog.N, one file per device. Jobs are lines among everything else that a
// training prints. Each job is a slice on its device's lane. Steps go into the PipelineLog and are drawn when all devices are
// known (pipeline_run.h). A callback in the compute stream takes the times from the machine's wall clock; between machines only
// NTP aligns them. Source: Paddle.
//
// A file is read on one thread, because the step of a job depends on the lines before it. Files are read in parallel, and text
// other than records is only searched for "Profiler ".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/text/ascii.h"
#include "core/base/text/decimal_ns.h"
#include "core/base/text/path_parts.h"
#include "core/io/streams/text_feed.h"
#include "core/read/json/find_text.h"
#include "core/read/paddle/paddle_device.h"
#include "core/read/paddle/paddle_job.h"
#include "core/read/paddle/paddle_steps.h"
#include "core/read/reader.h"
#include "core/store/draft/item_ref.h"
#include "core/store/trace/pipeline_lanes.h"

namespace tv {
namespace {

constexpr std::string_view kProfiler = "Profiler ";  // occurs in both kinds of lines that matter
constexpr std::string_view kBannerBegin = "Schedule ", kBannerRest = "Profiler start at step ";
constexpr std::size_t kLongestRecord = 1024;  // a real one has 140 bytes

int probe_paddle(const Probe& probe) {
  // Programs that print such logs, and texts about them, contain the marker too, but without a number after it.
  PaddleJob job;
  for (std::size_t at = probe.head.find(kPaddleMarker); at != probe.head.npos;
       at = probe.head.find(kPaddleMarker, at + 1)) {
    if (parse_paddle_job(probe.head.substr(at), job) != PaddleParse::Bad) return 90;
  }
  const std::string_view name = last_part(probe.path);
  return name.starts_with(kWorkerLog) ? 60 : 0;
}

class PaddleRead {
 public:
  explicit PaddleRead(ReadContext& context) : context_(context), device_(paddle_device(context.path)) {}

  Result<void> run() {
    context_.draft.edit_info([&](SourceInfo& info) {
      info.rank = device_.number;
      info.rank_from = RankFrom::FileName;
      info.role = "pipeline";
    });
    name_device();
    TextFeed feed(context_.stream, context_.chunk_bytes);
    while (!context_.stop.stop_requested()) {
      const std::size_t hit = find_text(window_.text, kProfiler, at_);
      const bool found = hit != std::string_view::npos;
      const std::string_view line = found ? line_at(hit) : std::string_view();
      if (found && !line.empty()) {
        at_ = hit + read_line(line, hit);
        continue;
      }
      if (window_.last) break;
      // Keeps an unfinished line, or a partial "Profiler " at the end. move_window() also keeps the word before it.
      const std::size_t needed =
          found ? hit : window_.text.size() - std::min(window_.text.size(), kProfiler.size() - 1);
      if (auto moved = move_window(feed, std::max(needed, at_)); !moved) return moved;
    }
    add_step(steps_.finish());
    context_.draft.set_pipeline(std::move(log_));
    if (!any_record_) batch_.problems.add(ProblemKind::no_jobs, 0, {});
    hand_over();
    return {};
  }

 private:
  Result<void> move_window(TextFeed& feed, std::size_t keep) {
    const std::size_t before = std::min(keep, kBannerBegin.size());
    auto window = feed.more(window_.offset + keep - before);
    if (!window) return window.error();
    at_ = before;
    window_ = std::move(*window);
    const std::uint64_t consumed = context_.stream.consumed();
    context_.progress.bytes.store(consumed, std::memory_order_relaxed);
    if (slices_.size() > 0) hand_over();
    context_.progress.handed_over.store(consumed, std::memory_order_relaxed);
    return {};
  }

  // The text from `hit` to the end of its line, with the newline, but at most as long as a record; empty if more text is needed.
  std::string_view line_at(std::size_t hit) {
    const std::string_view text = window_.text.substr(hit, kLongestRecord);
    const std::size_t newline = text.find('\n');
    at_end_ = newline == std::string_view::npos && text.size() < kLongestRecord;
    if (at_end_ && !window_.last) return {};
    return text.substr(0, newline == std::string_view::npos ? newline : newline + 1);
  }

  // Returns the number of bytes consumed.
  std::size_t read_line(std::string_view line, std::size_t hit) {
    const std::uint64_t offset = window_.offset + hit;
    if (line.starts_with(kBannerRest)) {
      if (window_.text.substr(0, hit).ends_with(kBannerBegin)) begin_run(line.substr(kBannerRest.size()), offset);
      return kBannerRest.size();
    }
    PaddleJob job;
    // A file that ends within the marker is not reported, because the text may be something else.
    if (!line.starts_with(kPaddleMarker)) return kProfiler.size();
    any_record_ = true;
    switch (parse_paddle_job(line, job)) {
      case PaddleParse::Whole:
        add(job, offset, line.substr(0, job.length));
        return job.length;
      case PaddleParse::Cut:
        batch_.problems.add(at_end_ ? ProblemKind::truncated_record : ProblemKind::bad_record, offset,
                            without_trailing_blanks(line));
        break;
      case PaddleParse::Bad:
        batch_.problems.add(ProblemKind::bad_record, offset, without_trailing_blanks(line));
    }
    return kProfiler.size();  // another process may have written into the middle of the line
  }

  void begin_run(std::string_view number, std::uint64_t offset) {
    std::int64_t first = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), first).ec != std::errc()) return;
    if (steps_.any_job()) batch_.problems.add(ProblemKind::several_runs, offset, fmt::format("from step {} on", first));
    const bool is_restart = steps_.any_job();
    log_->devices.front().numbered |= !any_record_;  // a banner before the first record gives its steps their numbers
    add_step(steps_.restart(first));
    if (is_restart) ++attempt_;
  }

  void add(const PaddleJob& job, std::uint64_t offset, std::string_view record) {
    add_step(steps_.add(job.type, job.micro_batch));
    const std::optional<Ns> begin = decimal_ns(job.begin, kMillisecond), end = decimal_ns(job.end, kMillisecond);
    if (!begin || !end || !is_time(*begin) || !is_time(*end)) return batch_.problems.add(ProblemKind::out_of_range, offset, record);
    if (*begin == 0 && *end == 0) return batch_.problems.add(ProblemKind::job_without_times, offset, record);
    if (*begin == 0 || *end == 0) return batch_.problems.add(ProblemKind::bad_time, offset, record);
    std::uint8_t flags = 0;
    Ns duration = *end - *begin;
    if (duration < 0) {
      batch_.problems.add(ProblemKind::negative_duration, offset, record);
      flags = kClamped;
      duration = 0;
    }
    if (steps_.add_times(*begin, *begin + duration, offset)) {
      if (auto numbers = pipeline_job(job)) {
        numbers->begin = *begin;
        numbers->end = *begin + duration;
        numbers->offset = offset;
        log_->jobs.push_back(*numbers);
      }
    }
    name_.assign(job.type).append("_").append(job.micro_batch);
    slices_.add(track(), *begin, duration, batch_.labels.intern(job.type, name_), kNoGroup, offset, flags);
  }

  void add_step(const std::optional<PaddleStep>& step) {
    const auto first_job = static_cast<std::uint32_t>(jobs_of_steps_);
    if (!step || first_job == log_->jobs.size()) return;
    const auto job_count = static_cast<std::uint32_t>(log_->jobs.size()) - first_job;
    jobs_of_steps_ = log_->jobs.size();
    log_->steps.push_back({step->number, step->begin, step->end, step->offset, 0, attempt_, first_job, job_count});
  }

  std::uint32_t track() {
    if (!named_) {
      named_ = true;
      context_.draft.set_lane(std::string(kPipelineJobs), lane());
    }
    return static_cast<std::uint32_t>(batch_.tracks.intern(kPipelineJobs));
  }

  LaneSpec lane() const {
    LaneSpec spec;
    spec.path.push_back({device_.run, 0, device_.run_key, {.run = device_.run}});
    if (!device_.machine.empty()) spec.path.push_back({device_.machine});
    spec.path.push_back({device_.name, device_.number.value_or(0), {}, {.device = device_.name}});
    spec.kind = LaneKind::Stream;
    return spec;
  }

  void name_device() {
    const auto text = [&](std::string_view name) { return static_cast<std::uint32_t>(log_->texts.intern(name)); };
    log_->devices.push_back({0, text(device_.run_key), text(device_.run), text(device_.machine), text(device_.name),
                             device_.number.value_or(-1)});
  }

  void hand_over() {
    batch_.slices = SliceBlock(slices_);
    context_.draft.append(std::move(batch_));
    batch_ = EventBatch();
    slices_.clear();
  }

  ReadContext& context_;
  PaddleDevice device_;
  TextWindow window_;
  std::size_t at_ = 0;   // in the window
  bool at_end_ = false;  // the last line that was read ends with the file
  bool any_record_ = false;
  bool named_ = false;  // the lane has a name
  EventBatch batch_;
  SliceColumns slices_;  // the batch's
  PaddleSteps steps_;
  std::shared_ptr<PipelineLog> log_ = std::make_shared<PipelineLog>();
  std::size_t jobs_of_steps_ = 0;  // number of jobs of steps that have ended
  std::int32_t attempt_ = 0;
  std::string name_;
};

Result<void> read_paddle(ReadContext& context) { return PaddleRead(context).run(); }

std::optional<std::size_t> paddle_record_length(std::string_view text) {
  PaddleJob job;
  switch (parse_paddle_job(text.substr(0, kLongestRecord), job)) {
    case PaddleParse::Whole:
      return job.length;
    case PaddleParse::Cut:
      if (text.size() < kLongestRecord) return std::nullopt;
      break;
    case PaddleParse::Bad:
      break;
  }
  return std::min({text.find('\n'), text.size(), kLongestRecord});
}

Result<ArgTree> decode_paddle(std::string_view record) {
  PaddleJob job;
  if (parse_paddle_job(record, job) != PaddleParse::Whole) {
    return Error{"there is no record of a job at this place", {}, {}, "the file has changed since it was read: open it again"};
  }
  ArgTree tree;
  tree.text = record;
  const auto add = [&](std::string_view key, std::string_view value, ArgNode::Kind kind) {
    const auto end = static_cast<std::uint32_t>(tree.nodes.size() + 1);
    const std::uint16_t depth = tree.nodes.empty() ? 0 : 1;
    tree.nodes.push_back({std::string(key), std::string(value), kind, depth, end});
  };
  add("", "", ArgNode::Kind::Object);
  add("type", job.type, ArgNode::Kind::String);
  add("micro_batch_id", job.micro_batch, ArgNode::Kind::Number);
  if (const auto chunk = paddle_chunk(job.type)) add("chunk", *chunk, ArgNode::Kind::Number);
  add("Job", job.number, ArgNode::Kind::Number);
  add("job_start_time", job.begin, ArgNode::Kind::Number);
  add("job_end_time", job.end, ArgNode::Kind::Number);
  tree.nodes.front().subtree_end = static_cast<std::uint32_t>(tree.nodes.size());
  return tree;
}

}  // namespace

extern const Reader kPaddleLog{"paddle_log", "Paddle pipeline log", probe_paddle,
                               read_paddle,  paddle_record_length,  decode_paddle,  nullptr, {}, true};

}  // namespace tv
