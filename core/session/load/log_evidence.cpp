#include "core/session/load/log_evidence.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/read/file_facts.h"
#include "core/session/load/segment_groups.h"
#include "core/store/segments/compose.h"

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
    std::map<std::size_t, std::vector<RecordedRange>> ranges;
    for (const Row& row : segment.rows_of(lane)) {
      const RowSlices slices = segment.slices_of(row);
      const auto marks = [&](LabelId label) { return is_step[idx(label)]; };
      if (row.kind != RowKind::Slices || !slices.any_label(marks)) continue;
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const ItemRef ref = segment.ref_of(slices.id(i));
        if (!marks(slices.label(i)) || ref.is(kUnfinished)) continue;
        const std::size_t source = idx(ref.source());
        const auto recorded = to_recorded(segment, segment.sources[source]) + manual_offset;
        ranges[source].push_back(recorded(SegmentRange::of(slices.range(i))));
      }
    }
    for (auto& [source, all] : ranges) of_source[source].steps.push_back(outermost(std::move(all)));
  }
}

// Adds the files of a segment that can date logs, but not logs themselves.
void add_files(const std::shared_ptr<const Trace>& segment, Ns manual_offset, std::vector<TimedFile>& files) {
  const Trace& trace = *segment;
  std::vector<TimedFile> of_source;
  for (const SourceInfo& source : trace.sources) {
    TimedFile& file = of_source.emplace_back(timed_file(source));
    if (!source.wall_clock || !source.extent) continue;
    file.extent = (to_recorded(trace, source) + manual_offset)(SegmentRange::of(*source.extent));
  }
  const std::vector<bool> is_step = step_labels(trace);
  if (std::ranges::find(is_step, true) != is_step.end()) {
    const auto view = compose({segment});  // a view keeps the values of unchecked columns within bounds
    if (view) add_steps(*view.value(), manual_offset, of_source);
  }
  for (std::size_t s = 0; s < of_source.size(); ++s) {
    const bool has_times = of_source[s].extent != RecordedRange{} || !of_source[s].steps.empty();
    if (has_times && !is_log(trace.sources[s])) files.push_back(std::move(of_source[s]));
  }
}

// Adds the rollouts in a packed segment, because training logs are joined with them.
void add_rollouts_of(const Trace& segment, Ns manual_offset, std::vector<OtherRollout>& found) {
  const auto extents = rollout_extents(segment.rollout);
  for (std::uint32_t f = 0; f < segment.rollout.files.size(); ++f) {
    const RolloutFile& file = segment.rollout.files[f];
    const SourceInfo& source = segment.sources[file.source];
    if (file.step < 0 || source.worker == -1) continue;  // the trainer is not part of the rollout
    const auto recorded = to_recorded(segment, source) + manual_offset;
    for (const TimeRange& extent : extents[f]) {
      found.push_back({source.path, file.step, {}, recorded(SegmentRange::of(extent)),
                       source.clock_fit.evidence == ClockEvidence::NoZone});
    }
  }
}

}  // namespace

std::vector<OtherRollout> other_rollouts(const PackedTraces& packed, const LoadSources& sources) {
  std::vector<OtherRollout> found;
  packed.for_each_shown([&](const PackedTraces::Packed& one) { add_rollouts_of(*one.trace, one.manual_offset, found); });
  for (const auto& source : sources) {
    if (!source->left_out) continue;
    const FileFacts facts = facts_of(source->path);
    if (facts.worker == -1 || !facts.step) continue;  // the trainer is not part of the rollout
    found.push_back({source->path, *facts.step, *source->left_out, {}});
  }
  return found;
}

std::vector<TimedFile> timed_files(const PackedTraces& packed, const std::vector<ReusedSegment>& reused, const Segments& read) {
  std::vector<TimedFile> files;
  for (const ReusedSegment& one : reused) {
    if (is_independent(*one.segment)) add_files(one.segment, one.manual_offset, files);
  }
  for (const auto& segment : read) {
    if (is_independent(*segment)) add_files(segment, 0, files);
  }
  packed.for_each_shown([&](const PackedTraces::Packed& one) { add_files(one.trace, one.manual_offset, files); });
  return files;
}

std::string logs_key(std::string_view choice, const LoadSources& sources, LogEvidence evidence) {
  auto& [known, rollouts] = evidence;
  std::vector<CacheKey::File> logs;
  for (const auto& source : sources) {
    const SourceState state = source->draft.state();
    const bool shown = state == SourceState::Ready || state == SourceState::Waiting;
    if (shown && source->reader && source->reader->is_log) logs.push_back(source->key());
  }
  const auto place = [](const OtherRollout& rollout) { return std::pair(std::string_view(rollout.path), rollout.plain().begin); };
  std::ranges::sort(rollouts, {}, place);
  std::ranges::sort(logs, {}, &CacheKey::File::path);
  sort_by_path(known);
  std::string all;
  for (const CacheKey::File& log : logs) {
    all += fmt::format("{} {} {} {}\n", log.identity.size, log.identity.modified_ns, log.clock_offset, log.path);
  }
  const auto add = [&](const std::optional<std::int64_t>& value) { all += value ? fmt::format("{} ", *value) : "- "; };
  for (const TimedFile& file : known) {
    for (const auto& value : {file.pid, file.rank, file.step, file.zone_east}) add(value);
    all += fmt::format("{} {} {} {}\n", file.extent.begin.ns, file.extent.end.ns, file.phase, file.path);
    for (const auto& steps : file.steps) {
      for (const RecordedRange& step : steps) all += fmt::format("{} {} ", step.begin.ns, step.end.ns);
      all += '\n';
    }
  }
  for (const OtherRollout& rollout : rollouts) {
    const auto [begin, end] = rollout.plain();
    all += fmt::format("{} {} {} {} {} {}\n", rollout.step, begin, end, rollout.recorded.has_value(), rollout.zone_unknown,
                       rollout.path);
  }
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{}; logs with {:016x}{:016x}", choice, hash.high64, hash.low64);
}

}  // namespace tv
