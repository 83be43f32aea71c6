#include "core/view/charts/gpu/gpu_chart_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/collectives/collectives.h"
#include "core/base/text/count_text.h"
#include "core/base/time.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/words/chart_text.h"
#include "core/view/words/short_name.h"

namespace tv {
namespace {

constexpr std::size_t kLeastArguments = 8;  // letters

// Parameters are the last pair of parentheses, unless a blank or ':' precedes it: "Memcpy HtoD (Pageable -> Device)".
std::string_view without_parameters(std::string_view name) {
  if (!name.ends_with(')')) return name;
  int open = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++open;
    if (name[i] == '(' && --open == 0)
      return i > 0 && name[i - 1] != ' ' && name[i - 1] != ':' ? name.substr(0, i) : name;
  }
  return name;
}

// Removes the namespaces of a template, which say little about a kernel: "at::native::reduce_kernel<512>".
std::string_view without_namespaces(std::string_view name) {
  const std::size_t arguments = name.find('<');
  if (arguments == std::string_view::npos || arguments == 0) return name;
  const std::size_t colons = name.rfind("::", arguments);
  return colons == std::string_view::npos || colons + 2 >= arguments ? name : name.substr(colons + 2);
}

float letters_in(std::string_view text, float) {
  return static_cast<float>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

ChartTarget place_target(Chart& chart, ChartPlace place) {
  chart.places.push_back(place);
  return {ChartTarget::Kind::Place, static_cast<std::uint32_t>(chart.places.size() - 1)};
}

std::string plain_kernel(std::string_view name) {
  constexpr std::string_view kVoid = "void ";
  if (name.starts_with(kVoid)) name.remove_prefix(kVoid.size());
  return chart_one_line(without_namespaces(without_parameters(name)));
}

}  // namespace

ChartTarget slice_target(Chart& chart, const Trace& trace, SliceId slice) {
  if (slice == kNone<SliceId>) return {};
  const Ns begin = trace.begin_of(slice);
  return place_target(chart, {slice, {begin, begin + std::max<Ns>(trace.duration_of(slice), 1)}, false});
}

ChartTarget name_target(Chart& chart, const Trace& trace, SliceId slice) {
  const ChartTarget target = slice_target(chart, trace, slice);
  if (target.kind == ChartTarget::Kind::Place) chart.places[target.id].by_name = true;
  return target;
}

ChartTarget stretch_target(Chart& chart, TimeRange range, SliceId slice) {
  return place_target(chart, {slice, range, true});
}

std::string short_kernel(std::string_view name, std::size_t most_letters) {
  const std::string whole = plain_kernel(name);
  // Instances of a template differ in their arguments, so the template's name is cut only if too few of these would fit.
  const std::size_t arguments = whole.find('<');
  const std::size_t head = arguments == std::string::npos || arguments + kLeastArguments > most_letters ? 0 : arguments;
  return whole.substr(0, head) +
         chart_elided(whole.substr(head), static_cast<float>(most_letters - head), 1, letters_in);
}

std::vector<std::string> short_kernels(const std::vector<std::string>& names, std::size_t most_letters) {
  std::vector<std::string> out;
  std::map<std::string, std::vector<std::size_t>> rows_by_text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out.push_back(short_kernel(names[i], most_letters));
    rows_by_text[out.back()].push_back(i);
  }
  for (const auto& [text, rows] : rows_by_text) {
    std::vector<std::string> whole;
    for (const std::size_t i : rows) whole.push_back(plain_kernel(names[i]));
    // Overloads differ only in their parameters.
    if (std::set<std::string>(whole.begin(), whole.end()).size() == 1) {
      for (std::size_t k = 0; k < rows.size(); ++k) whole[k] = chart_one_line(names[rows[k]]);
    }
    const std::vector<std::string> cut = distinct_cuts(whole, most_letters);
    if (rows.size() == 1 || std::set<std::string>(cut.begin(), cut.end()).size() == 1) continue;
    for (std::size_t k = 0; k < rows.size(); ++k) out[rows[k]] = cut[k];
  }
  return out;
}

std::string slice_text(const Trace& trace, SliceId slice, std::size_t most_letters) {
  if (slice == kNone<SliceId>) return "-";
  return short_kernel(trace.name_of(slice), most_letters);
}

