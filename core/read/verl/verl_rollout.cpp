// verl multi-turn rollout logs: step_N/worker_M.jsonl with one event per line, written when the event ends. An event lasts from
// timestamp - duration_sec to timestamp. A line without a duration is an instant. Source: rollout logs.
//
// A file is read on one thread, because later runs can be appended to it, and only the lines before an event tell which run it
// belongs to. Runs have many files, which are read in parallel.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/text/ascii.h"
#include "core/base/memory/per_thread.h"
#include "core/base/text/decimal_ns.h"
#include "core/base/text/iso_time.h"
#include "core/io/streams/text_feed.h"
#include "core/read/file_facts.h"
#include "core/read/json/json_args.h"
#include "core/read/json/json_repair.h"
#include "core/read/json/line_records.h"
#include "core/read/lines.h"
#include "core/read/reader.h"
#include "core/read/verl/plain_rollout.h"
#include "core/read/verl/rollout_counters.h"
#include "core/read/verl/rollout_line.h"
#include "core/read/verl/rollout_tally.h"
#include "core/read/verl/verl_events.h"
#include "core/store/draft/item_ref.h"

namespace tv {
namespace {

// The lanes of a worker, top to bottom.
enum class RolloutPart : std::uint8_t { Phases, InFlight, TokensPerSecond, Requests };
struct RolloutPartLane {
  std::string_view name;
  LaneKind kind;
};
constexpr std::array<RolloutPartLane, 4> kRolloutParts = {{{"phases", LaneKind::Phases},
                                                           {"requests in flight", LaneKind::Counter},
                                                           {"tokens/s", LaneKind::Counter},
                                                           {"requests", LaneKind::Requests}}};

constexpr Ns kLateStamp = 5 * kMillisecond;  // some events are stamped only after a tokenization (rollout logs)

int probe_rollout(const Probe& probe) {
  const std::string_view first = probe.head.substr(0, probe.head.find('\n'));
  const auto has = [](std::string_view line, std::string_view text) { return line.find(text) != std::string_view::npos; };
  const auto is_event = [&](std::string_view line) {
    return has(line, "\"timestamp\"") && has(line, "\"event\"") && line.starts_with('{');
  };
  if (is_event(first)) return 95;
  // The first line may be damaged.
  const std::string_view rest = probe.head.substr(std::min(probe.head.size(), first.size() + 1));
  if ((has(first, "\"timestamp\"") || has(first, "\"event\"")) && is_event(rest.substr(0, rest.find('\n')))) return 80;
  // The first line may be truncated, or the worker may have written nothing yet.
  const bool has_log_name = probe.path.find("/step_") != std::string_view::npos &&
                     probe.path.find("/worker_") != std::string_view::npos && probe.path.ends_with(".jsonl");
  return has_log_name ? 60 : 0;
}

constexpr std::array<std::string_view, 7> kRolloutKeys = {"timestamp", "event", "duration_sec", "extra", "workid", "worker", "step"};
// A record has the first two keys.
constexpr RecordKeys kRolloutRecord{kRolloutKeys, 0b11, 0b11, 0b11};

constexpr std::size_t kWindowBytes = 256 << 10;  // stays in a core's cache while it is read

// Caches what follows from an event's name. Every line has a name, but there are few different names.
class EventNames {
 public:
  struct Known {
    std::string written;
    bool with_request = false;
    VerlEvent event;  ///< may point into `written`
    RolloutEvent kind = RolloutEvent::kCount;
    std::optional<LabelId> label;  ///< in the batch's table; empty until the batch has it
  };

  /// `name` must not be empty.
  Known& find(std::string_view name, bool with_request) {
    const auto letter = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
    Known& known = known_[(name.size() * 5 + letter(0) + 3 * letter(name.size() / 2)) % known_.size()];
    if (known.written != name || known.with_request != with_request) {
      known.written = name;
      known.with_request = with_request;
      known.event = verl_event(known.written, with_request);
      known.kind = rollout_event(known.event.name);
      known.label.reset();
    }
    return known;
  }
  void forget_labels() {
    for (Known& known : known_) known.label.reset();
  }

 private:
  std::array<Known, 64> known_;
};

// Buffers that take longer to allocate than to fill. Each thread reuses them for its next file.
struct RolloutScratch {
  SliceColumns slices;
  RolloutLine line;
  RolloutTally tally;
  EventNames names;
};

class RolloutRead {
 public:
  explicit RolloutRead(ReadContext& context)
      : context_(context), facts_(facts_of(context.path)), run_folder_(rollout_run_folder(context.path)) {}

