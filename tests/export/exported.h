// Exports into memory, reads exports back, and selects the parts of a trace that tests compare.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/export/formats/export_chrome.h"
#include "core/session/load/load_job.h"
#include "core/session/records/load_args.h"
#include "core/store/trace/trace_dump.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

namespace tv::test {

using Exporter = Result<ExportTotals> (*)(const Trace&, const ExportChoice&, ThreadPool&, const ExportSink&);

struct Exported {
  std::string text;
  ExportTotals totals;
};

inline Exported exported(const Trace& trace, const ExportChoice& choice = {}, Exporter exporter = export_chrome) {
  Exported out;
  auto totals = exporter(trace, choice, test_pool(), [&](std::string_view bytes) {
    out.text += bytes;
    return Result<void>();
  });
  REQUIRE(totals.ok());
  out.totals = totals.value();
  CHECK(out.totals.bytes == out.text.size());
  return out;
}

/// Everything except the problems of the files.
inline std::vector<std::string> dump_of(const Trace& trace) {
  std::vector<std::string> lines;
  dump_trace(trace, [&](std::string_view line) {
    if (!line.starts_with("{\"problem\"")) lines.emplace_back(line);
  });
  return lines;
}

/// Lanes with their kinds.
inline std::vector<std::string> lanes_of(const Trace& trace) {
  std::vector<std::string> lanes;
  for (const Lane& lane : trace.lanes)
    lanes.push_back(std::to_string(lane.depth) + " " + lane.name + " " + std::string(name(lane.kind)));
  return lanes;
}

inline std::shared_ptr<const Trace> read_again(const TempDir& folder, const std::string& text) {
  return load_snapshot({folder.write("exported.json", text)}, test_pool())->trace;
}

}  // namespace tv::test
