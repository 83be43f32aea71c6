// verl multi-turn rollout logs: step_N/worker_M.jsonl, one event per line, written when the event ends. The interval of
// an event is [timestamp - duration_sec, timestamp]; lines without duration are instants. Source: verl.md section 1.
//
// A file is read on one thread: whether an event belongs to a later run that was appended to the file depends on the lines
// before it. Runs have many files, which are read side by side.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/decimal_ns.h"
#include "core/base/iso_time.h"
#include "core/base/path_parts.h"
#include "core/io/text_feed.h"
#include "core/read/file_facts.h"
#include "core/read/json_args.h"
#include "core/read/json_repair.h"
#include "core/read/json_scan.h"
#include "core/read/lines.h"
#include "core/read/padded_text.h"
#include "core/read/reader.h"
#include "core/read/rollout_counters.h"
#include "core/read/rollout_line.h"
#include "core/read/rollout_tally.h"
#include "core/read/verl_events.h"
#include "core/store/item_ref.h"

namespace tv {
namespace {

namespace ondemand = simdjson::ondemand;

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

constexpr Ns kLateStamp = 5 * kMillisecond;  // some ends are stamped one tokenization late (verl.md 1.2)

int probe_rollout(const Probe& probe) {
  const std::size_t newline = probe.head.find('\n');
  const std::string_view first = probe.head.substr(0, newline);
  const auto has = [&](std::string_view text) { return first.find(text) != std::string_view::npos; };
  if (has("\"timestamp\"") && has("\"event\"") && first.starts_with('{')) return 95;
  // A truncated first line, or an empty file of a worker that wrote nothing yet.
  const bool named = probe.path.find("/step_") != std::string_view::npos &&
                     probe.path.find("/worker_") != std::string_view::npos && probe.path.ends_with(".jsonl");
  return named ? 60 : 0;
}

// Lines that wait to be parsed together, as the elements of one array: simdjson is fast on texts, not on snippets.
class LineBlock {
 public:
  static constexpr std::size_t kBytes = 32 << 10;

  void add(const Line& line) {
    lines_.push_back({line.offset, text_.size(), line.text.size(), line.ended});
    text_.append(line.text).push_back(',');
  }
  bool full() const { return text_.size() >= kBytes; }
  bool empty() const { return lines_.empty(); }
  std::size_t size() const { return lines_.size(); }
  Line line(std::size_t i) const {
    const Place& place = lines_[i];
    return {place.offset, std::string_view(text_).substr(place.at, place.size), place.ended};
  }
  std::size_t place(std::size_t i) const { return lines_[i].at; }
  /// All of them, with commas between.
  std::string_view text() const { return std::string_view(text_).substr(0, text_.size() - 1); }
  void clear() {
    lines_.clear();
    text_.clear();
  }

 private:
  struct Place {
    std::uint64_t offset;
    std::size_t at, size;
    bool ended;
  };
  std::vector<Place> lines_;
  std::string text_;
};

// What is needed to read a file and takes longer to get from the system than to use: kept by each thread for its next file.
struct RolloutScratch {
  ondemand::parser parser;
  ondemand::document document;
  PaddedText padded;
  LineBlock block;
  SliceColumns slices;
  RolloutLine line, next;
};

RolloutScratch& scratch() {
  thread_local RolloutScratch reused;
  reused.block.clear();
  reused.slices.clear();
  return reused;
}

class RolloutRead {
 public:
  explicit RolloutRead(ReadContext& context)
      : context_(context), facts_(facts_of(context.path)), run_folder_(rollout_run_folder(context.path)) {}

