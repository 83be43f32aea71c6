#include "core/store/segments/trace_file.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "core/base/bytes.h"
#include "core/base/text/ascii.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/logs/metric_bytes.h"
#include "core/store/logs/pipeline_bytes.h"
#include "core/store/logs/rollout_bytes.h"
#include "core/store/logs/table_bytes.h"
#include "core/store/segments/fit_segments.h"
#include "core/store/segments/source_bytes.h"
#include "core/store/trace/lane_tree.h"

namespace tv {
namespace {

__extension__ using WideNs = __int128;

// --- the members of each table, for writing and reading alike ---

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, Lane>& lane) {
  bytes(lane.name, lane.kind, lane.parent, lane.depth, lane.subtree_end, lane.first_row, lane.row_count, lane.counter,
        lane.slices, lane.instants, lane.overlaps, lane.busy, lane.nest_tolerance, lane.extent.begin, lane.extent.end);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, Row>& row) {
  auto first = static_cast<std::uint32_t>(row.first);  // a segment has fewer than 2^32 slices
  bytes(row.lane, row.kind, row.depth, row.slot, first, row.count);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(row)>>) row.first = first;
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, Trace>& trace) {
  bytes(trace.origin_ns, trace.extent.begin, trace.extent.end, trace.slice_count, trace.instant_count, trace.sample_count);
}

// Section "placing". New members get new sections, so that older files can still be read.
template <class Bytes>
void members_of_placing(Bytes& bytes, Like<Bytes, Trace>& trace) {
  bytes(trace.work.begin, trace.work.end, trace.align);
}

// Section "lane order". It identifies lanes across files, so that they can be joined.
template <class Bytes>
void members_of_order(Bytes& bytes, Like<Bytes, Lane>& lane) {
  bytes(lane.sort, lane.key);
}

// Section "owners". For files without it, owners are parsed from names.
template <class Bytes>
void members_of_owner(Bytes& bytes, Like<Bytes, LaneOwner>& owner) {
  bytes(owner.member, owner.rank, owner.worker, owner.pid, owner.device);
}

// Section "threads".
template <class Bytes>
void members_of_thread(Bytes& bytes, Like<Bytes, LaneOwner>& owner) {
  bytes(owner.thread, owner.stream);
}

constexpr std::size_t kLeastLane = 40, kLeastRow = 12, kLeastLabel = 16, kLeastCounter = 20;  // minimum bytes per entry

// Files of earlier versions lack extents per source. If only one source has content, its extent is that of the trace. Otherwise
// the extent of its work is the best guess.
void guess_extents(Trace& trace) {
  if (trace.lanes.empty()) return;
  const auto shows = [](const SourceInfo& source) { return source.slices + source.instants + source.samples > 0; };
  const bool one = std::ranges::count_if(trace.sources, shows) == 1;
  for (SourceInfo& source : trace.sources) {
    if (shows(source) && lies_within(source.work, trace.extent)) source.extent = one ? trace.extent : source.work;
  }
}

// For files of earlier versions, which lack the section "threads". Names of lanes contain threads and streams, and the group of a
// lane of CUDA calls is a thread. Nsight Systems' groups have a global id in the key, whose low 24 bits are the thread.
void guess_threads(std::vector<Lane>& lanes) {
  constexpr std::string_view kThread = "thread ";
  constexpr std::int64_t kThreadBits = 0xFFFFFF;
  for (Lane& lane : lanes) {
    if (lane.kind != LaneKind::Group) {
      const LaneOwner named = owner_by_name(lane.name, false);
      lane.owner.thread = named.thread;
      lane.owner.stream = named.stream;
      if (idx(lane.parent) >= lanes.size()) continue;  // no parent, or damage that lanes_consistent() will find
      Lane& parent = lanes[idx(lane.parent)];
      note_thread_of_calls(lane.name, parent.name, parent.owner);
    } else if (lane.key.starts_with(kThread)) {
      const auto global = whole_number(std::string_view(lane.key).substr(kThread.size()));
      if (global) lane.owner.thread = *global & kThreadBits;
    }
  }
}

// For files of earlier versions with logs, whose outermost groups have the names of their runs.
void guess_runs(std::vector<Lane>& lanes) {
  for (Lane& lane : lanes) {
    if (lane.depth == 0) lane.owner.run = lane.name;
  }
}

template <class Table>
std::string table_bytes(const Table& table) {
  ByteWriter bytes;
  bytes(std::uint64_t{table.size()});
  for (const auto& entry : table) members(bytes, entry);
  return bytes.bytes();
}

