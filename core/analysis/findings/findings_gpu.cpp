// Findings about GPUs: how long they were idle and why, communication that nothing hides, who came last to collectives.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/findings/findings_parts.h"
#include "core/analysis/gpu/gpu_gaps.h"
#include "core/base/text/count_text.h"
#include "core/store/trace/tell_recordings.h"

namespace tv {
namespace {

double part_of(Ns part, Ns whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

struct GpuSums {
  Ns span = 0, idle = 0, exposed = 0, communication = 0, memory = 0, graphs = 0;
};

GpuSums sums_of(const GpuActivity& activity) {
  GpuSums sums;
  for (const Gpu& gpu : activity.gpus) {
    sums.span += gpu.span.length();
    sums.idle += gpu.idle();
    sums.exposed += gpu.time.exposed;
    sums.memory += gpu.time.memory;
    sums.graphs += gpu.time.graphs();
    sums.communication += gpu.time.communication();
  }
  return sums;
}

// "The 8 devices of 2 recordings": a rank that was recorded before and after a change counts twice.
std::string devices(const GpuActivity& activity) {
  if (activity.gpus.size() == 1) return activity.gpus.front().name;
  const LaneFiles files(*activity.trace);
  std::set<std::string_view> recordings;
  for (const Gpu& gpu : activity.gpus) recordings.insert(files.recording(gpu.process));
  const std::string of_recordings = recordings.size() > 1 ? " of " + count_text(recordings.size(), "recording") : std::string();
  return fmt::format("The {} devices{}", activity.gpus.size(), of_recordings);
}

// GPUs whose capture seems complete. The others may only look idle, so their idle time is not reported.
std::vector<const Gpu*> whole_captures(const GpuActivity& activity, const RunData& data) {
  std::vector<const Gpu*> whole;
  for (const Gpu& gpu : activity.gpus) {
    const auto broken = [&](const GpuCapture& one) { return one.group == gpu.group && !one.is_whole(); };
    if (!data.captures || std::ranges::none_of(*data.captures, broken)) whole.push_back(&gpu);
  }
  return whole;
}

void find_captures(const GpuActivity& activity, const RunData& data, std::vector<Finding>& out) {
  if (!data.captures) return;
  const std::vector<std::string> sentences = capture_sentences(activity, *data.captures);
  if (sentences.empty()) return;
  Finding found;
  found.id = "capture";
  for (const std::string& sentence : sentences) found.sentence += (found.sentence.empty() ? "" : " ") + sentence;
  double broken = 0, launches = 0, without = 0, held = 0;
  for (const GpuCapture& one : *data.captures) {
    broken += one.is_whole() ? 0 : 1;
    launches += static_cast<double>(one.launches);
    without += static_cast<double>(one.without_work());
    held += static_cast<double>(one.held);
    if (found.slice == kNone<SliceId> && one.holder != kNone<SliceId>) found.slice = one.holder;
  }
  if (found.slice != kNone<SliceId>) {
    const Ns begin = activity.trace->begin_of(found.slice);
    found.range = TimeRange{begin, begin + activity.trace->duration_of(found.slice)};
  }
  found.numbers = {{"devices", broken, {}},
                   {"launches", launches, {}},
                   {"launches without work", without, {}},
                   {"kernels within others", held, {}}};
  found.level = FindingLevel::Notable;
  found.share = 1;  // it affects all other findings
  found.chart = "gpu";
  out.push_back(std::move(found));
}

void find_graphs(const GpuActivity& activity, const GpuSums& sums, std::vector<Finding>& out) {
  if (sums.graphs == 0) return;
  Finding found;
  found.id = "graphs";
  found.share = part_of(sums.graphs, sums.span);
  found.sentence = fmt::format(
      "Graphs ran {:.1f} % of the time of {} ({}). Their kernels were not recorded, so how much of this is computing or "
      "communication is not known (nsys profile --cuda-graph-trace=node records them).",
      100 * found.share, activity.gpus.size() == 1 ? activity.gpus.front().name : fmt::format("the {} devices", activity.gpus.size()),
      format_duration(sums.graphs));
  found.numbers = {{"graphs", to_seconds(sums.graphs), "s"}, {"graphs share", 100 * found.share, "%"}};
  found.chart = "gpu";
  out.push_back(std::move(found));
}

void find_idle(const GpuActivity& activity, const RunData& data, std::vector<Finding>& out) {
  const std::vector<const Gpu*> whole = whole_captures(activity, data);
  GpuSums sums;
  for (const Gpu* const gpu : whole) {
    sums.span += gpu->span.length();
    sums.idle += gpu->idle();
  }
  if (sums.span <= 0) return;
  const bool one = whole.size() == 1;
  const std::string who = one                                    ? whole.front()->name
                          : whole.size() < activity.gpus.size() ? fmt::format("The {} devices whose capture is complete", whole.size())
                                                                 : devices(activity);
  const auto idle_share = [](const Gpu* gpu) { return part_of(gpu->idle(), gpu->span.length()); };
  const Gpu* const most = *std::ranges::max_element(whole, {}, idle_share);
  const double least = idle_share(*std::ranges::min_element(whole, {}, idle_share));
  constexpr double kUnlike = 0.5;  // if shares differ by more, a mean would describe none of the GPUs
  const bool unlike = idle_share(most) - least > kUnlike;
  Finding found;
  found.id = "gpu_idle";
  found.share = part_of(sums.idle, sums.span);
  found.sentence = unlike ? fmt::format("{} were idle {:.1f} to {:.1f} % of their time, most of all {}.", who, 100 * least,
                                        100 * idle_share(most), most->name)
                          : fmt::format("{} {} idle {:.1f} % of {} time ({} of {}).", who, one ? "was" : "were", 100 * found.share,
                                        one ? "its" : "their", format_duration(sums.idle), format_duration(sums.span));
  found.numbers = {
      {"idle", to_seconds(sums.idle), "s"}, {"of", to_seconds(sums.span), "s"}, {"idle share", 100 * found.share, "%"}};
  if (const std::optional<GpuGap> longest = longest_gap(activity, whole)) {
    const GpuGap& gap = *longest;
    found.sentence +=
        fmt::format(" The longest gap is {}{}", format_duration(gap.time.length()), one ? std::string() : ", on " + activity.gpus[gap.gpu].name);
    if (gap.cause != GapCause::unknown) found.sentence += fmt::format(" (cause: {})", meaning(gap.cause));
    if (gap.doing != kNone<SliceId>) {
      found.sentence += fmt::format("; the CPU was in {}", said_name(activity.trace->name_of(gap.doing)));
    }
    found.sentence += '.';
    found.numbers.push_back({"longest gap", to_seconds(gap.time.length()), "s"});
    found.range = gap.time;
    found.slice = gap.after;
  }
  if (!one) {
    constexpr double kMore = 0.005;  // a GPU stands out if its idle share exceeds the mean by more
    const double share = idle_share(most);
    if (!unlike && share - found.share > kMore)
      found.sentence += fmt::format(" Most idle: {}, {:.1f} %.", most->name, 100 * share);
    found.numbers.push_back({"most idle", 100 * share, "%"});
  }
  found.level = level_of(found.share, 0.05, 0.2);
  found.chart = "gpu_gaps";
  out.push_back(std::move(found));
}

SliceId first_work(const GpuActivity& activity, const Gpu& gpu) {
  SliceId first = kNone<SliceId>;
  for (const std::uint32_t r : gpu.rows) {
    const RowSlices slices = activity.trace->slices_of(activity.trace->rows[r]);
    for (std::size_t i = 0; i < slices.size() && slices.begin(i) <= gpu.span.begin; ++i) {
      if (slices.begin(i) == gpu.span.begin) first = slices.id(i);
    }
  }
  return first;
}

// The time recorded for a GPU's process before the GPU's first work and after its last.
struct UnusedTime {
  const Gpu* gpu = nullptr;
  TimeRange recorded;

  Ns before() const { return gpu->span.begin - recorded.begin; }
  Ns after() const { return recorded.end - gpu->span.end; }
  Ns length() const { return before() + after(); }
  double share() const { return part_of(length(), recorded.length()); }
};

std::vector<UnusedTime> unused_times(const GpuActivity& activity, const RunData& data) {
  std::vector<UnusedTime> out;
  for (const Gpu* const gpu : whole_captures(activity, data)) {
    const auto capture = std::ranges::find(*data.captures, gpu->group, &GpuCapture::group);
    if (capture == data.captures->end()) continue;
    const UnusedTime unused{gpu, capture->recorded};
    if (unused.before() >= 0 && unused.after() >= 0) out.push_back(unused);
  }
  return out;
}

// GPUs that worked only in a part of the recorded time. Their idle time counts from the first work to the last.
void find_unused(const GpuActivity& activity, const RunData& data, std::vector<Finding>& out) {
  constexpr double kNotable = 0.25;
  if (activity.scope || !data.captures) return;
  const std::vector<UnusedTime> all = unused_times(activity, data);
  Ns length = 0, recorded = 0;
  for (const UnusedTime& each : all) {
    length += each.length();
    recorded += each.recorded.length();
  }
  Finding found;
  found.id = "gpu_unused";
  found.share = part_of(length, recorded);
  if (all.empty() || found.share < kNotable) return;
  found.level = FindingLevel::Notable;
  found.chart = "gpu";
  found.numbers = {{"unused", to_seconds(length), "s"}, {"unused share", 100 * found.share, "%"}};
  const UnusedTime& most = *std::ranges::max_element(all, {}, &UnusedTime::share);
  const Gpu& gpu = *most.gpu;
  if (all.size() == 1) {
    found.sentence = fmt::format("{} did nothing in {:.1f} % of the recording ({} before its first work, {} after its last)",
                                 capitalized(gpu.name), 100 * found.share, format_duration(most.before()), format_duration(most.after()));
  } else {
    found.sentence = fmt::format(
        "{} devices did nothing in {:.1f} % of their recordings, before their first work and after their last. Most of all {}: {:.1f} % "
        "({} before, {} after)",
        all.size(), 100 * found.share, gpu.name, 100 * most.share(), format_duration(most.before()), format_duration(most.after()));
  }
  if (most.before() >= most.after()) {
    GpuGap gap;
    gap.time = {most.recorded.begin, gpu.span.begin};
    gap.after = first_work(activity, gpu);
    if (gap.after != kNone<SliceId>) explain_gap(activity, gap);
    if (gap.doing != kNone<SliceId>) {
      found.sentence += fmt::format("; before, the CPU was in {}", said_name(activity.trace->name_of(gap.doing)));
    }
    found.slice = gap.after;
    found.range = gap.time;
  } else {
    found.range = TimeRange{gpu.span.end, most.recorded.end};
  }
  found.sentence += '.';
  out.push_back(std::move(found));
}

void find_exposed(const GpuActivity& activity, const GpuSums& sums, std::vector<Finding>& out) {
  if (!activity.communicates || sums.communication == 0) return;
  Finding found;
  found.id = "exposed";
  found.share = part_of(sums.exposed, sums.span);
  found.sentence = fmt::format(
      "Communication not hidden behind computing took {:.1f} % of the devices' time ({}); {:.0f} % of all "
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
  // The collective in which this GPU cost the others the most time.
  const MatchedCollective* most = nullptr;
  for (const MatchedCollective& collective : waits.collectives) {
    if (!collective.last_is_certain || waits.name_of(waits.last(collective)) != activity.gpus[gpu].name) continue;
    if (!most || waits.lost(collective) > waits.lost(*most)) most = &collective;
  }
  if (most) {
    const Trace& trace = *activity.trace;
    found.slice = waits.last(*most).slice;
    found.range = TimeRange{trace.begin_of(waits.of(*most).front().slice), trace.end_of(found.slice)};
  }
  found.level = level_of(part_of(worst->others_waited, sums.span), 0.01, 0.05);
  found.share = part_of(worst->others_waited, sums.communication);  // the rank to blame is listed before the total
  found.chart = "nccl_overlap";
  out.push_back(std::move(found));
}

}  // namespace

void find_in_gpus(const RunData& data, std::vector<Finding>& out) {
  const GpuActivity& activity = *data.gpu;
  const GpuSums sums = sums_of(activity);
  if (activity.gpus.empty() || sums.span <= 0) return;
  find_captures(activity, data, out);
  find_idle(activity, data, out);
  find_unused(activity, data, out);
  find_graphs(activity, sums, out);
  find_exposed(activity, sums, out);
  find_copies(activity, sums, out);
  if (data.waits) find_straggler(activity, *data.waits, sums, out);
}

}  // namespace tv