  Result<void> run() {
    TextFeed feed(context_.stream, context_.chunk_bytes);
    Lines lines(feed);
    std::uint64_t batch_begin = 0;
    while (!context_.stop.stop_requested()) {
      auto line = lines.next();
      if (!line) return line.error();
      if (!*line) break;
      if ((*line)->text.empty()) continue;
      block_.add(**line);
      if (block_.full()) add_block();
      if ((*line)->offset - batch_begin > context_.chunk_bytes) {
        add_block();
        const std::uint64_t consumed = context_.stream.consumed();
        context_.progress.bytes.store(consumed, std::memory_order_relaxed);
        context_.progress.handed_over.store(consumed, std::memory_order_relaxed);
        hand_over();
        batch_begin = (*line)->offset;
      }
    }
    add_block();
    context_.draft.edit_info([&](SourceInfo& info) {
      info.worker = worker_ ? worker_ : facts_.worker;
      info.step = facts_.step ? facts_.step : step_;
      info.role = "rollout";
    });
    const SourceInfo info = context_.draft.info();
    auto log = std::make_shared<const RolloutLog>(tally_.take(info.step, info.worker));
    add_rollout_counters(*log, batch_, [&](std::int32_t run, RolloutCounter counter) {
      const bool tokens = counter == RolloutCounter::TokensPerSecond;
      return track_of(run + 1, info.worker.value_or(0), tokens ? RolloutPart::TokensPerSecond : RolloutPart::InFlight);
    });
    hand_over();
    context_.draft.set_rollout(std::move(log));
    return {};
  }

 private:
  void add_block() {
    if (block_.empty()) return;
    for (std::size_t i = add_together(); i < block_.size(); ++i) add_alone(block_.line(i));
    block_.clear();
  }

  // The fast way. Returns how many lines it got through: the one after them has something wrong with it.
  std::size_t add_together() {
    const std::string_view text = block_.text();
    std::copy(text.begin(), text.end(), padded_.room(text.size()).data());
    const simdjson::padded_string_view array = padded_.take_as_array(0, text.size());
    ondemand::array records;
    if (parser_.iterate(array).get(document_) || document_.get_array().get(records)) return 0;
    // A line is believed when the next one begins where it should: else the two were one record.
    std::size_t done = 0;
    RolloutLine *fields = &scratch_.line, *next = &scratch_.next;
    bool any = false;
    for (auto element : records) {
      ondemand::value value;
      ondemand::object object;
      const std::size_t i = done + (any ? 1 : 0);
      if (i == block_.size() || element.get(value)) return done;
      if (value.raw_json_token().data() != array.data() + 1 + block_.place(i)) return done;
      next->clear();
      if (value.get_object().get(object) || read_rollout_line(object, *next)) {
        if (any) add(block_.line(done++), *fields, 0);
        return done;
      }
      if (any) add(block_.line(done++), *fields, 0);
      std::swap(fields, next);
      any = true;
    }
    // After the last one nothing begins: it must end where its line does.
    if (!any || done + 1 < block_.size()) return done;
    const Line last = block_.line(done);
    if (json_value_length(last.text) != last.text.size()) return done;
    add(last, *fields, 0);
    return block_.size();
  }

  void add_alone(const Line& line) {
    RolloutLine& fields = scratch_.line;
    std::uint8_t flags = 0;
    if (!parse(line.text, fields)) {
      repaired_ = repair_json(line.text).json;
      // A line cut off in the middle repairs into something; only a whole one is believed.
      const bool whole = line.text.starts_with('{') && line.text.ends_with('}');
      if (!whole || !parse(repaired_, fields)) {
        const bool cut = !line.ended && line.text.starts_with('{');
        batch_.problems.add(cut ? ProblemKind::truncated_record : ProblemKind::bad_line, line.offset, line.text);
        return;
      }
      flags |= kRepaired;
      batch_.problems.add(ProblemKind::repaired_record, line.offset, line.text);
    }
    add(line, fields, flags);
  }

  void add(const Line& line, const RolloutLine& fields, std::uint8_t flags) {
    if (fields.event.empty()) return batch_.problems.add(ProblemKind::bad_line, line.offset, line.text);
    const std::optional<Ns> stamp = time_.ns(fields.timestamp);
    if (!stamp) return batch_.problems.add(ProblemKind::bad_time, line.offset, line.text);
    if (*stamp < last_stamp_) batch_.problems.add(ProblemKind::time_went_back, line.offset, fields.timestamp);
    last_stamp_ = *stamp;
    if (fields.worker && !worker_) worker_ = fields.worker;
    if (fields.step && !step_) step_ = fields.step;
    place(fields, line.offset, *stamp, flags);
  }

