#include "core/analysis/rollout/rollout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/analysis/rollout/known_requests.h"
#include "core/analysis/rollout/rollout_parts.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

constexpr std::string_view kComplete = "async_rollout_request_complete";

constexpr std::array<std::string_view, kRequestPhases> kPhaseNames = {"engine",     "tool",    "reward",
                                                                      "processing", "pending", "other"};

// By event name; events that are not listed are frames around others.
constexpr std::pair<std::string_view, RequestPhase> kPhaseOf[] = {
    {"turn_engine_call", RequestPhase::Engine},
    {"engine_generate_setup", RequestPhase::Engine},
    {"engine_async_generate_actual", RequestPhase::Engine},
    {"engine_async_generate", RequestPhase::Engine},
    {"engine_call", RequestPhase::Engine},
    {"tool_calling_state", RequestPhase::Tool},
    {"tool_execution", RequestPhase::Tool},
    {"tool_response_processing", RequestPhase::Tool},
    {"interacting_state", RequestPhase::Tool},
    {"interaction_response", RequestPhase::Tool},
    {"reward_calculation", RequestPhase::Reward},
    {"turn_end", RequestPhase::Processing},
    {"turn_pre_process", RequestPhase::Processing},
    {"turn_post_process", RequestPhase::Processing},
    {"turn_tool_parsing", RequestPhase::Processing},
    {"tool_parsing", RequestPhase::Processing},
    {"running_state", RequestPhase::Processing},
    {"finalization", RequestPhase::Processing},
    {"pending_state_handling", RequestPhase::Pending},
    {"tool_creation_pending_state", RequestPhase::Pending},
    {"interaction_start_pending_state", RequestPhase::Pending},
};

// Events that enclose other phases: a turn, or a request while it runs. If such a frame has the same time as a phase in it, only the
// order of lines in the log can make the frame the inner slice, and that order means nothing.
constexpr std::string_view kFrames[] = {"turn_end", "running_state", "main_loop"};

bool is_inner(RequestPhase phase) {
  return phase == RequestPhase::Engine || phase == RequestPhase::Tool || phase == RequestPhase::Reward;
}

