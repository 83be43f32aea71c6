#include "core/session/workspace/run_state.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/query/find_slice.h"
#include "core/query/lane_set.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

void carry_choice(const Rollout& before, const ChartQuestion& was, const Rollout& now, ChartQuestion& question) {
  if (!was.step) return;
  const RolloutStep& step = before.steps[*was.step];
  for (std::uint32_t s = 0; s < now.steps.size(); ++s) {
    const bool same_run = now.runs[static_cast<std::size_t>(now.steps[s].run)] == before.runs[static_cast<std::size_t>(step.run)];
    if (now.steps[s].step == step.step && same_run) question.step = s;
  }
  if (!question.step || !was.worker) return;
  const auto worker = std::ranges::find(now.workers, before.workers[*was.worker]);
  if (worker == now.workers.end()) return;
  const auto number = static_cast<std::uint32_t>(worker - now.workers.begin());
  if (!was.request) {
    question.worker = number;
    return;
  }
  for (RequestIx r = now.steps[*question.step].first; r < now.steps[*question.step].end; ++r) {
    if (now.worker[r] != number || now.id(r) != before.id(*was.request)) continue;
    question.worker = number;
    question.request = r;
    return;
  }
}

}  // namespace

RunState::RunState(ThreadPool& pool, std::function<void()> wake)
    : pool_(pool),
      wake_(std::move(wake)),
      memo_(pool, wake_),
      findings_memo_(pool, wake_),
      marks_memo_(pool, wake_),
      brushed_(pool, wake_) {
  for (std::size_t k = 0; k < chart_kinds().size(); ++k) kinds_.push_back(std::make_unique<ChartMemo>(pool_, wake_));
}

void RunState::follow(const std::shared_ptr<const Snapshot>& snapshot, const Selection& selection) {
  if (generation_ != snapshot->generation && !has_run_data(*snapshot->trace)) {
    Made slices_alone;
    slices_alone.data.trace = snapshot->trace;
    if (data_ != slices_alone.data) adopt(slices_alone);
    pending_ = false;
    generation_ = snapshot->generation;
  }
  if (generation_ != snapshot->generation) {
    const auto view = memo_.get(snapshot->generation, [trace = snapshot->trace, earlier = data_](const std::uint64_t&) {
      ThreadPool background = background_pool();
      Made made;
      made.data = analyse_run(trace, background, earlier);
      if (!made.data.rollout) return made;
      made.ledger = blame(*made.data.rollout);
      made.clocks = barrier_clocks(*made.data.rollout);
      return made;
    });
    pending_ = !view.fresh;
    if (!view.fresh) return;
    generation_ = snapshot->generation;
    const auto was_selected = selected_ == kNone<SliceId> ? std::nullopt : std::optional(key_of(*data_.trace, selected_));
    adopt(*view.value);
    complete_ = snapshot->complete;
    // The same slice with a new id is not a new selection, so it does not replace what was chosen in charts since.
    if (was_selected && selection.has_slice() && is_of_key(*data_.trace, selection.slice, *was_selected)) selected_ = selection.slice;
    if (was_selected && !selection.has_slice() && question_.request) look_at_no_request();
    selected_line_ = selection.slice;
  }
  follow_gpu_marks();
  if (data_.training && selected_line_ != selection.slice) {
    selected_line_ = selection.slice;
    if (selection.has_slice()) look_at_line_of(selected_line_);
  }
  if (!data_.trace) return;
  follow_label(selection);
  const bool same_area = area_ ? selection.range == area_->range && selection.lanes == area_->lanes : !selection.range;
  if (!same_area || area_made_in_ != selection.made_in) {
    area_.reset();
    area_made_in_ = selection.made_in;
    if (selection.range) area_ = Scope{*selection.range, selection.lanes};
    select_again();
  }
  if (!data_.rollout || selected_ == selection.slice) return;
  selected_ = selection.slice;
  if (const auto request = selection.has_slice() ? data_.rollout->of_slice(selected_) : std::nullopt) {
    look_at_request(*request);
  } else if (!selection.has_slice() && question_.request) {
    look_at_no_request();
  }
}

