// The device time of each owner: which operator, module, marked range, function or path the work of the GPUs belongs to.
//
//   path: Attention_6 > aten::softmax     by operator: aten::softmax     by module: Attention_6     by path: the whole
//
// Work counts for the innermost owner of the asked kind on its path (`own`), and for each outer one of this kind too (`total`): a
// module's total includes the modules within it. An owner that is within itself counts once. Times are those of kernels, copies,
// memsets and graphs, clipped to the activity's scope; parallel work counts in full, so times can add up to more than has passed.
// Invariant: `own` of all rows adds up to the time of all work. Cost: O(work + nodes * depth).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/owners/owner_paths.h"

namespace tv {

enum class OwnerBy : std::uint8_t { Operator, Module, Range, Function, Path, kCount };
inline constexpr std::size_t kOwnerBys = static_cast<std::size_t>(OwnerBy::kCount);
std::string_view name(OwnerBy by);     ///< for command lines: "operator"
std::string_view meaning(OwnerBy by);  ///< for users: "PyTorch module"

/// Why work has no owner of the asked kind.
enum class NoOwner : std::uint8_t {
  Owned,
  NoLaunch,  ///< no arrow leads from a launch to the work
  Outside,   ///< its launch is not within an owner of this kind
};

struct OwnerTime {
  NoOwner why = NoOwner::Owned;
  std::uint32_t node = 0;   ///< the owner, or one node of several that are the same owner; only if it is owned
  std::uint64_t count = 0;  ///< number of pieces of work of `own`
  Ns own = 0, total = 0;
  Ns backward = 0;          ///< part of `own` that the backward pass launched
  SliceId longest{};        ///< the longest work of `own`, the first if several are; if there is none, the longest of `total`
};

struct OwnerTimes {
  std::vector<OwnerTime> rows;  ///< by own, longest first, then by total
  std::uint64_t count = 0;      ///< all work
  Ns all = 0;                   ///< its time

  /// The time of work that has an owner of the asked kind.
  Ns owned() const;
};

OwnerTimes owner_times(const GpuActivity& activity, const OwnerPaths& paths, OwnerBy by);
/// The name of a row's owner: "Owlv2Attention_6"; for a path, outermost first: "step > Attention_6 > aten::softmax".
std::string name_of(const Trace& trace, const OwnerPaths& paths, const OwnerTime& row, OwnerBy by);

}  // namespace tv
