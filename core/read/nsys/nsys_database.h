// Reads the database that `nsys export --type sqlite` makes into a draft, wherever it lies: a .sqlite file itself, or what
// was exported of a .nsys-rep.
//
// Tables are cut into ranges of rows that are read on all threads, each thread with a connection of its own, and committed in
// order: first what ran on GPUs, then what launched it, then the rest. Cost: 1 us per row and thread.
#pragma once

#include <string>

#include "core/read/reader.h"

namespace tv {

Result<void> read_nsys_database(ReadContext& context, const std::string& database);

/// Columns of the row behind an offset, with texts and enumerations named.
Result<std::unique_ptr<RecordTable>> open_nsys_records(const std::string& database);

}  // namespace tv
