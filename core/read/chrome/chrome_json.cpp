// Trace Event Format JSON: PyTorch profiler (kineto), Chrome, JAX, Ray, VizTracer, Megatron.
// Sources: "Trace Event Format" (Google, 2016), kineto, verl under Nsight Systems.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/text/decimal_ns.h"
#include "core/base/text/utf8.h"
#include "core/io/streams/text_feed.h"
#include "core/read/chrome/chrome_chunk.h"
#include "core/read/chrome/chrome_process.h"
#include "core/read/chrome/chrome_tracks.h"
#include "core/read/chrome/collective_args.h"
#include "core/read/chrome/exported_lane.h"
#include "core/read/chrome/last_slice.h"
#include "core/read/chunk_pipeline.h"
#include "core/read/file_facts.h"
#include "core/read/json/find_text.h"
#include "core/read/json/json_args.h"
#include "core/read/json/json_records.h"
#include "core/read/own_member.h"
#include "core/read/json/record_extent.h"
#include "core/read/json/trace_records.h"
#include "core/read/log_parts.h"
#include "core/read/reader.h"

namespace tv {
namespace {

bool has_key(std::string_view head, std::string_view key) {
  return find_text(head, '"' + std::string(key) + '"', 0) != std::string_view::npos;
}

// Whether a file that does not begin like JSON is accepted nevertheless: a whole record begins within its first bytes.
bool record_begins_soon(std::string_view head) {
  constexpr std::size_t kSoon = 4096;
  RecordFinder finder(kTraceRecord);
  finder.begin_lost(0);
  return head.find("\":") < kSoon && finder.run(head, 0, false) == RecordFinder::Status::Found && finder.record().begin < kSoon;
}

int probe_chrome(const Probe& probe) {
  std::string_view head = probe.head;
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return 0;
  head.remove_prefix(first);
  if (head.front() != '{' && head.front() != '[') return record_begins_soon(head) && !is_program(probe.path) ? 45 : 0;
  if (head.front() == '{' && has_key(head, "traceEvents")) return 100;
  // Kineto's other members can be long; traceEvents may lie beyond what a probe sees.
  if (head.front() == '{' && has_key(head, "schemaVersion") && has_key(head, "deviceProperties")) return 90;
  const bool has_event = has_key(head, "ph") && (has_key(head, "ts") || has_key(head, "pid") || has_key(head, "name"));
  if (has_event) return 80;
  return probe.path.find(".trace.json") != std::string_view::npos ? 50 : 0;
}

constexpr std::string_view kBaseKey = "\"baseTimeNanoseconds\"";

std::optional<Ns> leading_integer(std::string_view text) { return decimal_ns(text.substr(0, text.find_first_of(",} \t\r\n")), 1); }

// The last clock base in the tail of a file.
std::optional<Ns> base_in_tail(std::string_view tail) {
  const std::size_t at = tail.rfind(kBaseKey);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t value = tail.find_first_not_of(" \t\r\n:", at + kBaseKey.size());
  return value == std::string_view::npos ? std::nullopt : leading_integer(tail.substr(value));
}

std::optional<Ns> base_in_object(std::string_view object) {
  return leading_integer(object.substr(std::min(own_member(object, kBaseKey), object.size())));
}

// Paddle's dygraph profiler writes milliseconds since the epoch; as microseconds they would be in January 1970.
bool in_milliseconds(std::string_view head, Ns first) {
  constexpr Ns kEarliest = 1'000'000'000'000, kLatest = 10'000'000'000'000;  // 2001, 2286
  return first >= kEarliest && first < kLatest && head.find("pipeline timeline\"") != std::string_view::npos;
}

// In some versions, the times of Ray's timeline are ten times too large (milliseconds times 10e3), so that they begin in the
// year 2400 or later. If they would be implausible even after a division by ten, they stay as they are, and each event is
// checked.
Ns time_unit(std::string_view head, ProblemLog& problems) {
  constexpr Ns kLatest = 5'000'000'000'000'000;  // microseconds: the year 2128
  constexpr Ns kRayBegan = 1'480'000'000 * kSecond, kRayUnit = kMicrosecond / 10;  // 2016
  for (std::size_t at = head.find("\"ts\""); at != std::string_view::npos; at = head.find("\"ts\"", at + 1)) {
    const std::size_t value = head.find_first_not_of(" \t\r\n:\"", at + 4);
    if (value == std::string_view::npos) break;
    const std::string_view text = head.substr(value, head.find_first_of("\",} \t\r\n", value) - value);
    const std::optional<Ns> microseconds = decimal_ns(text, 1);
    if (!microseconds || *microseconds == 0) continue;
    if (in_milliseconds(head, *microseconds)) {
      problems.add(ProblemKind::milliseconds, at, text);
      return kMillisecond;
    }
    if (*microseconds <= kLatest) return kMicrosecond;
    if (*microseconds < kRayBegan / kRayUnit || *microseconds > kLatestTime / kRayUnit) return kMicrosecond;
    problems.add(ProblemKind::scaled_times, at, text);
    return kRayUnit;
  }
  return kMicrosecond;
}

class ChromeRead {
 public:
  explicit ChromeRead(ReadContext& context)
      : context_(context), facts_(facts_of(context.path)), tracks_(context.draft, source_segment(facts_, context_.path)) {}

