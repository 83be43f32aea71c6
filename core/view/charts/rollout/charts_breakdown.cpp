#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/analysis/requests/request_breakdown.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/scripts/script_files.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_requests.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr std::size_t kSlowest = 20;
constexpr double kShown = 1e-3;  // seconds; verl's script leaves out shorter phases

constexpr std::string_view kBreakdownNote =
    "The slowest requests, slowest first, and what they spent their time on. Every moment belongs to exactly one phase, so "
    "the parts add up to the whole: engine is generating; tool is tool calls and interactions; processing is before and after "
    "the engine within a turn; other is time that no event of the log covers. The last bar is the median request of the slowest "
    "one's step. verl's req_analysis_and_cdf.py takes ranks 50-59, 90-94, 120-124 and the last two of the list, and sums nested "
    "events.";

constexpr std::string_view kPhasesNote =
    "What the request and the median request of its step spent their time on, on one scale. Every moment belongs to exactly "
    "one phase, so the parts add up to the whole: engine is generating; tool is tool calls and interactions; processing is "
    "before and after the engine within a turn; other is time that no event of the log covers. verl's script sums nested "
    "events.";

// One decimal suffices, because the bar next to it shows the exact length.
std::string tenths_text(double seconds) {
  return seconds >= 1 ? fmt::format("{:.1f} s", seconds) : seconds_text(seconds);
}

RequestSet whole_step(const Rollout& rollout, std::uint32_t step) {
  RequestSet out;
  for (RequestIx r = rollout.steps[step].first; r < rollout.steps[step].end; ++r) out.push_back(r);
  return out;
}

/// The median requests of steps; each is searched for only once.
class Medians {
 public:
  explicit Medians(const Rollout& rollout) : rollout_(rollout) {}
  RequestIx of(std::uint32_t step) {
    const auto [known, is_new] = of_step_.try_emplace(step);
    if (is_new) known->second = *median_request(rollout_, whole_step(rollout_, step));
    return known->second;
  }

 private:
  const Rollout& rollout_;
  std::map<std::uint32_t, RequestIx> of_step_;
};

// `shares_written`: whether the bars also show the shares.
void add_phase_series(Chart& chart, const Rollout& rollout, const RequestSet& requests, bool shares_written) {
  for (std::size_t p = 0; p < kRequestPhases; ++p) {
    ChartSeries series;
    series.name = std::string(name(static_cast<RequestPhase>(p)));
    series.mark = ChartSeries::Mark::Bars;
    series.color = phase_color(static_cast<RequestPhase>(p));
    series.faint = static_cast<RequestPhase>(p) == RequestPhase::Other;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const PhaseShares shares = phase_shares(rollout, requests[i]);
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(shares.seconds[p]);
      if (shares_written) {
        series.labels.push_back(fmt::format("{}, {}", seconds_text(shares.seconds[p]), percent_text(shares.percent[p])));
      }
      series.targets.push_back(request_target(requests[i]));
    }
    chart.series.push_back(std::move(series));
  }
}

ChartTable slowest_table(const Rollout& rollout, const RequestSet& slowest, Medians& medians) {
  ChartTable table;
  table.columns = {{"rank", true},     {"duration", true}, {"x median", true},          {"worker", true},
                   {"request", false}, {"turns", true},    {"tokens", true},            {"mostly longer in", false},
                   {"step", false}};
  for (std::size_t p = 0; p < kRequestPhases; ++p) {
    table.columns.push_back({fmt::format("{} %", name(static_cast<RequestPhase>(p))), true});
  }
  table.columns.push_back({"request id", false});
  for (std::size_t rank = 0; rank < slowest.size(); ++rank) {
    const RequestIx r = slowest[rank], median = medians.of(rollout.step[r]);
    const double usual = rollout.seconds[median];
    const bool longer = rollout.seconds[r] > usual;
    std::vector<ChartCell> row = {count_cell(rank + 1),
                                  seconds_cell(rollout.seconds[r]),
                                  number_cell(usual > 0 ? rollout.seconds[r] / usual : NAN, 1),
                                  fmt::format("{}", rollout.workers[rollout.worker[r]]),
                                  name_cell(short_id(rollout.id(r)), rollout.id(r)),
                                  said_cell(rollout.turns[r]),
                                  said_cell(rollout.tokens[r]),
                                  longer ? std::string(name(main_difference(rollout, r, median))) : "-",
                                  rollout.step_name(rollout.step[r])};
    for (const double percent : phase_shares(rollout, r).percent) row.push_back(number_cell(percent, 1));
    row.emplace_back(rollout.id(r));
    table.rows.push_back(std::move(row));
    table.targets.push_back(request_target(r));
  }
  return table;
}

