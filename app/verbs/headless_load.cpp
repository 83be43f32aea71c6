#include "app/verbs/headless_load.h"

#include <algorithm>
#include <cstdio>

#include "app/line/load_options.h"
#include "app/terminal/say.h"
#include "core/analysis/clocks/align_advice.h"
#include "core/analysis/clocks/barrier_clock.h"
#include "core/analysis/clocks/clock_table.h"
#include "core/analysis/clocks/lane_clock.h"
#include "core/store/draft/unread_sources.h"

namespace tv {

namespace {

struct LoadedOnce {
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const TooLarge> too_large;
};

LoadedOnce load_once(const Options& options, const LoadOptions& load, ThreadPool& pool) {
  LoadedOnce out;
  LoadJob job(options.paths, pool, load,
              [&](std::shared_ptr<const Snapshot> snapshot) { out.snapshot = std::move(snapshot); });
  job.wait();
  out.too_large = job.too_large();
  return out;
}

bool packed(const Trace& trace) {
  return std::ranges::any_of(trace.sources, [](const SourceInfo& source) { return source.packed.has_value(); });
}

// Whether the user gave a clock offset that a packed trace did not follow: for one of its files, or different ones for several.
bool ignores_offsets(const Trace& trace, const ClockOffsets& clocks) {
  for (std::uint32_t s = 0; s < trace.sources.size(); ++s) {
    if (!trace.sources[s].packed) continue;
    const Ns given = clock_offset_of(clocks, trace.sources[s].path);
    if (given != 0 && given != manual_offset_of(trace, s)) return true;
  }
  return false;
}

bool is_moved(const AlignChoice& align) { return align && *align != Align::Recorded; }

// Whether a packed trace did not follow --align. Its runs keep their alignment: they can only be moved together.
bool ignores_align(const AlignChoice& align, const Trace& trace) { return is_moved(align) && trace.align != *align; }

}  // namespace

HeadlessLoad load_headless(const Options& options, ThreadPool& pool) {
  HeadlessLoad out;
  LoadOptions load = load_options(options);
  load.progressive = false;
  LoadedOnce loaded = load_once(options, load, pool);
  if (!loaded.too_large && (options.align_by_barriers || options.recorded_clocks || ignores_offsets(*loaded.snapshot->trace, options.clocks) ||
                            ignores_align(options.align, *loaded.snapshot->trace)) &&
      packed(*loaded.snapshot->trace)) {
    say(stderr, "traceview: {}\n", kPackedClocks);
  } else if (!loaded.too_large && options.align_by_barriers) {
    const BarrierClocks clocks = barrier_clocks(*make_rollout(loaded.snapshot->trace, pool));
    say(stderr, "traceview: --clock barriers: {}\n", verdict(clocks));
    load.clocks = aligned(*loaded.snapshot->trace, clocks, options.clocks);
    if (load.clocks != options.clocks) {
      loaded = {};  // frees the first load: there may be no room for both
      loaded = load_once(options, load, pool);
    }
  }
  out.snapshot = std::move(loaded.snapshot);
  if (loaded.too_large) {
    say(stderr, "traceview: this {}\n", loaded.too_large->text());
    out.exit = exit_code::kFailed;
    return out;
  }
  if (const ClockTable table = clock_table(*out.snapshot->trace); table.moved > 0) {
    say(stderr, "traceview: {} (--clock recorded: not moved)\n", verdict(table));
  }
  if (const std::string sentence = align_text(*out.snapshot->trace); !sentence.empty()) {
    say(stderr, "traceview: {}\n", sentence);
  } else if (is_moved(options.align) && !packed(*out.snapshot->trace)) {
    say(stderr, "traceview: --align {}: everything is one run, shown as recorded\n", name(*options.align));
  }
  const std::vector<SourceInfo>& sources = out.snapshot->trace->sources;
  for (const std::string& line : unread_lines(sources)) say(stderr, "traceview: {}\n", line);
  for (const SourceInfo& source : sources) {
    if (source.state == SourceState::Part) say(stderr, "traceview: {}: {}\n", source.path, source.reason);
    if (const std::string why = why_empty(source); !why.empty()) say(stderr, "traceview: {}: {}\n", source.path, why);
    for (const ProblemCount& problem : source.problems.entries()) {
      if (info(problem.kind).severity != Severity::DataLoss && problem.kind != ProblemKind::no_events) continue;
      say(stderr, "traceview: {}: {} x {}: {}\n", source.path, problem.count, info(problem.kind).id,
          info(problem.kind).help);
    }
  }
  const auto is_read = [](const SourceInfo& source) { return source.state == SourceState::Ready; };
  const std::string nothing = nothing_in_range(options, *out.snapshot->trace);
  if (!nothing.empty() && std::ranges::any_of(sources, is_read)) say(stderr, "traceview: {}\n", nothing);
  const auto is_empty = [](const SourceInfo& source) { return source.problems.count(ProblemKind::no_events) > 0; };
  if (std::ranges::none_of(sources, [&](const SourceInfo& source) { return is_read(source) && !is_empty(source); })) {
    const std::string none = "none of the files could be read";
    if (std::ranges::none_of(sources, is_read)) {
      say(stderr, "traceview: {}\n", sources.empty() ? nothing_read(sources, options.paths) : none);
    }
    const bool refused = std::ranges::any_of(sources, &SourceInfo::refused);
    const bool damaged = options.strict && out.snapshot->trace->lost() > 0;
    out.exit = refused ? exit_code::kFailed : damaged ? exit_code::kLosses : exit_code::kNotRecognised;
  } else if (options.strict && std::ranges::any_of(sources, &SourceInfo::refused)) {
    say(stderr, "traceview: not all files could be read\n");
    out.exit = exit_code::kLosses;
  } else if (options.strict && out.snapshot->trace->lost() > 0) {
    say(stderr, "traceview: {} items were lost\n", out.snapshot->trace->lost());
    out.exit = exit_code::kLosses;
  }
  return out;
}

std::string nothing_in_range(const Options& options, const Trace& trace) {
  const std::string nothing = "--range: nothing is there";
  if (options.choice.window && trace.items() + trace.sample_count == 0) return nothing;
  if (options.range && options.range->begin > trace.extent.end) return nothing + "; the trace ends at " + format_exact(trace.extent.end);
  if (options.range && options.range->end <= trace.extent.begin) return nothing + "; it ends before the trace begins";
  return {};
}

std::optional<TimeRange> range_within(const Options& options, const Trace& trace) {
  if (!options.range) return std::nullopt;
  return TimeRange{std::max(options.range->begin, trace.extent.begin), std::min(options.range->end, trace.extent.end)};
}

}  // namespace tv
