#include "core/store/trace/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "core/base/memory/memory.h"
#include "core/base/threads/parallel_sort.h"
#include "core/store/clock/source_parts.h"
#include "core/store/clock/step_places.h"
#include "core/store/clock/time_window.h"
#include "core/store/trace/bind_flows.h"
#include "core/store/trace/fill_rows.h"
#include "core/store/trace/keep_told.h"
#include "core/store/trace/lane_tree.h"
#include "core/store/trace/pipeline_lanes.h"
#include "core/store/trace/tell_recordings.h"

namespace tv {
namespace {

class Builder {
 public:
  Builder(std::vector<SourceView> views, ThreadPool& pool, std::stop_token stop, Align measured)
      : pool_(pool), stop_(std::move(stop)), trace_(std::make_shared<Trace>()) {
    trace_->align = measured;
    sources_ = source_parts(std::move(views), trace_->labels);
  }

  std::shared_ptr<const Trace> run() {
    set_extents();
    add_pipelines();
    make_lanes();
    if (stop_.stop_requested()) return nullptr;
    trace_->collectives = collectives_by_record(sources_, *trace_, pool_);
    std::vector<LaneContent> content;
    Column<PlacedFlowPoint> column;
    pool_.parallel_for(2, [&](std::size_t part) {
      if (part == 0) add_counters();
      if (part == 1) content = lane_content(), column = flow_points();
    });
    const std::span<const PlacedFlowPoint> points(column.data(), column.size());
    FlowLinks links;
    pool_.parallel_for(3, [&](std::size_t part) {
      if (part == 0) make_rows(std::move(content));
      if (part == 1) links = link_flows(points, trace_->lanes, pool_);
      if (part != 2) return;
      const bool freed = free_batches();
      add_logs();
      if (freed) return_free_memory();
    });
    if (stop_.stop_requested()) return nullptr;
    add_flows(points, std::move(links));
    add_pipeline_flows();
    make_flow_table();
    finish_lanes();
    finish_sources();
    tell_recordings(*trace_);
    return trace_;
  }

 private:
  void set_extents() {
    std::optional<BuiltRange> extent, of_work;
    for (const SourceParts& source : sources_) {
      if (!source.has_content) continue;
      if (!extent) extent = source.extent, of_work = source.work;
      extent->include(source.extent);
      of_work->include(source.work);
    }
    const BuiltRange all = extent.value_or(BuiltRange{});
    trace_->origin_ns = all.begin.ns;
    trace_->extent = {0, all.length()};
    trace_->work = to_segment()(of_work.value_or(BuiltRange{})).plain();
    // Sources without content are placed, too: a log can have times but nothing to draw.
    for (SourceParts& source : sources_) source.shift = source.view.to_built() + to_segment();
  }

  ClockShift<BuiltTime, SegmentTime> to_segment() const { return segment_origin(*trace_).inverse(); }

  // A pipeline's steps involve all its files, so they are made here and not by readers.
  void add_pipelines() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      SourceParts& source = sources_[s];
      if (!source.view.pipeline) continue;
      trace_->pipeline.append(*source.view.pipeline, static_cast<std::uint32_t>(s), source.shift.by);
      source.view.pipeline.reset();
      if (!source.view.window) continue;
      pipeline_window_ = source.shift(*source.view.window).plain();  // each file has the same window, in its own clock
    }
    if (trace_->pipeline.empty()) return;
    share_step_numbers(trace_->pipeline);
    if (pipeline_window_) show_whole_steps();
    pipelines_ = pipeline_runs(trace_->pipeline);
    for (const PipelineRun& run : pipelines_) add_step_slices(run);
  }

  // Steps that touch the window are shown completely, like slices.
  void show_whole_steps() {
    const PipelineLog cropped = crop(trace_->pipeline, *pipeline_window_);
    Ns begin = 0, end = trace_->extent.end;
    for (const PipelineStep& step : cropped.steps) {
      begin = std::min(begin, step.begin);
      end = std::max(end, step.end);
    }
    trace_->origin_ns += begin;
    trace_->extent.end = end - begin;
    trace_->work = {std::min(trace_->work.begin, begin) - begin, std::max(trace_->work.end, end) - begin};
    for (SourceParts& source : sources_) source.shift += -begin;
    trace_->pipeline = {};
    trace_->pipeline.append(cropped, 0, -begin);
  }

