// The sources of a trace as bytes and back, for trace_file.h. Each table but the first was added by a later version of the
// format, so a file may lack it. Input is checked: the reader fails on times out of range. Cost: O(sources, facts, problems).
#pragma once

#include <vector>

#include "core/base/bytes.h"
#include "core/store/draft/source_info.h"

namespace tv {

void put_sources(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_sources(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// The work extent, alignment and process of each.
void put_places(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_places(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// The time that each covers. `within`: the trace's extent; `has_lanes`: without lanes, no source has content.
void put_extents(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_extents(ByteReader& bytes, TimeRange within, bool has_lanes, std::vector<SourceInfo>& sources);
inline bool lies_within(TimeRange inner, TimeRange outer) {
  return outer.begin <= inner.begin && inner.begin <= inner.end && inner.end <= outer.end;
}

/// The time zone of each file's host, if the file states it.
void put_zones(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_zones(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// How far the user moved each clock.
void put_clocks(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_clocks(ByteReader& bytes, std::vector<SourceInfo>& sources);

}  // namespace tv
