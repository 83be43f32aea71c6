// Reads Perfetto traces (protobuf): track events from its SDK, Chrome, rocprofv3 and others, and traceview's own exports.
//
// Packets are read one after the other on one thread: names, tracks, clocks and defaults of a sequence depend on its previous
// packets. Kinds of packets that are not read (ftrace, samples, heap graphs) are counted by name. Cost: about 1 us per event.
// Sources: trace_packet.proto, track_event.proto of github.com/google/perfetto;
// docs/reference/synthetic-track-event.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/read/file_facts.h"
#include "core/read/perfetto/perfetto_clocks.h"
#include "core/read/perfetto/perfetto_event.h"
#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/perfetto_own_slices.h"
#include "core/read/perfetto/perfetto_packets.h"
#include "core/read/perfetto/perfetto_record.h"
#include "core/read/perfetto/perfetto_sequence.h"
#include "core/read/perfetto/perfetto_tracks.h"
#include "core/read/perfetto/perfetto_unread.h"
#include "core/read/perfetto/proto_fields.h"
#include "core/read/reader.h"
#include "core/store/draft/item_ref.h"

namespace tv {
namespace {

namespace pf = perfetto;

constexpr int kLooksLikeIt = 70;  // protobuf has no magic number
constexpr std::uint32_t kMonotonic = 3;

int probe_perfetto(const Probe& probe) {
  if (!looks_like_perfetto(probe.head)) return 0;
  constexpr std::array<std::string_view, 5> kNames = {".pftrace", ".perfetto-trace", ".perfetto_trace", ".perfetto",
                                                      ".ptrace"};
  const bool named = std::ranges::any_of(
      kNames, [&](std::string_view name) { return probe.path.find(name) != std::string_view::npos; });
  return named ? 90 : kLooksLikeIt;
}

// A point of an arrow. All points of the file must be known, because their times decide which comes first.
struct LateFlow {
  std::uint64_t id;
  Ns time;
  std::uint64_t offset;
  std::string track;
  FlowPoint::Bind bind;
  bool ends;
};

class PerfettoRead {
 public:
  explicit PerfettoRead(ReadContext& context)
      : context_(context), facts_(facts_of(context.path)), tracks_(context.draft, source_segment(facts_, context_.path)) {}

  Result<void> run() {
    context_.draft.edit_info([&](SourceInfo& info) { store_facts(facts_, info); });
    auto read = read_packets();
    tracks_.rename_lanes();
    return read;
  }

 private:
  Result<void> read_packets() {
    PerfettoPackets packets(context_.stream, context_.chunk_bytes);
    PerfettoPacket packet;
    std::uint64_t begun = 0;
    while (!context_.stop.stop_requested()) {
      auto more = packets.next(packet);
      if (!more) return more.error();
      if (!*more) break;
      if (packet.offset > ItemRef::kMaxOffset) {
        batch_.problems.add(ProblemKind::out_of_range, packet.offset, "a packet");
        break;
      }
      read_packet(packet);
      if (packet.offset - begun < context_.chunk_bytes) continue;
      begun = packet.offset;
      hand_over();
    }
    own_.finish(batch_, slices_);
    finish_flows();
    unread_.report(batch_.problems);
    batch_.problems.merge(packets.take_problems());
    if (!packets.folds().empty()) context_.draft.edit_info([](SourceInfo& info) { info.by_row = true; });
    hand_over();
    return {};
  }

  void hand_over() {
    tracks_.name_lanes(batch_.tracks);
    context_.draft.set_clock_base(clocks_.to_wall());
    batch_.slices = SliceBlock(slices_);
    slices_.clear();
    context_.draft.append(std::exchange(batch_, {}));
    context_.progress.bytes.store(context_.stream.consumed(), std::memory_order_relaxed);
    context_.progress.handed_over.store(context_.stream.consumed(), std::memory_order_relaxed);
  }

  // --- packets ---

  void read_packet(const PerfettoPacket& packet) {
    const PerfettoEnvelope envelope = read_envelope(packet.body);
    PerfettoSequence& sequence = sequences_[envelope.sequence];
    if (envelope.cleared) sequence.clear();
    if (!envelope.interned.empty()) sequence.add_texts(envelope.interned);
    if (envelope.defaults) sequence.set_defaults(*envelope.defaults);
    ProtoFields fields(packet.body);
    ProtoField field;
    while (fields.next(field)) {
      switch (field.number) {
        case pf::kClockSnapshot:
          clocks_.add_snapshot(envelope.sequence, field.bytes);
          break;
        case pf::kTrackDescriptor:
          tracks_.add_descriptor(field.bytes);
          break;
        case pf::kProcessTree:
          tracks_.add_process_tree(field.bytes);
          break;
        case pf::kProcessDescriptor:
          tracks_.add_process(field.bytes);
          break;
        case pf::kThreadDescriptor: {
          sequence.thread = tracks_.add_thread(field.bytes);
          ProtoFields thread(field.bytes);
          ProtoField inner;
          while (thread.next(inner)) {
            if (inner.number == pf::kReferenceTime) sequence.reference_us = inner.integer();
          }
          break;
        }
        case pf::kTrackEvent:
          read_event(envelope, sequence, field.bytes, packet.offset);
          break;
        default:
          unread_.add(field.number);
      }
    }
    if (fields.damaged()) batch_.problems.add(ProblemKind::bad_record, packet.offset, "a damaged packet");
  }

