#include "core/index/counter_scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

// A number after one of these words identifies an instance. Our readers, PyTorch, Nsight Systems, Ray and Chrome write such names.
constexpr std::string_view kInstanceWords[] = {"gpu", "cpu", "rank", "worker", "device", "dev", "cuda", "npu", "hip", "xpu",
                                               "node", "process", "pid", "thread", "tid", "host", "machine", "stream", "replica", "nic"};

bool is_lower_letter(char c) { return c >= 'a' && c <= 'z'; }

// Whether one of these words ends at `at`, or before a separator that ends there.
bool after_instance_word(std::string_view name, std::size_t at) {
  if (at > 0 && std::string_view(" _-:#=[(").find(name[at - 1]) != std::string_view::npos) --at;
  std::size_t begin = at;
  while (begin > 0 && is_lower_letter(name[begin - 1])) --begin;
  return std::ranges::find(kInstanceWords, name.substr(begin, at - begin)) != std::end(kInstanceWords);
}

}  // namespace

std::string counter_kind(std::string_view lane_name) {
  const std::string name = lower_case(lane_name);
  std::string kind;
  for (std::size_t at = 0; at < name.size();) {
    if (!is_digit(name[at]) || !after_instance_word(name, at)) {
      kind += name[at++];
      continue;
    }
    kind += '#';
    while (at < name.size() && is_digit(name[at])) ++at;
  }
  return kind;
}

std::vector<CounterScale> counter_scales(const Trace& trace) {
  std::unordered_map<std::string, std::vector<std::size_t>> counters_by_kind;
  for (std::size_t c = 0; c < trace.counters.size(); ++c) {
    counters_by_kind[counter_kind(trace.lane(trace.counters[c].lane).name)].push_back(c);
  }
  std::vector<CounterScale> scales(trace.counters.size());
  for (const auto& [kind, counters] : counters_by_kind) {
    CounterScale scale{{0, trace.counters[counters[0]].max}, static_cast<std::uint32_t>(counters.size())};
    for (const std::size_t c : counters) {
      scale.range.min = std::min(scale.range.min, trace.counters[c].min);
      scale.range.max = std::max(scale.range.max, trace.counters[c].max);
    }
    for (const std::size_t c : counters) scales[c] = scale;
  }
  return scales;
}

std::string counter_text(const Trace& trace, std::size_t counter, const CounterScale& scale, double value) {
  const CounterSeries& series = trace.counters[counter];
  std::string text = fmt::format("{}: {:.6g}", trace.lane(series.lane).name, value);
  if (scale.lanes > 1) {
    text += fmt::format(" ({:g} .. {:g} for {} lanes, {:g} .. {:g} here)", scale.range.min, scale.range.max, scale.lanes,
                        series.min, series.max);
  }
  return text;
}

}  // namespace tv