  void add_step_slices(const PipelineRun& run) {
    std::map<std::uint32_t, SliceColumns> by_source;
    for (const PipelineStepSlice& step : pipeline_step_slices(trace_->pipeline, run)) {
      const LabelId label = trace_->labels.intern("step", fmt::format("step {}", step.number));
      by_source[step.source].add(0, step.span.begin - sources_[step.source].shift.by, step.span.length(), label, kNoGroup,
                                 step.offset, 0);
    }
    for (const auto& [s, slices] : by_source) {
      SourceParts& source = sources_[s];
      source.view.lanes.insert_or_assign(std::string(kPipelineSteps), pipeline_steps_lane(trace_->pipeline, run));
      source.slices += slices.size();
      BatchPiece& piece = source.pieces.emplace_back();
      piece.slices = std::make_shared<const SliceBlock>(slices);
      piece.track = {static_cast<std::uint32_t>(source.tracks.intern(kPipelineSteps))};
    }
  }

  void make_lanes() {
    std::vector<const LaneSpec*> specs;
    std::vector<std::uint32_t> of_source;
    for (SourceParts& source : sources_) {
      of_source.resize(specs.size() + source.tracks.size(), static_cast<std::uint32_t>(&source - sources_.data()));
      for (std::size_t t = 0; t < source.tracks.size(); ++t) {
        const std::string_view track = source.tracks[id_at<StrId>(t)];
        const auto named = source.view.lanes.find(track);
        if (named != source.view.lanes.end()) {
          specs.push_back(&named->second);
        } else {
          LaneSpec& unnamed = unnamed_.emplace_back();
          unnamed.path = {{source.view.info.path}, {std::string(track)}};
          specs.push_back(&unnamed);
        }
      }
    }
    LaneTree tree = build_lane_tree(specs, of_source);
    trace_->lanes = std::move(tree.lanes);
    rule_of_lane_.assign(trace_->lanes.size(), nullptr);
    std::size_t next = 0;
    for (SourceParts& source : sources_) {
      for (std::size_t t = 0; t < source.tracks.size(); ++t, ++next) {
        const LaneId lane = tree.of_spec[next];
        source.lane_of_track.push_back(lane);
        const LaneSpec*& rule = rule_of_lane_[idx(tree.of_spec[next])];
        if (!rule) rule = specs[next];
        trace_->lanes[idx(lane)].nest_tolerance = rule->nest_tolerance;
      }
    }
  }

  // Takes the last data from the batches and frees them. Runs in parallel with make_rows, which uses other members of sources and
  // pieces. Returns whether any memory was freed: while files are read, their drafts still own the batches.
  bool free_batches() {
    bool last_owner = false;
    for (SourceParts& source : sources_) {
      SourceInfo& info = source.view.info;
      info.slices += source.slices;
      for (BatchPiece& piece : source.pieces) {
        if (!piece.batch) continue;
        info.instants += piece.batch->instants.size();
        info.samples += static_cast<std::uint64_t>(
            std::ranges::count(piece.batch->samples, false, &CounterSample::is_change));
        info.problems.merge(piece.batch->problems);
        last_owner |= piece.batch.use_count() == 1;
        piece.batch.reset();
      }
    }
    return last_owner;
  }

