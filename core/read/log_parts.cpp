#include "core/read/log_parts.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "core/base/ascii.h"
#include "core/io/text_feed.h"
#include "core/read/chunk_pipeline.h"
#include "core/read/file_facts.h"
#include "core/read/line_chunks.h"
#include "core/store/step_slices.h"

namespace tv {
namespace {

constexpr std::int64_t kBeforeRollouts = -2'000'000;  // the training is what everything else is a part of

bool known_process(const MetricLog& log, std::string_view name, std::int64_t pid) {
  return std::ranges::any_of(log.processes,
                             [&](const LogProcess& p) { return p.pid == pid && log.name(p.name) == name; });
}

std::string_view name_of_file(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(slash == std::string_view::npos ? 0 : slash + 1);
}

}  // namespace

std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from) {
  if (text.size() < from + wanted.size()) return std::string_view::npos;
  const void* found = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : std::string_view::npos;
}

void append_part(MetricLog& log, const MetricLog& later) {
  const std::size_t marks = log.marks.size(), processes = log.processes.size();
  const auto steps = static_cast<std::uint32_t>(log.steps.size());
  log.append(later, 0, 0);
  for (std::size_t m = marks; m < log.marks.size(); ++m) log.marks[m].steps_before += steps;
  std::size_t kept = processes;
  for (std::size_t p = processes; p < log.processes.size(); ++p) {
    const LogProcess process = log.processes[p];
    const auto known = log.processes.begin() + static_cast<std::ptrdiff_t>(kept);
    const bool again = std::any_of(log.processes.begin(), known, [&](const LogProcess& other) {
      return other.pid == process.pid && other.name == process.name;
    });
    if (!again) log.processes[kept++] = process;
  }
  log.processes.resize(kept);
}

Result<MetricLog> read_log_parts(ReadContext& context,
                                 const std::function<void(std::string_view, std::uint64_t, LogPart&)>& scan,
                                 const std::function<void(const MetricLog&, LogPart&)>& follow) {
  MetricLog log;
  EventBatch batch;
  TextFeed feed(context.stream, context.chunk_bytes);
  LineChunks chunks(feed);
  const auto parse = [&](const TextChunk& chunk) {
    LogPart part;
    scan(chunk.text, chunk.offset, part);
    return part;
  };
  auto done = run_chunks<LogPart>(context, chunks, parse, [&](LogPart&& part) {
    if (follow) follow(log, part);
    append_part(log, part.log);
    batch.problems.merge(part.problems);
  });
  if (!batch.problems.empty()) context.draft.append(std::move(batch));
  if (!done) return done.error();
  return log;
}

void hand_over_log(ReadContext& context, MetricLog&& log, std::string unit) {
  LaneSpec spec;
  spec.path = {{std::string(name_of_file(context.path)), kBeforeRollouts, context.path}, {unit + "s"}};
  spec.kind = LaneKind::Annotation;
  spec.nest_tolerance = kMillisecond;  // parts are rounded one by one, their sum is not
  context.draft.set_lane(std::string(kStepTrack), std::move(spec));
  context.draft.edit_info([](SourceInfo& info) { info.role = "training"; });
  log.files.push_back({0, std::move(unit), {}});
  context.draft.set_metrics(std::make_shared<const MetricLog>(std::move(log)));
}

void add_ray_processes(std::string_view text, MetricLog& log) {
  constexpr std::string_view kPid = " pid=";
  constexpr std::size_t kLongestName = 80;
  std::string_view last;  // most lines come from the process of the line before
  for (std::size_t at = find_text(text, kPid, 0); at != std::string_view::npos; at = find_text(text, kPid, at + 1)) {
    if (!last.empty() && text.substr(at + kPid.size() - std::min(at, last.size()), last.size()) == last) continue;
    std::size_t end = at + kPid.size();
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == at + kPid.size() || end == text.size() || (text[end] != ')' && text[end] != ',')) continue;
    const std::size_t from = at - std::min(at, kLongestName);
    const std::string_view before = text.substr(from, at - from);
    const std::size_t open = before.find_last_of("(\n");
    if (open == std::string_view::npos || before[open] != '(') continue;
    std::int64_t pid = 0;
    if (std::from_chars(text.data() + at + kPid.size(), text.data() + end, pid).ec != std::errc()) continue;
    const std::string_view name = before.substr(open + 1);
    if (name.find_first_of(" :,") != std::string_view::npos || known_process(log, name, pid)) continue;
    log.processes.push_back({log.name_id(name), pid, 0});
  }
}

}  // namespace tv