void RunState::follow_gpu_marks() {
  if (!data_.gpu) return;
  const std::string_view rules = question_.settings.text(kCommunicationRules);
  if (gpu_marks_ && marks_of_.gpu == data_.gpu && marks_of_.steps == data_.steps && marks_of_.rules == rules) return;
  MarksKey key{data_.gpu, data_.steps, std::string(rules)};
  const auto made = marks_memo_.get(key, [settings = question_.settings, earlier = earlier_marks_](const MarksKey& asked) {
    RunData data;
    data.gpu = asked.gpu;
    ThreadPool background = background_pool();
    return make_gpu_marks(gpu_activity(data, settings), asked.steps.get(), background, earlier.get());
  });
  if (!made.fresh) return;
  gpu_marks_ = earlier_marks_ = *made.value;
  marks_of_ = std::move(key);
}

// Finds the current step, worker and request again by what names them, because indices are valid within one analysis only.
void RunState::adopt(const Made& made) {
  const RunData was_data = std::exchange(data_, made.data);
  const std::shared_ptr<const Rollout>& before = was_data.rollout;
  carry_label(was_data.trace.get());
  gpu_marks_.reset();
  if (!data_.gpu) earlier_marks_.reset();
  area_.reset();  // it has lane ids of the previous trace; the selection sets it again
  ledger_ = made.ledger;
  clocks_ = made.clocks;
  selected_ = selected_line_ = kNone<SliceId>;
  ChartQuestion question;
  question.as_script = question_.as_script;
  question.settings = question_.settings;
  question.training_step = question_.training_step;
  if (data_.rollout && before) carry_choice(*before, question_, *data_.rollout, question);
  // Findings are about the step that lost most time, so charts of one step show it first.
  if (data_.rollout && !question.step && !ledger_.entries.empty()) question.step = ledger_.entries.front().step;
  if (data_.rollout && !question.step) {
    const auto longest =
        std::ranges::max_element(data_.rollout->steps, {}, [](const RolloutStep& s) { return s.extent.length(); });
    question.step = static_cast<std::uint32_t>(longest - data_.rollout->steps.begin());
  }
  question_ = std::move(question);
  // The question may be the same, but the data are new.
  for (Asked* const asked : {&asked_, &unbrushed_, &of_all_, &of_name_, &plain_}) asked->version = ++versions_;
  select_again();
}

// Requests on the area's lanes, if some of these belong to workers; otherwise all requests running in its time. If none run then,
// an area over other lanes does not restrict requests.
RequestSet RunState::within_area(const RequestSet& among) {
  question_.in_area.clear();
  if (!area_) return among;
  const Trace& trace = *data_.rollout->trace;
  std::vector<bool> of_requests(trace.lanes.size(), false);
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) of_requests[l] = trace.lanes[l].kind == LaneKind::Requests;
  // A worker's own phases and its counters stand for its requests.
  Scope area = *area_;
  for (const LaneId id : resolve_lanes(trace, area_->lanes)) {
    const Lane& lane = trace.lane(id);
    const bool stands_for = lane.kind == LaneKind::Phases || lane.counter != UINT32_MAX;
    if (!area.lanes.empty() && stands_for && lane.parent != kNone<LaneId>) area.lanes.push_back(lane.parent);
  }
  const ScopeLanes lanes = lanes_of(trace, area, of_requests);
  RequestSet inside;
  std::ranges::copy_if(among, std::back_inserter(inside), [&](RequestIx r) {
    if (!area_->touches(data_.rollout->begin[r], data_.rollout->end[r])) return false;
    const SliceId slice = data_.rollout->slice[r];
    return slice == kNone<SliceId> ? area_->lanes.empty() || !lanes.lanes_count
                                   : static_cast<bool>(lanes.in[idx(trace.row(trace.row_of(slice)).lane)]);
  });
  if (inside.empty() && !lanes.lanes_count) {
    question_.in_area = "all data: no request in " + words_of(*area_);
    return among;
  }
  question_.in_area = "in " + words_of(*area_, lanes.lanes_count ? "" : "all workers");
  return inside;
}

// The current step, if the area touches it; otherwise the step that shares most time with it.
std::optional<std::uint32_t> RunState::step_of_area() const {
  const std::vector<RolloutStep>& steps = data_.rollout->steps;
  const auto shared = [&](const RolloutStep& s) { return clip_to(s.extent, area_->range).length(); };
  if (!area_ || steps.empty() || (question_.step && shared(steps[*question_.step]) > 0)) return question_.step;
  const auto most = std::ranges::max_element(steps, {}, shared);
  return shared(*most) > 0 ? std::optional(static_cast<std::uint32_t>(most - steps.begin())) : question_.step;
}

