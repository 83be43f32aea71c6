// traceview info: sources, lanes, problems, pipelines, and how closely clocks agree. Other programs depend on the JSON format.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/terminal/json_value.h"
#include "app/terminal/say.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "app/verbs/info_pipeline.h"
#include "core/analysis/clocks/align_advice.h"
#include "core/analysis/clocks/barrier_clock.h"
#include "core/analysis/clocks/clock_table.h"
#include "core/analysis/run/capture_check.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/session/records/problem_lines.h"
#include "core/store/draft/unread_sources.h"
#include "core/view/lanes/lane_layout.h"

namespace tv {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostCheckedSlices = 50'000'000;  // takes about two seconds
constexpr std::uint64_t kFarthestLine = std::uint64_t{256} << 20;

template <class T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// nlohmann::json throws on invalid UTF-8, which paths and names may contain.
std::string utf8(const std::string& text) { return json_value(text).get<std::string>(); }

// Prints where the first problems are: with the line number that editors show, if the file has lines and counting them is quick.
void print_places(const SourceInfo& source, const ProblemLines& lines, const ProblemCount& problem) {
  constexpr std::size_t kExcerptLetters = 100;
  for (const ProblemExample& example : problem.examples) {
    const std::string excerpt = shortened_utf8(valid_utf8(example.excerpt.substr(0, example.excerpt.find('\n'))), kExcerptLetters);
    const auto line = is_placed_in_text(source, problem.kind) ? line_at(lines, source, example.byte_offset) : std::nullopt;
    const std::string place = source.by_row ? std::string() : line ? fmt::format("line {}, byte {}", *line, example.byte_offset)
                                                                   : fmt::format("byte {}", example.byte_offset);
    const std::string_view between = place.empty() || excerpt.empty() ? "" : ": ";
    if (!place.empty() || !excerpt.empty()) say("      {}{}{}\n", place, between, excerpt);
  }
  if (problem.count > problem.examples.size() && !problem.examples.empty()) {
    say("      ... and {} more\n", problem.count - problem.examples.size());
  }
}

Json problems_json(const ProblemLog& log) {
  Json out = Json::array();
  for (const ProblemCount& problem : log.entries()) {
    Json examples = Json::array();
    for (const ProblemExample& example : problem.examples) {
      examples.push_back({{"byte", example.byte_offset}, {"text", utf8(example.excerpt)}});
    }
    out.push_back({{"kind", info(problem.kind).id},
                   {"severity", name(info(problem.kind).severity)},
                   {"count", problem.count},
                   {"help", info(problem.kind).help},
                   {"examples", std::move(examples)}});
  }
  return out;
}

Json facts_json(const SourceInfo& source) {
  Json out = Json::array();
  for (const SourceFact& fact : source.facts) {
    out.push_back({{"what", utf8(fact.what)}, {"value", utf8(fact.value)}, {"evidence", utf8(fact.evidence)}});
  }
  return out;
}

Json fit_json(const ClockFit& fit) {
  Json out = {{"evidence", name(fit.evidence)}, {"offset_ns", fit.offset}};
  const bool known = fit.evidence == ClockEvidence::Collectives;
  const auto if_known = [&](auto value) { return known ? Json(value) : Json(nullptr); };
  out["found_ns"] = if_known(fit.found);
  out["matched"] = fit.matched;
  out["residual_ns"] = if_known(fit.residual);
  out["residual_p90_ns"] = if_known(fit.residual_p90);
  out["partners"] = if_known(utf8(fit.partners));
  out["group"] = if_known(fit.group);
  out["text"] = fit.text.empty() ? Json(nullptr) : Json(utf8(fit.text));
  return out;
}

Json source_json(const Trace& trace, const SourceInfo& source) {
  const std::string_view placing = trace.metrics.placing_of(static_cast<std::size_t>(&source - trace.sources.data()));
  return {{"path", utf8(source.path)},
          {"format", source.format.empty() ? Json(nullptr) : Json(source.format)},
          {"state", name(source.state)},
          {"reason", source.reason.empty() ? Json(nullptr) : Json(utf8(source.reason))},
          {"bytes", source.bytes},
          {"slices", source.slices},
          {"instants", source.instants},
          {"counters", source.samples},
          {"flows", source.flows},
          {"rank", optional_json(source.rank)},
          {"worker", optional_json(source.worker)},
          {"step", optional_json(source.step)},
          {"role", source.role.empty() ? Json(nullptr) : Json(source.role)},
          {"host", source.host.empty() ? Json(nullptr) : Json(utf8(source.host))},
          {"pid", optional_json(source.pid)},
          {"phase", source.phase.empty() ? Json(nullptr) : Json(utf8(source.phase))},
          {"facts", facts_json(source)},
          {"clock_offset_ns", source.clock_offset},
          {"clock", fit_json(source.clock_fit)},
          {"aligned_ns", source.aligned.by},
          {"placing", placing.empty() ? Json(nullptr) : Json(utf8(std::string(placing)))},
          {"problems", problems_json(source.problems)}};
}

bool is_leaf(const Lane& lane) { return lane.kind != LaneKind::Group; }

Json lane_json(const Trace& trace, LaneId id) {
  const Lane& lane = trace.lane(id);
  Json path = Json::array();
  for (const std::string& part : trace.path_of(id)) path.push_back(utf8(part));
  return {{"name", utf8(lane.name)},     {"path", std::move(path)},       {"kind", name(lane.kind)},
          {"slices", lane.slices},       {"rows", count_lines(trace, lane).all()},  {"busy_ns", lane.busy},
          {"begin_ns", lane.extent.begin}, {"end_ns", lane.extent.end}};
}

Json clocks_json(const BarrierClocks& clocks) {
  Json workers = Json::array();
  for (const BarrierClock& clock : clocks.workers) {
    const auto known = [&](Ns ns) { return clock.has_offset() ? Json(ns) : Json(nullptr); };
    workers.push_back({{"run", utf8(clock.run)},
                       {"worker", clock.worker},
                       {"applied_ns", clock.mixed ? Json(nullptr) : Json(clock.applied)},
                       {"offset_ns", known(clock.offset)},
                       {"before_ns", known(clock.before)},
                       {"residual_ns", known(clock.residual)},
                       {"residual_p90_ns", known(clock.residual_p90)},
                       {"steps", clock.steps},
                       {"proposed", clock.proposed},
                       {"why_not", clock.has_offset() ? Json(nullptr) : Json(clock.why)}});
  }
  return {{"verdict", verdict(clocks)},
          {"steps", clocks.steps},
          {"before_p90_ns", clocks.before_p90},
          {"residual_p90_ns", clocks.residual_p90},
          {"workers", std::move(workers)}};
}

void print_clocks(const BarrierClocks& clocks) {
  say("\nclocks: {}\n", verdict(clocks));
  if (clocks.workers.size() < 2) return;
  say("{:>12} {:>12} {:>12} {:>12} {:>12} {:>6}  worker\n", "applied", "to add", "apart now", "residual", "p90",
      "steps");
  for (const BarrierClock& clock : clocks.workers) {
    const std::string applied = clock.mixed ? "differs" : format_clock_offset(clock.applied);
    const std::string note = remark(clock);
    const std::string who = fmt::format("{}, worker {}{}{}", clock.run, clock.worker, note.empty() ? "" : ": ", note);
    const auto known = [&](std::string text) { return clock.has_offset() ? std::move(text) : std::string(); };
    say("{:>12} {:>12} {:>12} {:>12} {:>12} {:>6}  {}\n", applied, known(format_clock_offset(clock.offset)),
        known(format_duration(clock.before)), known(format_duration(clock.residual)),
        known(format_duration(clock.residual_p90)), clock.steps, who);
  }
}

void print_clock_table(const ClockTable& table) {
  if (const std::string zones = zone_verdict(table); !zones.empty()) say("\ntime zones: {}\n", zones);
  if (table.rows.empty()) return;
  say("\nclocks: {}\n", verdict(table));
  if (table.compared == 0) return;
  say("{:>14} {:>14} {:>8} {:>12} {:>12}  trace\n", "moved", "found", "kernels", "residual", "p90");
  std::map<std::string, std::vector<std::string>> unknown;  // names by reason
  for (const ClockRow& row : table.rows) {
    const bool known = row.fit.evidence == ClockEvidence::Collectives;
    if (!known && row.manual_offset == 0) {
      unknown[row.fit.text].push_back(row.fit.name);
      continue;
    }
    const auto if_known = [&](std::string text) { return known ? std::move(text) : std::string(); };
    say("{:>14} {:>14} {:>8} {:>12} {:>12}  {}\n", format_clock_offset(row.manual_offset + row.fit.offset),
        if_known(format_clock_offset(row.fit.found)), row.fit.matched, if_known(format_duration(row.fit.residual)),
        if_known(format_duration(row.fit.residual_p90)), known ? row.fit.name : row.fit.name + ": " + row.fit.text);
  }
  constexpr std::size_t kMostNames = 4;
  for (auto& [why, who] : unknown) {
    const std::size_t all = who.size();
    who.resize(std::min(all, kMostNames));
    const std::string more = all > kMostNames ? fmt::format(" and {} more", all - kMostNames) : std::string();
    say("{}{}: {}\n", fmt::join(who, ", "), more, why);
  }
}

void print_json(const Trace& trace, const std::optional<BarrierClocks>& clocks, const std::vector<std::string>& captures) {
  Json out = Json::object();
  out["sources"] = Json::array();
  for (const SourceInfo& source : trace.sources) out["sources"].push_back(source_json(trace, source));
  out["lanes"] = Json::array();
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (is_leaf(trace.lanes[l])) out["lanes"].push_back(lane_json(trace, id_at<LaneId>(l)));
  }
  if (const std::string clock = verdict(clock_table(trace)); !clock.empty()) out["clock_verdict"] = clock;
  if (const std::string zone = zone_verdict(clock_table(trace)); !zone.empty()) out["zone_verdict"] = zone;
  if (clocks) out["clocks"] = clocks_json(*clocks);
  if (!captures.empty()) out["captures"] = Json::array();
  for (const std::string& sentence : captures) out["captures"].push_back(utf8(sentence));
  if (!trace.pipeline.empty()) out["pipelines"] = pipelines_json(pipeline_summaries(trace.pipeline));
  out["slices"] = trace.slice_count;
  out["flows"] = trace.flows.size();
  out["lost"] = trace.lost();
  out["begin_ns"] = trace.origin_ns + trace.extent.begin;
  out["end_ns"] = trace.origin_ns + trace.extent.end;
  out["work_begin_ns"] = trace.origin_ns + trace.shown().begin;
  out["work_end_ns"] = trace.origin_ns + trace.shown().end;
  out["align"] = name(trace.align);
  say("{}\n", out.dump(1));
}

