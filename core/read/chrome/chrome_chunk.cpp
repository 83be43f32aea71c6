#include "core/read/chrome/chrome_chunk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/memory/per_thread.h"
#include "core/base/text/decimal_ns.h"
#include "core/read/chrome/chrome_event_ids.h"
#include "core/read/chrome/chrome_event_tracks.h"
#include "core/read/chrome/collective_args.h"
#include "core/read/chrome/event_args.h"
#include "core/read/chrome/event_phases.h"
#include "core/read/chrome/event_side.h"
#include "core/read/chrome/exported_lane.h"
#include "core/read/chrome/plain_event.h"
#include "core/read/chrome/trace_event.h"
#include "core/read/json/chunk_pieces.h"
#include "core/read/json/iterate_json.h"
#include "core/read/json/json_repair.h"
#include "core/read/json/json_scan.h"
#include "core/read/json/padded_text.h"
#include "core/read/json/record_extent.h"
#include "core/read/json/trace_records.h"
#include "core/store/clock/unit_clocks.h"
#include "core/store/draft/item_ref.h"

namespace tv {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kPieceBytes = 128 << 10;

// Buffers that grow to the size of a chunk. Each thread reuses them for its next chunk.
struct ChunkScratch {
  PaddedText padded;  // the text of a piece
  ondemand::parser parser;
  SliceColumns slices;
  std::vector<HalfEvent> halves;
  std::vector<FlowPoint> flows;
};

class ChunkInterpreter {
 public:
  ChunkInterpreter(const TextChunk& chunk, const ChromeDialect& dialect)
      : chunk_(chunk), unit_ns_(dialect.unit_ns), exported_(dialect.exported) {}

  ChromePart run() {
    if (!interpret_pieces(kPieceBytes) && !interpret_pieces(SIZE_MAX)) {
      part_ = {};
      part_.proven = false;
      return std::move(part_);
    }
    batch().slices = SliceBlock(scratch_.slices);
    batch().halves = scratch_.halves;
    batch().flows = scratch_.flows;
    if (last_) {
      part_.last_slice = {std::string(batch().tracks[id_at<StrId>(last_->thread)]),
                          std::string(batch().tracks[id_at<StrId>(last_->track)]), last_->time, last_->offset};
      if (const FlowPoint* launch = unrepeated_launch()) {
        part_.last_slice->unrepeated_correlation = launch->id;
        part_.last_slice->repeating_kind = launch->kind;
      }
    }
    part_.only_flows = only_flows_;
    return std::move(part_);
  }

 private:
  EventBatch& batch() { return part_.batch; }
  ProblemLog& problems() { return part_.batch.problems; }

  // Discards earlier results and interprets the chunk from its beginning. False if the chunk, or a piece of it, was cut at a wrong
  // place.
  bool interpret_pieces(std::size_t piece_bytes) {
    part_ = {};
    scratch_.slices.clear();
    scratch_.halves.clear();
    scratch_.flows.clear();
    tracks_.clear();
    ids_.clear();
    is_collective_.clear();
    last_.reset();
    only_flows_ = true;
    if (chunk_.damaged.empty()) return interpret_sound(chunk_, piece_bytes);
    std::uint64_t from = chunk_.offset;
    for (const DamagedText& damaged : chunk_.damaged) {
      if (!interpret_sound(part_of_chunk(from, damaged.begin), piece_bytes)) return false;
      if (damaged.record) read_alone(text_of(damaged.begin, damaged.end), damaged.begin);
      from = damaged.end;
    }
    return interpret_sound(part_of_chunk(from, chunk_.end()), piece_bytes);
  }

  std::string_view text_of(std::uint64_t begin, std::uint64_t end) const {
    return chunk_.text.substr(static_cast<std::size_t>(begin - chunk_.offset), static_cast<std::size_t>(end - begin));
  }

  // The text between two damaged parts, without separators before its first record and after its last.
  TextChunk part_of_chunk(std::uint64_t begin, std::uint64_t end) const {
    std::string_view text = text_of(begin, end);
    text = text.substr(0, text.find_last_not_of(" \t\r\n,") + 1);
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n,"), text.size());
    return {begin + first, text.substr(first), chunk_.hold};
  }

  bool interpret_sound(const TextChunk& chunk, std::size_t piece_bytes) {
    ChunkPieces pieces(chunk, scratch_.padded, piece_bytes);
    while (const auto piece = pieces.next()) {
      piece_ = *piece;
      const std::size_t plain = read_plain();
      if (plain == piece_.text.size()) continue;
      const std::size_t read = read_as_array(plain);
      if (read == piece_.text.size()) continue;
      if (piece_.guessed) return false;
      read_one_by_one(read);
    }
    return !pieces.failed();
  }

