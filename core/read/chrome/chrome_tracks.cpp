#include "core/read/chrome/chrome_tracks.h"

#include "core/base/names/rank_name.h"
#include "core/base/text/ascii.h"
#include "core/read/chrome/exported_lane.h"

namespace tv {
namespace {

constexpr char kSeparator = '\x1f';
constexpr std::int64_t kDeviceSort = 5'000'000;  // after all processes, as in kineto

bool is_device(std::string_view labels) { return device_process({}, labels, {}).kind == ProcessKind::Device; }

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Lanes of one thread stay together: annotations, states, the thread itself. Marks of the process come before all threads, async
// spans and counters after them.
std::int64_t lane_sort(std::int64_t thread_sort, TrackClass track_class) {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  switch (track_class) {
    case TrackClass::Annotation: return thread_sort * 4;
    case TrackClass::State: return thread_sort * 4 + 1;
    case TrackClass::Thread:
    case TrackClass::Device: return thread_sort * 4 + 2;
    case TrackClass::Marks: return -kFar;
    case TrackClass::Async: return kFar;
    case TrackClass::Counter: return kFar + 1;
  }
  return 0;
}

// Whether the name identifies the device, and not only what ran there ("python").
bool names_device(std::string_view process) {
  return !device_word(process).empty() || process.find("GPU") != std::string_view::npos || rank_in_text(process);
}

// kineto names streams "stream 7".
bool is_stream_name(std::string_view name) {
  constexpr std::string_view kStream = "stream ";
  return name.starts_with(kStream) && whole_number(name.substr(kStream.size()));
}

// A numeric tid is the id of the thread, or the number of the stream, unless the stream's name has a number.
void note_tid(const std::string& tid, bool stream, LaneOwner& owner) {
  const auto number = whole_number(tid);
  if (!number) return;
  if (!stream) owner.thread = number;
  else if (!owner.stream) owner.stream = number;
}

std::string device_track(const std::string& pid, const std::string& tid) {
  std::string key;
  make_track_key(key, pid, tid, TrackClass::Device);
  return key;
}

}  // namespace

std::string thread_of_track(std::string_view key) {
  std::string out(key);
  const std::size_t a = out.find(kSeparator), b = out.find(kSeparator, a + 1);
  if (b + 1 < out.size() && out[b + 1] == static_cast<char>(TrackClass::Device)) out[b + 1] = static_cast<char>(TrackClass::Thread);
  return out;
}

ChromeTracks::TrackKey ChromeTracks::parse_key(const std::string& key) {
  const std::size_t a = key.find(kSeparator), b = key.find(kSeparator, a + 1);
  return {key.substr(0, a), key.substr(a + 1, b - a - 1), static_cast<TrackClass>(key[b + 1]), key.substr(b + 2)};
}

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
                       const std::vector<std::string>& gpu_tracks, const std::vector<std::string>& host_tracks) {
  bool renamed = !metadata.empty();
  for (const ChromeMetadata& m : metadata) apply(m);
  for (const std::string& key : gpu_tracks) {
    if (!gpu_tracks_.insert(key).second) continue;
    renamed = true;
    const std::string pid = parse_key(key).pid;
    gpu_pids_.insert(pid);
    if (host_tracks_.erase(key) == 0) continue;
    const auto host = host_pids_.find(pid);
    if (--host->second == 0) host_pids_.erase(host);
  }
  for (const std::string& key : host_tracks) {
    if (gpu_tracks_.contains(key) || !host_tracks_.insert(key).second) continue;
    renamed = true;
    ++host_pids_[parse_key(key).pid];
  }
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
  if (m.kind.starts_with("process_")) return declare(processes_[m.pid], m);
  if (m.kind == "thread_name") {
    Thread& thread = threads_[{m.pid, m.tid}];
    const std::string_view text = without_trailing_blanks(m.text);
    thread.stream_last = is_stream_name(text);
    std::string& name = thread.stream_last ? thread.stream : thread.name;
    if (!name.empty()) --thread_name_counts_[{m.pid, name}];
    name = text;
    ++thread_name_counts_[{m.pid, name}];
    if (device_lane(name) == DeviceLane::Stream) ++processes_[m.pid].streams;
  }
  if (m.kind == "thread_sort_index") {
    Thread& thread = threads_[{m.pid, m.tid}];
    (thread.stream_last ? thread.stream_sort : thread.sort) = m.number;
  }
  if (m.kind != "thread_name" || m.lane.empty()) return;
  std::optional<LaneSpec> lane = parse_exported_lane(m.lane, source_.key);
  if (lane && lane->kind == LaneKind::Counter) {
    exported_counters_.insert_or_assign({m.pid, lane->path.back().name}, std::move(*lane));
  } else {
    threads_[{m.pid, m.tid}].exported = std::move(lane);
  }
}