// Shortens a fact, which can be the whole output of a program. --json prints it in full.
std::string first_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == text.npos) return std::string(text);
  const auto more = static_cast<std::uint64_t>(std::ranges::count(text.substr(end + 1), '\n') + (text.ends_with('\n') ? 0 : 1));
  return std::string(text.substr(0, end)) + (more == 0 ? "" : fmt::format(" ... and {}", count_text(more, "more line")));
}

void print_text(const Trace& trace, const std::optional<BarrierClocks>& clocks, const std::vector<std::string>& captures) {
  for (const SourceInfo& source : trace.sources) {
    if (unread(source) && source.slices + source.instants + source.samples == 0) continue;  // listed below
    say("{}\n  {}{}{} slices, {} instants, {} samples, {} arrows\n", source.path,
        source.format.empty() ? name(source.state) : source.format,
        source.rank ? fmt::format(", rank {}, ", *source.rank) : ", ", source.slices, source.instants, source.samples,
        source.flows);
    if (source.clock_offset != 0) say("  clock moved by {}\n", format_clock_offset(source.clock_offset));
    // Other clock facts apply to many files and are printed once, below.
    if (source.clock_fit.evidence == ClockEvidence::Collectives) say("  {}\n", source.clock_fit.text);
    if (!source.host.empty()) say("  host {}\n", source.host);
    for (const SourceFact& fact : source.facts) {
      say("  {} {} ({})\n", fact.what, first_line(fact.value), fact.evidence);
    }
    const auto placing = trace.metrics.placing_of(static_cast<std::size_t>(&source - trace.sources.data()));
    if (!placing.empty()) say("  {}\n", placing);
    const ProblemLines lines = problem_lines({&source, 1}, {}, kFarthestLine);
    for (const ProblemCount& problem : source.problems.entries()) {
      say("  {} x {}: {}\n", problem.count, info(problem.kind).id, info(problem.kind).help);
      print_places(source, lines, problem);
    }
  }
  for (const std::string& line : unread_lines(trace.sources)) say("not shown: {}\n", line);
  say("\n{:>12} {:>6} {:>12} {:>7}  lane\n", "slices", "rows", "busy", "%");
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    const std::string indent(2 * lane.depth, ' ');
    if (!is_leaf(lane)) {
      say("{:>12} {:>6} {:>12} {:>7}  {}{}\n", "", "", "", "", indent, lane.name);
      continue;
    }
    const auto length = static_cast<double>(trace.shown().length());
    const double share = length > 0 ? 100.0 * static_cast<double>(lane.busy) / length : 0.0;
    say("{:>12} {:>6} {:>12} {:>7.2f}  {}{}\n", lane.slices, count_lines(trace, lane).all(), format_duration(lane.busy), share,
        indent, lane.name);
  }
  const TimeRange work = trace.shown();
  say("\n{} slices, {} arrows, {} lost, from {} for {}\n", trace.slice_count, trace.flows.size(), trace.lost(),
      format_wall_clock(trace.origin_ns + work.begin), format_duration(work.length()));
  if (const Ns before = work.begin - trace.extent.begin; before > 0) {
    say("marks from {} before it\n", format_duration(before));
  }
  if (const Ns after = trace.extent.end - work.end; after > 0) say("marks until {} after it\n", format_duration(after));
  if (const std::string sentence = align_text(trace); !sentence.empty()) say("{}\n", sentence);
  for (const std::string& sentence : captures) say("{}\n", sentence);
  print_clock_table(clock_table(trace));
  if (clocks) print_clocks(*clocks);
  print_pipelines(pipeline_summaries(trace.pipeline));
}

}  // namespace

int run_info(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  std::optional<BarrierClocks> clocks;
  if (!trace.rollout.empty()) clocks = barrier_clocks(*make_rollout(load.snapshot->trace, pool));
  const std::vector<std::string> captures = capture_sentences(load.snapshot->trace, pool, kMostCheckedSlices);
  if (options.json) {
    print_json(trace, clocks, captures);
  } else {
    print_text(trace, clocks, captures);
  }
  return load.exit;
}

}  // namespace tv
