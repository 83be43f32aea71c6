#include "core/analysis/run/capture_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "core/analysis/gpu/gpu_launches.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

constexpr std::uint64_t kFewOf = 20;     // one in this many launches may lack its work
constexpr std::uint64_t kLeastHeld = 3;  // a kernel counts only if it encloses this many others
constexpr Ns kLateOf = 10;               // late by more than 1/kLateOf of the median length

enum class Call : std::uint8_t { None, Launch, BeginsCapture, EndsCapture };

// Launches are cudaLaunchKernelExC, cudaGraphLaunch, cuLaunchKernel, hipExtModuleLaunchKernel, urEnqueueKernelLaunch and so on.
Call call_of(std::string_view category, std::string_view name) {
  const auto holds = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (!is_api_call(category)) return Call::None;
  if (holds("StreamBeginCapture")) return Call::BeginsCapture;
  if (holds("StreamEndCapture")) return Call::EndsCapture;
  return holds("Launch") && !holds("HostFunc") && !holds("Callback") ? Call::Launch : Call::None;
}

struct LaunchCall {
  TimeRange time;
  Call call = Call::None;
  bool linked = false;
};

// Most lists are sorted already, and sorting them again would cost more than the rest of the check.
void put_in_order(std::vector<LaunchCall>& calls) {
  const auto begin = [](const LaunchCall& one) { return one.time.begin; };
  if (!std::ranges::is_sorted(calls, {}, begin)) std::ranges::stable_sort(calls, {}, begin);
}

// The launches of one thread, in order. A driver call inside a runtime call counts as one launch with it.
std::vector<LaunchCall> launches_on(const GpuActivity& activity, const Lane& lane, const std::vector<Call>& calls) {
  const Trace& trace = *activity.trace;
  std::vector<LaunchCall> all;
  for (const Row& row : trace.rows_of(lane)) {
    if (row.kind != RowKind::Slices) continue;
    const RowSlices slices = trace.slices_of(row);
    if (!slices.any_label([&](LabelId label) { return calls[idx(label)] != Call::None; })) continue;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const Call call = calls[idx(slices.label(i))];
      if (call == Call::None) continue;
      LaunchCall& one = all.emplace_back(LaunchCall{slices.range(i), call});
      if (call != Call::Launch) continue;
      trace.flows.leaving(slices.id(i), [&](std::size_t, const Flow& flow) { one.linked |= activity.is_work(flow.to); });
    }
  }
  put_in_order(all);
  std::vector<LaunchCall> out;
  bool capturing = false;
  for (const LaunchCall& one : all) {
    if (one.call != Call::Launch) {
      capturing = one.call == Call::BeginsCapture;
    } else if (!out.empty() && one.time.begin < out.back().time.end) {
      out.back().linked |= one.linked;
    } else if (!capturing || one.linked) {
      out.push_back(one);
    }
  }
  return out;
}

struct Counted {
  std::uint64_t launches = 0, lost = 0, before_first = 0, after_last = 0;
};

Counted count(std::vector<LaunchCall>& calls) {
  put_in_order(calls);
  const auto linked = [](const LaunchCall& one) { return one.linked; };
  const auto first = std::ranges::find_if(calls, linked);
  if (first == calls.end()) return {};
  const auto after_last_linked = std::find_if(calls.rbegin(), calls.rend(), linked).base();
  Counted out;
  out.launches = calls.size();
  out.before_first = static_cast<std::uint64_t>(first - calls.begin());
  out.after_last = static_cast<std::uint64_t>(calls.end() - after_last_linked);
  out.lost = static_cast<std::uint64_t>(std::count_if(first, after_last_linked, [](const LaunchCall& one) { return !one.linked; }));
  return out;
}

SourceId source_of(const Trace& trace, const Gpu& gpu) {
  return trace.ref_of(trace.slices_of(trace.rows[gpu.rows.front()]).id(0)).source();
}

// What the files of one process say together.
struct ProcessFiles {
  TimeRange work;  // empty if no file has work
  bool launches_are_in_doubt = false;

