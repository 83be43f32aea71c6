#include "core/read/perfetto/perfetto_tracks.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/text/ascii.h"
#include "core/read/chrome/exported_lane.h"
#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/proto_fields.h"
#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

namespace pf = perfetto;

constexpr char kPart = '\x1f';
constexpr std::size_t kDeepestTrack = 16;  // of nested tracks; deeper ones are a cycle, or malicious
constexpr std::int64_t kFar = std::int64_t{1} << 40;  // sorts last; negated, first
constexpr std::size_t kFewLanes = 64;  // naming this many takes less time than reading a batch

std::uint64_t uuid_in(std::string_view key) {
  std::uint64_t uuid = 0;
  std::from_chars(key.data() + 1, key.data() + key.size(), uuid);
  return uuid;
}

struct NamedProcess {
  std::int64_t pid = 0;
  std::string name;
};

NamedProcess read_process(std::string_view message) {
  NamedProcess process;
  std::string command;
  ProtoFields fields(message);
  ProtoField field;
  while (fields.next(field)) {
    if (field.number == pf::kPid) process.pid = static_cast<std::int32_t>(field.value);
    if (field.number == pf::kProcessName) process.name = field.bytes;
    if (field.number == pf::kCommandLine && command.empty()) command = field.bytes;
  }
  if (process.name.empty()) process.name = command.substr(command.rfind('/') + 1);
  return process;
}

struct NamedThread {
  std::int64_t pid = 0, tid = 0;
  std::string name;
};

NamedThread read_thread(std::string_view message) {
  NamedThread thread;
  ProtoFields fields(message);
  ProtoField field;
  while (fields.next(field)) {
    if (field.number == pf::kThreadPid) thread.pid = static_cast<std::int32_t>(field.value);
    if (field.number == pf::kTid) thread.tid = field.integer();
    if (field.number == pf::kThreadName) thread.name = field.bytes;
  }
  return thread;
}

void read_counter(std::string_view message, PerfettoTrack& track) {
  constexpr std::array<std::string_view, 4> kUnits = {"", "ns", "", "bytes"};
  constexpr std::array<std::string_view, 3> kKinds = {"", "thread time", "instructions"};
  track.is_counter = true;
  ProtoFields fields(message);
  ProtoField field;
  while (fields.next(field)) {
    if (field.number == pf::kIncremental) track.incremental = field.flag();
    if (field.number == pf::kUnitMultiplier && field.integer() != 0) track.unit = static_cast<double>(field.integer());
    if (field.number == pf::kUnit && field.value < kUnits.size() && track.unit_name.empty())
      track.unit_name = kUnits[field.value];
    if (field.number == pf::kUnitName) track.unit_name = field.bytes;
    if (field.number == pf::kCounterKind && field.value < kKinds.size() && track.name.empty())
      track.name = kKinds[field.value];
  }
}

std::string text(std::optional<std::int64_t> number) { return number ? std::to_string(*number) : std::string(); }

// Takes "4" out of "COPY to AGENT [4] STREAM [1] (GPU)". Empty for other names.
std::string_view agent_in(std::string_view name) {
  constexpr std::string_view kAgent = "AGENT [";
  const std::size_t at = name.find(kAgent);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = name.substr(at + kAgent.size());
  const std::size_t end = rest.find_first_not_of("0123456789");
  return end != std::string_view::npos && rest[end] == ']' ? rest.substr(0, end) : std::string_view();
}

bool is_of_gpu(std::string_view name) { return name.find("(GPU)") != std::string_view::npos; }

}  // namespace

std::string PerfettoTracks::thread_key(std::int64_t pid, std::int64_t tid) {
  return "t" + std::to_string(pid) + kPart + std::to_string(tid);
}
std::string PerfettoTracks::marks_key(std::optional<std::int64_t> pid) { return "m" + text(pid) + kPart; }
std::string PerfettoTracks::async_key(std::optional<std::int64_t> pid, std::string_view category) {
  return "y" + text(pid) + kPart + std::string(category);
}
std::string PerfettoTracks::legacy_counter_key(std::optional<std::int64_t> pid, std::string_view name) {
  return "l" + text(pid) + kPart + std::string(name);
}

const PerfettoTrack* PerfettoTracks::find(std::uint64_t uuid) const {
  const auto found = tracks_.find(uuid);
  return found == tracks_.end() ? nullptr : &found->second;
}

