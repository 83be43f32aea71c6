#include "core/analysis/rollout/rollout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "core/analysis/rollout/rollout_parts.h"
#include "core/base/text/path_parts.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

constexpr std::string_view kComplete = "async_rollout_request_complete";

constexpr std::array<std::string_view, kRequestPhases> kPhaseNames = {"engine",     "tool",    "reward",
                                                                      "processing", "pending", "other"};

// By event name; what is not here is a frame around others.
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

class Making {
 public:
  Making(std::shared_ptr<const Trace> trace, ThreadPool& pool)
      : trace_(*trace), log_(trace->rollout), pool_(pool), out_(std::make_shared<Rollout>()) {
    out_->trace = std::move(trace);
  }

  std::shared_ptr<const Rollout> run() {
    name_runs();
    add_requests();
    add_phases();
    find_slices();
    take_apart();
    return out_;
  }

 private:
  struct Part {  // one run's part of a file
    std::int32_t run, step, worker;
    std::uint32_t file;
    std::vector<std::uint32_t> requests, phases;  // of the log
    auto key() const { return std::tuple(run, step, worker, file); }
  };

  // A run is a folder's first, second ... part: files that were appended to hold several.
  void name_runs() {
    std::map<std::pair<std::uint32_t, std::int32_t>, Part> parts;  // by file and run in it
    for (std::uint32_t f = 0; f < log_.files.size(); ++f) parts[{f, 0}];
    for (std::uint32_t r = 0; r < log_.requests.size(); ++r) {
      parts[{log_.requests[r].file, log_.requests[r].run}].requests.push_back(r);
    }
    for (std::uint32_t p = 0; p < log_.phases.size(); ++p) {
      parts[{log_.phases[p].file, log_.phases[p].run}].phases.push_back(p);
    }
    const auto folder = [&](std::uint32_t f) {
      return std::string(rollout_run_folder(trace_.sources[log_.files[f].source].path));
    };
    std::map<std::pair<std::string, std::int32_t>, std::int32_t> runs;
    for (const auto& [at, _] : parts) runs.emplace(std::pair(folder(at.first), at.second), 0);
    for (auto& [key, index] : runs) {
      index = static_cast<std::int32_t>(out_->runs.size());
      const std::string name(last_part(key.first));
      out_->runs.push_back(key.second == 0 ? name : fmt::format("{} (run {})", name, std::int64_t{key.second} + 1));
    }
    for (auto& [at, part] : parts) {
      const RolloutFile& file = log_.files[at.first];
      part.run = runs.at({folder(at.first), at.second});
      part.step = file.step;
      part.worker = file.worker;
      part.file = at.first;
      parts_.push_back(std::move(part));
    }
    for (const RolloutFile& file : log_.files) out_->workers.push_back(file.worker);
    std::ranges::sort(parts_, {}, &Part::key);
    std::ranges::sort(out_->workers);
    out_->workers.erase(std::unique(out_->workers.begin(), out_->workers.end()), out_->workers.end());
  }