// Finds the request of a completion line's record.
class Records {
 public:
  /// `row`: row in the log, by request. Covers requests from `first` on.
  Records(const RolloutLog& log, const AppendList<std::uint32_t>& row, RequestIx first, std::size_t sources) : first_(sources + 1) {
    records_.reserve(row.size() - first);
    for (RequestIx r = first; r < row.size(); ++r) {
      const RolloutRequest& request = log.requests[row[r]];
      records_.push_back({ItemRef(static_cast<SourceId>(log.files[request.file].source), 0, request.offset), r});
    }
    if (!std::ranges::is_sorted(records_, {}, &Record::identity)) std::ranges::sort(records_, {}, &Record::identity);
    for (const Record& record : records_) ++first_[idx(record.ref.source()) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  std::optional<RequestIx> request_of(ItemRef ref) const {
    if (idx(ref.source()) + 1 >= first_.size()) return std::nullopt;
    const std::span of_source(records_.data() + first_[idx(ref.source())], records_.data() + first_[idx(ref.source()) + 1]);
    const auto at = std::ranges::lower_bound(of_source, ref.identity(), {}, &Record::identity);
    if (at == of_source.end() || at->identity() != ref.identity()) return std::nullopt;
    return at->request;
  }

 private:
  struct Record {
    ItemRef ref;
    RequestIx request;
    std::uint64_t identity() const { return ref.identity(); }
  };
  std::vector<Record> records_;       // sorted by identity: source and position in it
  std::vector<std::uint32_t> first_;  // by source
};

class RolloutBuilder {
 public:
  RolloutBuilder(std::shared_ptr<const Trace> trace, ThreadPool& pool, const Rollout* earlier)
      : trace_(*trace), log_(trace->rollout), pool_(pool), earlier_(earlier), known_(known_requests(*trace, earlier)),
        out_(std::make_shared<Rollout>()) {
    out_->trace = std::move(trace);
  }

  std::shared_ptr<const Rollout> run() {
    name_workers();
    find_parts();
    if (known_.worker_steps > 0 && !known_come_first()) {
      known_ = {};
      find_parts();
    }
    take_known();
    add_requests();
    add_phases();
    find_slices();
    sum_phases();
    share();
    return out_;
  }

 private:
  struct Part {  // one run's part of a file
    std::int32_t run, step, worker;
    std::uint32_t file;
    std::vector<std::uint32_t> requests, phases;  // indices into the log
    std::int32_t run_of_file;
    std::uint32_t known;  // index into the earlier worker_steps; kNew: none
    auto key() const { return std::tuple(run, step, worker, file); }
  };
  static constexpr std::uint32_t kNew = UINT32_MAX;

  void name_workers() {
    for (const RolloutFile& file : log_.files) out_->workers.push_back(file.worker);
    std::ranges::sort(out_->workers);
    out_->workers.erase(std::unique(out_->workers.begin(), out_->workers.end()), out_->workers.end());
  }

  // Run N consists of the N-th parts of a folder's files. A file has several parts if later runs appended to it.
  void find_parts() {
    parts_.clear();
    out_->runs.clear();
    std::map<std::pair<std::uint32_t, std::int32_t>, Part> parts;  // by file and its run
    for (std::uint32_t w = 0; w < known_.worker_steps; ++w) {
      const WorkerStep& part = earlier_->worker_steps[w];
      parts[{part.file, part.run}].known = w;
    }
    const auto new_part = [&](std::pair<std::uint32_t, std::int32_t> at) {
      const auto [part, is_new] = parts.try_emplace(at);
      if (is_new) part->second.known = kNew;
      return part;
    };
    for (std::uint32_t f = known_.files; f < log_.files.size(); ++f) new_part({f, 0});
    // Lines of one part are mostly contiguous.
    auto last = parts.end();
    const auto part_of = [&](const auto& line) -> Part& {
      const std::pair at(line.file, line.run);
      if (last == parts.end() || last->first != at) last = new_part(at);
      return last->second;
    };
    for (std::uint32_t r = known_.rows; r < log_.requests.size(); ++r) part_of(log_.requests[r]).requests.push_back(r);
    for (std::uint32_t p = known_.phases; p < log_.phases.size(); ++p) part_of(log_.phases[p]).phases.push_back(p);
    const auto folder = [&](std::uint32_t f) -> const std::string& { return trace_.sources[log_.files[f].source].run; };
    std::map<std::pair<std::string, std::int32_t>, std::int32_t> runs;
    for (const auto& [at, _] : parts) runs.emplace(std::pair(folder(at.first), at.second), 0);
    for (auto& [key, index] : runs) {
      index = static_cast<std::int32_t>(out_->runs.size());
      out_->runs.push_back(rollout_run_name(key.first, key.second));
    }
    for (auto& [at, part] : parts) {
      const RolloutFile& file = log_.files[at.first];
      part.run = runs.at({folder(at.first), at.second});
      part.step = file.step;
      part.worker = file.worker;
      part.file = at.first;
      part.run_of_file = at.second;
      parts_.push_back(std::move(part));
    }
    std::ranges::sort(parts_, {}, &Part::key);
  }

  // Whether the present parts begin with the earlier ones, and whether their runs and workers have the same numbers.
  bool known_come_first() const {
    if (out_->workers != earlier_->workers) return false;
    for (std::uint32_t w = 0; w < known_.worker_steps; ++w) {
      if (parts_[w].known != w || parts_[w].run != earlier_->steps[earlier_->worker_steps[w].step].run) return false;
    }
    return true;
  }

  // The columns whose values for a request do not change with the snapshot.
  template <class Each>
  static void each_lasting(Each each) {
    const auto all = [&](auto... columns) { (each([=](auto& rollout) -> auto& { return rollout.*columns; }), ...); };
    all(&Rollout::row, &Rollout::step, &Rollout::worker, &Rollout::seconds, &Rollout::begin, &Rollout::end, &Rollout::turns,
        &Rollout::tokens);
    for (std::size_t p = 0; p < kRequestPhases; ++p) each([p](auto& rollout) -> auto& { return rollout.exclusive[p]; });
  }

  void take_known() {
    if (known_.worker_steps > 0) share_known();
    const std::size_t most = log_.requests.size() - known_.rows;
    each_lasting([&](auto column) { column(*out_).reserve_more(most); });
  }

  void share_known() {
    Rollout& out = *out_;
    each_lasting([&](auto column) { column(out) = column(*earlier_).first(known_.requests); });
    if (slices_stay(trace_, *earlier_->trace, known_)) {
      out.slice = earlier_->slice.first(known_.requests);
      out.by_slice = earlier_->by_slice.first(known_.slices);
    } else {
      move_known_slices();
    }
    share();
    out.worker_steps.assign(earlier_->worker_steps.begin(), earlier_->worker_steps.begin() + known_.worker_steps);
    out.steps.assign(earlier_->steps.begin(), earlier_->steps.begin() + out.worker_steps.back().step + 1);
    RolloutStep& last = out.steps.back();  // this step may have gained or lost files
    last.extent = {};
    last.last = last.first;
    std::ranges::copy_if(earlier_->first_of_finish, std::back_inserter(out.first_of_finish),
                         [&](RequestIx r) { return r < known_.requests; });
    std::ranges::copy_if(earlier_->in_flight, std::back_inserter(out.in_flight), [&](std::uint32_t row) { return row < known_.rows; });
  }

  void move_known_slices() {
    const auto now = [&](SliceId was) { return was == kNone<SliceId> ? was : slice_now(trace_, *earlier_->trace, was); };
    out_->slice.reserve_more(known_.requests);
    out_->by_slice.reserve_more(known_.slices);
    for (RequestIx r = 0; r < known_.requests; ++r) out_->slice.push_back(now(earlier_->slice[r]));
    for (std::size_t i = 0; i < known_.slices; ++i) out_->by_slice.push_back({now(earlier_->by_slice[i].first), earlier_->by_slice[i].second});
  }

  void share() {
    each_lasting([&](auto column) { column(*out_).share(); });
    out_->slice.share();
    out_->by_slice.share();
  }

  std::uint32_t worker_index(std::int32_t worker) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(out_->workers, worker) - out_->workers.begin());
  }