  // --- events ---

  void read_event(const PerfettoEnvelope& envelope, PerfettoSequence& sequence, std::string_view message,
                  std::uint64_t offset) {
    PerfettoEvent event = read_perfetto_event(sequence, message);
    event.offset = offset;
    const std::optional<Ns> time = time_of(envelope, sequence, event);
    if (!time) return batch_.problems.add(ProblemKind::bad_time, offset, "its clock is in no snapshot");
    if (!is_time(*time)) return batch_.problems.add(ProblemKind::bad_time, offset, fmt::format("{} ns", *time));
    event.time = *time;
    event.track = PerfettoTracks::track_of(sequence, event);
    read_extra_values(sequence, event);
    if (!event.legacy.empty() && event.type == pf::kNoType) return read_legacy(envelope, sequence, event);
    const std::string track = tracks_.key_of_event(envelope.sequence, sequence, event, nullptr);
    const PerfettoTrack* const known = event.track ? tracks_.find(*event.track) : nullptr;
    const bool ours = known && !known->exported.empty();
    if (ours && event.type == pf::kBegin) {
      own_.begin(event, track, known->slot, envelope.mark);
      return add_flows(event, track);
    }
    if (ours && event.type == pf::kEnd) return own_.end(event, track, batch_, slices_);
    switch (event.type) {
      case pf::kBegin:
        add_half(event, track, HalfEvent::Kind::AsyncBegin);
        break;
      case pf::kEnd:
        add_half(event, track, HalfEvent::Kind::AsyncEnd);
        break;
      case pf::kInstant:
        add_instant(event, track);
        break;
      case pf::kSample: {
        if (event.value) add_sample(sequence, event.track.value_or(0), event, *event.value);
        return;
      }
      default:
        return batch_.problems.add(ProblemKind::missing_phase, offset, "an event without a type");
    }
    add_flows(event, track);
  }

  std::optional<Ns> time_of(const PerfettoEnvelope& envelope, PerfettoSequence& sequence, const PerfettoEvent& event) {
    const auto in_microseconds = [&](std::int64_t us) -> std::optional<Ns> {
      if (us < 0 || us > INT64_MAX / kMicrosecond) return std::nullopt;
      const auto ns = static_cast<std::uint64_t>(us * kMicrosecond);
      const auto time = clocks_.time(envelope.sequence, kMonotonic, ns);
      return time ? time : std::optional(static_cast<Ns>(ns));
    };
    if (event.absolute_us) return in_microseconds(*event.absolute_us);
    if (event.delta_us) {
      std::int64_t& reference = sequence.reference_us;
      if (__builtin_add_overflow(reference, *event.delta_us, &reference)) return std::nullopt;
      return in_microseconds(reference);
    }
    if (!envelope.timestamp) return std::nullopt;
    const std::uint32_t clock = envelope.clock ? *envelope.clock : sequence.clock.value_or(clocks_.main_clock());
    return clocks_.time(envelope.sequence, clock, *envelope.timestamp);
  }

  std::uint32_t track_id(const std::string& key) { return static_cast<std::uint32_t>(batch_.tracks.intern(key)); }
  std::uint32_t key_id(std::string_view key) { return static_cast<std::uint32_t>(batch_.keys.intern(key)); }
  LabelId label_of(const PerfettoEvent& event) { return batch_.labels.intern(event.category, event.name); }

  // Begins and ends are paired by track: slices of one track nest, but a lane may hold several tracks.
  void add_half(const PerfettoEvent& event, const std::string& track, HalfEvent::Kind kind) {
    tracks_.note_category(track, event.category);
    HalfEvent half;
    half.kind = kind;
    half.named = !event.name.empty();
    half.categorised = !event.category.empty();
    half.track = track_id(track);
    half.key = key_id(track);
    half.label = label_of(event);
    half.time = event.time;
    half.offset = event.offset;
    half.id = 0;
    batch_.halves.push_back(half);
  }

