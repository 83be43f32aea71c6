// Nsight Systems reports as SQLite, as written by `nsys export --type sqlite` from a .nsys-rep. Source: Nsight Systems.
#include "core/read/nsys/nsys_database.h"
#include "core/read/reader.h"

namespace tv {
namespace {

constexpr int kLikely = 60;  // other programs write SQLite databases too; read_nsys_database() looks at the tables

int probe_nsys_sqlite(const Probe& probe) {
  return probe.head.starts_with(std::string_view("SQLite format 3\0", 16)) ? kLikely : 0;
}

Result<void> read_nsys_sqlite(ReadContext& context) { return read_nsys_database(context, context.path); }

}  // namespace

extern const Reader kNsysSqlite{"nsys_sqlite", "Nsight Systems SQLite export", probe_nsys_sqlite, read_nsys_sqlite,
                                nullptr,       nullptr,                        open_nsys_records};

}  // namespace tv
