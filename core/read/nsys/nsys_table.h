// The kinds of tables in an Nsight Systems export, and the columns that are read. An unknown table with times is shown as events,
// so that new tables of later versions are visible too.
// Source: Nsight Systems.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/tables/sqlite_file.h"

namespace tv {

enum class NsysRows : std::uint8_t {
  Kernel,
  Memcpy,
  Memset,
  Graph,       ///< a CUDA graph as one bar
  Sync,        ///< a wait of a stream or the CPU
  Api,         ///< CUDA calls, runtime and driver
  Call,        ///< other calls of a thread, with a name
  Nvtx,
  Scheduling,  ///< a thread got or lost its processor
  MemoryUse,   ///< allocations, summed up to a counter
  Metric,      ///< samples of GPU or network counters
  Event,       ///< anything else with a time
};

struct NsysTable {
  SqliteTable table;
  NsysRows rows = NsysRows::Event;
  std::string lane;      ///< "OS runtime"
  std::string category;  ///< "osrt"
  std::vector<std::string_view> columns;  ///< the selected ones, with rowid, begin and end first; missing ones read as NULL
  std::int64_t first_row = 0, last_row = -1;  ///< rowids
  bool end_unknown = false;  ///< last_row is a guess, because the table is damaged
  bool gaps = false;         ///< there are gaps between rowids: the range has more rowids than rows fit into the file

  std::string select() const { return sqlite_select(table, columns); }
};

/// Positions of columns in a selected row.
namespace nsys_column {
inline constexpr int kRowId = 0, kBegin = 1, kEnd = 2;
// device rows
inline constexpr int kDevice = 3, kContext = 4, kStream = 5, kCorrelation = 6, kProcess = 7, kFirstOfKind = 8;
// rows of threads
inline constexpr int kThread = 3, kCallCorrelation = 4, kNameId = 5, kEventClass = 7;
}  // namespace nsys_column

/// Whether these are the tables of an export, perhaps of a damaged one.
bool is_nsys_export(const std::vector<SqliteTable>& tables);
/// Whether the table's rows have times.
bool is_event_table(const SqliteTable& table);
/// Whether the table has no times and nothing that events refer to. Its rows cannot be shown.
bool is_unplaced_table(const SqliteTable& table);
/// Classifies a table. Does not set the range of rows.
NsysTable classify(const SqliteTable& table);

/// The offset of a record: 7 bits for the table, 33 for the rowid; ItemRef::kMaxOffset if they do not fit.
std::uint64_t nsys_offset(std::size_t table, std::int64_t row);
struct NsysPlace {
  std::size_t table = 0;
  std::int64_t row = 0;
};
NsysPlace nsys_place(std::uint64_t offset);
/// The table number in offsets of NVTX ranges that are projected onto the GPU.
inline constexpr std::size_t kProjectedTable = 126;

}  // namespace tv
