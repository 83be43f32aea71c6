#include "core/store/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>

#include "core/store/bind_flows.h"
#include "core/store/lane_tree.h"
#include "core/store/pair_halves.h"
#include "core/store/row_layout.h"

namespace tv {
namespace {

constexpr Ns kYear2001 = 1'000'000'000 * kSecond;  // later times are taken to be since the Unix epoch

// One batch with its ids translated to the source's and the trace's.
struct Piece {
  const SliceColumns* slices = nullptr;
  const EventBatch* batch = nullptr;       // null for the slices that pairing made
  std::vector<std::uint32_t> track;        // batch track -> source track; empty = identity
  std::vector<LabelId> label;              // batch label -> trace label; empty = identity
  std::vector<std::uint32_t> key;          // batch key -> trace-wide key; empty = identity
  std::vector<std::uint32_t> cursor;       // per source track: where the next slice of its lane goes

  std::uint32_t track_of(std::uint32_t t) const { return track.empty() ? t : track[t]; }
  LabelId label_of(LabelId l) const { return label.empty() ? l : label[idx(l)]; }
  std::uint32_t key_of(std::uint32_t k) const { return k == kNoGroup || key.empty() ? k : key[k]; }
};

struct SourceParts {
  const SourceView* view = nullptr;
  StringTable tracks;
  std::vector<Piece> pieces;
  SliceColumns paired;
  std::vector<LaneId> lane_of_track;
  std::vector<std::uint32_t> cursor_of_track;  // the first track of the same lane: they share one cursor
  TimeRange extent;  // in the file's clock plus clock_base
  bool has_content = false;
  bool wall_clock = false;  // as the file says, before it was moved
  Ns shift = 0;      // file time + shift = time relative to the trace's origin
  ProblemLog problems;
};


class Builder {
 public:
  Builder(const std::vector<SourceView>& views, ThreadPool& pool, std::stop_token stop)
      : pool_(pool), stop_(std::move(stop)), trace_(std::make_shared<Trace>()) {
    sources_.resize(views.size());
    for (std::size_t s = 0; s < views.size(); ++s) sources_[s].view = &views[s];
  }

  std::shared_ptr<const Trace> run() {
    translate_ids();
    for (SourceParts& source : sources_) pair(source);
    for (SourceParts& source : sources_) measure(source);
    place_on_one_clock();
    make_lanes();
    if (stop_.stop_requested()) return nullptr;
    scatter();
    if (stop_.stop_requested()) return nullptr;
    lay_out();
    if (stop_.stop_requested()) return nullptr;
    add_counters();
    add_flows();
    finish_lanes();
    finish_sources();
    return trace_;
  }

 private:
  void translate_ids() {
    std::uint32_t key_base = 0;
    for (SourceParts& source : sources_) {
      StringTable keys;
      for (const auto& batch : source.view->batches) {
        Piece piece;
        piece.batch = batch.get();
        piece.slices = &batch->slices;
        for (std::size_t t = 0; t < batch->tracks.size(); ++t) {
          piece.track.push_back(static_cast<std::uint32_t>(source.tracks.intern(batch->tracks[id_at<StrId>(t)])));
        }
        for (std::size_t l = 0; l < batch->labels.size(); ++l) {
          piece.label.push_back(trace_->labels.intern_from(batch->labels, id_at<LabelId>(l)));
        }
        for (std::size_t k = 0; k < batch->keys.size(); ++k) {
          piece.key.push_back(key_base + static_cast<std::uint32_t>(keys.intern(batch->keys[id_at<StrId>(k)])));
        }
        source.pieces.push_back(std::move(piece));
      }
      key_base += static_cast<std::uint32_t>(keys.size());
    }
  }

  void pair(SourceParts& source) {
    std::vector<Half> halves;
    for (const Piece& piece : source.pieces) {
      for (Half half : piece.batch->halves) {
        half.track = piece.track_of(half.track);
        half.key = piece.key_of(half.key);
        half.label = piece.label_of(half.label);
        halves.push_back(half);
      }
    }
    if (halves.empty()) return;
    pair_halves(std::move(halves), trace_->labels, source.paired, source.problems);
    Piece piece;
    piece.slices = &source.paired;
    source.pieces.push_back(std::move(piece));
  }