  Result<void> run() {
    forget_batch();
    scratch_.tally.clear();
    TextFeed feed(context_.stream, std::min(context_.chunk_bytes, kWindowBytes));
    Lines lines(feed);
    while (!context_.stop.stop_requested()) {
      read_plain(lines);
      auto line = lines.next();
      if (!line) return line.error();
      if (!*line) break;
      if ((*line)->text.empty()) continue;
      begin_line((*line)->offset);
      read_alone(**line);
    }
    context_.draft.edit_info([&](SourceInfo& info) {
      info.worker = worker_ ? worker_ : facts_.worker;
      info.step = facts_.step ? facts_.step : step_;
      info.role = "rollout";
      info.local_time = local_time_;
    });
    const SourceInfo info = context_.draft.info();
    auto log = std::make_shared<const RolloutLog>(scratch_.tally.take(info.step, info.worker));
    add_rollout_counters(*log, batch_, [&](std::int32_t run, RolloutCounter counter) {
      const bool tokens = counter == RolloutCounter::TokensPerSecond;
      return track_of(run + 1, info.worker.value_or(0), tokens ? RolloutPart::TokensPerSecond : RolloutPart::InFlight);
    });
    hand_over(context_.stream.consumed());
    context_.draft.set_rollout(std::move(log));
    return {};
  }

 private:
  // The fast path: reads plain records from the available text until it meets another line.
  void read_plain(Lines& lines) {
    const std::string_view text = lines.ahead();
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const char* at = begin;
    while (at < end) {
      scratch_.line.clear();
      const char* const past = read_plain_rollout(at, end, scratch_.line);
      if (!past) break;
      const std::uint64_t offset = lines.offset() + static_cast<std::uint64_t>(at - begin);
      begin_line(offset);
      add({offset, without_trailing_blanks({at, past})}, scratch_.line, 0);
      at = past;
    }
    lines.skip(static_cast<std::size_t>(at - begin));
  }

  void begin_line(std::uint64_t offset) {
    if (offset - batch_begin_ > context_.chunk_bytes) hand_over(offset);
  }

  // Reads a line that read_plain() cannot read.
  void read_alone(const Line& line) {
    if (read_rollout_line(line.text, scratch_.line)) return add(line, scratch_.line, 0);
    // The line may contain whole records, if there are two writers or a newline was lost.
    const std::vector<LinePart> parts = parts_of_line(line.text, kRolloutRecord);
    for (const LinePart& part : parts) {
      const bool last = &part == &parts.back();
      const Line part_line{line.offset + part.begin, part.text, line.ended || !last};
      if (!part.record) {
        read_damaged(part_line, parts.size() == 1);
      } else if (read_rollout_line(part.text, scratch_.line)) {
        add(part_line, scratch_.line, 0);
      } else {
        batch_.problems.add(ProblemKind::bad_record, part_line.offset, part_line.text);
      }
    }
  }

  // Reads text that is not a sound record: a whole line, or a part of one.
  void read_damaged(const Line& line, bool is_whole_line) {
    RepairedRecord repaired = repair_json(line.text);
    repaired_ = std::move(repaired.json);
    // The repair of a truncated line can give wrong values, so only complete lines are trusted.
    const bool complete = is_whole_line && line.text.starts_with('{') && line.text.ends_with('}') && !repaired.repeats_member;
    if (complete && read_rollout_line(repaired_, scratch_.line)) {
      batch_.problems.add(ProblemKind::repaired_record, line.offset, line.text);
      return add(line, scratch_.line, kRepaired);
    }
    const bool cut = !line.ended && line.text.starts_with('{');
    report_lost(batch_.problems, line.offset, line.text, records_begun(line.text, kRolloutRecord), cut);
  }

  void add(const Line& line, const RolloutLine& fields, std::uint8_t flags) {
    if (fields.event.empty()) {
      const bool lost = looks_like_record(line.text, kRolloutRecord);
      return batch_.problems.add(lost ? ProblemKind::bad_record : ProblemKind::bad_line, line.offset, line.text);
    }
    const std::optional<Ns> stamp = time_.ns(fields.timestamp);
    if (!stamp || !is_time(*stamp)) return batch_.problems.add(ProblemKind::bad_time, line.offset, line.text);
    if (*stamp < last_stamp_) batch_.problems.add(ProblemKind::time_went_back, line.offset, fields.timestamp);
    if (last_stamp_ == INT64_MIN) local_time_ = !names_zone(fields.timestamp);
    last_stamp_ = *stamp;
    if (fields.worker && !worker_) worker_ = fields.worker;
    if (fields.step && !step_) step_ = fields.step;
    add_event(fields, line.offset, *stamp, flags);
  }