std::optional<std::uint64_t> PerfettoTracks::track_of(const PerfettoSequence& sequence, const PerfettoEvent& event) {
  const std::optional<std::uint64_t> track = event.track ? event.track : sequence.track;
  return track || sequence.thread || !event.legacy.empty() ? track : std::optional<std::uint64_t>(0);
}

std::optional<std::int64_t> PerfettoTracks::pid_of(const PerfettoSequence& sequence, const PerfettoEvent& event,
                                                   const PerfettoLegacy& legacy) const {
  if (legacy.pid) return legacy.pid;
  const PerfettoTrack* const described = event.track ? find(*event.track) : nullptr;
  if (described && described->pid) return described->pid;
  return sequence.thread ? std::optional(sequence.thread->first) : std::nullopt;
}

std::string PerfettoTracks::key_of_event(std::uint32_t id, const PerfettoSequence& sequence, const PerfettoEvent& event,
                                         const PerfettoLegacy* legacy) const {
  if (legacy && (legacy->pid || legacy->tid)) {
    const std::int64_t pid = pid_of(sequence, event, *legacy).value_or(0);
    return thread_key(pid, legacy->tid.value_or(pid));
  }
  if (event.track) return key_of(*event.track);
  return sequence.thread ? thread_key(sequence.thread->first, sequence.thread->second) : sequence_key(id);
}

void PerfettoTracks::add_descriptor(std::string_view descriptor) {
  std::uint64_t uuid = 0;
  PerfettoTrack track;
  ProtoFields fields(descriptor);
  ProtoField field;
  while (fields.next(field)) {
    switch (field.number) {
      case pf::kUuid:
        uuid = field.value;
        break;
      case pf::kParent:
        track.parent = field.value;
        break;
      case pf::kTrackName:
      case pf::kStaticName:
        track.name = field.bytes;
        break;
      case pf::kProcess: {
        NamedProcess process = read_process(field.bytes);
        track.pid = process.pid;
        if (!process.name.empty()) processes_[process.pid] = std::move(process.name);
        break;
      }
      case pf::kThread: {
        NamedThread thread = read_thread(field.bytes);
        track.pid = thread.pid;
        track.tid = thread.tid;
        if (!thread.name.empty()) threads_[{thread.pid, thread.tid}] = std::move(thread.name);
        break;
      }
      case pf::kCounter:
        read_counter(field.bytes, track);
        break;
      case pf::kChildOrdering:
        track.ordered = field.integer() == pf::kExplicitOrder;
        break;
      case pf::kSiblingRank:
        track.rank = static_cast<std::int32_t>(field.value);
        break;
      case pf::kExportedLane:
        track.exported = field.bytes;
        break;
      case pf::kExportedSlot:
        track.slot = field.value;
        break;
      default:
        break;
    }
  }
  track.described = true;
  if (track.parent == uuid) track.parent.reset();
  PerfettoTrack& known = tracks_[uuid];
  track.has_children = known.has_children;
  if (track.name.empty()) track.name = known.name;
  if (track.parent && !track.is_counter) tracks_[*track.parent].has_children = true;
  if (const std::string_view agent = agent_in(track.name); !agent.empty() && is_of_gpu(track.name)) agents_.emplace(agent);
  tracks_[uuid] = std::move(track);
  changed_ = true;
}

void PerfettoTracks::add_process(std::string_view descriptor) {
  NamedProcess process = read_process(descriptor);
  if (!process.name.empty()) processes_[process.pid] = std::move(process.name);
  changed_ = true;
}

std::pair<std::int64_t, std::int64_t> PerfettoTracks::add_thread(std::string_view descriptor) {
  NamedThread thread = read_thread(descriptor);
  if (!thread.name.empty()) threads_[{thread.pid, thread.tid}] = std::move(thread.name);
  changed_ = true;
  return {thread.pid, thread.tid};
}

void PerfettoTracks::add_process_tree(std::string_view tree) {
  ProtoFields fields(tree);
  ProtoField field, inner;
  while (fields.next(field)) {
    ProtoFields entry(field.bytes);
    std::int64_t id = 0, group = 0;
    std::string name;
    if (field.number == pf::kProcesses) {
      while (entry.next(inner)) {
        if (inner.number == pf::kTreePid) id = static_cast<std::int32_t>(inner.value);
        if (inner.number == pf::kTreeCommandLine && name.empty()) name = inner.bytes;
      }
      if (!name.empty()) processes_.try_emplace(id, name.substr(name.rfind('/') + 1));
    } else if (field.number == pf::kThreads) {
      while (entry.next(inner)) {
        if (inner.number == pf::kTreeTid) id = static_cast<std::int32_t>(inner.value);
        if (inner.number == pf::kTreeGroup) group = static_cast<std::int32_t>(inner.value);
        if (inner.number == pf::kTreeThreadName) name = inner.bytes;
      }
      if (!name.empty()) threads_.try_emplace({group, id}, std::move(name));
    }
  }
  changed_ = true;
}

