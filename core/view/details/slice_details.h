// What the details panel says about a slice, as text and numbers, except for its args, which core/session decodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/index/snapshot.h"

namespace tv {

struct RelatedSlice {
  SliceId slice{};
  std::string name;
  std::string lane;  ///< name of its lane
  /// Arrows: from the end of one slice to the begin of the other, may be negative. Parent: from the parent's begin. Other members
  /// that hold a RelatedSlice say what it is there.
  Ns gap = 0;
};

struct SliceDetails {
  SliceId slice{};
  std::string name, category;
  std::vector<std::string> lane_path;
  bool instant = false;
  Ns begin = 0;            ///< relative to the trace's origin
  Ns begin_abs = 0;
  std::string zone;        ///< zone of the time in begin_abs: "UTC", "local time, zone unknown"; empty: no wall clock
  Ns duration = 0, self = 0;
  std::vector<std::string> notes;  ///< its flags in words
  std::string source;  ///< path of the file, and the position of the slice's record in it
  std::optional<RelatedSlice> parent;
  std::uint64_t children = 0;
  std::optional<SliceId> first_child;
  std::vector<RelatedSlice> incoming, outgoing;  ///< at most kMostFlows each
  std::uint64_t incoming_count = 0, outgoing_count = 0;

  static constexpr std::size_t kMostFlows = 100;

  /// What Copy puts on the clipboard: name, category, lane, times, notes and source, a line each.
  std::string text() const;
};

/// Cost: see query/neighbours.h; computed once per selection, not per frame.
SliceDetails slice_details(const Trace& trace, SliceId slice);

}  // namespace tv