  void add_event(const RolloutLine& fields, std::uint64_t offset, Ns stamp, std::uint8_t flags) {
    EventNames::Known& known = scratch_.names.find(fields.event, !fields.request_id.empty());
    const VerlEvent& event = known.event;
    if (begins_step(event.name) && ++steps_seen_ > 1) {
      batch_.problems.add(ProblemKind::several_runs, offset, fields.timestamp);
    }
    const std::uint32_t group = fields.request_id.empty() ? kNoGroup : key_of(fields.request_id);
    scratch_.tally.add(fields, {event.name, known.kind, stamp, offset, std::max(steps_seen_, 1) - 1, group});
    const std::int64_t worker = fields.worker ? *fields.worker : facts_.worker.value_or(0);
    const RolloutPart part = event.place == VerlPlace::Request ? RolloutPart::Requests : RolloutPart::Phases;
    const std::uint32_t track = track_of(std::max(steps_seen_, 1), worker, part);
    if (!known.label) known.label = batch_.labels.intern(event.category, event.name);
    std::optional<Ns> duration = decimal_ns_padded(fields.duration, kSecond);
    if (!duration || !is_length(*duration)) {
      if (!fields.duration.empty() && fields.duration != "null") {
        const ProblemKind kind = duration ? ProblemKind::out_of_range : ProblemKind::not_a_number;
        batch_.problems.add(kind, offset, fields.duration);
      }
      batch_.instants.push_back({track, *known.label, stamp, offset});
      return;
    }
    if (*duration < 0) {
      batch_.problems.add(ProblemKind::negative_duration, offset, fields.duration);
      flags |= kClamped;
      duration = 0;
    }
    scratch_.slices.add(track, stamp - *duration, *duration, *known.label, group, offset, flags);
  }

  // Remembers the last request's key, because consecutive lines often have the same request.
  std::uint32_t key_of(std::string_view request) {
    if (request_ != request) {
      request_ = request;
      request_key_ = static_cast<std::uint32_t>(batch_.keys.intern(request));
    }
    return request_key_;
  }

  // Each run in the file has lanes of its own.
  std::uint32_t track_of(int run, std::int64_t worker, RolloutPart part) {
    std::optional<std::uint32_t>& known = tracks_[static_cast<std::size_t>(part)];
    if (known && run == tracks_run_ && worker == tracks_worker_) return *known;
    if (run != tracks_run_ || worker != tracks_worker_) tracks_ = {};
    tracks_run_ = run;
    tracks_worker_ = worker;
    key_ = fmt::format("{}/{}/{}", run, worker, kRolloutParts[static_cast<std::size_t>(part)].name);
    if (batch_.tracks.find(key_) == kNone<StrId>) context_.draft.set_lane(key_, lane_of(run, worker, part));
    known = static_cast<std::uint32_t>(batch_.tracks.intern(key_));
    return *known;
  }

  LaneSpec lane_of(int run, std::int64_t worker, RolloutPart part) const {
    const std::string name = rollout_run_name(run_folder_, run - 1);
    LaneSpec spec;
    constexpr std::int64_t kBeforeTraces = -1'000'000;  // users look at the rollout first
    spec.path = {{name, kBeforeTraces + run, run_folder_ + "#" + std::to_string(run), {.run = name}},
                 {"worker " + std::to_string(worker), worker, {}, owned_by_worker(worker)},
                 {std::string(kRolloutParts[static_cast<std::size_t>(part)].name), static_cast<std::int64_t>(part)}};
    spec.kind = kRolloutParts[static_cast<std::size_t>(part)].kind;
    spec.rule = part == RolloutPart::Requests ? RowRule::Pack : RowRule::Nest;
    spec.nest_tolerance = kLateStamp;
    return spec;
  }

  // Hands over the batch; the next one begins at `offset`.
  void hand_over(std::uint64_t offset) {
    const std::uint64_t consumed = context_.stream.consumed();
    context_.progress.bytes.store(consumed, std::memory_order_relaxed);
    context_.progress.handed_over.store(consumed, std::memory_order_relaxed);
    batch_.slices = SliceBlock(scratch_.slices);
    context_.draft.append(std::move(batch_));
    batch_ = EventBatch();
    batch_begin_ = offset;
    forget_batch();
  }

  // Clears everything that refers to the batch's tables.
  void forget_batch() {
    scratch_.slices.clear();
    scratch_.names.forget_labels();
    scratch_.tally.forget_keys();
    request_.clear();
    tracks_ = {};
  }

  ReadContext& context_;
  FileFacts facts_;
  std::string run_folder_;
  RolloutScratch& scratch_ = per_thread<RolloutScratch>();
  EventBatch batch_;
  std::uint64_t batch_begin_ = 0;
  std::string repaired_, key_;
  std::string request_;            // the last request's id
  std::uint32_t request_key_ = 0;  // and its key in the batch
  std::array<std::optional<std::uint32_t>, kRolloutParts.size()> tracks_;  // by RolloutPart, of tracks_run_ and tracks_worker_
  int tracks_run_ = 0;
  std::int64_t tracks_worker_ = 0;
  LogTime time_;
  Ns last_stamp_ = INT64_MIN;
  bool local_time_ = false;  // whether the first stamp names no time zone
  int steps_seen_ = 0;
  std::optional<std::int64_t> worker_, step_;
};

Result<void> read_rollout(ReadContext& context) { return RolloutRead(context).run(); }

std::optional<std::size_t> line_length(std::string_view text) {
  const std::size_t newline = text.find('\n');
  return newline == std::string_view::npos ? std::nullopt : std::optional(newline);
}

}  // namespace

extern const Reader kVerlRollout{"verl_rollout", "verl multi-turn rollout log", probe_rollout, read_rollout, line_length,
                                 decode_json_record, nullptr, {}, true};

}  // namespace tv
