// Chooses the requests to compare: steps, workers, runs, the selection, or any filter against all others.
// Invariant: a side holds only requests of `among`, except kOtherSide against kSelectedSide, which is taken from the whole
// rollout. The sides share requests only if both are given and overlap.
// Cost: that of a filter per side.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/base/result.h"

namespace tv {

/// A side is one of these values or a filter (request_filter.h).
inline constexpr std::string_view kSelectedSide = "selected";  ///< the selected requests
inline constexpr std::string_view kOtherSide = "others";       ///< all requests that are not on the other side

struct CompareSide {
  std::string name;
  RequestSet requests;
};
struct CompareSides {
  CompareSide a, b;
};

/// `a` and `b`: kSelectedSide, kOtherSide or a filter. An empty side means kOtherSide; if both do, default_sides() decides.
/// `among`: the selected requests; `singled_out`: they were selected by an area or a brush.
CompareSides compare_sides(const Rollout& rollout, const RequestSet& among, std::optional<std::uint32_t> step,
                           std::string_view a, std::string_view b, bool singled_out = false);

/// The first of these that is possible: a singled-out selection against the rest; the first run against the others; the step
/// against all others; the selected requests against the rest; the first half of the steps against the second.
CompareSides default_sides(const Rollout& rollout, const RequestSet& among, std::optional<std::uint32_t> step,
                           bool singled_out = false);

/// Returns an error if the side is a filter that is invalid or matches no complete request of the rollout.
Result<void> check_side(const Rollout& rollout, std::string_view name, std::string_view side);

struct NamedFilter {
  std::string filter, name;
};
/// The sides to choose from: every worker, every step and, if there are several runs, every run.
std::vector<NamedFilter> side_choices(const Rollout& rollout);

}  // namespace tv