  // The fast path: reads plain records from the piece's beginning on. Returns the position of the first record that is not plain,
  // or the end.
  std::size_t read_plain() {
    const std::string_view text = piece_.text;
    if (chunk_.unread) scratch_.padded.end_text(text.size());
    const char* const end = text.data() + text.size();
    const char* at = text.data();
    while (at < end && *at == '{') {
      TraceEvent event;
      const char* const past = read_plain_event(at, end, event);
      const char* const next = past && past <= end ? next_plain_record(past, end) : nullptr;
      if (!next) break;
      event.record = {at, static_cast<std::size_t>(past - at)};
      if (piece_.guessed && lacks_key(event) && contains_event(event)) break;
      interpret(event, piece_.offset + static_cast<std::size_t>(at - text.data()), 0);
      at = next;
    }
    return static_cast<std::size_t>(at - text.data());
  }

  // The general path: reads the piece from `from` on as one array. Returns the position of the first faulty record, or the end.
  std::size_t read_as_array(std::size_t from) {
    if (!chunk_.unread) {
      const std::span<char> room = scratch_.padded.room(piece_.text.size());
      std::ranges::copy(piece_.text, room.begin());
      piece_.text = {room.data(), room.size()};
    }
    const std::string_view text = piece_.text;
    ondemand::document document;
    ondemand::array records;
    const auto array = scratch_.padded.take_as_array(from, text.size());
    if (iterate_json(scratch_.parser, array).get(document) || document.get_array().get(records)) {
      return from;
    }
    std::size_t previous = from;  // beginning of the previous record
    for (auto element : records) {
      ondemand::value value;
      if (element.get(value)) return previous + length_of(text.substr(previous));
      const char* const begin = std::string_view(value.raw_json_token()).data();
      const auto at = static_cast<std::size_t>(begin - text.data());
      ondemand::object object;
      TraceEvent event;
      const char* past = nullptr;
      if (value.get_object().get(object) || read_trace_event(object, event) || document.current_location().get(past) ||
          !ends_or_record_follows(past, text.data() + text.size())) {
        return at;
      }
      event.record = {begin, static_cast<std::size_t>(past - begin)};
      if (piece_.guessed && contains_event(event)) return at;
      interpret(event, piece_.offset + at, 0);
      previous = at;
    }
    // If a guess was wrong, the array may have ended before the piece.
    return piece_.guessed ? previous + length_of(text.substr(previous)) : text.size();
  }

  // Length of the record at the front of the text. If the text may end before the record does, the length of the text without the
  // separators at its end.
  static std::size_t length_of(std::string_view text) {
    return record_length_in(text, kTraceRecord).value_or(text.find_last_not_of(" \t\r\n,") + 1);
  }

  // Whether the text ends here or the next record begins. If not, the record ended too early, for example because its brackets do
  // not match.
  static bool ends_or_record_follows(const char* at, const char* end) {
    while (at < end && (is_blank(*at) || *at == ',')) ++at;
    return at >= end || *at == '{';
  }

  // The careful path: reads record by record, and repairs each if necessary. `from` is the beginning of the first record that the
  // other paths could not read; earlier ones are interpreted already.
  void read_one_by_one(std::size_t from) {
    const std::string_view text = piece_.text;
    for (std::size_t at = from; at < text.size();) {
      if (text[at] != '{') {  // a separator; the cutter has counted superfluous ones
        ++at;
        continue;
      }
      const std::size_t length = length_of(text.substr(at));
      read_alone(text.substr(at, length), piece_.offset + at);
      at += length;
    }
  }

  void read_alone(std::string_view record, std::uint64_t offset) {
    if (parse_alone(record, offset, 0)) return;
    const RepairedRecord repaired = repair_json(record);
    if (repaired.repeats_member || !parse_alone(repaired.json, offset, kRepaired)) {
      problems().add(ProblemKind::bad_record, offset, record);
    } else if (repaired.replaced_bytes > 0) {
      problems().add(ProblemKind::replaced_bytes, offset, record);
    } else {
      problems().add(ProblemKind::repaired_record, offset, record);
    }
    // The text after the repaired record may contain another, incomplete one.
    const std::string_view rest = record.substr(repaired.end);
    if (const std::size_t next = rest.find("\"ph\""); next != rest.npos) {
      problems().add(ProblemKind::bad_record, offset + repaired.end + next, rest.substr(next));
    }
  }

