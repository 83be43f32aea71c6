// What the bytes say that a program attached to an NVTX range: NCCL gives communicator, message size and peer that way. The
// layouts are in the export (NVTX_PAYLOAD_SCHEMAS, _ENTRIES); which of them an event has is not, so of those with its length
// one is taken that fits what the event is called, or all that agree. Bytes that nothing explains are shown as they are.
// Only in exports with --include-blobs. Source: formats.md 4.5.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/io/sqlite_file.h"

namespace tv {

/// Names and values of the fields; `row` is a whole one of NVTX_EVENTS, `column` that of the bytes.
std::vector<std::pair<std::string, std::string>> nvtx_payload(SqliteFile& file, const std::vector<SqliteTable>& tables,
                                                              SqliteRows& row, int column);

}  // namespace tv