void PerfettoTracks::name_lanes(const StringTable& tracks) {
  std::vector<std::string> fresh;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    std::string key(tracks[id_at<StrId>(t)]);
    if (keys_.try_emplace(key, true).second) fresh.push_back(std::move(key));
  }
  // A descriptor may be about any lane. Naming all of them after each batch would cost batches times lanes.
  if (changed_ && (keys_.size() <= kFewLanes || keys_.size() >= 2 * renamed_)) return rename_lanes();
  for (const std::string& key : fresh) draft_.set_lane(key, spec_of(key));
}

void PerfettoTracks::rename_lanes() {
  if (!std::exchange(changed_, false)) return;
  for (const auto& [key, used] : keys_) draft_.set_lane(key, spec_of(key));
  renamed_ = keys_.size();
}

LaneSegment PerfettoTracks::process_segment(std::int64_t pid) const {
  const auto found = processes_.find(pid);
  const std::string id = std::to_string(pid);
  if (found == processes_.end()) return {"process " + id, 0, "pid " + id, {.pid = pid}};
  const bool has_id = found->second.find(id) != std::string::npos;
  return {has_id ? found->second : found->second + " " + id, 0, "pid " + id, {.pid = pid}};
}

LaneSegment PerfettoTracks::thread_segment(std::int64_t pid, std::int64_t tid, std::string_view name) const {
  const std::string id = std::to_string(tid);
  const auto found = threads_.find({pid, tid});
  std::string called(found != threads_.end() ? std::string_view(found->second) : name);
  if (called.empty()) called = "thread " + id;
  return {called.find(id) != std::string::npos ? called : called + " " + id, tid == pid ? -1 : 0, "tid " + id, {.thread = tid}};
}

LaneSegment PerfettoTracks::segment_of(std::uint64_t uuid, const PerfettoTrack& track) const {
  LaneSegment segment;
  if (track.tid) {
    segment = thread_segment(*track.pid, *track.tid, track.name);
  } else if (track.pid) {
    segment = process_segment(*track.pid);
  } else {
    segment.name = !track.name.empty() ? track.name : uuid == 0 ? "events" : "track " + std::to_string(uuid);
    segment.key = "track " + segment.name;
  }
  const PerfettoTrack* const parent = track.parent ? find(*track.parent) : nullptr;
  if (parent && parent->ordered) segment.sort = track.rank;
  return segment;
}

// Adds the groups around the track, outermost first. A thread always lies in its process, whatever its parent.
void PerfettoTracks::add_ancestors(std::uint64_t uuid, std::vector<LaneSegment>& path) const {
  std::vector<LaneSegment> upwards;
  const PerfettoTrack* track = find(uuid);
  for (std::size_t depth = 0; track && depth < kDeepestTrack; ++depth) {
    if (track->tid) {
      upwards.push_back(process_segment(*track->pid));
      break;
    }
    if (track->pid || !track->parent) break;
    const std::uint64_t up = *track->parent;
    track = find(up);
    if (up == uuid || depth + 1 == kDeepestTrack) return;  // a cycle
    // Children of a thread lie next to it, unless the thread is a group.
    if (track && (!track->tid || track->has_children)) upwards.push_back(segment_of(up, *track));
  }
  path.insert(path.end(), upwards.rbegin(), upwards.rend());
}

