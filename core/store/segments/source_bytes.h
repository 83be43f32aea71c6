// The sources of a trace as bytes and back, for trace_file.h. Each table but the first was added by a later version of the format,
// so a file may lack it. Input is checked: a reader fails on times that cannot be counted with. Cost: O(sources, facts, problems).
#pragma once

#include <vector>

#include "core/base/bytes.h"
#include "core/store/draft/source_info.h"

namespace tv {

void put_sources(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_sources(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// Where each lies, and the process it belongs to.
void put_places(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_places(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// The time zone that each file tells of its host.
void put_zones(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_zones(ByteReader& bytes, std::vector<SourceInfo>& sources);

/// How far the user moved each clock.
void put_clocks(ByteWriter& bytes, const std::vector<SourceInfo>& sources);
void take_clocks(ByteReader& bytes, std::vector<SourceInfo>& sources);

}  // namespace tv
