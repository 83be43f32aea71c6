// Maps tracks of a Perfetto trace to lanes. Descriptors and the process tree may be anywhere in the file.
//
//   process track   a group; its own events lie on a lane of marks in it
//   thread          a lane in its process
//   other tracks    lanes with the tracks' names in their parent; siblings with one name are one lane, as in Perfetto's viewer
//   counter         a lane of samples; a thread's counter lies next to the thread's lane
//
// A track is a stream if its categories say that its slices ran on a device. rocprofv3 writes the device into the names of tracks
// ("COMPUTE AGENT [4] STREAM [1] (GPU)"): the tracks of one agent are in one group.
//
// A track that contains others is a group, and its own events are a lane of the same name in the group. Tracks that traceview
// wrote describe their lane themselves (exported_lane.h). Source: track_descriptor.proto, process_tree.proto, rocprofiler-sdk
// source/lib/output/generatePerfetto.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/read/perfetto/perfetto_event.h"
#include "core/store/draft/source_draft.h"

namespace tv {

struct PerfettoTrack {
  std::string name;
  std::optional<std::uint64_t> parent;
  std::optional<std::int64_t> pid, tid;  ///< tid: a thread; pid alone: a process
  bool described = false, is_counter = false, incremental = false, ordered = false;
  bool has_children = false;
  double unit = 1;  ///< for a counter's values
  std::string unit_name;
  std::int64_t rank = 0;  ///< position among the parent's children, if the parent orders them
  std::string exported;    ///< the lane, if traceview wrote the track
  std::uint64_t slot = 0;  ///< the slot, if traceview wrote the track and its lane is packed
};

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class PerfettoTracks {
 public:
  PerfettoTracks(SourceDraft& draft, LaneSegment source) : draft_(draft), source_(std::move(source)) {}

  void add_descriptor(std::string_view descriptor);
  void add_process(std::string_view descriptor);                                  ///< in traces older than tracks
  std::pair<std::int64_t, std::int64_t> add_thread(std::string_view descriptor);  ///< in such traces, too; returns pid and tid
  void add_process_tree(std::string_view tree);
  const PerfettoTrack* find(std::uint64_t uuid) const;

  /// The keys of tracks in batches.
  static std::string key_of(std::uint64_t uuid) { return "u" + std::to_string(uuid); }
  static std::string counter_key(std::uint64_t uuid) { return "c" + std::to_string(uuid); }
  static std::string thread_key(std::int64_t pid, std::int64_t tid);
  static std::string marks_key(std::optional<std::int64_t> pid);
  static std::string async_key(std::optional<std::int64_t> pid, std::string_view category);
  static std::string sequence_key(std::uint32_t sequence) { return "s" + std::to_string(sequence); }
  static std::string legacy_counter_key(std::optional<std::int64_t> pid, std::string_view name);

  /// The track of an event: the one that it names, or its sequence's default. None: it lies on its sequence's thread.
  static std::optional<std::uint64_t> track_of(const PerfettoSequence& sequence, const PerfettoEvent& event);
  // For the following two, the event's track is set already.
  /// The process of an event in the terms of the JSON format.
  std::optional<std::int64_t> pid_of(const PerfettoSequence& sequence, const PerfettoEvent& event, const PerfettoLegacy& legacy) const;
  /// The key of the track on which an event lies. `legacy`: null if the event has a type of its own. `id`: of its sequence.
  std::string key_of_event(std::uint32_t id, const PerfettoSequence& sequence, const PerfettoEvent& event,
                           const PerfettoLegacy* legacy) const;

  /// Records that a category is used on a track. A category of device work makes the track's lane a stream.
  void note_category(const std::string& key, std::string_view category);

  /// Names the lanes of new tracks. Names all lanes again if a descriptor or a device category has been added, but only while there
  /// are few lanes, or when their number has doubled.
  void name_lanes(const StringTable& tracks);
  /// Names all lanes again if a descriptor or a device category has been added since that was done last. Call at the end.
  void rename_lanes();

 private:
  LaneSpec spec_of(const std::string& key) const;
  std::optional<LaneSpec> exported_spec(const std::string& key) const;
  LaneSpec plain_spec(const std::string& key) const;
  void put_on_device(LaneSpec& lane) const;
  LaneSpec spec_of_track(std::uint64_t uuid, bool counter) const;
  void add_ancestors(std::uint64_t uuid, std::vector<LaneSegment>& path) const;
  LaneSegment process_segment(std::int64_t pid) const;
  LaneSegment thread_segment(std::int64_t pid, std::int64_t tid, std::string_view name) const;
  LaneSegment segment_of(std::uint64_t uuid, const PerfettoTrack& track) const;

  SourceDraft& draft_;
  LaneSegment source_;
  std::unordered_map<std::uint64_t, PerfettoTrack> tracks_;
  std::map<std::int64_t, std::string> processes_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> threads_;
  std::map<std::string, bool> keys_;  // all keys so far, with true
  std::size_t renamed_ = 0;           // their number when all lanes were last named
  std::unordered_set<std::string> on_device_;  // keys with a category of device work
  std::unordered_map<std::string, bool, TextHash, std::equal_to<>> of_device_;  // by category
  std::set<std::string, std::less<>> agents_;  // numbers of GPU agents in track names
  bool changed_ = false;
};

}  // namespace tv
