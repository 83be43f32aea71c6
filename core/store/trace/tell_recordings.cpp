#include "core/store/trace/tell_recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/base/disjoint_sets.h"
#include "core/base/names/distinct_names.h"
#include "core/base/names/rank_name.h"
#include "core/base/text/ascii.h"
#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"

namespace tv {
namespace {

// Facts of a source: its file's name among files that would have the same lane names, and the recording it belongs to.
constexpr std::string_view kName = "name among files", kRecording = "recording";

const SourceFact* name_fact(const SourceInfo& source) {
  const auto found = std::ranges::find_if(source.facts, [](const SourceFact& fact) { return fact.what == kName; });
  return found == source.facts.end() ? nullptr : &*found;
}

std::string_view without_pid(const Lane& lane) { return without_pid(lane.name, lane.owner); }

bool ends_with_number(std::string_view text, std::int64_t number) {
  std::size_t digits = text.size();
  while (digits > 0 && is_digit(text[digits - 1])) --digits;
  return whole_number(text.substr(digits)) == number;
}

// A lane of a single file.
struct FileLane {
  LaneId lane;
  std::size_t source;
};

class RecordingNames {
 public:
  explicit RecordingNames(Trace& trace) : trace_(trace), files_(trace), alike_(trace.sources.size()) {
    for (const RolloutFile& file : trace.rollout.files) logs_.insert(file.source);
    for (const MetricFile& file : trace.metrics.files) logs_.insert(file.source);
    for (const PipelineDevice& device : trace.pipeline.devices) logs_.insert(device.source);
  }

  void run() {
    find_alike();
    if (lanes_.empty()) return;
    name_files();
    for (const FileLane& file_lane : lanes_) {
      if (name_of_[file_lane.source].empty()) continue;
      Lane& lane = trace_.lanes[idx(file_lane.lane)];
      lane.name = with_words(lane.name, lane.owner, name_of_[file_lane.source]);
    }
  }

 private:
  void find_alike() {
    std::map<std::string_view, std::vector<LaneId>> by_name;
    for (std::size_t l = 0; l < trace_.lanes.size(); l = idx(trace_.lanes[l].subtree_end)) {
      by_name[without_pid(trace_.lanes[l])].push_back(id_at<LaneId>(l));
    }
    for (const auto& [name, lanes] : by_name) {
      if (lanes.size() < 2) continue;
      std::vector<FileLane> file_lanes;
      for (const LaneId lane : lanes) {
        if (const auto source = files_.of(lane); source && !logs_.contains(idx(*source))) file_lanes.push_back({lane, idx(*source)});
      }
      const auto is_of_other_file = [&](const FileLane& file_lane) { return file_lane.source != file_lanes.front().source; };
      if (file_lanes.empty() || std::ranges::none_of(file_lanes, is_of_other_file)) continue;
      std::set<std::string_view> whole;
      for (const FileLane& file_lane : file_lanes) {
        whole.insert(trace_.lane(file_lane.lane).name);
        alike_.join(file_lane.source, file_lanes.front().source);
      }
      const auto is_of_rank = [&](const FileLane& file_lane) {
        const LaneOwner& owner = trace_.lane(file_lane.lane).owner;
        return !owner.member.empty() && !owner.worker;
      };
      const bool ranks = std::ranges::all_of(file_lanes, is_of_rank);
      for (const FileLane& file_lane : file_lanes) {
        lanes_.push_back(file_lane);
        const auto pid = trace_.lane(file_lane.lane).owner.pid;
        pid_of_.emplace(file_lane.source, whole.size() == file_lanes.size() ? pid : std::nullopt);
        if (ranks) of_ranks_.insert(file_lane.source);
      }
    }
  }

  void name_files() {
    std::set<std::size_t> named;
    for (const FileLane& file_lane : lanes_) named.insert(file_lane.source);
    std::vector<std::string> paths;
    std::vector<std::size_t> groups;
    std::map<std::size_t, std::size_t> files_in;  // by group
    for (const std::size_t source : named) {
      paths.push_back(path_of(trace_.sources[source]));
      groups.push_back(alike_.first_of(source));
      ++files_in[groups.back()];
    }
    const std::vector<std::string> names = distinct_names(std::vector<std::string_view>(paths.begin(), paths.end()), groups);
    name_of_.resize(trace_.sources.size());
    // If lanes already show the process id, a file name that ends with the id ("worker_4711") adds nothing.
    const auto adds = [&](std::size_t source, const std::string& name) {
      const auto& pid = pid_of_.at(source);
      return !pid || !ends_with_number(name, *pid);
    };
    std::size_t next = 0;
    for (const std::size_t source : named) {
      const std::size_t i = next++;
      if (!adds(source, names[i])) continue;
      name_of_[source] = names[i];
      add_fact(source, kName, names[i], fmt::format("the lanes of {} would have the same name", count_text(files_in[groups[i]], "file")));
    }
    tell_recordings_of(std::vector<std::size_t>(named.begin(), named.end()), groups);
  }