  void add(const SourceInfo& file) {
    launches_are_in_doubt |= file.problems.count(ProblemKind::doubtful_launch) > 0;
    if (file.work.empty()) return;
    if (work.empty()) work = file.work;
    work.include(file.work.begin, file.work.end);
  }
};

class FilesByProcess {
 public:
  explicit FilesByProcess(const Trace& trace) : trace_(trace) {
    for (const SourceInfo& file : trace.sources) {
      if (!file.process.empty()) files_[file.process].add(file);
    }
  }

  // The file with the GPU's first slice, and the other files of its process. A file that names no process stands alone.
  ProcessFiles of(const Gpu& gpu) const {
    const SourceInfo& first = trace_.sources[idx(source_of(trace_, gpu))];
    if (!first.process.empty()) return files_.at(first.process);
    ProcessFiles alone;
    alone.add(first);
    return alone;
  }

 private:
  const Trace& trace_;
  std::map<std::string_view, ProcessFiles> files_;
};

void count_launches(const GpuActivity& activity, const FilesByProcess& files, ThreadPool& pool, std::vector<GpuCapture>& out) {
  const Trace& trace = *activity.trace;
  std::vector<Call> calls;
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    calls.push_back(call_of(trace.labels.category(label), trace.labels.name(label)));
  }
  if (std::ranges::find(calls, Call::Launch) == calls.end()) return;
  std::vector<std::vector<LaunchCall>> of_lane(trace.lanes.size());
  pool.parallel_for(of_lane.size(), [&](std::size_t l) {
    const Lane& lane = trace.lanes[l];
    if (lane.slices > 0 && lane.kind != LaneKind::Stream) of_lane[l] = launches_on(activity, lane, calls);
  });
  std::map<LaneId, std::vector<LaunchCall>> of_process;
  for (std::size_t l = 0; l < of_lane.size(); ++l) {
    if (of_lane[l].empty()) continue;
    std::vector<LaunchCall>& all = of_process[outermost_group(trace, id_at<LaneId>(l))];
    if (all.empty()) {
      all = std::move(of_lane[l]);
    } else {
      all.insert(all.end(), of_lane[l].begin(), of_lane[l].end());
    }
  }
  std::map<LaneId, Counted> counted;
  for (auto& [process, all] : of_process) counted[process] = count(all);
  for (std::size_t g = 0; g < out.size(); ++g) {
    const auto known = counted.find(activity.gpus[g].process);
    if (known == counted.end() || files.of(activity.gpus[g]).launches_are_in_doubt) continue;
    const Counted& launches = known->second;
    out[g].launches = launches.launches;
    out[g].lost = launches.lost;
    out[g].before_first = launches.before_first;
    out[g].after_last = launches.after_last;
  }
}

bool is_kernel(DeviceWork work) { return work == DeviceWork::Compute || work == DeviceWork::Communication; }

// Nodes of one graph may run in parallel even though they are recorded on one stream.
bool is_of_graph(const GpuActivity& activity, SliceId kernel) {
  const auto launch = launch_of(activity, kernel);
  return launch && activity.trace->name_of(*launch).find("Graph") != std::string_view::npos;
}

void count_held(const GpuActivity& activity, const Gpu& gpu, GpuCapture& out) {
  const Trace& trace = *activity.trace;
  std::map<SliceId, std::uint64_t> held;
  std::map<std::pair<LaneId, std::uint32_t>, std::vector<std::uint32_t>> stream_rows;  // rows by lane and slot, from the top
  for (const std::uint32_t r : gpu.rows) {
    const Row& row = trace.rows[r];
    std::vector<std::uint32_t>& rows_above = stream_rows[{row.lane, row.slot}];
    if (!rows_above.empty()) {
      const RowSlices slices = trace.slices_of(row);
      const RowWork work(activity.work, trace, slices);
      for (std::size_t i = 0; i < slices.size(); ++i) {
        if (!is_kernel(work.of(slices, i)) || !work.lasts(slices, i)) continue;
        for (const std::uint32_t o : rows_above) {
          const RowSlices around = trace.slices_of(trace.rows[o]);
          const std::size_t after = first_beginning_after(around, slices.begin(i));
          if (after == 0 || around.end(after - 1) < slices.end(i)) continue;
          const RowWork around_work(activity.work, trace, around);
          if (!is_kernel(around_work.of(around, after - 1)) || around_work.never_ended(around, after - 1)) continue;
          ++held[around.id(after - 1)];
          break;
        }
      }
    }
    rows_above.push_back(r);
  }
  std::uint64_t most = 0;
  for (const auto& [holder, kernels] : held) {
    if (kernels < kLeastHeld || is_of_graph(activity, holder)) continue;
    out.held += kernels;
    if (kernels > most) out.holder = holder;
    most = std::max(most, kernels);
  }
}

