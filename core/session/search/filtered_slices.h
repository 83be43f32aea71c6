// Finds the slices of a scope for which an expression holds (slice_filter.h). Args are read from the files, but only for slices
// that the rest of the expression does not decide. Cost: slice_filter.h, arg_values.h.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/query/range_stats.h"

namespace tv {

struct FilteredSlices {
  std::shared_ptr<const SliceMask> mask;  ///< null: the expression is not understood, or the search was stopped
  std::vector<SliceId> slices;            ///< those for which it holds, ascending
  std::string complaint;                  ///< why the expression is not understood; empty: it is
  std::string limits;                     ///< the limits that applied, in words
  std::uint64_t failed = 0;               ///< slices whose records are needed, but cannot be read again or decoded
};

FilteredSlices filter_slices(const Trace& trace, std::string_view expression, const StatsQuery& scope,
                             ThreadPool& pool, std::stop_token stop = {});

}  // namespace tv