void RunState::ask(ChartQuestion& question, bool singled_out) const {
  const Rollout& rollout = *data_.rollout;
  const bool here = std::ranges::any_of(question.requests, [&](RequestIx r) {
    return (!question.step || rollout.step[r] == *question.step) &&
           (!question.worker || rollout.worker[r] == *question.worker);
  });
  if (question.requests.empty() || (!singled_out && here)) return;
  question.of_selection = true;
  const auto only = [&](const AppendList<std::uint32_t>& of) {
    const std::uint32_t first = of[question.requests.front()];
    const bool all = std::ranges::all_of(question.requests, [&](RequestIx r) { return of[r] == first; });
    return all ? std::optional(first) : std::nullopt;
  };
  question.step = only(rollout.step);
  question.worker = only(rollout.worker);
}

void RunState::select_again() {
  question_.requests.clear();
  question_.area = area_;
  question_.in_area.clear();
  question_.only.clear();
  shown_.clear();
  ask_about_label();
  if (!data_.rollout) {
    ChartQuestion without_area = question_;
    without_area.area.reset();
    update_question(plain_, std::move(without_area));
    update_question(of_all_, question_);
    asked_ = unbrushed_ = of_all_;
    return;
  }
  ChartQuestion of_all = question_;
  of_all.requests = all_requests(*data_.rollout);
  ChartQuestion without_area = of_all;
  without_area.area.reset();
  update_question(plain_, std::move(without_area));
  of_all.step = step_of_area();
  RequestSet selected = within_area(of_all.requests);
  const bool by_area = area_ && selected.size() < data_.rollout->size();
  // Charts that ignore the selection are not redrawn while it changes.
  update_question(of_all_, std::move(of_all));
  const auto narrow = [&](const std::string& expression) {
    if (const auto filter = parse_filter(expression)) selected = tv::apply(*data_.rollout, filter.value(), selected);
  };
  std::string by_chips;
  for (const std::string& chip : chips_) {
    narrow(chip);
    by_chips = both_filters(by_chips, chip);
  }
  question_.only = filter_words(by_chips);
  ChartQuestion whole = question_;
  whole.requests = selected;
  ask(whole, by_area);
  // The brushed chart keeps its question, so that it is not redrawn while the brush moves.
  update_question(unbrushed_, std::move(whole));
  if (brush_.empty()) {
    question_.requests = std::move(selected);
    asked_ = unbrushed_;
  } else {
    narrow(brush_);
    question_.only = filter_words(both_filters(by_chips, brush_));
    question_.requests = std::move(selected);
    ChartQuestion asked = question_;
    ask(asked, true);
    asked_ = {std::make_shared<const ChartQuestion>(std::move(asked)), ++versions_};
  }
  shown_ = scope_words(*data_.rollout, *asked_.question);
  if (question_.request && !asked_.question->of_selection) shown_ += ", of the selected request";
}

void RunState::update_question(Asked& asked, ChartQuestion question) {
  if (asked.question && *asked.question == question) return;
  asked = {std::make_shared<const ChartQuestion>(std::move(question)), ++versions_};
}

bool RunState::busy() const {
  return pending_ || memo_.running() || findings_memo_.running() || marks_memo_.running() || brushed_.running() ||
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
  if (chips_.empty() && !brushed()) return;
  chips_.clear();
  slice_brush_.reset();
  brush_.clear();
  brushed_chart_.clear();
  select_again();
}

void RunState::set_brush(const std::string& expression, const std::string& chart) {
  if (brush_ == expression && brushed_chart_ == chart && !slice_brush_) return;
  slice_brush_.reset();
  brush_ = expression;
  brushed_chart_ = expression.empty() ? std::string() : chart;
  select_again();
}

void RunState::clear_brush() { set_brush({}, {}); }

void RunState::look_at_step(std::uint32_t step) {
  if (!data_.rollout || step >= data_.rollout->steps.size()) return;
  if (question_.step == step && !question_.worker && !question_.request) return;
  question_.step = step;
  look_at_no_request();
}

// Clears the worker as well; the step stays.
void RunState::look_at_no_request() {
  question_.worker.reset();
  question_.request.reset();
  select_again();
}

