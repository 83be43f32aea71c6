#include "core/session/load/beside_logs.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/session/load/segment_groups.h"
#include "core/store/segments/compose.h"
#include "core/store/segments/recorded_time.h"

namespace tv {
namespace {

std::vector<bool> step_labels(const Trace& trace) {
  std::vector<bool> is_step;
  for (std::size_t l = 0; l < trace.labels.size(); ++l) is_step.push_back(marks_step(trace.labels, id_at<LabelId>(l)));
  return is_step;
}

void add_steps(const Trace& segment, Ns manual_offset, std::vector<TimedFile>& of_source) {
  const std::vector<bool> is_step = step_labels(segment);
  for (const Lane& lane : segment.lanes) {
    std::vector<std::vector<TimeRange>> ranges(of_source.size());
    for (const Row& row : segment.rows_of(lane)) {
      const RowSlices slices = segment.slices_of(row);
      const auto marks = [&](LabelId label) { return is_step[idx(label)]; };
      if (row.kind != RowKind::Slices || !slices.any_label(marks)) continue;
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const ItemRef ref = segment.ref_of(slices.id(i));
        if (!marks(slices.label(i)) || ref.is(kUnfinished)) continue;
        const std::size_t source = idx(ref.source());
        const Ns by = to_recorded(segment, segment.sources[source]) + manual_offset;
        ranges[source].push_back({slices.begin(i) + by, slices.end(i) + by});
      }
    }
    for (std::size_t s = 0; s < ranges.size(); ++s) {
      if (!ranges[s].empty()) of_source[s].steps.push_back(outermost(std::move(ranges[s])));
    }
  }
}

}  // namespace

std::vector<TimedFile> timed_files(const std::shared_ptr<const Trace>& segment, Ns manual_offset) {
  const Trace& trace = *segment;
  std::vector<TimedFile> of_source;
  for (const SourceInfo& source : trace.sources) {
    TimedFile& file = of_source.emplace_back(timed_file(source));
    if (!source.wall_clock || !source.extent) continue;
    const Ns by = to_recorded(trace, source) + manual_offset;
    file.extent = {source.extent->begin + by, source.extent->end + by};
  }
  const std::vector<bool> is_step = step_labels(trace);
  if (std::ranges::find(is_step, true) != is_step.end()) {
    const auto view = compose({segment});  // keeps unchecked columns within bounds
    if (view) add_steps(*view.value(), manual_offset, of_source);
  }
  std::vector<TimedFile> files;
  for (std::size_t s = 0; s < of_source.size(); ++s) {
    const bool tells = of_source[s].extent != TimeRange{} || !of_source[s].steps.empty();
    if (tells && !is_log(trace.sources[s])) files.push_back(std::move(of_source[s]));
  }
  return files;
}

std::vector<OtherRollout> rollouts_in(const Trace& segment, Ns manual_offset) {
  std::vector<OtherRollout> found;
  const auto extents = rollout_extents(segment.rollout);
  for (std::uint32_t f = 0; f < segment.rollout.files.size(); ++f) {
    const RolloutFile& file = segment.rollout.files[f];
    const SourceInfo& source = segment.sources[file.source];
    if (file.step < 0 || source.worker == -1) continue;  // the trainer is not part of the rollout
    const Ns by = to_recorded(segment, source) + manual_offset;
    for (const TimeRange& extent : extents[f]) {
      found.push_back({source.path, file.step, {extent.begin + by, extent.end + by}, true,
                       source.clock_fit.evidence == ClockEvidence::NoZone});
    }
  }
  return found;
}

std::string logs_key(std::string_view choice, std::vector<CacheKey::File> logs, std::vector<TimedFile> known,
                           std::vector<OtherRollout> rollouts) {
  const auto place = [](const OtherRollout& rollout) { return std::tie(rollout.path, rollout.extent.begin); };
  std::ranges::sort(rollouts, {}, place);
  std::ranges::sort(logs, {}, &CacheKey::File::path);
  sort_by_path(known);
  std::string all;
  for (const CacheKey::File& log : logs) {
    all += fmt::format("{} {} {} {}\n", log.identity.size, log.identity.modified_ns, log.clock_offset, log.path);
  }
  const auto say = [&](const std::optional<std::int64_t>& value) { all += value ? fmt::format("{} ", *value) : "- "; };
  for (const TimedFile& file : known) {
    for (const auto& value : {file.pid, file.rank, file.step, file.zone_east}) say(value);
    all += fmt::format("{} {} {} {}\n", file.extent.begin, file.extent.end, file.phase, file.path);
    for (const auto& steps : file.steps) {
      for (const TimeRange& step : steps) all += fmt::format("{} {} ", step.begin, step.end);
      all += '\n';
    }
  }
  for (const OtherRollout& rollout : rollouts) {
    all += fmt::format("{} {} {} {} {} {}\n", rollout.step, rollout.extent.begin, rollout.extent.end, rollout.placed,
                       rollout.zone_unknown, rollout.path);
  }
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{}; logs beside {:016x}{:016x}", choice, hash.high64, hash.low64);
}

}  // namespace tv