// The recorded time range of each GPU's process: that of its files, or of its lanes if several processes share a file.
std::map<LaneId, TimeRange> recorded_ranges(const GpuActivity& activity, const FilesByProcess& files) {
  const Trace& trace = *activity.trace;
  std::map<SourceId, std::set<LaneId>> processes;
  for (const Gpu& gpu : activity.gpus) processes[source_of(trace, gpu)].insert(gpu.process);
  std::map<LaneId, TimeRange> out;
  for (const Gpu& gpu : activity.gpus) {
    const SourceId source = source_of(trace, gpu);
    TimeRange recorded = files.of(gpu).work;
    if (processes[source].size() > 1 || recorded.empty()) recorded = trace.lane(gpu.process).extent;
    const auto [at, fresh] = out.try_emplace(gpu.process, recorded);
    if (!fresh) at->second.include(recorded.begin, recorded.end);
  }
  return out;
}

bool are_ranks_of_one_run(const GpuActivity& activity) {
  std::map<std::int64_t, LaneId> of_rank;
  for (const Gpu& gpu : activity.gpus) {
    const auto rank = activity.trace->sources[idx(source_of(*activity.trace, gpu))].rank;
    if (rank && of_rank.try_emplace(*rank, gpu.process).first->second != gpu.process) return false;
  }
  return true;
}

// Compares each range with the usual begin and end of the full-length ranges. A range that is only shifted, by its clock or its
// schedule, is complete.
void compare_ranks(const GpuActivity& activity, const std::map<LaneId, TimeRange>& of_process, std::vector<GpuCapture>& out) {
  if (of_process.size() < 2 || !are_ranks_of_one_run(activity)) return;
  std::vector<Ns> begins, ends, lengths;
  for (const auto& [process, range] : of_process) lengths.push_back(range.length());
  std::ranges::sort(lengths);
  const Ns length = lengths[lengths.size() / 2], much = length / kLateOf;
  for (const auto& [process, range] : of_process) {
    if (length - range.length() > much) continue;
    begins.push_back(range.begin);
    ends.push_back(range.end);
  }
  for (std::vector<Ns>* const values : {&begins, &ends}) std::ranges::sort(*values);
  const TimeRange usual{begins[(begins.size() - 1) / 2], ends[ends.size() / 2]};
  for (std::size_t g = 0; g < out.size(); ++g) {
    const TimeRange& range = of_process.at(activity.gpus[g].process);
    const bool overlaps = 2 * clip_to(range, usual).length() >= range.length();  // else it is another run, or a wrong clock
    if (!overlaps || length - range.length() <= much) continue;
    if (range.begin - usual.begin > much) out[g].begins_late = range.begin - usual.begin;
    if (usual.end - range.end > much) out[g].ends_early = usual.end - range.end;
  }
}

std::string of_gpus(const GpuActivity& activity, const std::vector<std::string>& names) {
  if (names.size() == activity.gpus.size()) return names.size() == 1 ? names.front() : fmt::format("all {} devices", names.size());
  constexpr std::size_t kMostNames = 3;
  std::string out;
  for (std::size_t n = 0; n < std::min(names.size(), kMostNames); ++n) out += (n == 0 ? "" : "; ") + names[n];
  if (names.size() > kMostNames) out += fmt::format(" and {} more", names.size() - kMostNames);
  return out;
}

std::string launches_text(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} of {} launches", format_count(part), format_count(whole));
}

}  // namespace