// kineto writes name, labels and sort index of a process in this order. If a pid is also the number of a GPU, it writes them twice.
void ChromeTracks::declare(Process& process, const ChromeMetadata& m) {
  if (m.kind == "process_name") {
    process.name = std::string(without_trailing_blanks(m.text));
    process.named_device = device_process(process.name, {}, {}).kind == ProcessKind::Device;
  }
  if (m.kind == "process_labels") {
    process.labels = std::string(without_trailing_blanks(m.text));
    process.gpu_last = is_device(process.labels);
    if (process.gpu_last) process.gpu_labels = process.labels;
    process.declared_host |= device_word(process.labels).empty();
  }
  if (m.kind == "process_sort_index") {
    if (process.gpu_last) {
      process.gpu_sort = m.number;
    } else {
      process.sort = m.number;
    }
  }
}

bool ChromeTracks::is_gpu(const std::string& pid) const {
  const auto process = processes_.find(pid);
  if (process != processes_.end() && !process->second.gpu_labels.empty()) return true;
  if (process != processes_.end() && process->second.named_device && process->second.labels.empty()) return true;
  return gpu_pids_.contains(pid);
}

// One Ascend device consists of several processes, which are put in one group.
DeviceProcess ChromeTracks::part_of_device(const std::string& pid) const {
  const auto process = processes_.find(pid);
  if (process == processes_.end()) return {};
  return device_process(process->second.name, process->second.labels, pid);
}

bool ChromeTracks::is_host(const std::string& pid) const {
  const auto process = processes_.find(pid);
  if (process != processes_.end() && process->second.declared_host) return true;
  return host_pids_.contains(pid) && host_of(pid) == pid;
}

// Whether some slices with this pid and tid ran on a device, judged by their categories.
bool ChromeTracks::has_stream(const TrackKey& key) const { return gpu_tracks_.contains(device_track(key.pid, key.tid)); }

bool ChromeTracks::is_on_gpu(const std::string& track, const TrackKey& key) const {
  if (part_of_device(key.pid).kind == ProcessKind::Part) return true;
  if (!is_gpu(key.pid)) return false;
  if (key.track_class == TrackClass::Annotation || gpu_tracks_.contains(track)) return true;
  if (host_tracks_.contains(track)) return false;
  return !is_host(key.pid) || (key.track_class == TrackClass::Thread && has_stream(key));
}

// The kind of a device's lane. A lane that repeats the work of others is not a stream, or that work would count twice.
LaneKind ChromeTracks::stream_kind(const std::string& track, const TrackKey& key) const {
  if (gpu_tracks_.contains(track) || has_stream(key)) return LaneKind::Stream;
  const auto thread = threads_.find({key.pid, key.tid});
  const DeviceLane lane = device_lane(thread == threads_.end() ? std::string_view() : std::string_view(thread->second.name));
  const auto process = processes_.find(key.pid);
  const bool streams = process != processes_.end() && process->second.streams > 0;
  const bool repeats = lane == DeviceLane::Repeats || (lane == DeviceLane::Operators && streams);
  return repeats ? LaneKind::Annotation : LaneKind::Stream;
}

// No program has pid 0. The profiler uses it for events whose process it does not know. If the file has just one other process with
// a program, they belong to it.
std::string ChromeTracks::host_of(const std::string& pid) const {
  if (pid != "0" || !is_gpu(pid)) return pid;
  const std::string* only_host = nullptr;
  for (const auto& [host, tracks] : host_pids_) {
    if (host == pid) continue;
    if (only_host) return pid;
    only_host = &host;
  }
  return only_host ? *only_host : pid;
}