  void add_requests() {
    Rollout& out = *out_;
    for (Part& part : std::span(parts_).subspan(known_.worker_steps)) {
      const auto first = static_cast<RequestIx>(out.size());
      if (out.steps.empty() || out.steps.back().run != part.run || out.steps.back().step != part.step) {
        out.steps.push_back({part.run, part.step, first, first, {}, first});
      }
      const auto step = static_cast<std::uint32_t>(out.steps.size() - 1);
      for (const std::uint32_t r : part.requests) {
        const RolloutRequest& request = log_.requests[r];
        if (!request.complete) {
          out.in_flight.push_back(r);
          continue;
        }
        if (std::isnan(request.seconds)) continue;  // the import report counts it
        out.row.push_back(r);
        out.step.push_back(step);
        out.worker.push_back(worker_index(part.worker));
        out.seconds.push_back(request.seconds);
        out.end.push_back(request.end);
        out.begin.push_back(request.end - to_ns(request.seconds));
        out.turns.push_back(request.turns);
        out.tokens.push_back(request.response_tokens >= 0 ? request.response_tokens : request.response_length);
      }
      const auto end = static_cast<RequestIx>(out.size());
      out.worker_steps.push_back({step, worker_index(part.worker), part.file, first, end, std::move(part.phases), part.run_of_file});
    }
    for (const WorkerStep& part : out.worker_steps) out.steps[part.step].end = part.end;
    for (auto& phase : out.exclusive) phase.own().resize(out.size() - known_.requests, 0);
    add_finishes();
  }