  void measure(SourceParts& source) {
    Ns first = std::numeric_limits<Ns>::max(), last = std::numeric_limits<Ns>::min();
    const auto include = [&](Ns t) {
      first = std::min(first, t);
      last = std::max(last, t);
    };
    for (const Piece& piece : source.pieces) {
      for (std::size_t i = 0; i < piece.slices->size(); ++i) {
        include(piece.slices->begin[i]);
        include(piece.slices->begin[i] + std::max<Ns>(piece.slices->duration[i], 0));
      }
      if (!piece.batch) continue;  // the halves are in the slices that pairing made
      for (const Instant& instant : piece.batch->instants) include(instant.time);
      for (const CounterSample& sample : piece.batch->samples) include(sample.time);
    }
    source.has_content = first <= last;
    if (source.has_content) source.extent = {first + source.view->clock_base, last + source.view->clock_base};
  }

  // Sources on the wall clock lie where their times say. One that counts from elsewhere (boot, its own start) would
  // stretch the view over decades: beside wall-clock sources it is put at their beginning, and its report says so.
  void place_on_one_clock() {
    Ns wall_begin = std::numeric_limits<Ns>::max(), any_begin = std::numeric_limits<Ns>::max();
    for (const SourceParts& source : sources_) {
      if (!source.has_content) continue;
      any_begin = std::min(any_begin, source.extent.begin);
      if (source.extent.begin >= kYear2001) wall_begin = std::min(wall_begin, source.extent.begin);
    }
    const bool any_wall = wall_begin != std::numeric_limits<Ns>::max();
    trace_->origin_ns = any_wall ? wall_begin : any_begin == std::numeric_limits<Ns>::max() ? 0 : any_begin;
    Ns end = trace_->origin_ns;
    for (SourceParts& source : sources_) {
      if (!source.has_content) continue;
      source.wall_clock = source.extent.begin >= kYear2001;
      const Ns moved = any_wall && !source.wall_clock ? wall_begin - source.extent.begin : 0;
      if (moved != 0) {
        source.problems.add(ProblemKind::no_wall_clock, 0, fmt::format("moved by {} ns", moved));
        source.extent = {source.extent.begin + moved, source.extent.end + moved};
      }
      source.shift = source.view->clock_base + moved - trace_->origin_ns;
      end = std::max(end, source.extent.end);
    }
    trace_->extent = {0, end - trace_->origin_ns};
  }

  void make_lanes() {
    std::vector<const LaneSpec*> specs;
    for (SourceParts& source : sources_) {
      for (std::size_t t = 0; t < source.tracks.size(); ++t) {
        const std::string_view track = source.tracks[id_at<StrId>(t)];
        const auto named = source.view->lanes.find(track);
        if (named != source.view->lanes.end()) {
          specs.push_back(&named->second);
        } else {
          LaneSpec& unnamed = unnamed_.emplace_back();
          unnamed.path = {{source.view->info.path}, {std::string(track)}};
          specs.push_back(&unnamed);
        }
      }
    }
    LaneTree tree = build_lane_tree(specs);
    trace_->lanes = std::move(tree.lanes);
    rule_of_lane_.assign(trace_->lanes.size(), nullptr);
    std::size_t next = 0;
    for (SourceParts& source : sources_) {
      for (std::size_t t = 0; t < source.tracks.size(); ++t, ++next) {
        const LaneId lane = tree.of_spec[next];
        const auto same = std::find(source.lane_of_track.begin(), source.lane_of_track.end(), lane);
        source.cursor_of_track.push_back(static_cast<std::uint32_t>(same - source.lane_of_track.begin()));
        source.lane_of_track.push_back(lane);
        const LaneSpec*& rule = rule_of_lane_[idx(tree.of_spec[next])];
        if (!rule) rule = specs[next];
        trace_->lanes[idx(lane)].nest_tolerance = rule->nest_tolerance;
      }
    }
  }

