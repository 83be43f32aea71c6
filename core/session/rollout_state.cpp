#include "core/session/rollout_state.h"

#include <algorithm>
#include <utility>

#include "core/query/lane_set.h"

namespace tv {

RolloutState::RolloutState(ThreadPool& pool, std::function<void()> wake)
    : pool_(pool), wake_(std::move(wake)), memo_(pool, wake_) {
  for (std::size_t k = 0; k < rollout_charts().size(); ++k) kinds_.push_back(std::make_unique<Kind>(pool_, wake_));
}

void RolloutState::follow(const std::shared_ptr<const Snapshot>& snapshot, const Selection& selection) {
  if (snapshot->trace->rollout.empty()) {
    if (rollout_) adopt({});
    pending_ = false;
    generation_ = snapshot->generation;
    return;
  }
  if (generation_ != snapshot->generation) {
    // The computation runs on the pool itself, so it gets a pool of one: tasks must not wait for tasks.
    const auto view = memo_.get(snapshot->generation, [trace = snapshot->trace](const std::uint64_t&) {
      ThreadPool alone(1);
      Made made;
      made.rollout = make_rollout(trace, alone);
      made.ledger = blame(*made.rollout);
      made.clocks = barrier_clocks(*made.rollout);
      return made;
    });
    pending_ = !view.fresh;
    if (!view.fresh) return;
    generation_ = snapshot->generation;
    adopt(*view.value);
  }
  if (!rollout_) return;
  if (area_ != selection.range || area_lanes_ != selection.lanes) {
    area_ = selection.range;
    area_lanes_ = selection.lanes;
    select_again();
  }
  if (selected_ != selection.slice) {
    selected_ = selection.slice;
    if (const auto request = selection.has_slice() ? rollout_->of_slice(selected_) : std::nullopt)
      look_at_request(*request);
  }
}

// What was looked at is found again by its numbers: indices are those of one analysis.
void RolloutState::adopt(const Made& made) {
  const std::shared_ptr<const Rollout> before = std::exchange(rollout_, made.rollout);
  ledger_ = made.ledger;
  clocks_ = made.clocks;
  selected_ = kNone<SliceId>;
  ChartQuestion question;
  question.as_script = question_.as_script;
  question.settings = question_.settings;
  if (rollout_ && before && question_.step) {
    const RolloutStep& was = before->steps[*question_.step];
    for (std::uint32_t s = 0; s < rollout_->steps.size(); ++s) {
      const RolloutStep& now = rollout_->steps[s];
      const bool same = now.step == was.step && rollout_->runs[static_cast<std::size_t>(now.run)] ==
                                                    before->runs[static_cast<std::size_t>(was.run)];
      if (same) question.step = s;
    }
  }
  if (rollout_ && !question.step && !rollout_->steps.empty()) {
    const auto longest =
        std::ranges::max_element(rollout_->steps, {}, [](const RolloutStep& s) { return s.extent.length(); });
    question.step = static_cast<std::uint32_t>(longest - rollout_->steps.begin());
  }
  question_ = std::move(question);
  select_again();
}

RequestSet RolloutState::within_area(const RequestSet& among) const {
  if (!area_) return among;
  const Trace& trace = *rollout_->trace;
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
    if (rollout_->begin[r] >= area_->end || rollout_->end[r] <= area_->begin) return false;
    const SliceId slice = rollout_->slice[r];
    return slice == kNone<SliceId> ? area_lanes_.empty()
                                   : static_cast<bool>(lanes[idx(trace.row(trace.row_of(slice)).lane)]);
  });
  return inside;
}

