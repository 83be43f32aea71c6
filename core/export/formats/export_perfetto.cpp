#include "core/export/formats/export_perfetto.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <protozero/pbf_writer.hpp>
#include <tuple>
#include <vector>

#include "core/base/sort_runs.h"
#include "core/base/text/utf8.h"
#include "core/export/formats/perfetto_args.h"
#include "core/export/parts/export_tracks.h"
#include "core/read/chrome/exported_lane.h"
#include "core/read/perfetto/perfetto_fields.h"

namespace tv {
namespace {

namespace pf = perfetto;
using protozero::pbf_writer;

constexpr std::size_t kFlush = 1 << 20;  // bytes
constexpr std::uint32_t kSequence = 1;

class PerfettoExport {
 public:
  PerfettoExport(const Trace& trace, const ExportChoice& choice, ThreadPool& pool, PerfettoArgs args,
                 const ExportSink& sink)
      : trace_(trace),
        choice_(choice),
        tracks_(trace, choice, pool),
        args_(std::move(args)),
        sink_(sink),
        zero_(std::max<Ns>(trace.origin_ns, 0)),
        named_(trace.labels.size()) {}

  Result<void> run() {
    add_clocks();
    for (const ExportProcess& process : tracks_.processes()) add_process(process);
    for (const ExportTrack& track : tracks_.all()) {
      add_track(track);
      if (auto written = flush_when_full(); !written) return written;
    }
    const auto tracks = tracks_.all();
    for (std::size_t t = 0, end = 0; t < tracks.size(); t = end) {
      while (end < tracks.size() && tracks[end].lane == tracks[t].lane) ++end;
      auto written = is_counter(tracks[t]) ? add_samples(tracks[t]) : add_lane(tracks.subspan(t, end - t));
      if (!written) return written;
    }
    return flush();
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  Result<void> flush() {
    bytes_ += bytes_out_.size();
    auto written = bytes_out_.empty() ? Result<void>() : sink_(bytes_out_);
    bytes_out_.clear();
    return written;
  }

  Result<void> flush_when_full() { return bytes_out_.size() < kFlush ? Result<void>() : flush(); }

  template <class Fill>
  void add_packet(std::uint32_t flags, Fill fill) {
    packet_.clear();
    pbf_writer packet(packet_);
    fill(packet);
    packet.add_uint32(pf::kSequenceId, kSequence);
    packet.add_uint32(pf::kSequenceFlags, flags);
    pbf_writer(bytes_out_).add_message(pf::kPacket, packet_);
  }

  template <class Fill>
  void add_event(Ns time, pf::EventType type, const ExportTrack& track, Fill fill) {
    add_packet(pf::kNeedsState, [&](pbf_writer& packet) {
      packet.add_uint64(pf::kTimestamp, static_cast<std::uint64_t>(time + zero_));
      event_.clear();
      pbf_writer event(event_);
      event.add_enum(pf::kType, type);
      event.add_uint64(pf::kTrackUuid, track.tid);
      fill(packet, event);
      packet.add_message(pf::kTrackEvent, event_);
    });
  }

  void add_clocks() {
    add_packet(pf::kStateCleared, [&](pbf_writer& packet) {
      pbf_writer snapshot(packet, pf::kClockSnapshot);
      for (const std::uint32_t id : {pf::kBoottime, pf::kRealtime}) {
        pbf_writer clock(snapshot, pf::kClocks);
        clock.add_uint32(pf::kClockId, id);
        clock.add_uint64(pf::kClockTime, static_cast<std::uint64_t>(zero_));
      }
      snapshot.add_enum(pf::kPrimaryClock, pf::kBoottime);
    });
  }

  // The numbers of processes and threads are distinct (export_tracks.h), so they serve as ids of tracks.
  void add_process(const ExportProcess& process) {
    add_packet(pf::kNeedsState, [&](pbf_writer& packet) {
      pbf_writer track(packet, pf::kTrackDescriptor);
      track.add_uint64(pf::kUuid, process.pid);
      {
        pbf_writer inner(track, pf::kProcess);
        inner.add_int32(pf::kPid, static_cast<std::int32_t>(process.pid));
        inner.add_string(pf::kProcessName, valid_utf8(process.name));
      }
      track.add_enum(pf::kChildOrdering, pf::kExplicitOrder);
    });
  }

  void add_track(const ExportTrack& track) {
    add_packet(pf::kNeedsState, [&](pbf_writer& packet) {
      pbf_writer descriptor(packet, pf::kTrackDescriptor);
      descriptor.add_uint64(pf::kUuid, track.tid);
      descriptor.add_string(pf::kTrackName, valid_utf8(track.name));
      descriptor.add_uint64(pf::kParent, track.pid);
      if (is_counter(track)) descriptor.add_message(pf::kCounter, std::string());
      descriptor.add_int32(pf::kSiblingRank, static_cast<std::int32_t>(track.tid));
      descriptor.add_string(pf::kExportedLane, exported_lane_text(exported_spec(trace_, track.lane)));
      if (packs(trace_, track.lane)) descriptor.add_uint32(pf::kExportedSlot, track.slot + 1);
    });
  }

  bool is_counter(const ExportTrack& track) const { return trace_.lane(track.lane).counter != UINT32_MAX; }

  Result<void> add_samples(const ExportTrack& track) {
    const CounterSeries& series = trace_.counters[trace_.lane(track.lane).counter];
    const SamplePart part = chosen_samples(series, choice_);
    for (std::size_t i = part.first; i < part.last; ++i) {
      add_event(series.time[i], pf::kSample, track,
                [&](pbf_writer&, pbf_writer& event) { event.add_double(pf::kDoubleValue, series.value[i]); });
      if (auto written = flush_when_full(); !written) return written;
    }
    return {};
  }

  // Assigns all slices of the lane to their tracks at once, because there can be millions of tracks.
  Result<void> add_lane(std::span<const ExportTrack> tracks) {
    const Lane& lane = trace_.lane(tracks.front().lane);
    std::vector<std::size_t> first(tracks.size() + 1);
    std::vector<SliceId> ids;
    const auto each = [&](const auto& visit) {
      for (std::uint32_t r = lane.first_row; r < lane.first_row + lane.row_count; ++r) {
        for (const SliceId slice : trace_.ids_of(trace_.rows[r])) {
          if (!choice_.touches(trace_.begin_of(slice), trace_.duration_of(slice))) continue;
          const ExportTrack& track = tracks_.of(id_at<RowId>(r), slice);
          visit(static_cast<std::size_t>(&track - tracks.data()), slice);
        }
      }
    };
    each([&](std::size_t track, SliceId) { ++first[track + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    ids.resize(first.back());
    std::vector<std::size_t> next = first;
    each([&](std::size_t track, SliceId id) { ids[next[track]++] = id; });
    std::vector<SliceId> spare(ids.size());
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      const auto of_track = std::span(ids).subspan(first[t], first[t + 1] - first[t]);
      if (auto written = add_slices(tracks[t], of_track, spare); !written) return written;
    }
    return {};
  }

  // Writes slices by time, outer ones first. A slice that never ended gets no end event, except inside another slice, because
  // viewers would take the outer slice's end for the inner one's.
  Result<void> add_slices(const ExportTrack& track, std::span<SliceId> ids, std::span<SliceId> spare) {
    sort_runs(ids, spare, [&](SliceId a, SliceId b) {
      return std::tuple(trace_.begin_of(a), -trace_.duration_of(a)) <
             std::tuple(trace_.begin_of(b), -trace_.duration_of(b));
    });
    open_.clear();
    for (const SliceId id : ids) {
      end_until(trace_.begin_of(id), track);
      if (auto added = add_slice(id, track); !added) return added;
      if (auto written = flush_when_full(); !written) return written;
    }
    end_until(INT64_MAX, track);
    return {};
  }

  void end_until(Ns time, const ExportTrack& track) {
    while (!open_.empty() && open_.back() <= time) {
      add_event(open_.back(), pf::kEnd, track, [](pbf_writer&, pbf_writer&) {});
      open_.pop_back();
    }
  }

  Result<void> add_slice(SliceId id, const ExportTrack& track) {
    const bool instant = trace_.ref_of(id).is(kInstant);
    const Ns begin = trace_.begin_of(id);
    Result<void> done;
    add_event(begin, instant ? pf::kInstant : pf::kBegin, track, [&](pbf_writer& packet, pbf_writer& event) {
      add_label(packet, event, trace_.label_of(id));
      if (trace_.ref_of(id).is(kClamped)) packet.add_uint32(pf::kMark, kClamped);
      add_flows(event, id);
      done = args_.append(id, event_);
    });
    const bool endless = trace_.ref_of(id).is(kUnfinished) && open_.empty();
    if (!instant && !endless) open_.push_back(begin + trace_.duration_of(id));
    return done;
  }

  // A name is written once, with the first event that has it.
  void add_label(pbf_writer& packet, pbf_writer& event, LabelId label) {
    const std::string_view category = trace_.labels.category(label);
    const auto [known, fresh] = categories_.try_emplace(category, categories_.size() + 1);
    event.add_uint64(pf::kNameIid, idx(label) + 1);
    if (!category.empty()) event.add_uint64(pf::kCategoryIid, known->second);
    if (named_[idx(label)] && !fresh) return;
    pbf_writer interned(packet, pf::kInternedData);
    const auto intern = [&](pf::Interned kind, std::uint64_t iid, std::string_view text) {
      pbf_writer entry(interned, kind);
      entry.add_uint64(pf::kIid, iid);
      entry.add_string(pf::kText, valid_utf8(text));
    };
    if (fresh && !category.empty()) intern(pf::kCategories, known->second, category);
    if (!named_[idx(label)]) intern(pf::kNames, idx(label) + 1, trace_.labels.name(label));
    named_[idx(label)] = true;
  }

  void add_flows(pbf_writer& event, SliceId id) const {
    trace_.flows.leaving(id, [&](std::size_t number, const Flow& flow) {
      if (choice_.has(trace_, flow.to)) event.add_fixed64(pf::kFlowIds, std::uint64_t{number} + 1);
    });
    trace_.flows.entering(id, [&](std::size_t number, const Flow& flow) {
      if (choice_.has(trace_, flow.from)) event.add_fixed64(pf::kEndingFlowIds, std::uint64_t{number} + 1);
    });
  }

  const Trace& trace_;
  const ExportChoice& choice_;
  const ExportTracks tracks_;
  PerfettoArgs args_;
  const ExportSink& sink_;
  const Ns zero_;
  std::string bytes_out_, packet_, event_;
  std::uint64_t bytes_ = 0;
  std::vector<bool> named_;  // by label: its name was written
  std::map<std::string_view, std::uint64_t> categories_;  // the ids of those that were written
  std::vector<Ns> open_;  // ends of the open slices
};

}  // namespace

Result<ExportTotals> export_perfetto(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                     const ExportSink& sink) {
  ExportTotals totals;
  auto args = PerfettoArgs::collect(trace, choice, pool, totals);
  if (!args) return args.error();
  PerfettoExport exporter(trace, choice, pool, std::move(*args), sink);
  if (auto done = exporter.run(); !done) return done.error();
  count_chosen(trace, choice, totals);
  totals.bytes = exporter.bytes();
  name_left_out(trace, totals, {.logs = true, .members = true});
  return totals;
}

}  // namespace tv