  // Groups all slices by lane in scratch columns, in file order within a lane.
  void scatter() {
    const std::size_t lanes = trace_->lanes.size();
    std::vector<std::uint64_t> count(lanes + 1, 0);
    std::vector<std::pair<SourceParts*, Piece*>> pieces;
    for (SourceParts& source : sources_) {
      for (Piece& piece : source.pieces) pieces.emplace_back(&source, &piece);
    }
    pool_.parallel_for(pieces.size(), [&](std::size_t p) {
      auto& [source, piece] = pieces[p];
      piece->cursor.assign(source->lane_of_track.size(), 0);
      for (const std::uint32_t track : piece->slices->track) {
        ++piece->cursor[source->cursor_of_track[piece->track_of(track)]];
      }
    });
    for (auto& [source, piece] : pieces) {
      for (std::size_t t = 0; t < piece->cursor.size(); ++t) {
        count[idx(source->lane_of_track[t]) + 1] += piece->cursor[t];
      }
    }
    std::partial_sum(count.begin(), count.end(), count.begin());
    lane_first_ = count;
    // Turn the counts into start positions, in file order.
    for (auto& [source, piece] : pieces) {
      for (std::size_t t = 0; t < piece->cursor.size(); ++t) {
        std::uint64_t& at = count[idx(source->lane_of_track[t])];
        const std::uint32_t n = piece->cursor[t];
        piece->cursor[t] = static_cast<std::uint32_t>(at);
        at += n;
      }
    }
    const std::size_t total = lane_first_.back();
    begin_.resize(total);
    duration_.resize(total);
    label_.resize(total);
    group_.resize(total);
    ref_.resize(total);
    pool_.parallel_for(pieces.size(), [&](std::size_t p) {
      auto& [source, piece] = pieces[p];
      const SliceColumns& from = *piece->slices;
      const auto source_id = id_at<SourceId>(static_cast<std::size_t>(source - sources_.data()));
      const Ns source_end = source->extent.end - trace_->origin_ns;
      for (std::size_t i = 0; i < from.size(); ++i) {
        const std::uint32_t to = piece->cursor[source->cursor_of_track[piece->track_of(from.track[i])]]++;
        begin_[to] = from.begin[i] + source->shift;
        duration_[to] = from.duration[i] == kOpenEnd ? source_end - begin_[to] : from.duration[i];
        label_[to] = piece->label_of(from.label[i]);
        group_[to] = piece->key_of(from.group[i]);
        ref_[to] = ItemRef(source_id, from.flags[i], from.offset[i]);
      }
    });
  }

  void lay_out() {
    Trace& trace = *trace_;
    const std::size_t lanes = trace.lanes.size();
    gather_instants();
    std::vector<RowLayout> layouts(lanes);
    pool_.parallel_for(
        lanes,
        [&](std::size_t l) {
          const std::size_t first = lane_first_[l], n = lane_first_[l + 1] - first;
          if (n == 0) return;
          const LaneSpec* spec = rule_of_lane_[l];
          const LaneItems items{std::span(begin_).subspan(first, n), std::span(duration_).subspan(first, n),
                                spec->rule == RowRule::Pack ? std::span<const std::uint32_t>(group_).subspan(first, n)
                                                            : std::span<const std::uint32_t>()};
          layouts[l] = lay_out_rows(items, spec->rule, spec->nest_tolerance);
        },
        stop_);
    if (stop_.stop_requested()) return;
    // Rows and their places in the final columns.
    std::uint32_t next = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
      Lane& lane = trace.lanes[l];
      RowLayout& layout = layouts[l];
      lane.first_row = static_cast<std::uint32_t>(trace.rows.size());
      std::vector<std::uint32_t> per_row(layout.rows.size(), 0);
      for (const std::uint32_t row : layout.row) ++per_row[row];
      for (std::size_t r = 0; r < layout.rows.size(); ++r) {
        trace.rows.push_back({id_at<LaneId>(l), RowKind::Slices, static_cast<std::uint16_t>(layout.rows[r].depth),
                              layout.rows[r].slot, next, per_row[r]});
        next += per_row[r];
      }
      if (const auto n = static_cast<std::uint32_t>(instants_[l].size()); n > 0) {
        trace.rows.push_back({id_at<LaneId>(l), RowKind::Instants, 0, 0, next, n});
        next += n;
      }
      lane.row_count = static_cast<std::uint32_t>(trace.rows.size()) - lane.first_row;
      lane.slices = layout.row.size();
      lane.instants = instants_[l].size();
      lane.busy = layout.busy;
      lane.overlaps = layout.overlaps;
      note_overlaps(lane, layout, l);
      trace.slice_count += lane.slices;
      trace.instant_count += lane.instants;
    }
    trace.slices.resize(next);
    pool_.parallel_for(lanes, [&](std::size_t l) { fill_rows(l, layouts[l]); });
    begin_ = {};
    duration_ = {};
    label_ = {};
    group_ = {};
    ref_ = {};
  }

