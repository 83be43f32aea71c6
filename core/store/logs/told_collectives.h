// Which collective a kernel belongs to, if its record says so. PyTorch's profiler writes the process group, its ranks, and the
// sequence number of the collective in that group ("Process Group Name", "Process Group Ranks", "Seq"). If the record has them,
// they decide. If some are missing, the ends of the kernels decide among the candidates (collective_clock.h, collective_match.h).
//
// A reader stores group, ranks and number as one text in EventBatch::keys, and the index of that text as the slice's group. A
// segment hashes them into the names of its collective kernels (CollectiveKernel::name). Two names are equal only if the kernels can
// be of one collective. A name identifies:
//
//   Told::Kernel       the kernel only: the record says nothing
//   Told::Group        kernel and group: there is no number, as for sends and receives, which each side counts separately
//   Told::Collective   kernel, group and number. Several on one GPU are parts (coalesced), or the count restarted
//
// Groups of different ranks can have the same name, so a group is identified by name and ranks. Without ranks the number is not
// used: two groups of one name may count in lockstep.
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

/// The text in EventBatch::keys for a kernel.
std::string told_key(const ToldCollective& told);
/// The text that gives a group its ranks, for kernels whose own records lack them.
std::string told_group_key(std::string_view group, std::string_view ranks);

enum class Told : std::uint8_t { Kernel, Group, Collective };

/// For each key of a source, a hash of the collective or group; 0 for other keys. Empty if no record names a collective.
std::vector<std::uint64_t> told_collectives(const StringTable& keys);
/// Combines the name of a collective kernel (collective_names()) with the hash that its key has in told_collectives(). Returns the
/// name unchanged if the hash is 0.
std::uint64_t told_name(std::uint64_t kernel, std::uint64_t told);
/// What a name from told_name() identifies.
Told what_is_told(std::uint64_t name);

}  // namespace tv