  bool parse_alone(std::string_view record, std::uint64_t offset, std::uint8_t flags) {
    struct Scratch {
      ondemand::parser parser;
      PaddedText padded;
    };
    auto& [parser, padded] = per_thread<Scratch>();
    ondemand::document document;
    ondemand::object object;
    TraceEvent event;
    const auto text = padded.assign(record);
    const char* const end = padded.data() + record.size();
    // Tries the fast path first, because the result must be the same as in a piece of plain records.
    if (read_plain_event(padded.data(), end, event) != end) {
      event = {};
      const char* past = nullptr;
      if (iterate_json(parser, text).get(document) || document.get_object().get(object) || read_trace_event(object, event) ||
          (!document.current_location().get(past) && past < end)) {
        return false;
      }
    }
    if (flags != 0 && !event.any_field) return false;  // the repair left no usable field
    event.record = {padded.data(), record.size()};
    interpret(event, offset, flags);
    return true;
  }

  void interpret(const TraceEvent& event, std::uint64_t offset, std::uint8_t flags) {
    if (!event.any_field) return;  // JAX ends its array with an empty object
    if (offset > ItemRef::kMaxOffset) return problems().add(ProblemKind::out_of_range, offset, {});
    offset_ = offset;
    flags_ = flags;
    tracks_.next_event();
    const bool is_flow = event.phase == 's' || event.phase == 't' || event.phase == 'f';
    if (!is_flow) {
      last_.reset();
      only_flows_ = false;
    }
    if (event.phase == 'M') return metadata(event);
    if (event.phase == '\0') return report(ProblemKind::missing_phase, event);
    if (!kReadPhases[static_cast<unsigned char>(event.phase)]) {
      if (!is_phase(event.phase)) return report(ProblemKind::missing_phase, event);
      return problems().add(ProblemKind::unsupported_phase, offset, std::string_view(&event.phase, 1));
    }
    const std::optional<Ns> time = decimal_ns_padded(event.ts, unit_ns_);
    if (!time || !is_time(*time)) return problems().add(ProblemKind::bad_time, offset, event.ts);
    time_ = *time;
    switch (event.phase) {
      case 'X': {
        const EventTracks::Known& track = tracks_.known(event);
        return complete(event, track.thread, track.id, batch().labels.intern(track.labels, event.name), track.end);
      }
      case 'B':
        // In our own exports, an unfinished slice has a duration: the length at which it is drawn.
        if (event.mark == kUnfinishedMark && !event.dur.empty()) return complete(event, tracks_.of_half(event), label(event));
        return half(event, HalfEvent::Kind::Begin);
      case 'E': return half(event, HalfEvent::Kind::End);
      case 'b': return async(event, HalfEvent::Kind::AsyncBegin, nestable_id(event));
      case 'e': return async(event, HalfEvent::Kind::AsyncEnd, nestable_id(event));
      case 'S': return async(event, HalfEvent::Kind::AsyncBegin, legacy_id(event));
      case 'F': return async(event, HalfEvent::Kind::AsyncEnd, legacy_id(event));
      case 'T':
        // An extension of Perfetto: a T with a duration is a thread state.
        if (!event.dur.empty() && event.id.empty()) return complete(event, tracks_.of_states(event), label(event));
        [[fallthrough]];
      case 'p':
      case 'n': return instant(event, tracks_.of_async(event));
      case 'i':
      case 'I':
      case 'R': return instant(event, event.instant_scope == 't' ? tracks_.of_thread(event) : tracks_.of_marks(event));
      case 'C': return counter(event);
      case 's': return flow(event, FlowPoint::Kind::Start);
      case 't': return flow(event, FlowPoint::Kind::Step);
      case 'f': return flow(event, FlowPoint::Kind::End);
      default: return;
    }
  }

  // Quotes the record as an example, without the text after it.
  void report(ProblemKind kind, const TraceEvent& event) {
    problems().add(kind, offset_, event.record.substr(0, length_of(event.record)));
  }

  // --- phases ---

  void complete(const TraceEvent& event, std::uint32_t track_id, LabelId label) {
    complete(event, track_id, track_id, label, LaunchEnd::None);
  }