void RolloutState::select_again() {
  question_.requests.clear();
  if (!rollout_) {
    asked_ = unbrushed_ = of_all_ = {std::make_shared<const ChartQuestion>(question_), ++versions_};
    return;
  }
  ChartQuestion of_all = question_;
  of_all.requests = all_requests(*rollout_);
  RequestSet selected = within_area(of_all.requests);
  // What does not look at the selection keeps its picture while that changes.
  if (!of_all_.question || *of_all_.question != of_all) {
    of_all_ = {std::make_shared<const ChartQuestion>(std::move(of_all)), ++versions_};
  }
  const auto narrow = [&](const std::string& expression) {
    if (const auto filter = parse_filter(expression)) selected = tv::apply(*rollout_, filter.value(), selected);
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

bool RolloutState::busy() const {
  return pending_ || memo_.running() ||
         std::ranges::any_of(kinds_, [](const auto& kind) { return kind->memo.running(); });
}

void RolloutState::add_chip(const std::string& expression) {
  const auto filter = parse_filter(expression);
  complaint_ = filter ? std::string() : filter.error().text();
  if (!filter || filter.value().nodes.empty()) return;
  const std::string chip = to_text(filter.value());
  if (std::ranges::find(chips_, chip) != chips_.end()) return;
  chips_.push_back(chip);
  select_again();
}

void RolloutState::remove_chip(std::size_t index) {
  if (index >= chips_.size()) return;
  chips_.erase(chips_.begin() + static_cast<std::ptrdiff_t>(index));
  select_again();
}

void RolloutState::set_chips(std::vector<std::string> chips) {
  if (chips_ == chips) return;
  chips_ = std::move(chips);
  select_again();
}

void RolloutState::select_everything() {
  if (chips_.empty() && brush_.empty()) return;
  chips_.clear();
  brush_.clear();
  brushed_chart_.clear();
  select_again();
}

void RolloutState::set_brush(const std::string& expression, const std::string& chart) {
  if (brush_ == expression && brushed_chart_ == chart) return;
  brush_ = expression;
  brushed_chart_ = expression.empty() ? std::string() : chart;
  select_again();
}

void RolloutState::look_at_step(std::uint32_t step) {
  if (!rollout_ || step >= rollout_->steps.size() || question_.step == step) return;
  question_.step = step;
  question_.request.reset();
  select_again();
}

void RolloutState::look_at_worker_step(std::uint32_t worker_step) {
  if (!rollout_ || worker_step >= rollout_->worker_steps.size()) return;
  look_at_step(rollout_->worker_steps[worker_step].step);
  question_.worker = rollout_->worker_steps[worker_step].worker;
  question_.request.reset();
  select_again();
}

void RolloutState::look_at_request(RequestIx request) {
  if (!rollout_ || request >= rollout_->size() || question_.request == request) return;
  question_.step = rollout_->step[request];
  question_.worker = rollout_->worker[request];
  question_.request = request;
  select_again();
}

void RolloutState::toggle_script_reading() {
  question_.as_script = !question_.as_script;
  select_again();
}

void RolloutState::set_chart(const std::string& setting, const std::string& value) {
  question_.settings.set(setting, value);
  select_again();
}

std::optional<RequestIx> RolloutState::next_slowest(bool forward) const {
  if (!rollout_ || question_.requests.empty()) return std::nullopt;
  // Longer first; of equals the earlier one.
  const auto before = [&](RequestIx a, RequestIx b) {
    return rollout_->seconds[a] != rollout_->seconds[b] ? rollout_->seconds[a] > rollout_->seconds[b] : a < b;
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

std::optional<SliceId> RolloutState::slice_of(std::uint32_t file, std::uint64_t offset) const {
  const Trace& trace = *rollout_->trace;
  const std::uint64_t identity =
      ItemRef(static_cast<SourceId>(rollout_->log().files[file].source), 0, offset).identity();
  const auto at = std::ranges::find(trace.slices.ref, identity, [](ItemRef ref) { return ref.identity(); });
  if (at == trace.slices.ref.end()) return std::nullopt;
  return id_at<SliceId>(static_cast<std::size_t>(at - trace.slices.ref.begin()));
}

std::optional<SliceId> RolloutState::across_barrier(SliceId slice) const {
  if (!rollout_) return std::nullopt;
  if (const auto request = rollout_->of_slice(slice)) {
    const Blame* const entry = entry_of(ledger_, *request);
    if (!entry || entry->waits.empty()) return std::nullopt;
    const RolloutPhase& wait = rollout_->log().phases[entry->waits.front().phase];
    return slice_of(wait.file, wait.offset);
  }
  const ItemRef ref = rollout_->trace->slices.ref[idx(slice)];
  const std::vector<RolloutPhase>& phases = rollout_->log().phases;
  const auto phase = std::ranges::find_if(phases, [&](const RolloutPhase& p) {
    return p.offset == ref.offset() && rollout_->log().files[p.file].source == idx(ref.source());
  });
  if (phase == phases.end()) return std::nullopt;
  const auto found = blamed(*rollout_, static_cast<std::uint32_t>(phase - phases.begin()));
  if (!found || rollout_->slice[found->request] == kNone<SliceId>) return std::nullopt;
  return rollout_->slice[found->request];
}

RolloutState::Charts RolloutState::charts(const ChartKind& kind) {
  if (!rollout()) return {};
  const auto index = static_cast<std::size_t>(&kind - rollout_charts().data());
  const Asked& asked = !kind.of_requests ? of_all_ : brushed_chart_ == kind.id ? unbrushed_ : asked_;
  const auto view = kinds_[index]->memo.get({rollout_, asked.version},
                                            [make = kind.make, question = asked.question](const ChartKey& key) {
                                              return MadeCharts{make(*key.rollout, *question), key.version};
                                            });
  if (!view.value) return {};
  return {std::shared_ptr<const std::vector<Chart>>(view.value, &view.value->charts), view.fresh, view.value->version};
}

}  // namespace tv