  void add_finishes() {
    Rollout& out = *out_;
    std::vector<bool> known(log_.texts.size());
    for (const RequestIx r : out.first_of_finish) known[out.request(r).finish] = true;
    for (RequestIx r = known_.requests; r < out.size(); ++r) {
      const std::uint32_t finish = out.request(r).finish;
      if (!known[finish]) out.first_of_finish.push_back(r);
      known[finish] = true;
    }
  }

  void add_phases() {
    Rollout& out = *out_;
    const std::uint32_t first_step = known_.worker_steps > 0 ? out.worker_steps[known_.worker_steps - 1].step : 0;  // earlier ones stay
    std::vector<bool> begun(out.steps.size(), false);
    for (const WorkerStep& part : out.worker_steps) {
      if (part.step < first_step) continue;
      TimeRange& extent = out.steps[part.step].extent;
      const auto include = [&](Ns begin, Ns end) {
        extent = begun[part.step] ? TimeRange{std::min(extent.begin, begin), std::max(extent.end, end)}
                                  : TimeRange{begin, end};
        begun[part.step] = true;
      };
      for (const std::uint32_t p : part.phases) {
        const RolloutPhase& phase = log_.phases[p];
        include(phase.end - to_ns(phase.seconds), phase.end);
      }
      RequestIx& last = out.steps[part.step].last;
      for (RequestIx r = part.first; r < part.end; ++r) {
        include(out.begin[r], out.end[r]);
        if (out.end[r] > out.end[last]) last = r;
      }
    }
  }

  // The column's value of a new request.
  template <class T>
  T& new_in(AppendList<T>& column, RequestIx r) const {
    return column.own()[r - known_.requests];
  }
  // Whether the row may contain slices of requests that are not known.
  bool is_new(const Row& row) const { return row.kind == RowKind::Slices && row.first >= idx(first_unknown(trace_, known_)); }

  // Finds each request's slice by the record that it came from.
  void find_slices() {
    Rollout& out = *out_;
    out.slice.own().resize(out.size() - known_.requests, kNone<SliceId>);
    const Records records(log_, out.row, known_.requests, trace_.sources.size());
    std::vector<bool> completes(trace_.labels.size());
    for (std::size_t l = 0; l < completes.size(); ++l) completes[l] = trace_.labels.name(id_at<LabelId>(l)) == kComplete;
    std::vector<std::vector<std::pair<SliceId, RequestIx>>> found(trace_.lanes.size());
    pool_.parallel_for(trace_.lanes.size(), [&](std::size_t l) {
      if (trace_.lanes[l].kind != LaneKind::Requests) return;
      for (const Row& row : trace_.rows_of(trace_.lanes[l])) {
        if (!is_new(row)) continue;
        for_each_slice(trace_, row.first, row.first + row.count, [&](const SegmentSlices& slices, SliceId slice) {
          if (!completes[idx(slices.label_of(slice))]) return;
          if (const auto r = records.request_of(slices.ref_of(slice))) found[l].emplace_back(slice, *r);
        });
      }
    });
    auto& by_slice = out.by_slice.own();
    for (const auto& of_lane : found) by_slice.insert(by_slice.end(), of_lane.begin(), of_lane.end());
    if (!std::ranges::is_sorted(by_slice)) std::ranges::sort(by_slice);
    std::erase_if(by_slice, [&](const auto& entry) {
      SliceId& slice = new_in(out.slice, entry.second);
      if (slice != kNone<SliceId>) return true;  // two slices of one record
      slice = entry.first;
      return false;
    });
  }

