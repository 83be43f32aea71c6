// Reports of Nsight Systems as the profiler writes them (.nsys-rep, .qdrep before 2021). Only their databases are read, which
// nsys exports. Source: Nsight Systems.
#include <fmt/format.h>

#include "core/read/nsys/nsys_database.h"
#include "core/read/nsys/nsys_export.h"
#include "core/read/reader.h"

namespace tv {
namespace {

int probe_nsys_report(const Probe& probe) { return probe.head.starts_with(kNsysMagic) ? 100 : 0; }

// The export by nsys is the first half of the progress, reading the database the second.
Result<void> read_nsys_report(ReadContext& context) {
  const std::string version = nsys_report_version(context.head);
  context.draft.edit_info([&](SourceInfo& info) {
    if (!version.empty()) info.facts.push_back({"version", version, "first line of the report"});
  });
  const std::uint64_t bytes = context.draft.info().bytes;
  const auto progress = [&](int percent) {
    context.progress.bytes = bytes * static_cast<std::uint64_t>(percent) / 200;
    context.draft.edit_info([&](SourceInfo& info) { info.reason = fmt::format("nsys export: {} %", percent); });
  };
  auto database = export_nsys_report(context.path, version, context.tools, progress, context.stop);
  if (!database) return database.error();
  context.draft.edit_info([&](SourceInfo& info) {
    info.reason.clear();
    info.database = *database;
    info.facts.push_back({"database", *database, "nsys export"});
  });
  return read_nsys_database(context, *database);
}

}  // namespace

extern const Reader kNsysReport{"nsys_report", "Nsight Systems report", probe_nsys_report, read_nsys_report,
                                nullptr,       nullptr,                 open_nsys_records};
}  // namespace tv