bool GpuCapture::loses_launches() const {
  // A single launch at either end proves nothing: its work may lie outside the capture, or its id may be 0, which means no id.
  if (lost == 0 && before_first <= 1 && after_last <= 1) return false;
  return without_work() * kFewOf >= launches;
}
bool GpuCapture::holds_kernels() const { return held > 0; }

std::vector<GpuCapture> check_captures(const GpuActivity& activity, ThreadPool& pool) {
  std::vector<GpuCapture> out(activity.gpus.size());
  for (std::size_t g = 0; g < out.size(); ++g) {
    out[g].group = activity.gpus[g].group;
    out[g].gpu = activity.gpus[g].name;
  }
  const FilesByProcess files(*activity.trace);
  count_launches(activity, files, pool, out);
  pool.parallel_for(out.size(), [&](std::size_t g) { count_held(activity, activity.gpus[g], out[g]); });
  const std::map<LaneId, TimeRange> of_process = recorded_ranges(activity, files);
  for (std::size_t g = 0; g < out.size(); ++g) out[g].recorded = of_process.at(activity.gpus[g].process);
  compare_ranks(activity, of_process, out);
  return out;
}

std::vector<std::string> capture_sentences(const GpuActivity& activity, const std::vector<GpuCapture>& captures) {
  std::vector<std::string> lost, held, late, early, out;
  const GpuCapture *most_lost = nullptr, *most_held = nullptr;
  Ns latest = 0, earliest = 0;
  for (const GpuCapture& one : captures) {
    if (one.loses_launches()) {
      lost.push_back(one.gpu);
      if (!most_lost || one.without_work() > most_lost->without_work()) most_lost = &one;
    }
    if (one.holds_kernels()) {
      held.push_back(one.gpu);
      if (!most_held || one.held > most_held->held) most_held = &one;
    }
    if (one.begins_late > 0) late.push_back(one.gpu);
    if (one.ends_early > 0) early.push_back(one.gpu);
    latest = std::max(latest, one.begins_late);
    earliest = std::max(earliest, one.ends_early);
  }
  if (most_lost) {
    std::string sentence = fmt::format("The capture of {} is incomplete: {} have no work recorded{}", of_gpus(activity, lost),
                                       launches_text(most_lost->without_work(), most_lost->launches),
                                       lost.size() > 1 ? " at worst" : "");
    if (most_lost->lost < most_lost->without_work()) {
      sentence += fmt::format(" ({} before the first launch with work, {} after the last)", format_count(most_lost->before_first),
                              format_count(most_lost->after_last));
    }
    const std::string_view less_idle = lost.size() > 1 ? ", so they were less idle than they look." : ", so it was less idle than it looks.";
    out.push_back(sentence.append(most_lost->lost > 0 ? less_idle : "."));
  }
  if (most_held) {
    const Trace& trace = *activity.trace;
    out.push_back(fmt::format(
        "The capture of {} is inconsistent: {} of {} contains {} of its stream. A stream runs one kernel at a time, so this length "
        "is wrong.",
        of_gpus(activity, held), shortened_utf8(trace.name_of(most_held->holder)),
        format_duration(trace.duration_of(most_held->holder)), count_text(most_held->held, "later kernel")));
  }
  if (!late.empty()) {
    out.push_back(fmt::format("The recording of {} begins {}{} later than that of most ranks.", of_gpus(activity, late),
                              late.size() > 1 ? "up to " : "", format_duration(latest)));
  }
  if (!early.empty()) {
    out.push_back(fmt::format("The recording of {} ends {}{} earlier than that of most ranks.", of_gpus(activity, early),
                              early.size() > 1 ? "up to " : "", format_duration(earliest)));
  }
  return out;
}

std::vector<std::string> capture_sentences(const std::shared_ptr<const Trace>& trace, ThreadPool& pool, std::size_t most) {
  if (!may_have_gpus(*trace)) return {};
  if (trace->items() > most) {
    return {fmt::format("Captures of more than {} slices are not checked here; stats --of findings checks them.", format_count(most))};
  }
  const auto gpus = find_gpus(trace, pool);
  return capture_sentences(*gpus, check_captures(*gpus, pool));
}

}  // namespace tv
