// Reads a database made by `nsys export --type sqlite` into a draft: a .sqlite file, or the export of a .nsys-rep.
//
// Tables are cut into ranges of rows. Each thread reads ranges over a connection of its own, and ranges are committed in order:
// first GPU work, then the calls that launched it, then the rest. Cost: 1 us of one thread per row.
#pragma once

#include <string>

#include "core/read/reader.h"

namespace tv {

Result<void> read_nsys_database(ReadContext& context, const std::string& database);

/// A table of records. The record at an offset has the columns of that row, with texts and enumerations resolved.
Result<std::unique_ptr<RecordTable>> open_nsys_records(const std::string& database);

}  // namespace tv
