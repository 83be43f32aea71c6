// Findings (core/analysis/findings/findings.h) as a table: a sentence per row, its place, and the chart that shows more.
// `traceview stats --of findings` prints the same sentences in the same order. Cost: O(findings).
#pragma once

#include <span>

#include "core/analysis/findings/findings.h"
#include "core/view/table/list_table.h"
#include "core/view/words/time_style.h"

namespace tv {

/// Rows are the findings, in their order. The target has kind Other and the finding's index; a finding without a place has no
/// target.
ListTable findings_table(std::span<const Finding> found, const TimeStyle& style);

}  // namespace tv
