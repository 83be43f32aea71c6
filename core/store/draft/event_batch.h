// The events that a reader extracts from one piece of its file. A batch has its own tables of names. Batches are filled on any
// thread, independently of each other, and handed over in file order. Ids are in order of first use, so the result does not
// depend on chunk size or thread count.
//
// Times are in the file's own clock. SourceView::clock_base is added when the Trace is built, because some files state their base
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

inline constexpr Ns kOpenEnd = -1;                     ///< the duration of a slice without an end
inline constexpr std::uint32_t kNoGroup = UINT32_MAX;  ///< the group of a slice without a group key
inline constexpr std::uint32_t kNoKey = UINT32_MAX;    ///< the key of a Correlation whose launch no flow event states

/// The columns of slices while they are read.
struct SliceColumns {
  std::vector<std::uint32_t> track;  ///< index into EventBatch::tracks
  std::vector<Ns> begin, duration;   ///< a duration is kOpenEnd or >= 0
  std::vector<LabelId> label;
  std::vector<std::uint32_t> group;  ///< index into EventBatch::keys, or kNoGroup
  std::vector<std::uint64_t> offset;  ///< of the record, as in ItemRef
  std::vector<std::uint8_t> flags;    ///< ItemFlag

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

/// The same columns after reading, in one allocation of exactly their size: 32 bytes per slice, 4 more if any slice has a group,
/// and 1 more if any has a flag.
struct SliceBlock {
  SliceBlock() = default;
  explicit SliceBlock(const SliceColumns& from);

  Column<std::uint32_t> track;
  Column<Ns> begin, duration;
  Column<LabelId> label;
  Column<std::uint64_t> offset;
  Column<std::uint32_t> group;  ///< empty: no slice has a group
  Column<std::uint8_t> flags;   ///< empty: no slice has a flag
  Ns first = std::numeric_limits<Ns>::max();  ///< earliest begin
  Ns last = std::numeric_limits<Ns>::min();   ///< latest end, or begin of a slice without an end
  // The same for lasting slices: those with a length, or without an end.
  Ns lasting_first = std::numeric_limits<Ns>::max(), lasting_last = std::numeric_limits<Ns>::min();
  std::size_t lasting = 0;  ///< number of lasting slices

  std::size_t size() const { return track.size(); }
  std::uint32_t group_of(std::size_t i) const { return group.empty() ? kNoGroup : group[i]; }
  std::uint8_t flags_of(std::size_t i) const { return flags.empty() ? 0 : flags[i]; }
};

/// The begin or the end of a slice. pair_halves.h joins them.
struct HalfEvent {
  enum class Kind : std::uint8_t { Begin, End, AsyncBegin, AsyncEnd };
  Kind kind;
  bool named = true;        ///< false: an end that matches begins of any name
  bool categorised = true;  ///< false: an end that matches begins of any category
  std::uint32_t track;
  std::uint32_t key;  ///< index into keys; only for async events
  LabelId label;
  Ns time;
  std::uint64_t offset;
  std::uint64_t id;  ///< within the key, as for FlowPoint; only for async events
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
    Record,     ///< the slice of the record at `offset`
    Correlation,  ///< as Record, and `id` is a correlation id: a Start is a call, an End is the work that it launched on a device
  };
  Kind kind;
  Bind bind;
  std::uint32_t track;
  std::uint32_t key;  ///< index into keys; for a Correlation: the key of flow events that state the same launch, or kNoKey
  std::uint64_t id;   ///< points with equal key and id are of one flow; numeric ids are not interned
  Ns time;
  std::uint64_t offset;
};

struct CounterSample {
  std::uint32_t track;  ///< one track per series
  Ns time;
  double value;
  /// The value is added to the previous one. Readers make such samples from begins and ends, to count running items. The file
  /// does not contain them, so they do not count as read. The samples of a lane are all changes, or all values.
  bool is_change = false;
};

struct EventBatch {
  LabelTable labels;
  StringTable tracks;  ///< the reader's names for lanes; SourceDraft::set_lane() maps them to LaneSpecs
  StringTable keys;    ///< domains of flow and async ids, non-numeric ids, group keys

  SliceBlock slices;
  std::vector<HalfEvent> halves;
  std::vector<Instant> instants;
  std::vector<FlowPoint> flows;
  std::vector<CounterSample> samples;
  ProblemLog problems;
};

}  // namespace tv