  // Files belong to recordings if the names of each rank's files are a subset of the names that the rank with most files has.
  void tell_recordings_of(const std::vector<std::size_t>& named, const std::vector<std::size_t>& groups) {
    std::map<std::size_t, std::set<std::string>> of_group;
    std::set<std::string> most;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (of_ranks_.contains(named[i])) of_group[groups[i]].insert(name_of_[named[i]]);
    }
    for (const auto& [group, names] : of_group) {
      if (names.size() > most.size()) most = names;
    }
    const auto is_part = [&](const auto& group) { return std::ranges::includes(most, group.second); };
    if (of_group.empty() || most.contains("") || !std::ranges::all_of(of_group, is_part)) return;
    std::map<std::string, std::set<std::string>> in_folder;
    for (const std::size_t source : named) {
      if (!of_ranks_.contains(source)) continue;
      in_folder[std::string(folder_of(path_of(trace_.sources[source])))].insert(name_of_[source]);
      add_fact(source, kRecording, name_of_[source], fmt::format("{} of the same ranks", count_text(most.size(), "recording")));
    }
    for (std::size_t s = 0; s < trace_.sources.size(); ++s) {
      if (of_ranks_.contains(s) || !trace_.sources[s].rank) continue;
      const auto found = in_folder.find(std::string(folder_of(path_of(trace_.sources[s]))));
      if (found == in_folder.end() || found->second.size() != 1) continue;
      add_fact(s, kRecording, *found->second.begin(), "the files in its folder");
    }
  }

  void add_fact(std::size_t source, std::string_view what, const std::string& value, std::string evidence) {
    trace_.sources[source].facts.push_back({std::string(what), value, std::move(evidence)});
  }

  Trace& trace_;
  LaneFiles files_;
  DisjointSets alike_;  // sources whose lanes would have the same names
  std::set<std::size_t> logs_;  // sources whose lanes are named like their runs
  std::vector<FileLane> lanes_;  // lanes that would have the same name
  std::map<std::size_t, std::optional<std::int64_t>> pid_of_;  // by source; none if names stay equal even with the pid
  std::set<std::size_t> of_ranks_;                             // sources whose lanes are ranks
  std::vector<std::string> name_of_;                           // by source
};

}  // namespace

void tell_recordings(Trace& trace) {
  for (SourceInfo& source : trace.sources) {
    std::erase_if(source.facts, [](const SourceFact& fact) { return fact.what == kName || fact.what == kRecording; });
  }
  RecordingNames(trace).run();
}

std::string_view recording_of(const SourceInfo& source) {
  const auto found = std::ranges::find_if(source.facts, [](const SourceFact& fact) { return fact.what == kRecording; });
  return found == source.facts.end() ? std::string_view() : found->value;
}

LaneFiles::LaneFiles(const Trace& trace) : trace_(trace) {
  for (std::size_t s = 0; s < trace.sources.size(); ++s) {
    by_path_.emplace(trace.sources[s].path, id_at<SourceId>(s));
    named_ |= name_fact(trace.sources[s]) != nullptr;
  }
}

std::optional<SourceId> LaneFiles::by_key(std::string_view key) const {
  for (std::size_t end = key.size(); end != std::string_view::npos && end > 0; end = key.rfind(kRankInKey, end - 1)) {
    if (const auto found = by_path_.find(key.substr(0, end)); found != by_path_.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<SourceId> LaneFiles::of(LaneId outermost) const {
  const Lane& group = trace_.lane(outermost);
  const std::string_view key = group.key;
  if (trace_.sources.size() == 1) return trace_.sources.front().process.empty() ? std::optional(SourceId{0}) : std::nullopt;
  if (const auto source = by_key(key)) return source;
  std::optional<SourceId> found;
  for (std::size_t l = idx(outermost); l < idx(group.subtree_end); ++l) {
    for (const Row& row : trace_.rows_of(trace_.lanes[l])) {
      if (row.count == 0) continue;
      for (const std::uint64_t at : {row.first, row.first + row.count - 1}) {
        const SourceId source = trace_.ref_of(id_at<SliceId>(at)).source();
        if (found && *found != source) return std::nullopt;
        found = source;
      }
    }
  }
  if (found && !trace_.sources[idx(*found)].process.empty()) return std::nullopt;  // other files may show more of this process
  return found;
}

std::string LaneFiles::name_alone(LaneId outermost) const {
  const Lane& lane = trace_.lane(outermost);
  const std::string& name = lane.name;
  const auto source = named_ ? of(outermost) : std::nullopt;
  const SourceFact* const fact = source ? name_fact(trace_.sources[idx(*source)]) : nullptr;
  if (!fact) return name;
  const std::string added = ", " + fact->value;
  const std::string_view before_pid = without_pid(lane);
  if (!before_pid.ends_with(added)) return name;
  return name.substr(0, before_pid.size() - added.size()) + name.substr(before_pid.size());
}

std::string_view LaneFiles::recording(LaneId outermost) const {
  const auto source = named_ ? of(outermost) : std::nullopt;
  return source ? recording_of(trace_.sources[idx(*source)]) : std::string_view();
}

std::string path_of(const SourceInfo& source) {
  return source.packed ? source.packed->path + "/" + source.path : source.path;
}

}  // namespace tv
