#include "core/read/log_parts.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/base/text/utf8.h"
#include "core/io/streams/text_feed.h"
#include "core/read/chunk_pipeline.h"
#include "core/read/json/find_text.h"
#include "core/read/json/json_start.h"
#include "core/read/stamped_ends.h"
#include "core/store/clock/step_slices.h"

namespace tv {
namespace {

constexpr std::int64_t kBeforeRollouts = -2'000'000;  // sort key: the training comes before its rollouts

// Appends the data of a later chunk of the same file.
void append_part(MetricLog& log, const MetricLog& later) {
  const std::size_t marks = log.marks.size();
  const auto steps = static_cast<std::uint32_t>(log.steps.size());
  log.append(later, 0, 0);
  for (std::size_t m = marks; m < log.marks.size(); ++m) log.marks[m].steps_before += steps;
}

}  // namespace

Result<MetricLog> read_log_parts(ReadContext& context,
                                 const std::function<void(std::string_view, std::uint64_t, LogPart&)>& scan,
                                 const OpenEnd& open_end) {
  MetricLog log;
  std::unordered_set<std::int64_t> pids;
  std::vector<std::pair<std::string, std::int64_t>> processes;
  EventBatch batch;
  TextFeed feed(context.stream, context.chunk_bytes);
  LineChunks chunks(feed, open_end);
  const auto parse = [&](const TextChunk& chunk) {
    LogPart part;
    const bool has_mark = chunk.offset == 0 && chunk.text.starts_with(kByteOrderMark);
    const std::size_t begin = has_mark ? kByteOrderMark.size() : 0;
    scan(chunk.text.substr(begin), chunk.offset + begin, part);
    return part;
  };
  auto done = run_chunks<LogPart>(context, chunks, parse, [&](LogPart&& part) {
    for (const auto& [name, pid] : part.processes) {
      if (pids.insert(pid).second) processes.emplace_back(name, pid);
    }
    append_part(log, part.log);
    batch.problems.merge(part.problems);
  });
  if (!batch.problems.empty()) context.draft.append(std::move(batch));
  if (!done) return done.error();
  // Add these names last, so that name ids do not depend on where the file was split into chunks.
  for (const auto& [name, pid] : processes) log.processes.push_back({log.name_id(name), pid, 0});
  return log;
}

void begin_by_stamps(MetricLog& log) {
  std::vector<StampedLine> lines;
  std::vector<MetricStep*> stamped;
  const MetricStep* before = nullptr;
  for (MetricStep& step : log.steps) {
    if (step.duration == 0) continue;
    if (step.begin != kNoPlace) {
      const bool follows = before && before->begin != kNoPlace && before->step + 1 == step.first_step;
      lines.push_back({step.begin, step.duration, follows});
      stamped.push_back(&step);
    }
    before = &step;
  }
  const std::vector<Ns> ends = stamped_ends(lines);
  for (std::size_t s = 0; s < stamped.size(); ++s) stamped[s]->begin = ends[s] - stamped[s]->duration;
}

bool is_program(std::string_view path) {
  constexpr std::string_view kEndings[] = {".py", ".sh", ".cpp", ".cc", ".cu", ".h", ".ipynb", ".js", ".html"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_data(std::string_view head) {
  if ((head.starts_with('{') || head.starts_with('[')) && is_json_start(head)) return true;
  // The second line of a table has as many columns as the first. Settings such as CUDA_VISIBLE_DEVICES=0,1,2,3 are not tables.
  constexpr std::ptrdiff_t kColumns = 4;
  const std::size_t newline = head.find('\n');
  if (newline == head.npos) return false;
  const std::string_view first = head.substr(0, newline),
                         second = head.substr(newline + 1, head.find('\n', newline + 1) - newline - 1);
  const bool may_be_names = first.find_first_of("=[{") == first.npos && first.find(", ") == first.npos;
  return may_be_names && std::ranges::count(first, ',') + 1 >= kColumns &&
         std::ranges::count(second, ',') >= std::ranges::count(first, ',');
}

void hand_over_log(ReadContext& context, MetricLog&& log, std::string unit, std::string times) {
  LaneSpec spec;
  const std::string name(last_part(context.path));
  spec.path = {{name, kBeforeRollouts, context.path, {.run = name}}, {unit + "s"}};
  spec.kind = LaneKind::Annotation;
  spec.nest_tolerance = kMillisecond;  // each part is rounded, so their sum can exceed the step
  context.draft.set_lane(std::string(kStepTrack), std::move(spec));
  context.draft.edit_info([&](SourceInfo& info) {
    info.role = "training";
    info.local_time = log.local_time;
  });
  log.files.push_back({0, std::move(unit), std::move(times)});
  context.draft.set_metrics(std::make_shared<const MetricLog>(std::move(log)));
}

void add_ray_processes(std::string_view text, LogPart& part) {
  constexpr std::string_view kPid = " pid=";
  constexpr std::size_t kLongestName = 80;
  std::unordered_set<std::int64_t> known;
  for (std::size_t at = find_text(text, kPid, 0); at != std::string_view::npos; at = find_text(text, kPid, at + 1)) {
    std::int64_t pid = 0;
    const char* const number = text.data() + at + kPid.size();
    const auto [end, wrong] = std::from_chars(number, text.data() + text.size(), pid);
    if (wrong != std::errc() || end == text.data() + text.size() || (*end != ')' && *end != ',')) continue;
    if (known.contains(pid)) continue;  // true of nearly all lines
    const std::size_t from = at - std::min(at, kLongestName);
    const std::string_view before = text.substr(from, at - from);
    const std::size_t open = before.find_last_of("(\n");
    if (open == std::string_view::npos || before[open] != '(') continue;
    const std::string_view name = before.substr(open + 1);
    if (name.find_first_of(" :,") != std::string_view::npos) continue;
    known.insert(pid);
    part.processes.emplace_back(name, pid);
  }
}

}  // namespace tv
