#include "core/query/search/search.h"

#include <algorithm>

namespace tv {

LabelSet find_labels(const LabelTable& labels, std::string_view text) {
  LabelSet found(labels.size());
  const Result<NamePattern> pattern = NamePattern::of({std::string(text), false, false});
  for (std::size_t l = 0; l < labels.size() && pattern; ++l) {
    if (pattern.value().matches(labels.name(id_at<LabelId>(l)))) found.insert(id_at<LabelId>(l));
  }
  return found;
}

LabelSet find_labels(const LabelTable& labels, const NamePattern& pattern, ThreadPool& pool) {
  LabelSet found(labels.size());
  if (pattern.empty()) return found;
  constexpr std::size_t kBlock = 4096;
  std::vector<std::vector<LabelId>> parts((labels.size() + kBlock - 1) / kBlock);
  pool.parallel_for(parts.size(), [&](std::size_t part) {
    for (std::size_t l = part * kBlock; l < std::min(labels.size(), (part + 1) * kBlock); ++l) {
      if (pattern.matches(labels.name(id_at<LabelId>(l)))) parts[part].push_back(id_at<LabelId>(l));
    }
  });
  for (const auto& part : parts) {
    for (const LabelId label : part) found.insert(label);
  }
  return found;
}

std::vector<LaneId> find_lanes(const Trace& trace, const NamePattern& pattern) {
  std::vector<LaneId> found;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (pattern.matches(trace.lanes[l].name)) found.push_back(id_at<LaneId>(l));
  }
  return found;
}

}  // namespace tv