  void make_rows(std::vector<LaneContent> content) {
    std::vector<SlicePiece> pieces;
    for (SourceParts& source : sources_) {
      const auto id = id_at<SourceId>(static_cast<std::size_t>(&source - sources_.data()));
      for (BatchPiece& piece : source.pieces) {
        SlicePiece& slices = pieces.emplace_back();
        slices.slices = std::move(piece.slices);
        for (const std::uint32_t track : piece.track) slices.lane.push_back(source.lane_of_track[track]);
        slices.label = std::move(piece.label);
        slices.group = std::move(piece.key);
        slices.source = id;
        slices.shift = source.shift.by;
        slices.open_end = to_segment()(source.work.end).ns;
        slices.in_file_order = piece.in_file_order;
      }
    }
    for (const LaneOverlap& overlap : fill_rows(*trace_, std::move(pieces), std::move(content), pool_, stop_)) {
      SourceParts& source = sources_[idx(overlap.example.source())];
      ProblemLog& log = source.problems;
      const std::string& lane = trace_->lane(overlap.lane).name;
      log.add(ProblemKind::overlapping_slices, source.view.info.by_row ? 0 : overlap.example.offset(),
              fmt::format("{}: {}", lane, trace_->labels.name(overlap.example_label)));
      log.add_count(ProblemKind::overlapping_slices, overlap.count - 1);
    }
  }

  std::vector<LaneContent> lane_content() {
    std::vector<LaneContent> content(trace_->lanes.size());
    for (std::size_t l = 0; l < content.size(); ++l) {
      if (rule_of_lane_[l]) content[l].rule = rule_of_lane_[l]->rule;
    }
    for_each_batch([&](const SourceParts& source, const BatchPiece& piece, SourceId id) {
      for (const Instant& instant : piece.batch->instants) {
        content[idx(source.lane_of_track[piece.track_of(instant.track)])].instants.push_back(
            {instant.time + source.shift.by, piece.label_of(instant.label), ItemRef(id, kInstant, instant.offset)});
      }
    });
    pool_.parallel_for(content.size(), [&](std::size_t l) {
      std::vector<PlacedInstant>& instants = content[l].instants;
      const auto by_time = [](const PlacedInstant& a, const PlacedInstant& b) { return a.time < b.time; };
      if (!std::ranges::is_sorted(instants, by_time)) std::ranges::stable_sort(instants, by_time);
    });
    return content;
  }

  struct PlacedSample {
    Ns time;
    double value;
    bool is_change;
  };

  void add_counters() {
    std::vector<std::size_t> count(trace_->lanes.size(), 0);
    const auto lane_of = [](const SourceParts& source, const BatchPiece& piece, const CounterSample& sample) {
      return idx(source.lane_of_track[piece.track_of(sample.track)]);
    };
    for_each_batch([&](const SourceParts& source, const BatchPiece& piece, SourceId) {
      for (const CounterSample& sample : piece.batch->samples) ++count[lane_of(source, piece, sample)];
    });
    std::vector<std::vector<PlacedSample>> samples(count.size());
    for (std::size_t l = 0; l < count.size(); ++l) samples[l].reserve(count[l]);
    for_each_batch([&](const SourceParts& source, const BatchPiece& piece, SourceId) {
      for (const CounterSample& sample : piece.batch->samples) {
        samples[lane_of(source, piece, sample)].push_back({sample.time + source.shift.by, sample.value, sample.is_change});
      }
    });
    for (std::size_t l = 0; l < count.size(); ++l) {
      if (count[l] == 0) continue;
      trace_->lanes[l].counter = static_cast<std::uint32_t>(trace_->counters.size());
      trace_->counters.emplace_back().lane = id_at<LaneId>(l);
      trace_->sample_count += static_cast<std::uint64_t>(std::ranges::count(samples[l], false, &PlacedSample::is_change));
    }
    pool_.parallel_for(trace_->counters.size(), [&](std::size_t c) {
      CounterSeries& series = trace_->counters[c];
      add_up(std::exchange(samples[idx(series.lane)], {}), series);
    });
  }

  static void add_up(std::vector<PlacedSample> samples, CounterSeries& series) {
    std::ranges::stable_sort(samples, {}, &PlacedSample::time);
    series.reserve_more(samples.size());
    std::vector<double>& values = series.value.own();
    for (const PlacedSample& sample : samples) {
      if (!sample.is_change) {
        series.push_back(sample.time, sample.value);
      } else if (!values.empty() && series.time.own().back() == sample.time) {
        values.back() += sample.value;
      } else {
        series.push_back(sample.time, (values.empty() ? 0 : values.back()) + sample.value);
      }
    }
    series.find_extremes();
    series.share();
  }