template <class T>
std::string_view as_text(const T* data, std::size_t n) {
  return {reinterpret_cast<const char*>(data), n * sizeof(T)};
}

// --- reading ---

class TraceReader {
 public:
  TraceReader(const SectionFile& file, ThreadPool& pool, ColumnsAre columns)
      : file_(file), pool_(pool), trace_(std::make_shared<Trace>()) {
    trace_->columns_are = columns;
  }

  Result<std::shared_ptr<Trace>> run() {
    read_tables();
    read_columns();
    if (!error_ && !consistent()) fail();
    if (!error_) refuse_deep_lanes();
    if (error_) return *error_;
    return trace_;
  }

 private:
  bool unchecked() const { return trace_->columns_are == ColumnsAre::Unchecked; }

  void fail() {
    if (!error_) error_ = contradictory_tables(file_.path());
  }

  SectionBytes section(std::string_view name, bool mapped = false) {
    const Section* const found = file_.find(name);
    if (!found) fail();
    if (error_) return {};
    auto bytes = mapped ? file_.map(*found) : file_.load(*found, pool_);
    if (bytes) return std::move(*bytes);
    error_ = bytes.error();
    return {};
  }

  // Calls take(reader) with a section's bytes, which it must read completely.
  template <class Take>
  void table(std::string_view name, Take take) {
    const SectionBytes bytes = section(name);
    if (error_) return;
    ByteReader reader(bytes.text());
    take(reader);
    if (!reader.done()) fail();
  }

  template <class T>
  Column<T> column(std::string_view name) {
    SectionBytes bytes = section(name, unchecked());
    if (bytes.bytes.size() % sizeof(T) != 0) fail();
    return error_ ? Column<T>() : column_in<T>(std::move(bytes));
  }

  void read_tables() {
    table("trace", [&](ByteReader& bytes) { members(bytes, *trace_); });
    table("sources", [&](ByteReader& bytes) { take_sources(bytes, trace_->sources); });
    trace_->work = trace_->extent;
    if (file_.find("placing")) {
      table("placing", [&](ByteReader& bytes) {
        members_of_placing(bytes, *trace_);
        if (trace_->align >= Align::kCount) bytes.fail();
        take_places(bytes, trace_->sources);
      });
    }
    if (file_.find("clocks")) table("clocks", [&](ByteReader& bytes) { take_clocks(bytes, trace_->sources); });
    table("labels", [&](ByteReader& bytes) {
      std::string category, name;
      const std::size_t n = bytes.count(kLeastLabel);
      for (std::size_t l = 0; l < n && bytes.ok(); ++l) {
        bytes(category, name);
        if (idx(trace_->labels.intern(category, name)) != l) bytes.fail();
      }
    });
    table("lanes", [&](ByteReader& bytes) {
      trace_->lanes.resize(bytes.count(kLeastLane));
      for (Lane& lane : trace_->lanes) members(bytes, lane);
    });
    if (file_.find("lane order")) {
      table("lane order", [&](ByteReader& bytes) {
        for (Lane& lane : trace_->lanes) members_of_order(bytes, lane);
      });
    }
    if (file_.find("owners")) {
      table("owners", [&](ByteReader& bytes) {
        for (Lane& lane : trace_->lanes) members_of_owner(bytes, lane.owner);
      });
    } else {
      for (Lane& lane : trace_->lanes) lane.owner = owner_by_name(lane.name, lane.kind == LaneKind::Group && lane.depth > 0);
    }
    if (file_.find("threads")) {
      table("threads", [&](ByteReader& bytes) {
        for (Lane& lane : trace_->lanes) members_of_thread(bytes, lane.owner);
      });
    } else {
      guess_threads(trace_->lanes);
    }
    if (file_.find("runs")) {
      table("runs", [&](ByteReader& bytes) {
        for (Lane& lane : trace_->lanes) bytes(lane.owner.run);
      });
    } else if (file_.find("rollout") || file_.find("metrics") || file_.find("pipeline")) {
      guess_runs(trace_->lanes);
    }
    if (file_.find("extents")) {
      table("extents", [&](ByteReader& bytes) { take_extents(bytes, trace_->extent, !trace_->lanes.empty(), trace_->sources); });
    } else {
      guess_extents(*trace_);
    }
    if (file_.find("zones")) table("zones", [&](ByteReader& bytes) { take_zones(bytes, trace_->sources); });
    table("rows", [&](ByteReader& bytes) {
      trace_->rows.resize(bytes.count(kLeastRow));
      for (Row& row : trace_->rows) members(bytes, row);
    });
    const std::size_t n = trace_->sources.size();
    if (file_.find("collectives")) table("collectives", [&](ByteReader& bytes) {
      take_collectives(bytes, n, trace_->lanes.size(), trace_->collectives.emplace());
    });
    if (file_.find("rollout")) table("rollout", [&](ByteReader& bytes) { take_rollout(bytes, n, trace_->rollout); });
    if (file_.find("metrics")) table("metrics", [&](ByteReader& bytes) { take_metrics(bytes, n, trace_->metrics); });
    if (file_.find("pipeline")) table("pipeline", [&](ByteReader& bytes) { take_pipeline(bytes, n, trace_->pipeline); });
  }