  void note_overlaps(const Lane& lane, const RowLayout& layout, std::size_t l) {
    if (layout.overlaps == 0) return;
    const ItemRef ref = ref_[lane_first_[l] + layout.first_overlap];
    ProblemLog& log = sources_[idx(ref.source())].problems;
    log.add(ProblemKind::overlapping_slices, ref.offset(),
            fmt::format("{}: {}", lane.name, trace_->labels.name(label_[lane_first_[l] + layout.first_overlap])));
    log.add_count(ProblemKind::overlapping_slices, layout.overlaps - 1);
  }

  void fill_rows(std::size_t l, const RowLayout& layout) {
    Trace& trace = *trace_;
    const Lane& lane = trace.lanes[l];
    if (lane.row_count == 0) return;
    std::vector<std::uint32_t> cursor;
    for (const Row& row : trace.rows_of(lane)) cursor.push_back(row.first);
    const std::size_t first = lane_first_[l];
    for (const std::uint32_t item : layout.order) {
      const std::uint32_t to = cursor[layout.row[item]]++;
      trace.slices.begin[to] = begin_[first + item];
      trace.slices.duration[to] = duration_[first + item];
      trace.slices.self[to] = layout.self[item];
      trace.slices.label[to] = label_[first + item];
      trace.slices.ref[to] = ref_[first + item];
    }
    for (std::uint32_t to = cursor.back(); const PlacedInstant& instant : instants_[l]) {
      trace.slices.begin[to] = instant.time;
      trace.slices.label[to] = instant.label;
      trace.slices.ref[to] = instant.ref;
      ++to;
    }
  }

  struct PlacedInstant {
    Ns time;
    LabelId label;
    ItemRef ref;
  };

  void gather_instants() {
    instants_.resize(trace_->lanes.size());
    for_each_batch([&](const SourceParts& source, const Piece& piece, SourceId id) {
      for (const Instant& instant : piece.batch->instants) {
        instants_[idx(source.lane_of_track[piece.track_of(instant.track)])].push_back(
            {instant.time + source.shift, piece.label_of(instant.label), ItemRef(id, kInstant, instant.offset)});
      }
    });
    pool_.parallel_for(instants_.size(), [&](std::size_t l) {
      const auto by_time = [](const PlacedInstant& a, const PlacedInstant& b) { return a.time < b.time; };
      if (!std::is_sorted(instants_[l].begin(), instants_[l].end(), by_time)) {
        std::stable_sort(instants_[l].begin(), instants_[l].end(), by_time);
      }
    });
  }

  void add_counters() {
    struct Placed {
      Ns time;
      double value;
    };
    std::vector<std::vector<Placed>> samples(trace_->lanes.size());
    for_each_batch([&](const SourceParts& source, const Piece& piece, SourceId) {
      for (const CounterSample& sample : piece.batch->samples) {
        samples[idx(source.lane_of_track[piece.track_of(sample.track)])].push_back(
            {sample.time + source.shift, sample.value});
      }
    });
    for (std::size_t l = 0; l < samples.size(); ++l) {
      if (samples[l].empty()) continue;
      std::stable_sort(samples[l].begin(), samples[l].end(),
                       [](const Placed& a, const Placed& b) { return a.time < b.time; });
      CounterSeries series;
      series.lane = id_at<LaneId>(l);
      series.min = series.max = samples[l].front().value;
      for (const Placed& sample : samples[l]) {
        series.time.push_back(sample.time);
        series.value.push_back(sample.value);
        series.min = std::min(series.min, sample.value);
        series.max = std::max(series.max, sample.value);
      }
      trace_->sample_count += samples[l].size();
      trace_->lanes[l].counter = static_cast<std::uint32_t>(trace_->counters.size());
      trace_->counters.push_back(std::move(series));
    }
  }