Chart slowest_chart(const Rollout& rollout, const ChartQuestion& question, const RequestSet& requests) {
  Chart chart;
  chart.id = "slowest_requests";
  chart.title = "Slowest requests, " + scope_text(rollout, question, requests.size());
  if (requests.empty()) return empty_chart(chart.id, chart.title, std::string(kNoRequests));
  chart.note = kBreakdownNote;
  chart.within = scope_filter(rollout, question);
  RequestSet shown = slowest_requests(rollout, requests, kSlowest);
  Medians medians(rollout);
  chart.table = slowest_table(rollout, shown, medians);
  chart.horizontal = true;
  chart.x.title = "time (s)";
  chart.x.unit = ChartUnit::Seconds;
  chart.x.from_zero = true;
  chart.x.field = "dur";
  chart.y.title = "request";
  for (const RequestIx r : shown) {
    chart.y.categories.push_back(fmt::format("w{} {} {}", rollout.workers[rollout.worker[r]],
                                             short_id(rollout.id(r)), tenths_text(rollout.seconds[r])));
    chart.y.full_categories.emplace_back(rollout.id(r));
  }
  const std::uint32_t step = rollout.step[shown.front()];
  shown.push_back(medians.of(step));
  chart.y.categories.push_back(
      fmt::format("median, {} {}", rollout.step_name(step), tenths_text(rollout.seconds[shown.back()])));
  chart.y.full_categories.push_back(fmt::format("median, {}", rollout.step_name(step)));
  add_phase_series(chart, rollout, shown, false);
  return chart;
}

Chart one_request(const Rollout& rollout, RequestIx request) {
  Medians medians(rollout);
  const RequestIx median = medians.of(rollout.step[request]);
  const RolloutRequest& about = rollout.request(request);
  Chart chart;
  chart.id = "request_phases";
  chart.title = fmt::format("Request {}, {}, worker {}, and the step's median", short_id(rollout.id(request)),
                            rollout.step_name(rollout.step[request]), rollout.workers[rollout.worker[request]]);
  chart.note = kPhasesNote;
  chart.horizontal = true;
  chart.x.title = "time (s)";
  chart.x.unit = ChartUnit::Seconds;
  chart.y.categories = {fmt::format("{} {}", short_id(rollout.id(request)), tenths_text(rollout.seconds[request])),
                        fmt::format("median {}", tenths_text(rollout.seconds[median]))};
  chart.y.full_categories = {std::string(rollout.id(request)), "median"};
  add_phase_series(chart, rollout, {request, median}, true);
  chart.table.emplace();
  chart.table->columns = {
      {"phase", false}, {"time", true}, {"share", true}, {"median request", true}, {"longer by", true}};
  const PhaseShares of_request = phase_shares(rollout, request), of_median = phase_shares(rollout, median);
  for (std::size_t p = 0; p < kRequestPhases; ++p) {
    chart.table->rows.push_back({name(static_cast<RequestPhase>(p)), seconds_cell(of_request.seconds[p]),
                                 percent_cell(of_request.percent[p]), seconds_cell(of_median.seconds[p]),
                                 seconds_cell(of_request.seconds[p] - of_median.seconds[p])});
  }
  chart.facts = {{"duration", seconds_cell(rollout.seconds[request])},
                 {"of the median request", seconds_cell(rollout.seconds[median])},
                 {"turns", said_cell(about.turns)},
                 {"tokens generated", said_cell(about.response_tokens)},
                 {"response length", said_cell(about.response_length)},
                 {"prompt", said_cell(about.prompt_tokens)},
                 {"finish reason", rollout.log().text(about.finish)}};
  return chart;
}

/// What verl's script shows of one file: its list of requests, and the phases of one of them.
class ScriptView {
 public:
  ScriptView(const Rollout& rollout, std::uint32_t step, std::uint32_t worker) : rollout_(rollout) {
    for (const ScriptFile& file : script_files(rollout.log())) {
      if (file.step == rollout.steps[step].step && file.worker == rollout.workers[worker]) {
        sorted_ = longest_first(rollout.log(), file.requests);
        path_ = file.path();
        break;
      }
    }
    of_row_.resize(rollout.log().requests.size());
    for (RequestIx r = 0; r < rollout.size(); ++r) of_row_[rollout.row[r]] = request_target(r);
  }