  void read_columns() {
    SliceTable& slices = trace_->slices;
    slices.begin = column<Ns>("slices.begin");
    slices.duration = column<Ns>("slices.duration");
    slices.self = column<Ns>("slices.self");
    slices.label = column<LabelId>("slices.label");
    slices.ref = column<ItemRef>("slices.ref");
    Column<SegmentFlow> flows = column<SegmentFlow>("flows");
    Column<std::uint32_t> flows_by_end = column<std::uint32_t>("flows_by_end");
    if (!error_ && !flows_consistent(flows, flows_by_end)) fail();
    if (!error_) trace_->flows = FlowTable(std::move(flows), std::move(flows_by_end), slices.size());
    const Column<Ns> times = column<Ns>("counters.time");
    const Column<double> values = column<double>("counters.value");
    std::size_t first = 0;
    table("counters", [&](ByteReader& bytes) {
      trace_->counters.resize(bytes.count(kLeastCounter));
      for (CounterSeries& series : trace_->counters) {
        std::uint64_t n = 0;
        bytes(series.lane, n, series.min, series.max);
        if (n > std::min(times.size(), values.size()) - first) return bytes.fail();
        series.reserve_more(n);
        for (std::size_t i = first; i < first + n; ++i) {
          if (std::isfinite(values[i])) series.push_back(times[i], values[i]);  // readers leave out the others too
        }
        if (!series.value.empty()) series.find_extremes();  // extremes in the file may be wrong
        series.share();
        first += n;
      }
    });
    if (!error_ && (first != times.size() || first != values.size())) fail();
  }

  bool consistent() const {
    return times_consistent() && lanes_consistent() && counters_consistent() && collectives_consistent() && slices_consistent() &&
           check_invariants(*trace_).empty();
  }

  // A sum of a time, the origin and a source's offsets must not overflow. There must be room for two more offsets: the user's, and
  // the one that is found from collectives.
  bool times_consistent() const {
    const Trace& trace = *trace_;
    if (trace.extent.begin != 0 || trace.extent.end < 0) return false;
    if (!can_count_with(trace.origin_ns) || !can_count_with(trace.extent.end)) return false;
    if (trace.work.begin < 0 || trace.work.end < trace.work.begin || trace.work.end > trace.extent.end) return false;
    constexpr WideNs kMost = std::numeric_limits<Ns>::max() - 2 * kLongestClockOffset;
    const auto fits = [&](WideNs origin) { return origin >= -kMost && origin + trace.extent.end <= kMost; };
    return fits(trace.origin_ns) && std::ranges::all_of(trace.sources, [&](const SourceInfo& source) {
      const WideNs recorded = WideNs{trace.origin_ns} - source.clock_fit.by_collectives() - source.aligned.by;  // as to_recorded()
      return fits(recorded) && fits(recorded - source.clock_offset) && fits(WideNs{trace.origin_ns} - source.clock_offset);
    });
  }