  Column<PlacedFlowPoint> flow_points() {
    struct Part {
      const SourceParts& source;
      const BatchPiece& piece;
      SourceId id;
      std::size_t first;
    };
    std::vector<Part> parts;
    std::size_t count = 0;
    for_each_batch([&](const SourceParts& source, const BatchPiece& piece, SourceId id) {
      if (piece.batch->flows.empty()) return;
      parts.push_back({source, piece, id, count});
      count += piece.batch->flows.size();
    });
    Column<PlacedFlowPoint> points(count);
    pool_.parallel_for(parts.size(), [&](std::size_t p) {
      const auto& [source, piece, id, first] = parts[p];
      std::size_t to = first;
      for (const FlowPoint& point : piece.batch->flows) {
        points[to++] = {point.kind, point.bind, source.lane_of_track[piece.track_of(point.track)],
                        piece.key_of(point.key), point.id, point.time + source.shift.by, ItemRef(id, 0, point.offset)};
      }
    });
    return points;
  }

  void add_flows(std::span<const PlacedFlowPoint> points, FlowLinks links) {
    if (points.empty()) return;
    BoundFlows bound = bind_flows(*trace_, points, std::move(links), pool_);
    const auto note = [&](ProblemKind kind, const std::vector<std::uint32_t>& which) {
      for (const std::uint32_t i : which) sources_[idx(points[i].ref.source())].problems.add(kind, points[i].ref.offset(), {});
    };
    note(ProblemKind::unmatched_flow, bound.unmatched);
    note(ProblemKind::unbound_flow, bound.unbound);
    note(ProblemKind::doubtful_launch, bound.doubtful);
    report_backward_arrows(points, bound.backwards);
    flows_per_source_ = std::move(bound.of_source);
    flows_per_source_.resize(sources_.size());
    flows_ = std::move(bound.flows);
  }

  void report_backward_arrows(std::span<const PlacedFlowPoint> points, std::span<const BoundFlows::Backwards> flows) {
    std::map<SourceId, std::vector<Ns>> by_source;
    for (const auto& [to, by] : flows) by_source[points[to].ref.source()].push_back(by);
    for (auto& [source, by] : by_source) {
      std::ranges::sort(by);
      sources_[idx(source)].view.info.facts.push_back(
          {"clocks", fmt::format("disagree by {} to {}, median {}", format_duration(by.front()), format_duration(by.back()),
                                 format_duration(by[by.size() / 2])),
           fmt::format("{} {} before {} begin{}", by.size(), by.size() == 1 ? "arrow ends" : "arrows end",
                       by.size() == 1 ? "it" : "they", by.size() == 1 ? "s" : "")});
    }
  }

  void add_pipeline_flows() {
    if (pipelines_.empty()) return;
    std::vector<LaneId> jobs;
    for (const PipelineDevice& device : trace_->pipeline.devices) {
      const SourceParts& source = sources_[device.source];
      const StrId track = source.tracks.find(kPipelineJobs);
      jobs.push_back(track == kNone<StrId> ? kNone<LaneId> : source.lane_of_track[idx(track)]);
    }
    const PipelineArrows arrows = pipeline_arrows(*trace_, pipelines_, jobs);
    for (const std::uint32_t part : arrows.doubtful) {
      const PipelineStep& step = trace_->pipeline.steps[part];
      sources_[trace_->pipeline.devices[step.device].source].problems.add(
          ProblemKind::stages_out_of_order, step.offset, fmt::format("step {}", step.number));
    }
    flows_per_source_.resize(sources_.size(), 0);
    for (const SegmentFlow& flow : arrows.flows) ++flows_per_source_[idx(trace_->slices.ref[idx(flow.to)].source())];
    std::vector<SegmentFlow> all;
    std::ranges::merge(flows_, arrows.flows, std::back_inserter(all), flow_less);
    flows_ = std::move(all);
  }