  // A request's slices are in the rows of its slot; their self times add up to its phases.
  void sum_phases() {
    std::vector<RequestPhase> phase_of(trace_.labels.size(), RequestPhase::Other);
    for (std::size_t l = 0; l < phase_of.size(); ++l) {
      for (const auto& [name, phase] : kPhaseOf) {
        if (trace_.labels.name(id_at<LabelId>(l)) == name) phase_of[l] = phase;
      }
    }
    std::vector<bool> frame(trace_.labels.size());
    for (std::size_t l = 0; l < frame.size(); ++l) {
      frame[l] = std::ranges::find(kFrames, trace_.labels.name(id_at<LabelId>(l))) != std::end(kFrames);
    }
    pool_.parallel_for(trace_.lanes.size(), [&](std::size_t l) {
      const Lane& lane = trace_.lanes[l];
      if (lane.kind != LaneKind::Requests) return;
      std::map<std::uint32_t, std::vector<const Row*>> slots;
      for (const Row& row : trace_.rows_of(lane)) {
        if (is_new(row)) slots[row.slot].push_back(&row);
      }
      for (const auto& [slot, rows] : slots) sum_phases_of_slot(rows, phase_of, frame, lane.nest_tolerance);
    });
    for (RequestIx r = known_.requests; r < out_->size(); ++r) balance_phases(r);
  }

  // The phase of a frame: that of an enclosing slice with the same time, within the tolerance of timestamps.
  RequestPhase phase_around(const std::vector<const Row*>& rows, std::size_t depth, TimeRange frame,
                            const std::vector<RequestPhase>& phase_of, Ns tolerance) const {
    for (const Row* row : rows) {
      if (row->depth >= depth) continue;
      const RowSlices slices = trace_.slices_of(*row);
      const std::size_t after = first_beginning_after(slices, frame.begin);
      if (after == 0) continue;
      const TimeRange around = slices.range(after - 1);
      const RequestPhase phase = phase_of[idx(slices.label(after - 1))];
      const bool same = frame.begin - around.begin <= tolerance && std::abs(around.end - frame.end) <= tolerance;
      if (same && is_inner(phase)) return phase;
    }
    return RequestPhase::Other;
  }

  // Whether a slice belongs to a request after this one. Because of late stamps, a slice can begin before its own request, and before
  // the end of the previous request in the slot.
  bool is_of_later(TimeRange slice, std::vector<RequestIx>::iterator request, std::vector<RequestIx>::iterator end, Ns tolerance) const {
    const Ns left = out_->end[*request] - slice.begin;
    if (left < 0) return true;
    const auto next = request + 1;
    return next != end && left <= tolerance && out_->begin[*next] - slice.begin <= tolerance && slice.end - out_->begin[*next] > left;
  }

  void sum_phases_of_slot(const std::vector<const Row*>& rows, const std::vector<RequestPhase>& phase_of,
                          const std::vector<bool>& frame, Ns tolerance) {
    Rollout& out = *out_;
    const auto& by_slice = out.by_slice.own();
    std::vector<RequestIx> requests;
    for (const Row* row : rows) {
      const auto end = id_at<SliceId>(row->first + row->count);
      auto at = std::ranges::lower_bound(by_slice, id_at<SliceId>(row->first), {}, &std::pair<SliceId, RequestIx>::first);
      for (; at != by_slice.end() && at->first < end; ++at) requests.push_back(at->second);
    }
    std::ranges::sort(requests, {}, [&](RequestIx r) { return out.begin[r]; });
    for (const Row* row : rows) {
      auto at = requests.begin();
      for_each_slice(trace_, row->first, row->first + row->count, [&](const SegmentSlices& slices, SliceId slice) {
        const TimeRange range = slices.range_of(slice);
        while (at != requests.end() && is_of_later(range, at, requests.end(), tolerance)) ++at;
        if (at == requests.end() || range.begin < out.begin[*at] - tolerance) return;
        RequestPhase phase = phase_of[idx(slices.label_of(slice))];
        if (frame[idx(slices.label_of(slice))] && row->depth > 0 && slices.self_of(slice) > 0) {
          const RequestPhase inner = phase_around(rows, row->depth, slices.range_of(slice), phase_of, tolerance);
          if (is_inner(inner)) phase = inner;
        }
        new_in(out.exclusive[static_cast<std::size_t>(phase)], *at) += slices.self_of(slice);
      });
    }
  }