  std::vector<Chart> charts(std::optional<RequestIx> chosen) const {
    const std::vector<std::size_t> ranks = script_ranks(sorted_.size());
    Chart list;
    list.id = "slowest_requests";
    list.title = fmt::format("\"Slowest\" requests of {} as verl's script lists them", path_);
    if (ranks.empty()) return {empty_chart(list.id, list.title, std::string(kNoRequests))};
    list.note = kBreakdownNote;
    list.table.emplace();
    list.table->columns = {{"rank", true},  {"request", false},       {"duration (s)", true},
                           {"turns", true}, {"response length", true}, {"batch data id", true}};
    for (const std::size_t rank : ranks) {
      const RolloutRequest& request = rollout_.log().requests[sorted_[rank]];
      list.table->rows.push_back({count_cell(rank + 1), std::string(request.id),
                                  number_cell(request.seconds, 4), said_cell(request.turns),
                                  said_cell(request.response_length), said_cell(request.batch_id)});
      list.table->targets.push_back(of_row_[sorted_[rank]]);
    }
    const std::uint32_t row = chosen ? rollout_.row[*chosen] : sorted_[ranks.front()];
    return {std::move(list), phases(row)};
  }

 private:
  Chart phases(std::uint32_t row) const {
    const RolloutRequest& request = rollout_.log().requests[row];
    Chart chart;
    chart.id = "request_phases";
    chart.title = fmt::format("Request {} of {}: phase durations as verl's script sums them",
                              short_id(request.id), path_);
    chart.note =
        "For each name, the sum over the request's lines, if it is above 1 ms. Phases are nested, so they add up to more than "
        "the request. verl no longer writes engine_call, so this list lacks its time; turn_engine_call has it.";
    chart.x.title = "phase";
    chart.y.title = "duration (s)";
    chart.y.unit = ChartUnit::Seconds;
    chart.y.from_zero = true;
    ChartSeries bars;
    bars.mark = ChartSeries::Mark::Bars;
    bars.color = 0;
    for (const auto& [phase, seconds] : script_phases(request, false)) {
      if (!(seconds > kShown)) continue;
      bars.x.push_back(static_cast<double>(bars.x.size()));
      bars.y.push_back(seconds);
      bars.targets.push_back(of_row_[row]);
      bars.labels.push_back(fmt::format("{:.3f} s ({:.1f} %)", seconds, seconds / request.seconds * 100));
      chart.x.categories.emplace_back(phase);
    }
    if (bars.x.empty()) return empty_chart(chart.id, chart.title, "No phase is longer than 1 ms");
    chart.series.push_back(std::move(bars));
    chart.facts = {{"total", seconds_cell(request.seconds)},
                   {"turns", said_cell(request.turns)},
                   {"tokens", said_cell(request.response_length)},
                   {"reason", rollout_.log().text(request.finish)}};
    return chart;
  }

  const Rollout& rollout_;
  std::vector<std::uint32_t> sorted_;
  std::string path_;
  std::vector<ChartTarget> of_row_;  ///< one per row of RolloutLog::requests
};

std::vector<Chart> as_script(const Rollout& rollout, const ChartQuestion& question) {
  const auto step = step_in_question(rollout, question);
  if (!step) return {empty_chart("slowest_requests", "\"Slowest\" requests, as verl's script", "There are no steps")};
  std::optional<std::uint32_t> worker = question.worker;
  const auto request = question.request && rollout.step[*question.request] == *step ? question.request : std::nullopt;
  if (!worker && request) worker = rollout.worker[*request];
  const StepPhases phases = worker_phases(rollout, *step);
  if (!worker && phases.slowest) worker = phases.workers[*phases.slowest].worker;
  if (!worker && !phases.workers.empty()) worker = phases.workers.front().worker;
  if (!worker) {
    return {empty_chart("slowest_requests", "\"Slowest\" requests, as verl's script", "The step has no files")};
  }
  return ScriptView(rollout, *step, *worker).charts(request);
}

}  // namespace

std::vector<Chart> request_breakdown_charts(const Rollout& rollout, const ChartQuestion& question) {
  if (question.as_script) return as_script(rollout, question);
  const RequestSet requests = requests_in_question(rollout, question);
  std::vector<Chart> charts;
  charts.push_back(slowest_chart(rollout, question, requests));
  if (question.request) {
    charts.push_back(one_request(rollout, *question.request));
  } else if (!requests.empty()) {
    charts.push_back(one_request(rollout, slowest_requests(rollout, requests, 1).front()));
  }
  return charts;
}

}  // namespace tv