  bool lanes_consistent() const {
    const Trace& trace = *trace_;
    const std::size_t lanes = trace.lanes.size();
    std::size_t row = 0;
    std::vector<LaneId> open;  // the enclosing lanes
    const auto end_of = [&](LaneId lane) { return idx(trace.lane(lane).subtree_end); };
    for (std::size_t l = 0; l < lanes; ++l) {
      const Lane& lane = trace.lanes[l];
      while (!open.empty() && end_of(open.back()) <= l) open.pop_back();
      const std::size_t end = idx(lane.subtree_end);
      if (end <= l || end > (open.empty() ? lanes : end_of(open.back())) || lane.depth != open.size()) return false;
      if (lane.parent != (open.empty() ? kNone<LaneId> : open.back())) return false;
      open.push_back(id_at<LaneId>(l));
      if (lane.kind > LaneKind::Counter || lane.first_row > trace.rows.size()) return false;
      if (lane.row_count > trace.rows.size() - lane.first_row) return false;
      if (lane.row_count > 0 && lane.first_row != row) return false;
      row += lane.row_count;
      // In a packed lane, every slot and every depth has a row.
      const auto of_lane = std::span(trace.rows).subspan(lane.first_row, lane.row_count);
      const auto fits = [&](const Row& r) { return r.slot < lane.row_count && r.depth < lane.row_count; };
      if (!std::ranges::all_of(of_lane, fits)) return false;
      if (lane.counter != UINT32_MAX && lane.counter >= trace.counters.size()) return false;
      if (lane.extent.begin < 0 || lane.extent.end < 0 || lane.extent.end > trace.extent.end) return false;
      if (lane.busy < 0 || lane.busy > trace.extent.end || lane.nest_tolerance < 0 ||
          !can_count_with(lane.nest_tolerance))
        return false;
    }
    if (row != trace.rows.size()) return false;
    return std::ranges::all_of(trace.rows, [&](const Row& r) {
      return idx(r.lane) < lanes && r.kind <= RowKind::Instants && r.first <= trace.slices.size() &&
             r.count <= trace.slices.size() - r.first;
    });
  }

  void refuse_deep_lanes() {
    if (std::ranges::none_of(trace_->lanes, [](const Lane& lane) { return lane.depth >= kMostLaneLevels; })) return;
    error_ = Error{"its lanes are nested more than " + std::to_string(kMostLaneLevels) + " levels deep", file_.path(), {},
                   "write it again from the original files"};
  }

  bool counters_consistent() const {
    return std::ranges::all_of(trace_->counters, [&](const CounterSeries& series) {
      const auto outside = [&](Ns t) { return t < 0 || t > trace_->extent.end; };
      return idx(series.lane) < trace_->lanes.size() && std::ranges::is_sorted(series.time) &&
             std::ranges::none_of(series.time, outside);
    });
  }

  bool collectives_consistent() const {
    if (!trace_->collectives) return true;
    const auto fits = [&](const LaneKernel& kernel) { return lies_within(kernel.time.plain(), {0, trace_->extent.end}); };
    return std::ranges::all_of(*trace_->collectives, [&](const LaneCollectives& lane) { return std::ranges::all_of(lane.kernels, fits); });
  }

  bool flows_consistent(const Column<SegmentFlow>& flows, const Column<std::uint32_t>& by_end) const {
    const std::size_t slices = trace_->slices.size();
    if (by_end.size() != flows.size()) return false;
    return unchecked() || (std::ranges::all_of(flows, [&](const SegmentFlow& flow) { return idx(flow.from) < slices && idx(flow.to) < slices; }) &&
                          std::ranges::all_of(by_end, [&](std::uint32_t flow) { return flow < flows.size(); }));
  }

  bool slices_consistent() const {
    const SliceTable& slices = trace_->slices;
    const std::size_t n = slices.size();
    if (slices.duration.size() != n || slices.self.size() != n || slices.label.size() != n || slices.ref.size() != n) {
      return false;
    }
    if (trace_->slice_count > n || trace_->instant_count != n - trace_->slice_count) return false;
    if (n > 0 && (trace_->labels.size() == 0 || trace_->sources.empty())) return false;
    if (unchecked()) return true;
    constexpr std::size_t kPart = 1 << 18;
    std::atomic<bool> good = true;
    pool_.parallel_for((n + kPart - 1) / kPart, [&](std::size_t part) {
      const std::size_t labels = trace_->labels.size(), sources = trace_->sources.size();
      const Ns end = trace_->extent.end;
      bool all = true;
      for (std::size_t i = part * kPart; i < std::min(n, (part + 1) * kPart); ++i) {
        const Ns begin = slices.begin[i], duration = slices.duration[i];
        all = all && begin >= 0 && begin <= end && duration >= 0 && duration <= end - begin && slices.self[i] >= 0 &&
              slices.self[i] <= duration && idx(slices.label[i]) < labels && idx(slices.ref[i].source()) < sources;
      }
      if (!all) good = false;
    });
    return good;
  }

  const SectionFile& file_;
  ThreadPool& pool_;
  std::shared_ptr<Trace> trace_;
  std::optional<Error> error_;
};

}  // namespace

