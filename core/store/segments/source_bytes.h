// Converts the sources of a trace to bytes and back, for trace_file.h. Each table except the first was added by a later version
// of the format, so a file may lack it. Input is checked: the reader fails if a time is out of range. Cost: O(sources + facts +
// problems).
#pragma once

#include <vector>

#include "core/base/bytes.h"
#include "core/store/draft/source_info.h"

namespace tv {

void put_sources(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_sources(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// SourceInfo::aligned, work and process.
void put_places(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_places(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// SourceInfo::extent. `within`: the trace's extent. `has_lanes`: whether the trace has lanes; if not, no source may have
/// content.
void put_extents(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_extents(ByteReader& bytes, TimeRange within, bool has_lanes, std::vector<SourceInfo>& sources);
inline bool lies_within(TimeRange inner, TimeRange outer) {
  return outer.begin <= inner.begin && inner.begin <= inner.end && inner.end <= outer.end;
}

/// SourceInfo::zone_east.
void put_zones(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_zones(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// SourceInfo::clock_offset.
void put_clocks(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_clocks(ByteReader& bytes, std::vector<SourceInfo>& sources);

}  // namespace tv