ChartCell kernel_cell(std::string_view name) { return name_cell(short_kernel(name), name); }

ChartCell slice_cell(const Trace& trace, SliceId slice, std::size_t most_letters) {
  if (slice == kNone<SliceId>) return "-";
  return name_cell(slice_text(trace, slice, most_letters), trace.name_of(slice));
}

std::string thread_text(const Trace& trace, LaneId thread) { return name_in_process(trace, thread); }

std::string device_noun(const GpuActivity& activity) {
  std::string_view noun;
  for (const Gpu& gpu : activity.gpus) {
    const std::string_view word = device_word(activity.trace->lane(gpu.group).owner.device);
    if (word.empty() || (!noun.empty() && word != noun))
      return activity.gpus.empty() || word.empty() ? "GPU" : "device";
    noun = word;
  }
  return noun.empty() ? "GPU" : std::string(noun);
}

std::string devices_text(const GpuActivity& activity) {
  return fmt::format("{} {}{}", activity.gpus.size(), device_noun(activity), activity.gpus.size() == 1 ? "" : "s");
}

Ns graph_time(const GpuActivity& activity) {
  Ns time = 0;
  for (const Gpu& gpu : activity.gpus) time += gpu.time.graphs();
  return time;
}

std::vector<ChartFact> communication_facts(const GpuActivity& activity) {
  // The sums of each rule over all devices.
  std::vector<CommunicationMatch> sums;
  for (CommunicationMatch& match : communication_matches(activity)) {
    const auto known = std::ranges::find(sums, match.rule, &CommunicationMatch::rule);
    if (known == sums.end()) {
      sums.push_back(std::move(match));
    } else {
      known->count += match.count;
      known->total += match.total;
    }
  }
  std::ranges::stable_sort(sums, {}, [](const CommunicationMatch& m) { return std::pair(!m.counts, -m.total); });
  std::vector<ChartFact> facts;
  for (const CommunicationMatch& match : sums) {
    const std::string& family = match.rule.family;
    facts.push_back({match.rule.pattern.empty() ? family : fmt::format("{} ({})", family, match.rule.pattern),
                     fmt::format("{}, {}{}", count_text(match.count, "kernel"), format_duration(match.total),
                                 match.counts ? "" : ", counted as computing")});
  }
  if (const Ns graphs = graph_time(activity); graphs > 0)
    facts.push_back({"graphs", fmt::format("{}, whose kernels were not recorded", format_duration(graphs))});
  if (activity.communicates) return facts;
  facts.insert(facts.begin(), {"communication", "nothing recognised"});
  for (const CpuCommunication& cpu : cpu_communication(*activity.trace)) {
    facts.push_back({cpu.library + " on CPU threads",
                     fmt::format("{}, {}", count_text(cpu.count, "range"), format_duration(cpu.total))});
  }
  return facts;
}

ChartAxis timeline_axis(TimeRange range) {
  ChartAxis axis;
  axis.title = "time since the beginning (s)";
  axis.unit = ChartUnit::Seconds;
  axis.timeline = true;
  axis.least = to_seconds(range.begin);
  axis.most = to_seconds(range.end);
  return axis;
}

void add_bars(Chart& chart, std::vector<std::string> rows, const std::vector<PartOfBar>& parts,
              const std::function<std::string(double value)>& text, const std::vector<ChartTarget>& targets) {
  chart.horizontal = true;
  chart.y.categories = std::move(rows);
  chart.x.from_zero = true;
  for (const PartOfBar& part : parts) {
    ChartSeries series;
    series.name = part.name;
    series.mark = ChartSeries::Mark::Bars;
    series.color = part.color;
    series.faint = part.idle;
    series.hatched = part.idle;
    series.targets = targets;
    bool any = false;
    for (std::size_t row = 0; row < chart.y.categories.size(); ++row) {
      const double value = part.value(row);
      any |= value != 0;
      series.x.push_back(static_cast<double>(row));
      series.y.push_back(value);
      series.labels.push_back(value != 0 ? text(value) : std::string());
    }
    if (any) chart.series.push_back(std::move(series));
  }
}

}  // namespace tv
