#include "core/read/chrome_tracks.h"

#include "core/base/ascii.h"
#include "core/read/exported_lane.h"

namespace tv {
namespace {

constexpr char kSeparator = '\x1f';
constexpr std::int64_t kDeviceSort = 5'000'000;  // behind all processes, as kineto puts them

bool is_device(std::string_view labels) { return device_process({}, labels, {}).kind == ProcessKind::Device; }

struct TrackKey {
  std::string pid, tid;
  TrackClass track_class;
  std::string extra;
};

TrackKey parse_key(const std::string& key) {
  const std::size_t a = key.find(kSeparator), b = key.find(kSeparator, a + 1);
  return {key.substr(0, a), key.substr(a + 1, b - a - 1), static_cast<TrackClass>(key[b + 1]), key.substr(b + 2)};
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Lanes of one thread stay together: annotations above, the lane itself, then what belongs to the process.
std::int64_t lane_sort(std::int64_t thread_sort, TrackClass track_class) {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  switch (track_class) {
    case TrackClass::Annotation: return thread_sort * 4;
    case TrackClass::State: return thread_sort * 4 + 1;
    case TrackClass::Thread: return thread_sort * 4 + 2;
    case TrackClass::Marks: return -kFar;
    case TrackClass::Async: return kFar;
    case TrackClass::Counter: return kFar + 1;
  }
  return 0;
}

}  // namespace

void make_track_key(std::string& key, std::string_view pid, std::string_view tid, TrackClass track_class,
                    std::string_view extra) {
  key.assign(pid);
  key.push_back(kSeparator);
  key.append(tid);
  key.push_back(kSeparator);
  key.push_back(static_cast<char>(track_class));
  key.append(extra);
}

void ChromeTracks::set_source(LaneSegment source) {
  source_ = std::move(source);
  for (const std::string& key : tracks_) draft_.set_lane(key, spec_of(key));
}

void ChromeTracks::add(const std::vector<ChromeMetadata>& metadata, const StringTable& tracks,
                       const std::vector<std::string>& gpu_tracks) {
  bool renamed = !metadata.empty();
  for (const ChromeMetadata& m : metadata) apply(m);
  for (const std::string& key : gpu_tracks) renamed |= gpu_pids_.insert(parse_key(key).pid).second;
  std::vector<std::string> fresh;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const std::string key(tracks[id_at<StrId>(t)]);
    if (tracks_.insert(key).second) fresh.push_back(key);
  }
  if (renamed) {
    for (const std::string& key : tracks_) draft_.set_lane(key, spec_of(key));
  } else {
    for (const std::string& key : fresh) draft_.set_lane(key, spec_of(key));
  }
}

void ChromeTracks::apply(const ChromeMetadata& m) {
  if (m.kind == "process_name") processes_[m.pid].name = std::string(without_trailing_blanks(m.text));
  if (m.kind == "process_labels") processes_[m.pid].labels = std::string(without_trailing_blanks(m.text));
  if (m.kind == "process_sort_index") processes_[m.pid].sort = m.number;
  if (m.kind == "thread_name") threads_[{m.pid, m.tid}].name = std::string(without_trailing_blanks(m.text));
  if (m.kind == "thread_sort_index") threads_[{m.pid, m.tid}].sort = m.number;
  if (m.kind != "thread_name" || m.lane.empty()) return;
  std::optional<LaneSpec> lane = parse_exported_lane(m.lane, source_.key);
  if (lane && lane->kind == LaneKind::Counter) {
    exported_counters_.insert_or_assign({m.pid, lane->path.back().name}, std::move(*lane));
  } else {
    threads_[{m.pid, m.tid}].exported = std::move(lane);
  }
}

bool ChromeTracks::is_gpu(const std::string& pid) const {
  const auto process = processes_.find(pid);
  if (process != processes_.end() && is_device(process->second.labels)) return true;
  return gpu_pids_.contains(pid);
}

// One device of Ascend is several processes; they stand in one group.
DeviceProcess ChromeTracks::part_of_device(const std::string& pid) const {
  const auto process = processes_.find(pid);
  if (process == processes_.end()) return {};
  return device_process(process->second.name, process->second.labels, pid);
}

LaneSegment ChromeTracks::process_segment(const std::string& pid) const {
  const auto found = processes_.find(pid);
  const Process process = found == processes_.end() ? Process{} : found->second;
  LaneSegment segment;
  segment.key = "pid " + pid;
  segment.sort = process.sort;
  if (is_gpu(pid)) {
    segment.name = device_word(process.labels).empty() ? "GPU " + pid : process.labels;
  } else if (process.name.empty()) {
    segment.name = is_number(pid) ? "process " + pid : pid.empty() ? "process" : pid;
  } else {
    segment.name = is_number(pid) && process.name.find(pid) == std::string::npos ? process.name + " " + pid
                                                                                   : process.name;
  }
  return segment;
}

LaneSpec ChromeTracks::spec_of(const std::string& key) const {
  const TrackKey track = parse_key(key);
  const auto found = threads_.find({track.pid, track.tid});
  const Thread thread = found == threads_.end() ? Thread{} : found->second;
  if (thread.exported) return *thread.exported;
  if (track.track_class == TrackClass::Counter) {
    const auto counter = exported_counters_.find({track.pid, track.extra});
    if (counter != exported_counters_.end()) return counter->second;
  }
  const DeviceProcess part = part_of_device(track.pid);
  const bool gpu = part.kind == ProcessKind::Part || is_gpu(track.pid);
  std::string name = thread.name;
  if (name.empty()) name = !is_number(track.tid) ? track.tid : (gpu ? "stream " : "thread ") + track.tid;
  LaneSpec spec;
  LaneSegment lane;
  lane.key = key;
  lane.sort = lane_sort(thread.sort, track.track_class);
  switch (track.track_class) {
    case TrackClass::Thread:
      spec.kind = gpu ? LaneKind::Stream : LaneKind::Thread;
      lane.name = name;
      break;
    case TrackClass::Annotation:
      spec.kind = LaneKind::Annotation;
      lane.name = name + " annotations";
      break;
    case TrackClass::State:
      spec.kind = LaneKind::Thread;
      lane.name = name + " state";
      break;
    case TrackClass::Marks:
      spec.kind = LaneKind::Thread;
      lane.name = "marks";
      break;
    case TrackClass::Async:
      spec.kind = LaneKind::Async;
      spec.rule = RowRule::Pack;
      lane.name = track.extra.empty() ? "async" : "async " + track.extra;
      break;
    case TrackClass::Counter:
      spec.kind = LaneKind::Counter;
      lane.name = track.extra;
      break;
  }
  spec.path = {source_};
  LaneSegment process = process_segment(track.pid);
  if (part.kind == ProcessKind::Part) {
    spec.path.push_back({part.device, kDeviceSort, "device " + part.device});
    process.name = processes_.find(track.pid)->second.name;
  }
  spec.path.push_back(std::move(process));
  spec.path.push_back(std::move(lane));
  return spec;
}

}  // namespace tv