LaneSpec PerfettoTracks::spec_of_track(std::uint64_t uuid, bool counter) const {
  LaneSpec spec;
  const PerfettoTrack unknown, *const found = find(uuid), &track = found ? *found : unknown;
  spec.path.push_back(source_);
  add_ancestors(uuid, spec.path);
  if (counter) {
    spec.kind = LaneKind::Counter;
    LaneSegment segment = segment_of(uuid, track);
    const PerfettoTrack* const parent = track.parent ? find(*track.parent) : nullptr;
    if (parent && parent->tid && !parent->has_children)
      segment.name = segment_of(*track.parent, *parent).name + " " + segment.name;
    if (!track.unit_name.empty() && segment.name.find(track.unit_name) == std::string::npos)
      segment.name += " (" + track.unit_name + ")";
    segment.key = "counter " + segment.name;
    segment.sort += kFar;
    spec.path.push_back(std::move(segment));
    return spec;
  }
  LaneSegment leaf = segment_of(uuid, track);
  if (track.pid && !track.tid) {
    spec.path.push_back(leaf);
    leaf = {"process", -kFar, "own"};
  } else if (track.has_children) {
    spec.path.push_back(leaf);
    leaf.sort = -kFar;
    leaf.key = "own";
  }
  if (!track.tid) spec.rule = RowRule::Pack;  // siblings of one name share a lane; slices of each nest
  spec.path.push_back(std::move(leaf));
  return spec;
}

void PerfettoTracks::note_category(const std::string& key, std::string_view category) {
  if (category.empty()) return;
  const auto known = of_device_.find(category);
  const bool device =
      known != of_device_.end() ? known->second : of_device_.emplace(category, is_device_category(category)).first->second;
  if (device && on_device_.insert(key).second) changed_ = true;
}

void PerfettoTracks::put_on_device(LaneSpec& lane) const {
  const std::string name = lane.path.back().name;
  std::string_view agent = agent_in(name);
  // A copy to the host has the name of the host's agent. With several GPUs, we cannot tell which one made the copy.
  if (!agent.empty() && !is_of_gpu(name)) agent = agents_.size() == 1 ? std::string_view(*agents_.begin()) : std::string_view();
  if (agent.empty() && !agent_in(name).empty()) return;
  lane.kind = LaneKind::Stream;
  if (agent.empty()) return;
  const std::string group = "GPU agent " + std::string(agent);
  lane.path.insert(lane.path.end() - 1, {group, kFar, "device " + group});
}

LaneSpec PerfettoTracks::spec_of(const std::string& key) const {
  std::optional<LaneSpec> exported = exported_spec(key);
  const bool knows_owners = exported.has_value();
  LaneSpec lane = exported ? std::move(*exported) : plain_spec(key);
  const bool moves = on_device_.contains(key) && lane.kind == LaneKind::Thread;
  if (moves) put_on_device(lane);
  if (knows_owners && !moves) return lane;
  for (std::size_t part = 1; part < lane.path.size(); ++part) {
    LaneOwner& owner = lane.path[part].owner;
    const std::optional<std::int64_t> pid = owner.pid, thread = owner.thread;
    owner = owner_by_name(lane.path[part].name, part + 1 < lane.path.size());
    if (pid) owner.pid = pid;
    if (thread) owner.thread = thread;
  }
  return lane;
}

// The lane that a track of traceview's own exports describes.
std::optional<LaneSpec> PerfettoTracks::exported_spec(const std::string& key) const {
  if (key[0] != 'u' && key[0] != 'c') return std::nullopt;
  const PerfettoTrack* const track = find(uuid_in(key));
  return track && !track->exported.empty() ? parse_exported_lane(track->exported, source_.key) : std::nullopt;
}

LaneSpec PerfettoTracks::plain_spec(const std::string& key) const {
  const std::size_t part = key.find(kPart);
  const std::string_view first =
      std::string_view(key).substr(1, part == std::string::npos ? std::string::npos : part - 1);
  const std::string rest = part == std::string::npos ? std::string() : key.substr(part + 1);
  if (key[0] == 'u' || key[0] == 'c') return spec_of_track(uuid_in(key), key[0] == 'c');
  LaneSpec spec;
  spec.path.push_back(source_);
  if (key[0] == 's') {
    spec.path.push_back({"sequence " + std::string(first)});
    return spec;
  }
  const auto pid = whole_number(first);
  if (pid) spec.path.push_back(process_segment(*pid));
  switch (key[0]) {
    case 't':
      spec.path.push_back(thread_segment(pid.value_or(0), whole_number(rest).value_or(0), {}));
      break;
    case 'm':
      spec.path.push_back({pid ? "process" : "events", -kFar, "own"});
      break;
    case 'y':
      spec.path.push_back({rest.empty() ? "async" : rest, kFar, "async " + rest});
      spec.kind = LaneKind::Async;
      spec.rule = RowRule::Pack;
      break;
    default:
      spec.path.push_back({rest, kFar, "counter " + rest});
      spec.kind = LaneKind::Counter;
  }
  return spec;
}

}  // namespace tv
