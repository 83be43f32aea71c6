#include "core/session/run_state.h"

#include <algorithm>
#include <utility>

#include "core/query/lane_set.h"

namespace tv {

RunState::RunState(ThreadPool& pool, std::function<void()> wake)
    : pool_(pool), wake_(std::move(wake)), memo_(pool, wake_) {
  for (std::size_t k = 0; k < chart_kinds().size(); ++k) kinds_.push_back(std::make_unique<Kind>(pool_, wake_));
}

void RunState::follow(const std::shared_ptr<const Snapshot>& snapshot, const Selection& selection) {
  if (generation_ != snapshot->generation && !has_run_data(*snapshot->trace)) {
    if (data_ != RunData()) adopt({});
    pending_ = false;
    generation_ = snapshot->generation;
  }
  if (generation_ != snapshot->generation) {
    // The computation runs on the pool itself, so it gets a pool of one: tasks must not wait for tasks.
    const auto view = memo_.get(snapshot->generation, [trace = snapshot->trace](const std::uint64_t&) {
      ThreadPool alone(1);
      Made made;
      made.data = analyse_run(trace, alone);
      if (!made.data.rollout) return made;
      made.ledger = blame(*made.data.rollout);
      made.clocks = barrier_clocks(*made.data.rollout);
      return made;
    });
    pending_ = !view.fresh;
    if (!view.fresh) return;
    generation_ = snapshot->generation;
    adopt(*view.value);
    selected_line_ = selection.slice;  // the same one by another number: nobody has selected it now
  }
  if (data_.training && selected_line_ != selection.slice) {
    selected_line_ = selection.slice;
    if (selection.has_slice()) look_at_line_of(selected_line_);
  }
  if (!data_.rollout) return;
  if (area_ != selection.range || area_lanes_ != selection.lanes) {
    area_ = selection.range;
    area_lanes_ = selection.lanes;
    select_again();
  }
  if (selected_ != selection.slice) {
    selected_ = selection.slice;
    if (const auto request = selection.has_slice() ? data_.rollout->of_slice(selected_) : std::nullopt)
      look_at_request(*request);
  }
}

// What was looked at is found again by its numbers: indices are those of one analysis.
void RunState::adopt(const Made& made) {
  const std::shared_ptr<const Rollout> before = std::exchange(data_, made.data).rollout;
  ledger_ = made.ledger;
  clocks_ = made.clocks;
  selected_ = selected_line_ = kNone<SliceId>;
  ChartQuestion question;
  question.as_script = question_.as_script;
  question.settings = question_.settings;
  question.training_step = question_.training_step;
  if (data_.rollout && before && question_.step) {
    const RolloutStep& was = before->steps[*question_.step];
    for (std::uint32_t s = 0; s < data_.rollout->steps.size(); ++s) {
      const RolloutStep& now = data_.rollout->steps[s];
      const bool same = now.step == was.step && data_.rollout->runs[static_cast<std::size_t>(now.run)] ==
                                                    before->runs[static_cast<std::size_t>(was.run)];
      if (same) question.step = s;
    }
  }
  if (data_.rollout && !question.step) {
    const auto longest =
        std::ranges::max_element(data_.rollout->steps, {}, [](const RolloutStep& s) { return s.extent.length(); });
    question.step = static_cast<std::uint32_t>(longest - data_.rollout->steps.begin());
  }
  question_ = std::move(question);
  select_again();
}

RequestSet RunState::within_area(const RequestSet& among) const {
  if (!area_) return among;
  const Trace& trace = *data_.rollout->trace;
  std::vector<bool> lanes(trace.lanes.size(), area_lanes_.empty());
  for (const LaneId lane : resolve_lanes(trace, area_lanes_)) {
    lanes[idx(lane)] = true;
    // A counter of a worker stands for its requests.
    const LaneId group = trace.lane(lane).parent;
    if (trace.lane(lane).counter == UINT32_MAX || group == kNone<LaneId>) continue;
    std::fill(lanes.begin() + static_cast<std::ptrdiff_t>(idx(group)),
              lanes.begin() + static_cast<std::ptrdiff_t>(idx(trace.lane(group).subtree_end)), true);
  }
  RequestSet inside;
  std::ranges::copy_if(among, std::back_inserter(inside), [&](RequestIx r) {
    if (data_.rollout->begin[r] >= area_->end || data_.rollout->end[r] <= area_->begin) return false;
    const SliceId slice = data_.rollout->slice[r];
    return slice == kNone<SliceId> ? area_lanes_.empty()
                                   : static_cast<bool>(lanes[idx(trace.row(trace.row_of(slice)).lane)]);
  });
  return inside;
}

void RunState::select_again() {
  question_.requests.clear();
  if (!data_.rollout) {
    asked_ = unbrushed_ = of_all_ = {std::make_shared<const ChartQuestion>(question_), ++versions_};
    return;
  }
  ChartQuestion of_all = question_;
  of_all.requests = all_requests(*data_.rollout);
  RequestSet selected = within_area(of_all.requests);
  // What does not look at the selection keeps its picture while that changes.
  if (!of_all_.question || *of_all_.question != of_all) {
    of_all_ = {std::make_shared<const ChartQuestion>(std::move(of_all)), ++versions_};
  }
  const auto narrow = [&](const std::string& expression) {
    if (const auto filter = parse_filter(expression)) selected = tv::apply(*data_.rollout, filter.value(), selected);
  };
  for (const std::string& chip : chips_) narrow(chip);
  ChartQuestion whole = question_;
  whole.requests = selected;
  // While a brush moves, the chart it is drawn on keeps its question, and so its picture.
  if (!unbrushed_.question || *unbrushed_.question != whole) {
    unbrushed_ = {std::make_shared<const ChartQuestion>(std::move(whole)), ++versions_};
  }
  if (brush_.empty()) {
    question_.requests = std::move(selected);
    asked_ = unbrushed_;
    return;
  }
  narrow(brush_);
  question_.requests = std::move(selected);
  asked_ = {std::make_shared<const ChartQuestion>(question_), ++versions_};
}

bool RunState::busy() const {
  return pending_ || memo_.running() ||
         std::ranges::any_of(kinds_, [](const auto& kind) { return kind->memo.running(); });
}

void RunState::add_chip(const std::string& expression) {
  const auto filter = parse_filter(expression);
  complaint_ = filter ? std::string() : filter.error().text();
  if (!filter || filter.value().nodes.empty()) return;
  const std::string chip = to_text(filter.value());
  if (std::ranges::find(chips_, chip) != chips_.end()) return;
  chips_.push_back(chip);
  select_again();
}

void RunState::remove_chip(std::size_t index) {
  if (index >= chips_.size()) return;
  chips_.erase(chips_.begin() + static_cast<std::ptrdiff_t>(index));
  select_again();
}

void RunState::set_chips(std::vector<std::string> chips) {
  if (chips_ == chips) return;
  chips_ = std::move(chips);
  select_again();
}

void RunState::select_everything() {
  if (chips_.empty() && brush_.empty()) return;
  chips_.clear();
  brush_.clear();
  brushed_chart_.clear();
  select_again();
}

void RunState::set_brush(const std::string& expression, const std::string& chart) {
  if (brush_ == expression && brushed_chart_ == chart) return;
  brush_ = expression;
  brushed_chart_ = expression.empty() ? std::string() : chart;
  select_again();
}

void RunState::look_at_step(std::uint32_t step) {
  if (!data_.rollout || step >= data_.rollout->steps.size() || question_.step == step) return;
  question_.step = step;
  question_.request.reset();
  select_again();
}

void RunState::look_at_training_step(std::int64_t step) {
  if (question_.training_step == step) return;
  question_.training_step = step;
  select_again();
}

// A step's slice and those of its parts come from one line of metrics.
void RunState::look_at_line_of(SliceId slice) {
  const Trace& trace = *data_.training->trace;
  if (idx(slice) >= trace.slices.size()) return;
  const ItemRef ref = trace.slices.ref[idx(slice)];
  for (std::uint32_t f = 0; f < trace.metrics.files.size(); ++f) {
    if (trace.metrics.files[f].source != idx(ref.source())) continue;
    const auto lines = trace.metrics.steps_of(f);  // in file order
    const auto line = std::ranges::lower_bound(lines, ref.offset(), {}, &MetricStep::offset);
    if (line != lines.end() && line->offset == ref.offset()) look_at_training_step(line->step);
  }
}

void RunState::look_at_worker_step(std::uint32_t worker_step) {
  if (!data_.rollout || worker_step >= data_.rollout->worker_steps.size()) return;
  look_at_step(data_.rollout->worker_steps[worker_step].step);
  question_.worker = data_.rollout->worker_steps[worker_step].worker;
  question_.request.reset();
  select_again();
}

void RunState::look_at_request(RequestIx request) {
  if (!data_.rollout || request >= data_.rollout->size() || question_.request == request) return;
  question_.step = data_.rollout->step[request];
  question_.worker = data_.rollout->worker[request];
  question_.request = request;
  select_again();
}

void RunState::toggle_script_reading() {
  question_.as_script = !question_.as_script;
  select_again();
}

void RunState::set_chart(const std::string& setting, const std::string& value) {
  question_.settings.set(setting, value);
  select_again();
}

std::optional<RequestIx> RunState::next_slowest(bool forward) const {
  if (!data_.rollout || question_.requests.empty()) return std::nullopt;
  // Longer first; of equals the earlier one.
  const auto before = [&](RequestIx a, RequestIx b) {
    return data_.rollout->seconds[a] != data_.rollout->seconds[b] ? data_.rollout->seconds[a] > data_.rollout->seconds[b] : a < b;
  };
  const RequestSet& scope = question_.requests;
  const bool within = question_.request && std::ranges::binary_search(scope, *question_.request);
  if (!within) return *std::ranges::min_element(scope, before);
  const RequestIx here = *question_.request;
  std::optional<RequestIx> best;
  for (const RequestIx r : scope) {
    if (r == here || before(here, r) != forward) continue;
    if (!best || (forward ? before(r, *best) : before(*best, r))) best = r;
  }
  return best;
}

std::optional<SliceId> RunState::slice_of(std::uint32_t file, std::uint64_t offset) const {
  const Trace& trace = *data_.rollout->trace;
  const std::uint64_t identity =
      ItemRef(static_cast<SourceId>(data_.rollout->log().files[file].source), 0, offset).identity();
  const auto at = std::ranges::find(trace.slices.ref, identity, [](ItemRef ref) { return ref.identity(); });
  if (at == trace.slices.ref.end()) return std::nullopt;
  return id_at<SliceId>(static_cast<std::size_t>(at - trace.slices.ref.begin()));
}

std::optional<SliceId> RunState::across_barrier(SliceId slice) const {
  if (!data_.rollout) return std::nullopt;
  if (const auto request = data_.rollout->of_slice(slice)) {
    const Blame* const entry = entry_of(ledger_, *request);
    if (!entry || entry->waits.empty()) return std::nullopt;
    const RolloutPhase& wait = data_.rollout->log().phases[entry->waits.front().phase];
    return slice_of(wait.file, wait.offset);
  }
  const ItemRef ref = data_.rollout->trace->slices.ref[idx(slice)];
  const std::vector<RolloutPhase>& phases = data_.rollout->log().phases;
  const auto phase = std::ranges::find_if(phases, [&](const RolloutPhase& p) {
    return p.offset == ref.offset() && data_.rollout->log().files[p.file].source == idx(ref.source());
  });
  if (phase == phases.end()) return std::nullopt;
  const auto found = blamed(*data_.rollout, static_cast<std::uint32_t>(phase - phases.begin()));
  if (!found || data_.rollout->slice[found->request] == kNone<SliceId>) return std::nullopt;
  return data_.rollout->slice[found->request];
}

RunState::Charts RunState::charts(const ChartKind& kind) {
  if (!data_.has(kind.of)) return {};
  const auto index = static_cast<std::size_t>(&kind - chart_kinds().data());
  const Asked& asked = !kind.of_requests ? of_all_ : brushed_chart_ == kind.id ? unbrushed_ : asked_;
  const auto view = kinds_[index]->memo.get({data_, asked.version},
                                            [make = kind.make, question = asked.question](const ChartKey& key) {
                                              return MadeCharts{make(key.data, *question), key.version};
                                            });
  if (!view.value) return {};
  return {std::shared_ptr<const std::vector<Chart>>(view.value, &view.value->charts), view.fresh, view.value->version};
}

}  // namespace tv