  void complete(const TraceEvent& event, std::uint32_t thread, std::uint32_t track_id, LabelId label, LaunchEnd end) {
    std::uint8_t flags = flags_;
    Ns duration = kOpenEnd;
    const std::optional<Ns> dur = decimal_ns_padded(event.dur, unit_ns_);
    if (dur && is_length(*dur)) {
      duration = std::max<Ns>(*dur, 0);
      if (*dur < 0) {
        flags |= kClamped;
        report(ProblemKind::negative_duration, event);
      }
    } else {
      flags |= kUnfinished;
      report(ProblemKind::missing_duration, event);
    }
    if (event.mark == kUnfinishedMark && (flags & kUnfinished) == 0) {
      flags |= kUnfinished;
      report(ProblemKind::unclosed_slice, event);
    }
    if (event.mark == kClampedMark) flags |= kClamped;
    const std::uint32_t group =
        event.has_id ? ids_.of_slot(event) : end == LaunchEnd::Work ? collective_key_of(event, label) : kNoGroup;
    scratch_.slices.add(track_id, time_, duration, label, group, offset_, flags);
    begin_last(thread, track_id);
    if (end != LaunchEnd::None && !exported_) launch(event, track_id, end);
    bound_flow(event, track_id);
  }

  // The key of the collective that a communication kernel's record names; kNoGroup if it names none.
  std::uint32_t collective_key_of(const TraceEvent& event, LabelId label) {
    if (is_collective_.size() <= idx(label)) is_collective_.resize(idx(label) + 1);
    std::optional<bool>& cached = is_collective_[idx(label)];
    if (!cached) cached = is_collective(event.category, event.name);
    if (!*cached) return kNoGroup;
    const auto collective = collective_in_args(args_of(event), event.name);
    return collective ? static_cast<std::uint32_t>(batch().keys.intern(told_key(*collective))) : kNoGroup;
  }

  // Adds a flow point. A call and the work that it starts on a device have the same correlation id.
  void launch(const TraceEvent& event, std::uint32_t track_id, LaunchEnd end) {
    const std::uint64_t id = correlation_id(args_of(event), event.args_end != nullptr);
    if (id == 0) return;
    last_->launch = scratch_.flows.size();
    const FlowPoint::Kind kind = end == LaunchEnd::Call ? FlowPoint::Kind::Start : FlowPoint::Kind::End;
    scratch_.flows.push_back({kind, FlowPoint::Bind::Correlation, track_id, kNoKey, id, time_, offset_});
  }

  void half(const TraceEvent& event, HalfEvent::Kind kind) {
    const std::uint32_t track_id = tracks_.of_half(event);
    add_half(event, kind, track_id, {});
    if (kind != HalfEvent::Kind::Begin) return;
    begin_last(track_id, track_id);
    bound_flow(event, track_id);
  }

  void begin_last(std::uint32_t thread, std::uint32_t track_id) {
    if (!exported_) last_ = {thread, track_id, time_, offset_, kNoLaunch};
  }

  void async(const TraceEvent& event, HalfEvent::Kind kind, DomainId id) {
    const std::uint32_t track_id = tracks_.of_async(event);
    add_half(event, kind, track_id, id);
    if (kind == HalfEvent::Kind::AsyncBegin) bound_flow(event, track_id);
  }

  void add_half(const TraceEvent& event, HalfEvent::Kind kind, std::uint32_t track_id, DomainId id) {
    scratch_.halves.push_back({kind, !event.name.empty(), !event.category.empty(), track_id, id.key, label(event), time_,
                               offset_, id.number});
  }

  void instant(const TraceEvent& event, std::uint32_t track_id) {
    batch().instants.push_back({track_id, label(event), time_, offset_});
  }

  void counter(const TraceEvent& event) {
    for_each_arg(event, [&](std::string_view name, std::string_view text) {
      const std::optional<double> value = counter_number(text);
      if (!value) return problems().add(ProblemKind::bad_counter, offset_, text);
      if (!std::isfinite(*value)) return problems().add(ProblemKind::not_a_number, offset_, text);
      series_.assign(event.name);
      if (!name.empty() && name != event.name) series_.append(series_.empty() ? "" : " ").append(name);
      if (!event.id.empty()) series_.append(" [").append(event.id).append("]");
      batch().samples.push_back({tracks_.of_process(event, TrackClass::Counter, series_), time_, *value});
    });
  }