  void make_flow_table() {
    Column<SegmentFlow> flows(flows_.size());
    std::ranges::copy(flows_, flows.begin());
    Column<std::uint32_t> by_end(flows.size()), spare(flows.size());
    std::iota(by_end.begin(), by_end.end(), 0u);
    parallel_sort(std::span(by_end.data(), by_end.size()), std::span(spare.data(), spare.size()),
                  [&](std::uint32_t a, std::uint32_t b) { return flows_[a].to < flows_[b].to; }, pool_);
    trace_->flows = FlowTable(std::move(flows), std::move(by_end), trace_->slices.size());
  }

  void add_logs() {
    std::vector<const RolloutLog*> logs;
    for (const SourceParts& source : sources_) {
      if (source.view.rollout && !source.view.window) logs.push_back(source.view.rollout.get());
    }
    trace_->rollout.reserve_for(logs);
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      SourceView& view = sources_[s].view;
      const auto source = static_cast<std::uint32_t>(s);
      if (view.rollout && view.window) {
        trace_->rollout.append(crop(*view.rollout, *view.window), source, sources_[s].shift.by);
      } else if (view.rollout) {
        trace_->rollout.append(*view.rollout, source, sources_[s].shift.by);
      }
      if (view.metrics) trace_->metrics.append(*view.metrics, source, sources_[s].shift.by);
      view.rollout.reset();
      view.metrics.reset();
    }
    trace_->rollout.share();
  }

  void finish_lanes() {
    Trace& trace = *trace_;
    std::vector<bool> shows(trace.lanes.size());  // false for a lane that only had ends without begins
    for (std::size_t l = trace.lanes.size(); l-- > 0;) {
      Lane& lane = trace.lanes[l];
      TimeRange all{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
      for (const Row& row : trace.rows_of(lane)) {
        if (row.count == 0) continue;
        const RowSlices slices = trace.slices_of(row);
        all.include(slices.begin(0), slices.end(slices.size() - 1));
      }
      if (lane.counter != UINT32_MAX) {
        const AppendList<Ns>& time = trace.counters[lane.counter].time;
        all.include(time.front(), time.back());
      }
      for (std::size_t child = l + 1; child < idx(lane.subtree_end); child = idx(trace.lanes[child].subtree_end)) {
        if (shows[child]) all.include(trace.lanes[child].extent.begin, trace.lanes[child].extent.end);
      }
      shows[l] = all.begin <= all.end;
      if (shows[l]) lane.extent = all;
    }
  }

  void finish_sources() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const SourceParts& source = sources_[s];
      SourceInfo info = source.view.info;
      info.problems.merge(source.problems);
      info.flows = flows_per_source_.empty() ? 0 : flows_per_source_[s];
      info.wall_clock = source.wall_clock;
      info.shift = {source.view.to_built().by};
      if (source.has_content) {
        info.work = to_segment()(source.work).plain();
        info.extent = to_segment()(source.extent).plain();
      }
      trace_->sources.push_back(std::move(info));
    }
  }

  template <class F>
  void for_each_batch(F visit) {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      for (const BatchPiece& piece : sources_[s].pieces) {
        if (piece.batch) visit(sources_[s], piece, id_at<SourceId>(s));
      }
    }
  }

  ThreadPool& pool_;
  std::stop_token stop_;
  std::shared_ptr<Trace> trace_;
  std::vector<SourceParts> sources_;
  std::vector<const LaneSpec*> rule_of_lane_;  // per lane; null for groups
  std::deque<LaneSpec> unnamed_;               // for tracks that the reader has not named (yet)
  std::vector<SegmentFlow> flows_;  // sorted by from, to
  std::vector<std::uint64_t> flows_per_source_;
  std::vector<PipelineRun> pipelines_;
  std::optional<TimeRange> pipeline_window_;
};

}  // namespace

std::shared_ptr<const Trace> build_trace(std::vector<SourceView> sources, ThreadPool& pool, std::stop_token stop) {
  place_logs(sources);
  return build_segment(std::move(sources), pool, std::move(stop));
}

std::shared_ptr<const Trace> build_segment(std::vector<SourceView> placed, ThreadPool& pool, std::stop_token stop, Align measured) {
  return Builder(std::move(placed), pool, std::move(stop), measured).run();
}

}  // namespace tv