  void add_instant(const PerfettoEvent& event, const std::string& track) {
    batch_.instants.push_back({track_id(track), label_of(event), event.time, event.offset});
  }

  void add_flows(const PerfettoEvent& event, const std::string& track) {
    const FlowPoint::Bind bind = event.type == pf::kEnd ? FlowPoint::Bind::Enclosing : FlowPoint::Bind::Record;
    for (const std::uint64_t id : event.flows) flows_.push_back({id, event.time, event.offset, track, bind, false});
    for (const std::uint64_t id : event.ending_flows)
      flows_.push_back({id, event.time, event.offset, track, bind, true});
  }

  // Points with one id form a chain of arrows in time order: each point ends the previous arrow and begins the next. A point that
  // is marked as the last one ends the chain, and its id can be reused.
  void finish_flows() {
    std::ranges::stable_sort(flows_, [](const LateFlow& a, const LateFlow& b) {
      return std::tuple(a.id, a.time, a.ends) < std::tuple(b.id, b.time, b.ends);
    });
    std::uint64_t id = 0;
    bool under_way = false;
    for (const LateFlow& flow : flows_) {
      if (flow.id != id) under_way = false;
      id = flow.id;
      const FlowPoint::Kind kind = flow.ends   ? FlowPoint::Kind::End
                                   : under_way ? FlowPoint::Kind::Step
                                               : FlowPoint::Kind::Start;
      under_way = !flow.ends;
      batch_.flows.push_back({kind, flow.bind, track_id(flow.track), key_id("flow"), flow.id, flow.time, flow.offset});
    }
    flows_.clear();
  }

  void add_sample(PerfettoSequence& sequence, std::uint64_t track, const PerfettoEvent& event, double value) {
    const PerfettoTrack* const counter = tracks_.find(track);
    if (counter && counter->incremental) value = sequence.counters[track] += value;
    if (counter) value *= counter->unit;
    if (!std::isfinite(value)) return batch_.problems.add(ProblemKind::not_a_number, event.offset, "a counter");
    batch_.samples.push_back({track_id(PerfettoTracks::counter_key(track)), event.time, value});
  }

  void read_extra_values(PerfettoSequence& sequence, const PerfettoEvent& event) {
    const auto add = [&](const std::vector<std::uint64_t>& named, const std::vector<std::uint64_t>& defaults,
                         const std::vector<double>& values) {
      const std::vector<std::uint64_t>& tracks = named.empty() ? defaults : named;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (i < tracks.size())
          add_sample(sequence, tracks[i], event, values[i]);
        else
          batch_.problems.add(ProblemKind::bad_counter, event.offset, "a value without a track");
      }
    };
    add(event.extra_tracks, sequence.extra_tracks, event.extra_values);
    add(event.extra_double_tracks, sequence.extra_double_tracks, event.extra_double_values);
  }

  // --- events of the JSON format (trace_event.h) ---

  void read_legacy(const PerfettoEnvelope& envelope, PerfettoSequence& sequence, PerfettoEvent& event) {
    const PerfettoLegacy legacy = read_perfetto_legacy(event.legacy);
    const std::optional<std::int64_t> pid = tracks_.pid_of(sequence, event, legacy);
    const std::string track = tracks_.key_of_event(envelope.sequence, sequence, event, &legacy);
    switch (legacy.phase) {
      case 'B':
        add_half(event, track, HalfEvent::Kind::AsyncBegin);
        break;
      case 'E':
        add_half(event, track, HalfEvent::Kind::AsyncEnd);
        break;
      case 'X':
        add_complete(event, track, legacy);
        break;
      case 'b':
      case 'S':
        return add_async(event, legacy, pid, HalfEvent::Kind::AsyncBegin);
      case 'e':
      case 'F':
        return add_async(event, legacy, pid, HalfEvent::Kind::AsyncEnd);
      case 'n':
      case 'T':
      case 'p':
        return add_instant(event, PerfettoTracks::async_key(pid, event.category));
      case 'i':
      case 'I':
      case 'R': {
        const bool of_all = legacy.instant_scope == 1, of_process = legacy.instant_scope == 2;
        add_instant(event, of_all       ? PerfettoTracks::marks_key({})
                           : of_process ? PerfettoTracks::marks_key(pid)
                                        : track);
        break;
      }
      case 's':
      case 't':
      case 'f':
        return add_legacy_flow(event, legacy, track);
      case 'C':
        return add_legacy_samples(event, pid);
      default:
        return batch_.problems.add(ProblemKind::unsupported_phase, event.offset,
                                   fmt::format("phase {}", static_cast<int>(legacy.phase)));
    }
    if (legacy.bind_id && legacy.direction > 0) {
      const bool in = legacy.direction == 1, through = legacy.direction == 3;
      const FlowPoint::Kind kind = through ? FlowPoint::Kind::Step : in ? FlowPoint::Kind::End : FlowPoint::Kind::Start;
      batch_.flows.push_back({kind, FlowPoint::Bind::Record, track_id(track), key_id("bind_id"), *legacy.bind_id,
                              event.time, event.offset});
    }
    add_flows(event, track);
  }