  void flow(const TraceEvent& event, FlowPoint::Kind kind) {
    if (!event.has_id) return report(ProblemKind::unmatched_flow, event);
    const bool binds_next = kind == FlowPoint::Kind::End && event.bind_point != 'e';  // the default
    const EventTracks::Known& track = tracks_.known(event);
    if (only_flows_) part_.leading_flows = scratch_.flows.size() + 1;
    if (!last_ || last_->thread != track.thread || last_->time != time_) {
      const std::uint32_t track_id = kind == FlowPoint::Kind::End ? track.flow_end : track.thread;
      return add_flow(kind, binds_next ? FlowPoint::Bind::Next : FlowPoint::Bind::Enclosing, track_id, flow_id(event));
    }
    const DomainId id = flow_id(event);
    // The first flow event that only repeats its slice's correlation id adds no flow point: the launch's point gets the key.
    if (FlowPoint* launch = unrepeated_launch(); launch && launch->id == id.number && launch->kind == kind) {
      launch->key = id.key;
      return;
    }
    // A flow event belongs to the slice directly before it if both have the same time, whatever else begins in that microsecond.
    scratch_.flows.push_back({kind, binds_next ? FlowPoint::Bind::Next : FlowPoint::Bind::Record, last_->track, id.key, id.number,
                              time_, binds_next ? offset_ : last_->offset});
  }

  // The flow point that launch() made for the last slice, if no flow event has repeated its id yet.
  FlowPoint* unrepeated_launch() {
    if (last_->launch == kNoLaunch) return nullptr;
    FlowPoint& launch = scratch_.flows[last_->launch];
    return launch.key == kNoKey ? &launch : nullptr;
  }

  // Version 2 of flow events: a slice's own record says that arrows leave the slice or end in it.
  void bound_flow(const TraceEvent& event, std::uint32_t track_id) {
    if (event.bind_id.empty() || (!event.flow_in && !event.flow_out)) return;
    const FlowPoint::Kind kind = event.flow_in && event.flow_out ? FlowPoint::Kind::Step
                                 : event.flow_out                ? FlowPoint::Kind::Start
                                                                 : FlowPoint::Kind::End;
    add_flow(kind, FlowPoint::Bind::Record, track_id, ids_.of_bound_flow(event.bind_id));
  }

  void add_flow(FlowPoint::Kind kind, FlowPoint::Bind bind, std::uint32_t track_id, DomainId id) {
    scratch_.flows.push_back({kind, bind, track_id, id.key, id.number, time_, offset_});
  }

  DomainId flow_id(const TraceEvent& event) {
    return ids_.of_flow(event, [&] { return tracks_.pid(event); });
  }

  void metadata(const TraceEvent& event) {
    ChromeMetadata& m = part_.metadata.emplace_back();
    m.kind = event.name;
    m.pid = tracks_.pid(event);
    m.tid = tracks_.tid(event);
    for_each_arg(event, [&](std::string_view name, std::string_view text) {
      if (name == "name" || name == "labels") m.text = text;
      if (name == "traceview") m.lane = text;
      if (name == "sort_index") m.number = sort_index_in(text);
    });
  }

  // --- labels, ids ---

  LabelId label(const TraceEvent& event) { return batch().labels.intern(event.category, event.name); }

  // Nestable async events belong together if category, id and scope agree; legacy ones if category, id and name agree.
  DomainId nestable_id(const TraceEvent& event) { return async_id(event, "async", event.scope); }
  DomainId legacy_id(const TraceEvent& event) { return async_id(event, "legacy", event.name); }

  DomainId async_id(const TraceEvent& event, std::string_view kind, std::string_view qualifier) {
    return ids_.of_async(event, kind, qualifier, [&] { return tracks_.pid(event); });
  }

  const TextChunk& chunk_;
  TextPiece piece_;
  const Ns unit_ns_;
  const bool exported_;
  ChromePart part_;
  ChunkScratch& scratch_ = per_thread<ChunkScratch>();

  // The event being interpreted
  std::uint64_t offset_ = 0;
  std::uint8_t flags_ = 0;
  Ns time_ = 0;

  static constexpr std::size_t kNoLaunch = SIZE_MAX;
  // The slice that the previous record began, not counting flow events.
  struct LastSlice {
    std::uint32_t thread, track;  // flow events name the thread; the slice is on the track
    Ns time;
    std::uint64_t offset;
    std::size_t launch;  // index of the flow point that launch() made, or kNoLaunch
  };
  std::optional<LastSlice> last_;
  bool only_flows_ = true;  // all events so far are flow events

  EventTracks tracks_{part_};
  EventIds ids_{part_.batch};
  std::vector<std::optional<bool>> is_collective_;  // by label; none: not determined yet
  std::string series_;                              // buffer for counter()
};

}  // namespace

ChromePart read_chrome_chunk(const TextChunk& chunk, const ChromeDialect& dialect) {
  return ChunkInterpreter(chunk, dialect).run();
}

}  // namespace tv
