#include "core/analysis/collectives/collectives.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "core/analysis/gpu/gpu_sweep.h"

namespace tv {
namespace {

std::vector<CollectiveSum> collectives_of(const GpuActivity& activity, std::uint32_t g) {
  const Trace& trace = *activity.trace;
  const Gpu& gpu = activity.gpus[g];
  std::map<LabelId, CollectiveSum> sums;
  std::vector<Ns> computed_before(gpu.rows.size());  // by row: `computed` when the kernel that runs there began
  Ns computed = 0;
  const auto look = [&](const GpuEvent& event) {
    if (event.running.hides_communication()) computed += activity.counted(event.since).length();
    if (event.work != DeviceWork::Communication) return;
    if (event.begins) {
      computed_before[event.row] = computed;
      return;
    }
    const LabelId label = trace.label_of(event.slice);
    const Ns begin = trace.begin_of(event.slice), duration = trace.duration_of(event.slice);
    const Ns counted = activity.counted({begin, begin + duration}).length();
    if (counted == 0) return;
    CollectiveSum& sum = sums[label];
    const bool longest = sum.count == 0 || duration > sum.max || (duration == sum.max && event.slice < sum.longest);
    if (longest) sum.longest = event.slice;
    sum.label = label;
    sum.gpu = g;
    sum.min = sum.count == 0 ? duration : std::min(sum.min, duration);
    sum.max = std::max(sum.max, duration);
    sum.total += counted;
    sum.overlapped += computed - computed_before[event.row];
    ++sum.count;
  };
  sweep_gpu(trace, activity.work, gpu.rows, look, activity.within());
  std::vector<CollectiveSum> out;
  for (const auto& [label, sum] : sums) out.push_back(sum);
  return out;
}

constexpr std::size_t kNoRule = SIZE_MAX;

struct RuleOfLabel {
  CommunicationRules::Fit fit;
  bool counts = true;
};

// By label: an index into `rules`, or kNoRule.
std::vector<std::size_t> rules_by_label(const GpuActivity& activity, std::vector<RuleOfLabel>& rules) {
  const LabelTable& labels = activity.trace->labels;
  std::vector<std::size_t> of_label(labels.size(), kNoRule);
  for (std::size_t l = 0; l < labels.size(); ++l) {
    if (activity.work[l] != DeviceWork::Communication && activity.work[l] != DeviceWork::Compute) continue;
    RuleOfLabel rule;
    const std::string_view name = labels.name(id_at<LabelId>(l));
    if (activity.work[l] == DeviceWork::Communication) {
      const auto fit = activity.rules.communication(name);
      rule.fit = fit.value_or(CommunicationRules::Fit{"", "part of a collective", CommunicationKind::Transfer});
    } else {
      const CommunicationRule* const fused = communication_rule(name);
      if (!fused || fused->kind != CommunicationKind::Fused) continue;
      rule = {{std::string(fused->pattern), std::string(fused->family), fused->kind}, false};
    }
    const auto known = std::ranges::find(rules, rule.fit, &RuleOfLabel::fit);
    of_label[l] = static_cast<std::size_t>(known - rules.begin());
    if (known == rules.end()) rules.push_back(std::move(rule));
  }
  return of_label;
}

}  // namespace

std::vector<CommunicationMatch> communication_matches(const GpuActivity& activity) {
  std::vector<RuleOfLabel> rules;
  const std::vector<std::size_t> of_label = rules_by_label(activity, rules);
  std::vector<CommunicationMatch> out;
  for (std::size_t g = 0; g < activity.gpus.size() && !rules.empty(); ++g) {
    std::vector<CommunicationMatch> of_gpu;
    for (const RuleOfLabel& rule : rules)
      of_gpu.push_back({static_cast<std::uint32_t>(g), rule.fit, rule.counts, 0, 0});
    for (const std::uint32_t r : activity.gpus[g].rows) {
      const RowSlices row = activity.trace->slices_of(activity.trace->rows[r]);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t rule = of_label[idx(row.label(i))];
        const TimeRange counted = activity.counted(row.range(i));
        if (rule == kNoRule || (activity.scope && counted.empty())) continue;
        ++of_gpu[rule].count;
        of_gpu[rule].total += counted.length();
      }
    }
    std::erase_if(of_gpu, [](const CommunicationMatch& match) { return match.count == 0; });
    std::ranges::sort(of_gpu, {}, [](const CommunicationMatch& match) {
      return std::tuple(!match.counts, -match.total, std::string_view(match.rule.family),
                        std::string_view(match.rule.pattern));
    });
    std::ranges::move(of_gpu, std::back_inserter(out));
  }
  return out;
}

std::vector<CpuCommunication> cpu_communication(const Trace& trace) {
  std::vector<CpuCommunication> libraries;
  std::vector<std::size_t> of_label(trace.labels.size(), kNoRule);
  for (std::size_t l = 0; l < of_label.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    const std::string_view category = trace.labels.category(label);
    if (category_kind(category) != CategoryKind::Ranges) continue;
    const std::string_view library = cpu_communication(category, trace.labels.name(label));
    if (library.empty()) continue;
    const auto known = std::ranges::find(libraries, library, &CpuCommunication::library);
    of_label[l] = static_cast<std::size_t>(known - libraries.begin());
    if (known == libraries.end()) libraries.push_back({std::string(library), 0, 0});
  }
  if (libraries.empty()) return libraries;
  for (const SliceId slice : trace.ids()) {
    const std::size_t library = of_label[idx(trace.label_of(slice))];
    if (library == kNoRule) continue;
    ++libraries[library].count;
    libraries[library].total += trace.duration_of(slice);
  }
  std::ranges::sort(libraries, {},
                    [](const CpuCommunication& c) { return std::tuple(-c.total, std::string_view(c.library)); });
  return libraries;
}

std::vector<CollectiveSum> collectives(const GpuActivity& activity, ThreadPool& pool) {
  std::vector<std::vector<CollectiveSum>> of_gpu(activity.gpus.size());
  pool.parallel_for(of_gpu.size(),
                    [&](std::size_t g) { of_gpu[g] = collectives_of(activity, static_cast<std::uint32_t>(g)); });
  std::vector<CollectiveSum> out;
  std::map<LabelId, Ns> totals;
  for (const std::vector<CollectiveSum>& sums : of_gpu) {
    for (const CollectiveSum& sum : sums) {
      out.push_back(sum);
      totals[sum.label] += sum.total;
    }
  }
  std::ranges::sort(out, {}, [&](const CollectiveSum& sum) {
    return std::tuple(-totals[sum.label], activity.trace->labels.name(sum.label), sum.label, sum.gpu);
  });
  return out;
}

}  // namespace tv
