// Which collective a kernel is of, where its record says so: PyTorch's profiler writes the process group, the ranks in it, and the
// number of the collective in that group ("Process Group Name", "Process Group Ranks", "Seq"). Then that decides, and ends of
// kernels (collective_clock.h, collective_match.h) only what is left open.
//
// A reader makes a key of it (EventBatch::keys) and the group of the slice. A segment keeps it in the name of its collective
// kernels (CollectiveKernel::name), which are equal only where kernels can be of one collective:
//
//   of one kernel      nothing is told
//   of one group       the number is missing, as of sends and receives, each of which only its own side counts
//   of one collective  group and number are told. More than one of a GPU: a part of them each (coalesced), or the count began again
//
// Groups of other ranks can have the same name: they are one group only with equal ranks. Of groups without told ranks the number
// says nothing: two of one name may be in lockstep.
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
  std::string_view number;  ///< empty: not told, or not the same on all ranks
};

/// For EventBatch::keys: of a kernel; and of a group whose ranks are told elsewhere in the file.
std::string told_key(const ToldCollective& told);
std::string told_group_key(std::string_view group, std::string_view ranks);

enum class Told : std::uint8_t { Kernel, Group, Collective };

/// By key of a source; 0: it is another key. Empty: no record tells.
std::vector<std::uint64_t> told_collectives(const StringTable& keys);
/// The name of a collective kernel (collective_names()) and what is told of it, 0: nothing.
std::uint64_t told_name(std::uint64_t kernel, std::uint64_t told);
/// What such a name stands for.
Told what_is_told(std::uint64_t name);

}  // namespace tv