void RunState::look_at_training_step(std::int64_t step) {
  if (question_.training_step == step) return;
  question_.training_step = step;
  select_again();
}

// A step's slice and the slices of its parts come from one line of metrics.
void RunState::look_at_line_of(SliceId slice) {
  const Trace& trace = *data_.training->trace;
  if (idx(slice) >= trace.items()) return;
  const ItemRef ref = trace.ref_of(slice);
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
  // Longer first; ties go to the earlier one.
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

// Finds the slices by the identities of their records. Looks at few slices, because only lanes with phases of workers have waits.
std::vector<SliceId> RunState::slices_of(std::span<const BarrierWait> waits) const {
  const Trace& trace = *data_.rollout->trace;
  const RolloutLog& log = data_.rollout->log();
  const auto identity_of_wait = [&](const BarrierWait& wait) {
    const RolloutPhase& phase = log.phases[wait.phase];
    return ItemRef(static_cast<SourceId>(log.files[phase.file].source), 0, phase.offset).identity();
  };
  std::unordered_map<std::uint64_t, SliceId> slices;
  for (const BarrierWait& wait : waits) slices.emplace(identity_of_wait(wait), kNone<SliceId>);
  for (const Lane& lane : trace.lanes) {
    if (lane.kind != LaneKind::Phases) continue;
    for (const Row& row : trace.rows_of(lane)) {
      for (const SliceId slice : trace.ids_of(row)) {
        const auto wait = slices.find(trace.ref_of(slice).identity());
        if (wait != slices.end()) wait->second = std::min(wait->second, slice);
      }
    }
  }
  std::vector<SliceId> out;
  for (const BarrierWait& wait : waits) out.push_back(slices.at(identity_of_wait(wait)));
  return out;
}

std::vector<Flow> RunState::barrier_arrows(SliceId slice) const {
  std::vector<Flow> arrows;
  const auto request = data_.rollout ? data_.rollout->of_slice(slice) : std::nullopt;
  if (!request) {
    if (const auto other = across_barrier(slice)) arrows.push_back({slice, *other});
    return arrows;
  }
  const Blame* const entry = entry_of(ledger_, *request);
  if (!entry || data_.rollout->slice[*request] != slice) return arrows;
  for (const SliceId from : slices_of(entry->waits)) {
    if (from != kNone<SliceId>) arrows.push_back({from, slice});
  }
  return arrows;
}

std::optional<SliceId> RunState::across_barrier(SliceId slice) const {
  if (!data_.rollout) return std::nullopt;
  if (const auto request = data_.rollout->of_slice(slice)) {
    const Blame* const entry = entry_of(ledger_, *request);
    if (!entry || entry->waits.empty()) return std::nullopt;
    const SliceId longest = slices_of({&entry->waits.front(), 1}).front();
    return longest == kNone<SliceId> ? std::nullopt : std::optional(longest);
  }
  const auto phase = phase_of_slice(*data_.rollout, slice);
  const auto found = phase ? blamed(*data_.rollout, *phase) : std::nullopt;
  if (!found || data_.rollout->slice[found->request] == kNone<SliceId>) return std::nullopt;
  return data_.rollout->slice[found->request];
}

std::span<const Finding> RunState::findings() {
  if (data_.empty() || !complete_) return {};
  const auto view = findings_memo_.get(data_, [](const RunData& data) { return tv::findings(data, *data.trace); });
  if (!view.fresh) return {};
  findings_ = view.value;
  return *findings_;
}

RunState::Charts RunState::charts(const ChartKind& kind) {
  if (!data_.has(kind.of)) return {};
  const auto index = static_cast<std::size_t>(&kind - chart_kinds().data());
  const bool chosen_here = area_ && area_made_in_ == kind.id;
  const Asked& asked = kind.of == RunPart::Slices ? of_name_
                       : chosen_here              ? plain_
                       : !kind.of_requests        ? of_all_
                       : brushed_chart_ == kind.id ? unbrushed_
                                                   : asked_;
  const auto view = kinds_[index]->memo.get({data_, asked.version},
                                            [&kind, question = asked.question](const ChartKey& key) {
                                              return MadeCharts{make_charts(kind, key.data, *question), key.version};
                                            });
  if (!view.value) return {};
  return {std::shared_ptr<const std::vector<Chart>>(view.value, &view.value->charts), view.fresh, view.value->version};
}

}  // namespace tv
