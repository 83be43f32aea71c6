// Finds the track of an event of the Trace Event Format, as an index into EventBatch::tracks: the track of the event's thread, of
// its process, or of the file. Also notes on which tracks a program or a device ran, judged by the categories of events.
//
// Cost: a few combinations of pid, tid and category repeat all the time, and recent ones are found without building a key. All
// functions are in the header so that they are inlined, because chrome_chunk.cpp calls them for every event. Source: Trace Event
// Format; kineto (which category lies where).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/names/rank_name.h"
#include "core/base/text/same_text.h"
#include "core/read/chrome/chrome_chunk.h"
#include "core/read/chrome/chrome_tracks.h"
#include "core/read/chrome/event_side.h"
#include "core/read/chrome/trace_event.h"
#include "core/store/rules/work_rules.h"

namespace tv {

class EventTracks {
 public:
  /// What events with the same pid, tid and category have in common.
  struct Known {
    std::string pid, tid, category;
    bool without_pid = false;
    LabelCategory labels;             // the labels of the category
    LaunchEnd end = LaunchEnd::None;  // by category
    EventSide side = EventSide::Unknown;
    std::uint32_t thread = 0;  // the track of the thread
    std::uint32_t id = 0;      // the track of the slices: another one if they ran on a device (TrackClass::Device)
    std::uint32_t flow_end = 0;  // the track on which arrows of the category end
    bool known = false;
  };

  /// The part receives the tracks and must outlive this.
  explicit EventTracks(ChromePart& part) : part_(part) {}

  /// Call when the part has been emptied.
  void clear() {
    known_ = {};
    side_seen_.clear();
  }

  /// Call before each event: forgets the cached values of the previous one.
  void next_event() { normalised_ = false; }

  /// The event's pid in a uniform spelling. Valid until the next event.
  std::string_view pid(const TraceEvent& event) {
    normalise(event);
    return pid_;
  }
  std::string_view tid(const TraceEvent& event) {
    normalise(event);
    return tid_;
  }

  const Known& known(const TraceEvent& event) {
    const auto last = [](std::string_view text) { return text.empty() ? 0u : static_cast<unsigned char>(text.back()); };
    const std::size_t slot = last(event.tid) * 7 + event.tid.size() + last(event.category) * 3 + event.category.size();
    Known& track = known_[slot % known_.size()];
    if (!track.known || !same_text(track.tid, event.tid) || !same_text(track.pid, event.pid) ||
        !same_text(track.category, event.category) || track.without_pid != is_missing(event.pid)) {
      track.pid.assign(event.pid);
      track.without_pid = is_missing(event.pid);
      track.tid.assign(event.tid);
      track.category.assign(event.category);
      track.labels = LabelCategory(event.category);
      track.end = launch_end(event.category);
      track.side = side_of(event.category);
      find_of_thread(event, track);
      track.known = true;
    }
    return track;
  }

  std::uint32_t of_thread(const TraceEvent& event) { return known(event).thread; }

  /// The track of a B or an E event. Perhaps only one of the two has a category, so both go to the thread's track.
  std::uint32_t of_half(const TraceEvent& event) {
    const Known& track = known(event);
    note_side(track.thread, track.side);
    return track.thread;
  }

  std::uint32_t of_states(const TraceEvent& event) { return of_thread(event, TrackClass::State); }

  std::uint32_t of_process(const TraceEvent& event, TrackClass track_class, std::string_view extra) {
    normalise(event);
    make_track_key(key_, pid_, {}, track_class, extra);
    return intern();
  }

  std::uint32_t of_async(const TraceEvent& event) { return of_process(event, TrackClass::Async, event.category); }

  /// A global mark of a process that is not a real one ("Traces") belongs to the file; in a merged file, to its rank.
  std::uint32_t of_marks(const TraceEvent& event) {
    normalise(event);
    const bool of_file = event.instant_scope == 'g' && pid_.find_first_not_of("-0123456789") != std::string_view::npos &&
                         without_rank(pid_) == pid_;
    make_track_key(key_, of_file ? std::string_view() : pid_, {}, TrackClass::Marks);
    return intern();
  }

 private:
  // A missing field differs from an empty text.
  static bool is_missing(std::string_view pid) { return pid.data() == nullptr; }

  void normalise(const TraceEvent& event) {
    if (normalised_) return;
    normalised_ = true;
    pid_ = normal_pid(event.pid, is_missing(event.pid) ? "0" : "", pid_buffer_);
    // An event without a thread belongs to the process's main thread, as in every other viewer.
    tid_ = normal_pid(event.tid, pid_, tid_buffer_);
  }

  std::uint32_t of_thread(const TraceEvent& event, TrackClass track_class) {
    normalise(event);
    make_track_key(key_, pid_, tid_, track_class);
    return intern();
  }

  void find_of_thread(const TraceEvent& event, Known& track) {
    if (category_kind(event.category) == CategoryKind::Projected) {
      track.thread = track.id = track.flow_end = of_thread(event, TrackClass::Annotation);
      return;
    }
    track.thread = track.id = track.flow_end = of_thread(event, TrackClass::Thread);
    if (track.side == EventSide::Device) track.id = of_thread(event, TrackClass::Device);
    // An arrow from a CPU to a GPU ends at the slice on the device.
    if (event.category == kLaunchFlow) track.flow_end = of_thread(event, TrackClass::Device);
    note_side(track.id, track.side);
  }

  void note_side(std::uint32_t id, EventSide side) {
    if (side == EventSide::Unknown) return;
    if (side_seen_.size() <= id) side_seen_.resize(id + 1, EventSide::Unknown);
    // A track with events of both sides is a stream (chrome_tracks.h).
    if (side_seen_[id] == side || side_seen_[id] == EventSide::Device) return;
    std::vector<std::string>& tracks = side == EventSide::Device ? part_.gpu_tracks : part_.host_tracks;
    tracks.emplace_back(part_.batch.tracks[id_at<StrId>(id)]);
    side_seen_[id] = side;
  }

  static constexpr std::string_view kLaunchFlow = "ac2g";

  std::uint32_t intern() { return static_cast<std::uint32_t>(part_.batch.tracks.intern(key_)); }

  ChromePart& part_;
  bool normalised_ = false;
  std::string_view pid_, tid_;  // valid if normalised_
  std::array<Known, 64> known_;
  std::vector<EventSide> side_seen_;  // per batch track
  std::string pid_buffer_, tid_buffer_, key_;
};

}  // namespace tv
