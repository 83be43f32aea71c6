// Makes the cells of charts' tables and facts: rounded for people, in full for programs (chart.h). Each kind of number has its own
// maker, so that a column has one unit. A missing value is "-" for people and empty for programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/view/chart/chart.h"

namespace tv {

/// "12.3 ms"; in files nanoseconds.
ChartCell duration_cell(Ns length);
/// A mean, a quantile.
ChartCell ns_cell(double length);
/// A position on the timeline: "1.234567 s"; in files nanoseconds since its beginning.
ChartCell time_cell(Ns at);
/// "12.34 s"; in files seconds.
ChartCell seconds_cell(double seconds);
/// With the given number of decimals; in files with all digits. The column title names the unit.
ChartCell number_cell(double value, int decimals);
/// "12.3 %"; in files per cent.
ChartCell percent_cell(double percent);
/// "12,345".
ChartCell count_cell(std::uint64_t n);
/// A negative count means "not reported".
ChartCell said_cell(std::int64_t n);
/// A name, shortened for display.
ChartCell name_cell(std::string shown, std::string_view whole);
/// The same cell with another displayed text.
ChartCell in_words(std::string shown, ChartCell cell);

/// The text for files: the number with the fewest digits that read back as the same double, or the full text.
std::string full_text(const ChartCell& cell);
/// Per column: its title with the unit of its cells, "busy (ns)". All titles differ.
std::vector<std::string> full_titles(const ChartTable& table);

}  // namespace tv
