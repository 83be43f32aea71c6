// Which collective a kernel belongs to, if its record says so. PyTorch's profiler writes the process group, its ranks, and the
// sequence number of the collective in that group ("Process Group Name", "Process Group Ranks", "Seq"). If present, these decide.
// The ends of kernels (collective_clock.h, collective_match.h) decide only what the record leaves open.
//
// A reader stores them as text in EventBatch::keys, and its index as the slice's group. A segment stores them in the name of its
// collective kernels (CollectiveKernel::name). Two names are equal only if the kernels can be of one collective:
//
//   same kernel        the record says nothing
//   same group         there is no number, as for sends and receives, which each side counts separately
//   same collective    the record has group and number. Several on one GPU are parts (coalesced), or the count restarted
//
// Groups of different ranks can have the same name, so they are one group only if their ranks are equal. Without ranks the number
// is useless: two groups of one name may run in lockstep.
// Source: libkineto output_json.cpp, ParamCommsUtils.hpp; distributedInfo.pg_config. Cost: O(keys).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text/string_table.h"

namespace tv {

struct ToldCollective {
  std::string_view group, ranks;
  std::string_view number;  ///< empty: missing, or not the same on all ranks
};

/// Texts for EventBatch::keys: for a kernel, and for a group whose ranks are elsewhere in the file.
std::string told_key(const ToldCollective& told);
std::string told_group_key(std::string_view group, std::string_view ranks);

enum class Told : std::uint8_t { Kernel, Group, Collective };

/// By key of a source; 0 for other keys. Empty if no record says anything.
std::vector<std::uint64_t> told_collectives(const StringTable& keys);
/// Combines the name of a collective kernel (collective_names()) with `told`, from its record. Unchanged if `told` is 0.
std::uint64_t told_name(std::uint64_t kernel, std::uint64_t told);
/// What such a name identifies.
Told what_is_told(std::uint64_t name);

}  // namespace tv