  void add_flows() {
    std::vector<PlacedFlowPoint> points;
    for_each_batch([&](const SourceParts& source, const Piece& piece, SourceId id) {
      for (const FlowPoint& point : piece.batch->flows) {
        points.push_back({point.kind, point.bind, source.lane_of_track[piece.track_of(point.track)],
                          piece.key_of(point.key), point.time + source.shift, ItemRef(id, 0, point.offset)});
      }
    });
    if (points.empty()) return;
    BoundFlows bound = bind_flows(*trace_, std::move(points), pool_);
    const auto note = [&](ProblemKind kind, const std::vector<PlacedFlowPoint>& which) {
      for (const PlacedFlowPoint& point : which) {
        sources_[idx(point.ref.source())].problems.add(kind, point.ref.offset(), {});
      }
    };
    note(ProblemKind::unmatched_flow, bound.unmatched);
    note(ProblemKind::unbound_flow, bound.unbound);
    flows_per_source_.assign(sources_.size(), 0);
    for (const SourceId source : bound.source) ++flows_per_source_[idx(source)];
    trace_->flows = std::move(bound.flows);
    trace_->flows_by_end.resize(trace_->flows.size());
    std::iota(trace_->flows_by_end.begin(), trace_->flows_by_end.end(), 0u);
    std::stable_sort(trace_->flows_by_end.begin(), trace_->flows_by_end.end(), [&](std::uint32_t a, std::uint32_t b) {
      return trace_->flows[a].to < trace_->flows[b].to;
    });
  }

  void finish_lanes() {
    Trace& trace = *trace_;
    for (std::size_t l = trace.lanes.size(); l-- > 0;) {
      Lane& lane = trace.lanes[l];
      Ns first = std::numeric_limits<Ns>::max(), last = std::numeric_limits<Ns>::min();
      for (const Row& row : trace.rows_of(lane)) {
        if (row.count == 0) continue;
        const RowSlices slices = trace.slices_of(row);
        first = std::min(first, slices.begin.front());
        last = std::max(last, slices.end(slices.size() - 1));
      }
      if (lane.counter != UINT32_MAX) {
        first = std::min(first, trace.counters[lane.counter].time.front());
        last = std::max(last, trace.counters[lane.counter].time.back());
      }
      for (std::size_t child = l + 1; child < idx(lane.subtree_end); child = idx(trace.lanes[child].subtree_end)) {
        first = std::min(first, trace.lanes[child].extent.begin);
        last = std::max(last, trace.lanes[child].extent.end);
      }
      if (first <= last) lane.extent = {first, last};
    }
  }

  void finish_sources() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const SourceParts& source = sources_[s];
      SourceInfo info = source.view->info;
      for (const Piece& piece : source.pieces) {
        info.slices += piece.slices->size();
        if (!piece.batch) continue;
        info.instants += piece.batch->instants.size();
        info.samples += piece.batch->samples.size();
        info.problems.merge(piece.batch->problems);
      }
      info.problems.merge(source.problems);
      info.flows = flows_per_source_.empty() ? 0 : flows_per_source_[s];
      info.wall_clock = source.wall_clock;
      info.shift = source.shift + trace_->origin_ns;
      trace_->sources.push_back(std::move(info));
    }
  }

  template <class F>
  void for_each_batch(F visit) {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      for (const Piece& piece : sources_[s].pieces) {
        if (piece.batch) visit(sources_[s], piece, id_at<SourceId>(s));
      }
    }
  }

  ThreadPool& pool_;
  std::stop_token stop_;
  std::shared_ptr<Trace> trace_;
  std::vector<SourceParts> sources_;
  std::vector<const LaneSpec*> rule_of_lane_;  // per lane; null for groups
  std::deque<LaneSpec> unnamed_;               // for tracks the reader has not named (yet)
  std::vector<std::uint64_t> lane_first_;      // per lane: its part of the scratch columns
  std::vector<Ns> begin_, duration_;
  std::vector<LabelId> label_;
  std::vector<std::uint32_t> group_;
  std::vector<ItemRef> ref_;
  std::vector<std::vector<PlacedInstant>> instants_;  // per lane
  std::vector<std::uint64_t> flows_per_source_;
};

}  // namespace

std::shared_ptr<const Trace> build_trace(const std::vector<SourceView>& sources, ThreadPool& pool,
                                         std::stop_token stop) {
  return Builder(sources, pool, std::move(stop)).run();
}

}  // namespace tv