  Result<void> run() {
    context_.draft.edit_info([&](SourceInfo& info) { store_facts(facts_, info); });
    read_tail();
    EventBatch opening;
    const ChromeDialect dialect{time_unit(context_.head, opening.problems),
                                find_text(context_.head, kExportWriter, 0) != std::string_view::npos};
    if (!opening.problems.empty()) context_.draft.append(std::move(opening));

    TextFeed feed(context_.stream, context_.chunk_bytes);
    JsonRecords records(feed, context_.chunk_bytes,
                        [&](std::string_view key, std::string_view value) { member(key, value); });
    auto done = run_chunks<ChromePart>(
        context_, records, [dialect](const TextChunk& chunk) { return read_chrome_chunk(chunk, dialect); },
        [&](ChromePart&& part) {
          tracks_.add(part.metadata, part.batch.tracks, part.gpu_tracks, part.host_tracks);
          last_slice_.add(part);
          context_.draft.append(std::move(part.batch));
        });
    // In our own exports, the lanes are already described.
    if (!dialect.exported) {
      context_.draft.edit_lanes([&](LaneSpecs& lanes, SourceInfo& info) { tell_processes(lanes, facts_.stem, info); });
    }
    EventBatch closing;
    closing.problems = records.take_problems();
    closing.problems.merge(refused_);
    for (const std::string& group : groups_) closing.keys.intern(group);
    if (!closing.problems.empty() || !groups_.empty()) context_.draft.append(std::move(closing));
    return done;
  }

 private:
  static constexpr std::size_t kTailBytes = 64 << 10;

  // Until March 2025 kineto wrote its clock base after the events. If the file is not compressed, the base is read here first, so
  // that even the first snapshots are on the right clock. Otherwise member() receives it at the end.
  void read_tail() {
    const std::uint64_t reach = context_.stream.reach();
    if (reach == 0) return;
    std::string tail(std::min<std::uint64_t>(kTailBytes, reach), '\0');
    const auto n = context_.stream.read_at(reach - tail.size(), tail);
    if (!n) return;
    tail.resize(n.value());
    set_base(base_in_tail(tail));
  }

  // False if the base is invalid. Then the times stay unchanged, and member() reports it.
  bool set_base(std::optional<Ns> base) {
    if (!base || !is_time(*base)) return false;
    context_.draft.set_clock_base(*base);
    return true;
  }

  void member(std::string_view key, std::string_view value) {
    if (key == "baseTimeNanoseconds") {
      if (!set_base(decimal_ns(value, 1))) {
        refused_.add(ProblemKind::out_of_range, 0, fmt::format("baseTimeNanoseconds: {}", value));
      }
    } else if (key == "viztracer_metadata") {
      set_base(base_in_object(value));
    } else if (key == "distributedInfo") {
      if (groups_.empty()) groups_ = groups_in_info(value);
      if (const auto rank = stated_rank(value)) {
        context_.draft.edit_info([&](SourceInfo& info) {
          take_rank(info.rank, info.rank_from, *rank, RankFrom::Contents);
          facts_.rank = info.rank;
        });
        tracks_.set_source(source_segment(facts_, context_.path));
      }
    }
  }

  ReadContext& context_;
  FileFacts facts_;
  ChromeTracks tracks_;
  LastSliceOfChunks last_slice_;
  ProblemLog refused_;               // problems in members of the top-level object
  std::vector<std::string> groups_;  // process groups whose ranks distributedInfo lists
};

Result<void> read_chrome(ReadContext& context) { return ChromeRead(context).run(); }

std::optional<std::size_t> record_length(std::string_view text) { return record_length_in(text, kTraceRecord); }

}  // namespace

extern const Reader kChromeJson{"chrome_json", "Trace Event Format (PyTorch profiler, Chrome, JAX, Ray)",
                                probe_chrome,  read_chrome,
                                record_length, decode_json_record};

}  // namespace tv
