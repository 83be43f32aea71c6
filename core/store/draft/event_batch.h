// The data that a reader extracts from one piece of its file: raw events, column by column, with tables local to the batch.
// Batches are filled on any thread, independently of each other, and handed over in file order; ids are in order of first use, so
// the result does not depend on chunk size or thread count.
//
// Times are in the file's own clock; SourceDraft::clock_base is added when the Trace is built, because some files give their base
// only at the end.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/memory/column.h"
#include "core/base/text/string_table.h"
#include "core/base/time.h"
#include "core/store/draft/label_table.h"
#include "core/store/draft/problem.h"

namespace tv {

inline constexpr Ns kOpenEnd = -1;                      ///< duration of a slice that never ends
inline constexpr std::uint32_t kNoGroup = UINT32_MAX;   ///< slice without a group key

/// Slices while they are read.
struct SliceColumns {
  std::vector<std::uint32_t> track;  ///< index into EventBatch::tracks
  std::vector<Ns> begin, duration;   ///< duration kOpenEnd or >= 0
  std::vector<LabelId> label;
  std::vector<std::uint32_t> group;  ///< index into EventBatch::keys, or kNoGroup
  std::vector<std::uint64_t> offset;
  std::vector<std::uint8_t> flags;  ///< ItemFlag

  std::size_t size() const { return track.size(); }
  std::uint32_t group_of(std::size_t i) const { return group[i]; }
  std::uint8_t flags_of(std::size_t i) const { return flags[i]; }
  void clear();
  void reserve(std::size_t slices);
  void add(std::uint32_t track_, Ns begin_, Ns duration_, LabelId label_, std::uint32_t group_, std::uint64_t offset_,
           std::uint8_t flags_) {
    track.push_back(track_);
    begin.push_back(begin_);
    duration.push_back(duration_);
    label.push_back(label_);
    group.push_back(group_);
    offset.push_back(offset_);
    flags.push_back(flags_);
  }
};

/// Slices after reading: the same columns in one allocation of exactly their size. 32 bytes per slice, 4 more if any has a
/// group, and 1 more if any has a flag.
struct SliceBlock {
  SliceBlock() = default;
  explicit SliceBlock(const SliceColumns& from);

  Column<std::uint32_t> track;
  Column<Ns> begin, duration;
  Column<LabelId> label;
  Column<std::uint64_t> offset;
  Column<std::uint32_t> group;  ///< empty: no slice has one
  Column<std::uint8_t> flags;   ///< empty: no slice has any
  Ns first = std::numeric_limits<Ns>::max();  ///< earliest begin
  Ns last = std::numeric_limits<Ns>::min();   ///< latest end, or begin if it has no end
  // The same for slices that last: those with a length, or without an end.
  Ns work_first = std::numeric_limits<Ns>::max(), work_last = std::numeric_limits<Ns>::min();
  std::size_t lasting = 0;  ///< the number of these

  std::size_t size() const { return track.size(); }
  std::uint32_t group_of(std::size_t i) const { return group.empty() ? kNoGroup : group[i]; }
  std::uint8_t flags_of(std::size_t i) const { return flags.empty() ? 0 : flags[i]; }
};

/// Half of a slice: pair_halves.h joins begins and ends.
struct HalfEvent {
  enum class Kind : std::uint8_t { Begin, End, AsyncBegin, AsyncEnd };
  Kind kind;
  bool named = true;         ///< an End without name matches any Begin
  bool categorised = true;   ///< an End without category matches any
  std::uint32_t track;
  std::uint32_t key;         ///< async: index into keys; else unused
  LabelId label;
  Ns time;
  std::uint64_t offset;
  std::uint64_t id;  ///< async: within the key, as for flow points; otherwise unused
};

inline bool begins(const HalfEvent& half) { return half.kind == HalfEvent::Kind::Begin || half.kind == HalfEvent::Kind::AsyncBegin; }
inline bool is_async(const HalfEvent& half) { return half.kind == HalfEvent::Kind::AsyncBegin || half.kind == HalfEvent::Kind::AsyncEnd; }

struct Instant {
  std::uint32_t track;
  LabelId label;
  Ns time;
  std::uint64_t offset;
};

struct FlowPoint {
  enum class Kind : std::uint8_t { Start, Step, End };
  enum class Bind : std::uint8_t {
    Enclosing,  ///< the innermost slice around the time
    Next,       ///< the slice that begins at the time, else the next one to begin
    Record,     ///< the slice of the record at `offset` (flow_in / flow_out), or the one right before it
    Correlation,  ///< as Record, with a correlation id as `id`: a Start is a call, an End is the work it launched on a device
  };
  Kind kind;
  Bind bind;
  std::uint32_t track;
  std::uint32_t key;  ///< index into keys; for a Correlation, the key of an equivalent flow event, or kNoGroup
  std::uint64_t id;   ///< points with equal key and id are one flow; a numeric id need not be interned
  Ns time;
  std::uint64_t offset;
};

struct CounterSample {
  std::uint32_t track;  ///< one track per series
  Ns time;
  double value;
  /// The value is added to the previous one: the number of running items, from begins and ends. Such samples are ours, not the
  /// file's, and do not count as read. All samples of a lane are of one kind.
  bool is_change = false;
};

struct EventBatch {
  LabelTable labels;
  StringTable tracks;  ///< the reader's own names for lanes; it maps them to LaneSpecs
  StringTable keys;    ///< domains of flow and async ids, non-numeric ids, group keys

  SliceBlock slices;
  std::vector<HalfEvent> halves;
  std::vector<Instant> instants;
  std::vector<FlowPoint> flows;
  std::vector<CounterSample> samples;
  ProblemLog problems;
};

}  // namespace tv