  // Time that no event accounts for is Other. Late stamps make events overlap by microseconds; the overlap is subtracted from the
  // longest phase, so that the phases add up.
  void balance_phases(RequestIx r) {
    Rollout& out = *out_;
    constexpr auto kOther = static_cast<std::size_t>(RequestPhase::Other);
    const auto spent = [&](std::size_t p) -> Ns& { return new_in(out.exclusive[p], r); };
    Ns known = 0;
    std::size_t longest = 0;
    for (std::size_t p = 0; p < kOther; ++p) {
      known += spent(p);
      if (spent(p) > spent(longest)) longest = p;
    }
    const Ns length = out.end[r] - out.begin[r];
    Ns excess = std::max<Ns>(0, known - length);
    for (std::size_t p = longest; excess > 0; p = (p + 1) % kOther) {
      const Ns taken = std::min(excess, spent(p));
      spent(p) -= taken;
      excess -= taken;
    }
    spent(kOther) = std::max<Ns>(0, length - known);
  }

  const Trace& trace_;
  const RolloutLog& log_;
  ThreadPool& pool_;
  const Rollout* const earlier_;
  KnownRequests known_;
  std::shared_ptr<Rollout> out_;
  std::vector<Part> parts_;  // sorted, in the order of worker_steps
};

}  // namespace

std::string_view name(RequestPhase phase) { return kPhaseNames[static_cast<std::size_t>(phase)]; }

std::span<const RolloutTurn> Rollout::turns_of(RequestIx r) const {
  return log().turns.span(request(r).first_turn, request(r).turn_count);
}

std::string Rollout::step_name(std::uint32_t s) const {
  const std::string name = fmt::format("step {}", steps[s].step);
  return runs.size() > 1 ? fmt::format("{}, {}", runs[static_cast<std::size_t>(steps[s].run)], name) : name;
}

std::optional<RequestIx> Rollout::of_slice(SliceId any) const {
  if (idx(any) >= trace->items()) return std::nullopt;
  const Row& row_of_slice = trace->row(trace->row_of(any));
  const Lane& lane = trace->lane(row_of_slice.lane);
  if (lane.kind != LaneKind::Requests || row_of_slice.kind != RowKind::Slices) return std::nullopt;
  const Ns t = trace->begin_of(any);
  for (const Row& candidate : trace->rows_of(lane)) {
    if (candidate.slot != row_of_slice.slot || candidate.kind != RowKind::Slices) continue;
    const RowSlices slices = trace->slices_of(candidate);
    const std::size_t after = first_beginning_after(slices, t);
    if (after == 0 || slices.end(after - 1) < t) continue;
    const SliceId id = slices.id(after - 1);
    const auto at = std::ranges::lower_bound(by_slice, id, {}, [](const auto& pair) { return pair.first; });
    if (at != by_slice.end() && at->first == id) return at->second;
  }
  return std::nullopt;
}

std::shared_ptr<const Rollout> make_rollout(std::shared_ptr<const Trace> trace, ThreadPool& pool, const Rollout* earlier) {
  return RolloutBuilder(std::move(trace), pool, earlier).run();
}

RequestSet all_requests(const Rollout& rollout) {
  RequestSet all(rollout.size());
  std::iota(all.begin(), all.end(), RequestIx{0});
  return all;
}

}  // namespace tv