LaneSegment ChromeTracks::process_segment(const std::string& pid, bool gpu) const {
  LaneSegment segment = named_process(pid, gpu);
  segment.owner = owner_by_name(segment.name, true);
  if (gpu) return segment;  // its pid is the number of the GPU
  if (const auto number = whole_number(without_rank(pid)); number && *number >= 0) segment.owner.pid = number;
  return segment;
}

LaneSegment ChromeTracks::named_process(const std::string& pid, bool gpu) const {
  const auto found = processes_.find(pid);
  const Process process = found == processes_.end() ? Process{} : found->second;
  const std::string number(without_rank(pid));
  LaneSegment segment;
  segment.key = "pid " + pid;
  segment.sort = process.sort;
  if (gpu && part_of_device(pid).kind == ProcessKind::Part) {
    segment.name = process.name;
  } else if (gpu) {
    segment.name = process.gpu_labels.empty() ? "GPU " + number : process.gpu_labels;
    segment.sort = process.gpu_sort.value_or(process.sort);
    const bool by_process = process.gpu_labels.empty() && names_device(process.name);
    if (by_process) segment.name = process.name;
    if (!is_host(pid)) return segment;
    segment.key = "GPU " + pid;
    if (by_process) segment.name += " (GPU)";
  } else if (process.name.empty()) {
    segment.name = is_number(number) ? "process " + number : number.empty() ? "recording" : number;
  } else {
    segment.name = is_number(number) && process.name.find(number) == std::string::npos ? process.name + " " + number
                                                                                         : process.name;
  }
  return segment;
}

LaneSpec ChromeTracks::spec_of(const std::string& key) const {
  const TrackKey track = parse_key(key);
  if (track.track_class == TrackClass::Device && !gpu_tracks_.contains(key)) return spec_of(thread_of_track(key));
  const auto found = threads_.find({track.pid, track.tid});
  const Thread thread = found == threads_.end() ? Thread{} : found->second;
  if (thread.exported) {
    LaneSpec lane = *thread.exported;
    note_tid(track.tid, lane.kind == LaneKind::Stream, lane.path.back().owner);
    return lane;
  }
  if (track.track_class == TrackClass::Counter) {
    const auto counter = exported_counters_.find({track.pid, track.extra});
    if (counter != exported_counters_.end()) return counter->second;
  }
  const bool gpu = is_on_gpu(key, track);
  // A thread takes the name of a stream only if it has no name of its own and no stream has the same pid and tid.
  const bool as_stream = gpu || (thread.name.empty() && !has_stream(track));
  const std::string& declared = as_stream && !thread.stream.empty() ? thread.stream : thread.name;
  const std::int64_t sort = as_stream && !thread.stream.empty() ? thread.stream_sort : thread.sort;
  std::string name = declared;
  if (name.empty()) name = is_number(track.tid) ? (gpu ? "stream " : "thread ") + track.tid : track.tid;
  if (name.empty()) name = "thread";
  // Workers of a pool often all have the same name.
  const auto same_name = thread_name_counts_.find({track.pid, declared});
  const bool shared = !declared.empty() && same_name != thread_name_counts_.end() && same_name->second > 1;
  if (shared && name.find(track.tid) == std::string::npos) name += " (" + track.tid + ")";
  LaneSpec spec;
  LaneSegment lane;
  lane.key = thread_of_track(key);
  lane.sort = lane_sort(sort, track.track_class);
  switch (track.track_class) {
    case TrackClass::Thread:
    case TrackClass::Device:
      spec.kind = gpu ? stream_kind(key, track) : LaneKind::Thread;
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
  // An empty pid is no process: kineto writes it for marks of the whole recording, old versions of Ray for all events.
  spec.path = {source_};
  if (const DeviceProcess part = part_of_device(track.pid); part.kind == ProcessKind::Part) {
    spec.path.push_back({part.device, kDeviceSort, "device " + part.device, owner_by_name(part.device, true)});
  }
  if (!track.pid.empty() || processes_.contains(track.pid)) {
    spec.path.push_back(process_segment(gpu ? track.pid : host_of(track.pid), gpu));
  }
  lane.owner = owner_by_name(lane.name, false);
  if (track.track_class == TrackClass::Thread || track.track_class == TrackClass::Device) note_tid(track.tid, gpu, lane.owner);
  spec.path.push_back(std::move(lane));
  return spec;
}

}  // namespace tv