void write_trace(SectionWriter& file, const Trace& trace, TraceCoding coding, std::stop_token stop) {
  const bool packed = coding == TraceCoding::Packed;
  const SectionCoding tables = SectionCoding::Zstd;  // always compressed, because reading copies them
  const SectionCoding coding4 = packed ? SectionCoding::Deltas4 : SectionCoding::Plain;
  const SectionCoding coding8 = packed ? SectionCoding::Deltas8 : SectionCoding::Plain;

  const auto add = [&](std::string_view name, SectionCoding how, std::string_view bytes) { file.add(name, how, bytes); };
  ByteWriter whole;
  members(whole, trace);
  add("trace", tables, whole.bytes());
  ByteWriter sources;
  put_sources(sources, trace.sources);
  add("sources", tables, sources.bytes());
  ByteWriter placing;
  members_of_placing(placing, trace);
  put_places(placing, trace.sources);
  add("placing", tables, placing.bytes());
  ByteWriter extents;
  put_extents(extents, trace.sources);
  add("extents", tables, extents.bytes());
  ByteWriter zones;
  put_zones(zones, trace.sources);
  add("zones", tables, zones.bytes());
  if (std::ranges::any_of(trace.sources, [](const SourceInfo& source) { return source.clock_offset != 0; })) {
    ByteWriter clocks;
    put_clocks(clocks, trace.sources);
    add("clocks", tables, clocks.bytes());
  }
  ByteWriter labels;
  labels(std::uint64_t{trace.labels.size()});
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    const auto id = id_at<LabelId>(l);
    labels(std::string(trace.labels.category(id)), std::string(trace.labels.name(id)));
  }
  add("labels", tables, labels.bytes());
  add("lanes", tables, table_bytes(trace.lanes));
  ByteWriter order;
  for (const Lane& lane : trace.lanes) members_of_order(order, lane);
  add("lane order", tables, order.bytes());
  ByteWriter owners;
  for (const Lane& lane : trace.lanes) members_of_owner(owners, lane.owner);
  add("owners", tables, owners.bytes());
  ByteWriter threads;
  for (const Lane& lane : trace.lanes) members_of_thread(threads, lane.owner);
  add("threads", tables, threads.bytes());
  if (std::ranges::any_of(trace.lanes, [](const Lane& lane) { return !lane.owner.run.empty(); })) {
    ByteWriter runs;
    for (const Lane& lane : trace.lanes) runs(lane.owner.run);
    add("runs", tables, runs.bytes());
  }
  add("rows", tables, table_bytes(trace.rows));
  // No other section has the collectives that records name.
  if (!packed || trace.collectives) add("collectives", tables, collective_bytes(trace.collectives ? *trace.collectives : lane_collectives(trace)));
  if (!trace.rollout.empty()) add("rollout", tables, rollout_bytes(trace.rollout));
  if (!trace.metrics.empty()) add("metrics", tables, metric_bytes(trace.metrics));
  if (!trace.pipeline.devices.empty()) add("pipeline", tables, pipeline_bytes(trace.pipeline));

  const auto column = [&](std::string_view name, SectionCoding how, const auto& values) {
    if (!stop.stop_requested()) add(name, how, as_text(values.data(), values.size()));
  };
  column("slices.begin", coding8, trace.slices.begin);
  column("slices.duration", coding8, trace.slices.duration);
  column("slices.self", coding8, trace.slices.self);
  column("slices.label", coding4, trace.slices.label);
  column("slices.ref", coding8, trace.slices.ref);
  column("flows", coding4, trace.flows.own_flows());
  column("flows_by_end", coding4, trace.flows.own_by_end());

  ByteWriter counters;
  counters(std::uint64_t{trace.counters.size()});
  std::vector<Ns> times;
  std::vector<double> values;
  for (const CounterSeries& series : trace.counters) {
    counters(series.lane, std::uint64_t{series.time.size()}, series.min, series.max);
    times.insert(times.end(), series.time.begin(), series.time.end());
    values.insert(values.end(), series.value.begin(), series.value.end());
  }
  add("counters", tables, counters.bytes());
  column("counters.time", coding8, times);
  column("counters.value", coding8, values);
}

Result<std::shared_ptr<Trace>> read_trace(const SectionFile& file, ThreadPool& pool, ColumnsAre columns) {
  return TraceReader(file, pool, columns).run();
}

}  // namespace tv