  void add_complete(const PerfettoEvent& event, const std::string& track, const PerfettoLegacy& legacy) {
    Ns duration = kOpenEnd;
    std::uint8_t flags = 0;
    if (!legacy.duration_us) {
      flags = kUnfinished;
      batch_.problems.add(ProblemKind::missing_duration, event.offset, event.name);
    } else if (*legacy.duration_us < 0) {
      flags = kClamped;
      duration = 0;
      batch_.problems.add(ProblemKind::negative_duration, event.offset, event.name);
    } else {
      duration = std::min<Ns>(*legacy.duration_us, kLongestLength / kMicrosecond) * kMicrosecond;
    }
    tracks_.note_category(track, event.category);
    slices_.add(track_id(track), event.time, duration, label_of(event), kNoGroup, event.offset, flags);
  }

  void add_async(const PerfettoEvent& event, const PerfettoLegacy& legacy, std::optional<std::int64_t> pid,
                 HalfEvent::Kind kind) {
    const bool old = legacy.phase == 'S' || legacy.phase == 'F';
    const std::string owner = legacy.local_id && pid ? std::to_string(*pid) : std::string();
    const std::string domain = fmt::format("{}\x1f{}\x1f{}\x1f{}", old ? "legacy" : "async", owner, event.category,
                                           old ? std::string_view(event.name) : legacy.scope);
    HalfEvent half;
    half.kind = kind;
    half.named = !event.name.empty();
    half.categorised = !event.category.empty();
    half.track = track_id(PerfettoTracks::async_key(pid, event.category));
    half.key = key_id(domain);
    half.label = label_of(event);
    half.time = event.time;
    half.offset = event.offset;
    half.id = legacy.local_id ? *legacy.local_id : legacy.id.value_or(0);
    batch_.halves.push_back(half);
  }

  void add_legacy_flow(const PerfettoEvent& event, const PerfettoLegacy& legacy, const std::string& track) {
    const auto id = legacy.id ? legacy.id : legacy.local_id ? legacy.local_id : legacy.bind_id;
    if (!id) return batch_.problems.add(ProblemKind::unmatched_flow, event.offset, event.name);
    const FlowPoint::Kind kind = legacy.phase == 's'   ? FlowPoint::Kind::Start
                                 : legacy.phase == 't' ? FlowPoint::Kind::Step
                                                       : FlowPoint::Kind::End;
    const bool next = legacy.phase == 'f' && !legacy.enclosing;
    batch_.flows.push_back({kind, next ? FlowPoint::Bind::Next : FlowPoint::Bind::Enclosing, track_id(track),
                            key_id(event.category + '\x1f' + event.name), *id, event.time, event.offset});
  }

  void add_legacy_samples(const PerfettoEvent& event, std::optional<std::int64_t> pid) {
    for (const std::string_view annotation : event.annotations) {
      std::string name;
      std::optional<double> value;
      ProtoFields fields(annotation);
      ProtoField field;
      while (fields.next(field)) {
        if (field.number == pf::kName) name = field.bytes;
        if (field.number == pf::kUint) value = static_cast<double>(field.value);
        if (field.number == pf::kInt) value = static_cast<double>(field.integer());
        if (field.number == pf::kDouble) value = field.real();
      }
      if (!value || !std::isfinite(*value)) {
        batch_.problems.add(ProblemKind::bad_counter, event.offset, name);
        continue;
      }
      const std::string series = name.empty() || name == event.name ? event.name : event.name + " " + name;
      batch_.samples.push_back({track_id(PerfettoTracks::legacy_counter_key(pid, series)), event.time, *value});
    }
  }

  ReadContext& context_;
  FileFacts facts_;
  PerfettoTracks tracks_;
  PerfettoClocks clocks_;
  std::unordered_map<std::uint32_t, PerfettoSequence> sequences_;
  PerfettoUnread unread_;
  std::vector<LateFlow> flows_;
  PerfettoOwnSlices own_;
  EventBatch batch_;
  SliceColumns slices_;
};

Result<void> read_perfetto(ReadContext& context) { return PerfettoRead(context).run(); }

}  // namespace

extern const Reader kPerfetto{"perfetto", "Perfetto trace (protobuf)", probe_perfetto, read_perfetto, nullptr,
                              nullptr,    open_perfetto_records};

}  // namespace tv