  std::uint32_t worker_index(std::int32_t worker) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(out_->workers, worker) - out_->workers.begin());
  }

  void add_requests() {
    Rollout& out = *out_;
    for (const Part& part : parts_) {
      const auto first = static_cast<RequestIx>(out.size());
      if (out.steps.empty() || out.steps.back().run != part.run || out.steps.back().step != part.step) {
        out.steps.push_back({part.run, part.step, first, first, {}});
      }
      const auto step = static_cast<std::uint32_t>(out.steps.size() - 1);
      for (const std::uint32_t r : part.requests) {
        const RolloutRequest& request = log_.requests[r];
        if (!request.complete) {
          out.in_flight.push_back(r);
          continue;
        }
        if (std::isnan(request.seconds)) continue;  // the import report has it
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
      out.steps.back().end = end;
      out.worker_steps.push_back({step, worker_index(part.worker), part.file, first, end, {}});
    }
    out.slice.assign(out.size(), kNone<SliceId>);
    for (auto& phase : out.exclusive) phase.assign(out.size(), 0);
  }

  void add_phases() {
    Rollout& out = *out_;
    std::vector<bool> begun(out.steps.size(), false);
    for (std::size_t w = 0; w < out.worker_steps.size(); ++w) {
      WorkerStep& part = out.worker_steps[w];
      TimeRange& extent = out.steps[part.step].extent;
      const auto include = [&](Ns begin, Ns end) {
        extent = begun[part.step] ? TimeRange{std::min(extent.begin, begin), std::max(extent.end, end)}
                                  : TimeRange{begin, end};
        begun[part.step] = true;
      };
      for (const std::uint32_t p : parts_[w].phases) {
        const RolloutPhase& phase = log_.phases[p];
        part.phases.push_back(p);
        include(phase.end - to_ns(phase.seconds), phase.end);
      }
      for (RequestIx r = part.first; r < part.end; ++r) include(out.begin[r], out.end[r]);
    }
  }

  // Each request's slice by the record it came from.
  void find_slices() {
    Rollout& out = *out_;
    std::vector<std::pair<std::uint64_t, SliceId>> found;
    for (const Row& row : trace_.rows) {
      if (row.kind != RowKind::Slices || trace_.lane(row.lane).kind != LaneKind::Requests) continue;
      for (const SliceId slice : trace_.ids_of(row)) {
        if (trace_.name_of(slice) == kComplete) found.push_back({trace_.ref_of(slice).identity(), slice});
      }
    }
    std::ranges::sort(found);
    for (RequestIx r = 0; r < out.size(); ++r) {
      const RolloutRequest& request = log_.requests[out.row[r]];
      const auto source = static_cast<SourceId>(log_.files[request.file].source);
      const std::uint64_t identity = ItemRef(source, 0, request.offset).identity();
      const auto at = std::ranges::lower_bound(found, identity, {}, [](const auto& pair) { return pair.first; });
      if (at == found.end() || at->first != identity) continue;
      out.slice[r] = at->second;
      out.by_slice.push_back({at->second, r});
    }
    std::ranges::sort(out.by_slice);
  }

  std::optional<RequestIx> request_at(SliceId slice) const {
    const auto at = std::ranges::lower_bound(out_->by_slice, slice, {}, [](const auto& pair) { return pair.first; });
    if (at == out_->by_slice.end() || at->first != slice) return std::nullopt;
    return at->second;
  }

  // The slices of a request lie in the rows of its slot: their self times are its phases.
  void take_apart() {
    std::vector<RequestPhase> phase_of(trace_.labels.size(), RequestPhase::Other);
    for (std::size_t l = 0; l < phase_of.size(); ++l) {
      for (const auto& [name, phase] : kPhaseOf) {
        if (trace_.labels.name(id_at<LabelId>(l)) == name) phase_of[l] = phase;
      }
    }
    pool_.parallel_for(trace_.lanes.size(), [&](std::size_t l) {
      const Lane& lane = trace_.lanes[l];
      if (lane.kind != LaneKind::Requests) return;
      std::map<std::uint32_t, std::vector<const Row*>> slots;
      for (const Row& row : trace_.rows_of(lane)) {
        if (row.kind == RowKind::Slices) slots[row.slot].push_back(&row);
      }
      for (const auto& [slot, rows] : slots) take_apart_slot(rows, phase_of);
    });
    for (RequestIx r = 0; r < out_->size(); ++r) settle(r);
  }

  void take_apart_slot(const std::vector<const Row*>& rows, const std::vector<RequestPhase>& phase_of) {
    Rollout& out = *out_;
    std::vector<RequestIx> requests;
    for (const Row* row : rows) {
      for (const SliceId slice : trace_.ids_of(*row)) {
        if (const auto r = request_at(slice)) requests.push_back(*r);
      }
    }
    std::ranges::sort(requests, {}, [&](RequestIx r) { return out.begin[r]; });
    for (const Row* row : rows) {
      auto at = requests.begin();
      for (const SliceId slice : trace_.ids_of(*row)) {
        const Ns begin = trace_.begin_of(slice);
        while (at != requests.end() && out.end[*at] < begin) ++at;
        if (at == requests.end()) break;
        if (begin < out.begin[*at]) continue;
        const RequestPhase phase = phase_of[idx(trace_.label_of(slice))];
        out.exclusive[static_cast<std::size_t>(phase)][*at] += trace_.self_of(slice);
      }
    }
  }

  // What no event accounts for is Other. Late stamps let events reach beyond each other by microseconds: the longest
  // phase gives them back, so that the phases add up.
  void settle(RequestIx r) {
    auto& out = *out_;
    constexpr auto kOther = static_cast<std::size_t>(RequestPhase::Other);
    Ns known = 0;
    std::size_t longest = 0;
    for (std::size_t p = 0; p < kOther; ++p) {
      known += out.exclusive[p][r];
      if (out.exclusive[p][r] > out.exclusive[longest][r]) longest = p;
    }
    const Ns length = out.end[r] - out.begin[r];
    Ns excess = std::max<Ns>(0, known - length);
    for (std::size_t p = longest; excess > 0; p = (p + 1) % kOther) {
      const Ns taken = std::min(excess, out.exclusive[p][r]);
      out.exclusive[p][r] -= taken;
      excess -= taken;
    }
    out.exclusive[kOther][r] = std::max<Ns>(0, length - known);
  }

  const Trace& trace_;
  const RolloutLog& log_;
  ThreadPool& pool_;
  std::shared_ptr<Rollout> out_;
  std::vector<Part> parts_;  // sorted: as worker_steps
};

}  // namespace

std::string_view name(RequestPhase phase) { return kPhaseNames[static_cast<std::size_t>(phase)]; }

std::span<const RolloutTurn> Rollout::turns_of(RequestIx r) const {
  return std::span(log().turns).subspan(request(r).first_turn, request(r).turn_count);
}

std::string Rollout::step_name(std::uint32_t s) const {
  const std::string name = fmt::format("step {}", steps[s].step);
  return runs.size() > 1 ? fmt::format("{}, {}", runs[static_cast<std::size_t>(steps[s].run)], name) : name;
}

std::optional<RequestIx> Rollout::of_slice(SliceId any) const {
  if (idx(any) >= trace->items()) return std::nullopt;
  const Row& own = trace->row(trace->row_of(any));
  const Lane& lane = trace->lane(own.lane);
  if (lane.kind != LaneKind::Requests || own.kind != RowKind::Slices) return std::nullopt;
  const Ns t = trace->begin_of(any);
  for (const Row& other : trace->rows_of(lane)) {
    if (other.slot != own.slot || other.kind != RowKind::Slices) continue;
    const RowSlices slices = trace->slices_of(other);
    const std::size_t after = first_beginning_after(slices, t);
    if (after == 0 || slices.end(after - 1) < t) continue;
    const SliceId id = slices.id(after - 1);
    const auto at = std::ranges::lower_bound(by_slice, id, {}, [](const auto& pair) { return pair.first; });
    if (at != by_slice.end() && at->first == id) return at->second;
  }
  return std::nullopt;
}

std::shared_ptr<const Rollout> make_rollout(std::shared_ptr<const Trace> trace, ThreadPool& pool) {
  return Making(std::move(trace), pool).run();
}

RequestSet all_requests(const Rollout& rollout) {
  RequestSet all(rollout.size());
  std::iota(all.begin(), all.end(), RequestIx{0});
  return all;
}

}  // namespace tv
