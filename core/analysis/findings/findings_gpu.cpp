// What was found on GPUs: how long they were idle and why, communication that nothing hides, who came last to
// collectives.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/findings/findings_parts.h"
#include "core/analysis/gpu/gpu_gaps.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/store/trace/tell_recordings.h"

namespace tv {
namespace {

double part_of(Ns part, Ns whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

struct GpuSums {
  Ns span = 0, idle = 0, exposed = 0, communication = 0, memory = 0;
};

GpuSums sums_of(const GpuActivity& activity) {
  GpuSums sums;
  for (const Gpu& gpu : activity.gpus) {
    sums.span += gpu.span.length();
    sums.idle += gpu.idle();
    sums.exposed += gpu.time.exposed;
    sums.memory += gpu.time.memory;
    sums.communication += gpu.time.communication();
  }
  return sums;
}

// "The 8 devices of 2 recordings": of a rank before and after a change each counts.
std::string devices(const GpuActivity& activity) {
  if (activity.gpus.size() == 1) return activity.gpus.front().name;
  const LaneFiles files(*activity.trace);
  std::set<std::string_view> recordings;
  for (const Gpu& gpu : activity.gpus) recordings.insert(files.recording(gpu.process));
  const std::string of = recordings.size() > 1 ? " of " + count_text(recordings.size(), "recording") : std::string();
  return fmt::format("The {} devices{}", activity.gpus.size(), of);
}

void find_idle(const GpuActivity& activity, const GpuSums& sums, std::vector<Finding>& out) {
  const bool one = activity.gpus.size() == 1;
  Finding found;
  found.id = "gpu_idle";
  found.share = part_of(sums.idle, sums.span);
  found.sentence =
      fmt::format("{} {} idle {:.1f} % of {} time ({} of {}).", devices(activity), one ? "was" : "were",
                  100 * found.share, one ? "its" : "their", format_duration(sums.idle), format_duration(sums.span));
  found.numbers = {
      {"idle", to_seconds(sums.idle), "s"}, {"of", to_seconds(sums.span), "s"}, {"idle share", 100 * found.share, "%"}};
  if (!one) {
    const auto most =
        std::ranges::max_element(activity.gpus, {}, [](const Gpu& g) { return part_of(g.idle(), g.span.length()); });
    const double share = part_of(most->idle(), most->span.length());
    found.sentence += fmt::format(" Most of all {}: {:.1f} %.", most->name, 100 * share);
    found.numbers.push_back({"most idle", 100 * share, "%"});
  }
  if (const std::optional<GpuGap> longest = longest_gap(activity)) {
    const GpuGap& gap = *longest;
    found.sentence +=
        fmt::format(" The longest gap{} is {}", one ? std::string() : ", on " + activity.gpus[gap.gpu].name + ",",
                    format_duration(gap.time.length()));
    if (gap.cause != GapCause::unknown) found.sentence += fmt::format(" (cause: {})", meaning(gap.cause));
    if (gap.doing != kNone<SliceId>) {
      const std::string_view doing = activity.trace->name_of(gap.doing);
      found.sentence += fmt::format("; the CPU was in {}", shortened_utf8(doing));
    }
    found.sentence += '.';
    found.numbers.push_back({"longest gap", to_seconds(gap.time.length()), "s"});
    found.range = gap.time;
    found.slice = gap.after;
  }
  found.level = level_of(found.share, 0.05, 0.2);
  found.chart = "gpu_gaps";
  out.push_back(std::move(found));
}

void find_exposed(const GpuActivity& activity, const GpuSums& sums, std::vector<Finding>& out) {
  if (!activity.communicates || sums.communication == 0) return;
  Finding found;
  found.id = "exposed";
  found.share = part_of(sums.exposed, sums.span);
  found.sentence = fmt::format(
      "Communication with no computing beside it took {:.1f} % of the devices' time ({}); {:.0f} % of all "
      "communication is hidden.",
      100 * found.share, format_duration(sums.exposed),
      100 * part_of(sums.communication - sums.exposed, sums.communication));
  found.numbers = {{"exposed", to_seconds(sums.exposed), "s"},
                   {"communication", to_seconds(sums.communication), "s"},
                   {"exposed share", 100 * found.share, "%"}};
  found.level = level_of(found.share, 0.05, 0.2);
  found.chart = "nccl_overlap";
  out.push_back(std::move(found));
}

void find_copies(const GpuActivity& activity, const GpuSums& sums, std::vector<Finding>& out) {
  Finding found;
  found.share = part_of(sums.memory, sums.span);
  found.level = level_of(found.share, 0.05, 0.2);
  if (found.level == FindingLevel::Note) return;
  found.id = "copies";
  found.sentence =
      fmt::format("{} did nothing but copies and memsets {:.1f} % of the time ({} of {}).", devices(activity),
                  100 * found.share, format_duration(sums.memory), format_duration(sums.span));
  found.numbers = {{"copies", to_seconds(sums.memory), "s"}, {"copies share", 100 * found.share, "%"}};
  found.chart = "gpu";
  out.push_back(std::move(found));
}

void find_straggler(const GpuActivity& activity, const CollectiveWaits& waits, const GpuSums& sums,
                    std::vector<Finding>& out) {
  const std::vector<WaitSum> all = wait_sums(activity, waits);
  if (all.empty()) return;
  const auto worst = std::ranges::max_element(all, {}, &WaitSum::others_waited);
  if (worst->others_waited <= 0) return;
  const auto gpu = static_cast<std::size_t>(worst - all.begin());
  Finding found;
  found.id = "straggler";
  found.sentence =
      fmt::format("{} came last to {} of {} collectives: the others waited {} for it.", capitalized(activity.gpus[gpu].name),
                  format_count(worst->last), format_count(worst->matched), format_duration(worst->others_waited));
  found.numbers = {{"last", static_cast<double>(worst->last), {}},
                   {"collectives", static_cast<double>(worst->matched), {}},
                   {"others waited", to_seconds(worst->others_waited), "s"}};
  // The one in which most was lost by it.
  const MatchedCollective* most = nullptr;
  for (const MatchedCollective& collective : waits.collectives) {
    if (!collective.told || waits.name_of(waits.last(collective)) != activity.gpus[gpu].name) continue;
    if (!most || waits.lost(collective) > waits.lost(*most)) most = &collective;
  }
  if (most) {
    const Trace& trace = *activity.trace;
    found.slice = waits.last(*most).slice;
    found.range = TimeRange{trace.begin_of(waits.of(*most).front().slice), trace.end_of(found.slice)};
  }
  found.level = level_of(part_of(worst->others_waited, sums.span), 0.01, 0.05);
  found.share = part_of(worst->others_waited, sums.communication);  // who is to blame is told before what it adds up to
  found.chart = "nccl_overlap";
  out.push_back(std::move(found));
}

}  // namespace

void find_in_gpus(const RunData& data, std::vector<Finding>& out) {
  const GpuActivity& activity = *data.gpu;
  const GpuSums sums = sums_of(activity);
  if (activity.gpus.empty() || sums.span <= 0) return;
  find_idle(activity, sums, out);
  find_exposed(activity, sums, out);
  find_copies(activity, sums, out);
  if (data.waits) find_straggler(activity, *data.waits, sums, out);
}

}  // namespace tv
