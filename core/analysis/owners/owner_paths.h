// Who caused the work of the GPUs: from each kernel, copy, memset and graph to the call that launched it, and from there to the
// slices around the call on its thread: modules, operators, marked ranges, functions.
//
//   thread   [ train.py: step                      ]       function
//             [ nn.Module: Attention_6            ]        module
//              [ aten::softmax    ]                        operator
//               [ cudaLaunchKernel ]                       the launch
//   stream                  [ softmax_kernel ]             path: step > Attention_6 > softmax
//
// A slice is around a launch if it begins at or before the launch's begin and ends after it. The innermost is the one that began
// last. The paths of all work form one tree, and each piece of work belongs to one node.
//
// The backward pass runs on a thread without modules. If an arrow leads from an operator of the forward pass to one of the
// backward pass (fwdbwd), the path is that of the forward operator, followed by the backward operator and what is in it.
//
//   thread 1   [ Attention_6 [ aten::mm ] ]
//                                 └───────────┐
//   thread 2                           [ MmBackward0 [ aten::mm ] ]        path: Attention_6 > aten::mm > MmBackward0 > aten::mm
//
// Steps (iteration_rules.h) are not part of a path: they say when, not who, and would give each step paths of its own. Calls of
// the GPU's interface, slices that the system or a profiler adds to a thread, and slices that never ended are left out, too. Only
// slices of the launch's own segment can be around it.
// Invariant: each piece of work that counts (RowWork::lasts) has one node, so the times of all nodes add up to the device time.
// Cost: O(work * log arrows), then a sweep over the rows of the launching threads: O(launches * rows of the thread). Memory: 24
// bytes per piece of work, 16 per node. Source: kineto's correlation ids and External ids, which name the same operator.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

enum class OwnerKind : std::uint8_t {
  Nothing,   ///< the root: around the launch there is no slice that counts
  Unknown,   ///< no arrow leads from a launch to the work
  Operator,  ///< aten::mm
  Module,    ///< nn.Module: Linear_4
  Range,     ///< a range that the program marked: record_function, NVTX
  Function,  ///< a function of the program
  kCount
};
inline constexpr std::size_t kOwnerKinds = static_cast<std::size_t>(OwnerKind::kCount);

/// How a slice with this category and name owns work. None: it is not part of a path.
std::optional<OwnerKind> owner_kind(std::string_view category, std::string_view name);

struct OwnerNode {
  std::uint32_t parent = 0;  ///< index of the node; parents come before children
  LabelId label{};           ///< not for Nothing and Unknown
  OwnerKind kind = OwnerKind::Nothing;
  bool backward = false;     ///< of the backward pass, or in it

  bool operator==(const OwnerNode&) const = default;
};

struct OwnedWork {
  SliceId work{};
  SliceId launch = kNone<SliceId>;
  std::uint32_t node = 0;
};

struct OwnerPaths {
  static constexpr std::uint32_t kRoot = 0, kUnknown = 1;
  std::vector<OwnerNode> nodes;  ///< the first two are the root, and the owner of work whose launch is unknown
  std::vector<OwnedWork> work;   ///< GPU by GPU and row by row, in time
};

/// The owners of all work of the activity that counts in its scope.
OwnerPaths owner_paths(const GpuActivity& activity, ThreadPool& pool);

}  // namespace tv
