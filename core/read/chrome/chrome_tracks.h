// Names and orders the lanes of a Trace Event Format file: by process, and by thread or GPU stream.
//
// Readers of chunks only say which lane an event belongs to (a track key). Names, labels and sort indices come as metadata
// events, anywhere in the file; ChromeTracks collects these in file order and keeps the draft's LaneSpecs up to date.
// Source: libkineto output_json.cpp (metadata, categories, ids), Trace Event Format.
//
// A pid can be that of a process and of a GPU at once. kineto numbers GPUs as processes from 0 on and declares 16 of them, even
// if a program has such a pid itself (1 in a container). It also assigns functions to process 0 if it does not know their
// process. So a track's slices decide whether it is a thread or a stream; its process decides only if there are no slices. Slices
// whose category puts them on a device have a track of their own, so a thread and a stream with the same numbers are two lanes
// (process 7 with thread 7; GPU 7 with stream 7). Without such a thread, both tracks are one lane.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/draft/source_draft.h"
#include "core/store/rules/work_rules.h"

namespace tv {

/// The kind of lane to which an event of a (pid, tid) goes.
enum class TrackClass : char {
  Thread = 't',      ///< CPU thread or GPU stream
  Device = 'd',      ///< slices that their category puts on a device: a stream, even if a thread has the same numbers
  Annotation = 'a',  ///< gpu_user_annotation: user ranges on a stream, which overlap its kernels
  Async = 'y',       ///< b/e spans; the extra is the category
  Counter = 'c',     ///< the extra is the series
  Marks = 'm',       ///< instants of a process or of the whole file
  State = 's',       ///< thread states
};

/// Writes the key of a track, as stored in EventBatch::tracks.
void make_track_key(std::string& key, std::string_view pid, std::string_view tid, TrackClass track_class,
                    std::string_view extra = {});

/// For a stream's track, the track of the thread with the same numbers. For any other track, the track itself.
std::string thread_of_track(std::string_view key);

/// A metadata event (phase M).
struct ChromeMetadata {
  std::string kind;  ///< "process_name", "thread_sort_index", ...
  std::string pid, tid;
  std::string text;         ///< args.name or args.labels
  std::int64_t number = 0;  ///< args.sort_index
  std::string lane;         ///< args.traceview (exported_lane.h)
};

class ChromeTracks {
 public:
  ChromeTracks(SourceDraft& draft, LaneSegment source) : draft_(draft), source_(std::move(source)) {}

  /// Sets the outermost group: the file, named by its rank once that is known.
  void set_source(LaneSegment source);
  /// Adds the data of a batch, and puts new or renamed lanes into the draft.
  void add(const std::vector<ChromeMetadata>& metadata, const StringTable& tracks,
           const std::vector<std::string>& gpu_tracks, const std::vector<std::string>& host_tracks);

 private:
  struct TrackKey {
    std::string pid, tid;
    TrackClass track_class;
    std::string extra;
  };
  static TrackKey parse_key(const std::string& key);

  struct Process {
    std::string name, labels, gpu_labels;
    std::int64_t sort = 0;
    std::optional<std::int64_t> gpu_sort;
    bool declared_host = false;  ///< has labels that are not those of a device
    bool named_device = false;   ///< the name is that of a device, which counts only if there are no labels
    std::size_t streams = 0;     ///< number of threads that are named like streams
    bool gpu_last = false;       ///< whether the last labels were those of a GPU
  };
  struct Thread {
    std::string name, stream;  ///< both are set if a thread and a stream have the same numbers
    std::int64_t sort = 0, stream_sort = 0;
    bool stream_last = false;  ///< the last name was that of a stream
    std::optional<LaneSpec> exported;
  };

  void apply(const ChromeMetadata& metadata);
  void declare(Process& process, const ChromeMetadata& metadata);
  LaneSpec spec_of(const std::string& key) const;
  LaneSegment process_segment(const std::string& pid, bool gpu) const;
  LaneSegment named_process(const std::string& pid, bool gpu) const;
  bool is_gpu(const std::string& pid) const;
  DeviceProcess part_of_device(const std::string& pid) const;
  bool is_host(const std::string& pid) const;
  bool is_on_gpu(const std::string& track, const TrackKey& key) const;
  bool has_stream(const TrackKey& key) const;
  LaneKind stream_kind(const std::string& track, const TrackKey& key) const;
  std::string host_of(const std::string& pid) const;

  SourceDraft& draft_;
  LaneSegment source_;
  std::map<std::string, Process> processes_;
  std::map<std::pair<std::string, std::string>, Thread> threads_;
  std::map<std::pair<std::string, std::string>, int> thread_name_counts_;  ///< by pid and name
  std::map<std::pair<std::string, std::string>, LaneSpec> exported_counters_;  ///< by pid and series
  std::set<std::string, std::less<>> tracks_;
  // Tracks on which kernels ran, and tracks on which a program ran. A track with both is a stream, because events of a program
  // get there only by mistake.
  std::set<std::string> gpu_tracks_, host_tracks_;
  std::set<std::string> gpu_pids_;
  std::map<std::string, std::size_t> host_pids_;  ///< by pid: number of tracks
};

}  // namespace tv