  bool parse(std::string_view text, RolloutLine& fields) {
    ondemand::object object;
    fields.clear();
    return !parser_.iterate(padded_.assign(text)).get(document_) && !document_.get_object().get(object) &&
           !read_rollout_line(object, fields);
  }

  void place(const RolloutLine& fields, std::uint64_t offset, Ns stamp, std::uint8_t flags) {
    const VerlEvent event = verl_event(fields.event, !fields.request_id.empty());
    if (begins_step(event.name) && ++steps_seen_ > 1) {
      batch_.problems.add(ProblemKind::several_runs, offset, fields.timestamp);
    }
    const std::uint32_t group =
        fields.request_id.empty() ? kNoGroup : static_cast<std::uint32_t>(batch_.keys.intern(fields.request_id));
    tally_.add(fields, {event.name, stamp, offset, std::max(steps_seen_, 1) - 1, group});
    const std::int64_t worker = fields.worker ? *fields.worker : facts_.worker.value_or(0);
    const RolloutPart part = event.place == VerlPlace::Request ? RolloutPart::Requests : RolloutPart::Phases;
    const std::uint32_t track = track_of(std::max(steps_seen_, 1), worker, part);
    const LabelId label = batch_.labels.intern(event.category, event.name);
    std::optional<Ns> duration = decimal_ns(fields.duration, kSecond);
    if (!duration) {
      if (!fields.duration.empty() && fields.duration != "null") {
        batch_.problems.add(ProblemKind::not_a_number, offset, fields.duration);
      }
      batch_.instants.push_back({track, label, stamp, offset});
      return;
    }
    if (*duration < 0) {
      batch_.problems.add(ProblemKind::negative_duration, offset, fields.duration);
      flags |= kClamped;
      duration = 0;
    }
    slices_.add(track, stamp - *duration, *duration, label, group, offset, flags);
  }

  // A run that was appended to the file gets lanes of its own beside the first one's.
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
    std::string name(last_part(run_folder_));
    if (name.empty()) name = "rollout";
    if (run > 1) name += " (run " + std::to_string(run) + ")";
    LaneSpec spec;
    constexpr std::int64_t kBeforeTraces = -1'000'000;  // the rollout is where one looks first
    spec.path = {{name, kBeforeTraces + run, run_folder_ + "#" + std::to_string(run)},
                 {"worker " + std::to_string(worker), worker},
                 {std::string(kRolloutParts[static_cast<std::size_t>(part)].name), static_cast<std::int64_t>(part)}};
    spec.kind = kRolloutParts[static_cast<std::size_t>(part)].kind;
    spec.rule = part == RolloutPart::Requests ? RowRule::Pack : RowRule::Nest;
    spec.nest_tolerance = kLateStamp;
    return spec;
  }

  void hand_over() {
    batch_.slices = SliceBlock(slices_);
    context_.draft.append(std::move(batch_));
    batch_ = EventBatch();
    tally_.forget_keys();
    tracks_ = {};
    slices_.clear();
  }

  ReadContext& context_;
  FileFacts facts_;
  std::string run_folder_;
  EventBatch batch_;
  RolloutScratch& scratch_ = scratch();
  SliceColumns& slices_ = scratch_.slices;  // the batch's
  LineBlock& block_ = scratch_.block;
  ondemand::parser& parser_ = scratch_.parser;
  ondemand::document& document_ = scratch_.document;
  PaddedText& padded_ = scratch_.padded;
  std::string repaired_, key_;
  std::array<std::optional<std::uint32_t>, kRolloutParts.size()> tracks_;  // of the batch, the last run and worker, by Part
  int tracks_run_ = 0;
  std::int64_t tracks_worker_ = 0;
  RolloutTally tally_;
  LogTime time_;
  Ns last_stamp_ = INT64_MIN;
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
                                 decode_json_record};

}  // namespace tv
