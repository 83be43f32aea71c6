// A packed trace or a cache entry from an untrusted source: it is refused with a message, or is a trace that every part of the
// program can use, the same whether read, mapped or rewritten. The test changes its contents and corrects the checksums.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/analysis/run/run_data.h"
#include "core/export/export_trace.h"
#include "core/index/trace_index.h"
#include "core/query/visible.h"
#include "core/session/packed/index_file.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/records/load_args.h"
#include "core/store/segments/compose.h"
#include "core/store/segments/one_segment.h"
#include "core/store/segments/trace_file.h"
#include "core/view/panels/shown_state.h"
#include "tests/fuzz/reader_fuzz.h"
#include "tests/fuzz/section_mutator.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

struct PackedFiles {
  std::string path = std::filesystem::temp_directory_path() / fmt::format("fuzz_packed_{}.tvx", getpid());
  std::string again = path + ".again.tvx";
  ~PackedFiles() {
    std::filesystem::remove(path);
    std::filesystem::remove(again);
  }
};

// Uses a trace as the program does: its index, rows at two zooms, analysis, exports and a few records.
void work_with(const std::shared_ptr<const Trace>& trace, ThreadPool& pool, const IndexedSegments& known = {}) {
  const auto index = build_index(*trace, pool, {}, known);
  VisibleRow out;
  for (std::size_t r = 0; r < trace->rows.size(); ++r) {
    const auto length = static_cast<double>(trace->extent.end);
    const IndexedRow row = index->row(*trace, id_at<RowId>(r));
    const WholeRow whole = whole_row(row);
    for (const double part : {1.0, 0.01}) {
      const PixelMap map{length * 0.4, std::max(length * part, 1.0) / 200, 200};
      visible(row, map, out);
      if (static_cast<double>(whole.extent.length()) < map.ns_per_px) add_visible(whole, map, out);
    }
  }
  analyse_run(trace, pool);
  for (const ExportFormat format : {ExportFormat::Chrome, ExportFormat::Perfetto, ExportFormat::Csv}) {
    const auto sink = [](std::string_view) { return Result<void>(); };
    if (!export_trace(*trace, {}, format, pool, sink).ok()) fail("an export into nothing failed");
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(trace->items(), 10); ++i) {
    const ItemRef ref = trace->ref_of(id_at<SliceId>(i));
    const auto args = load_args(trace->sources[idx(ref.source())], ref);
    if (args.ok() && args.value().nodes.empty()) fail("a decoded record without a root");
  }
}

// A mapped segment's columns are not checked when it is opened. Whatever they hold, a view of it is usable and can be packed.
void work_with_mapped(const PackedSegment& packed, const std::string& path, ThreadPool& pool) {
  const auto view = compose({packed.trace});
  if (!view.ok()) return;
  work_with(view.value(), pool, {{packed.trace, packed.index}});
  static_cast<void>(trace_text(*view.value()));
  std::atomic<std::uint64_t> done = 0;
  if (!pack_trace(*view.value(), path, pool, done, {.records = false, .mapped = true}).ok()) fail("a mapped one cannot be packed");
}

std::string written_again(const Trace& trace, const std::string& path, ThreadPool& pool) {
  auto file = SectionWriter::create(path, pool);
  if (!file.ok()) fail("a file cannot be created", file.error().text());
  write_trace(*file, trace, TraceCoding::Packed);
  if (!file->finish().ok()) fail("a trace cannot be written");
  const auto read = open_packed(path, pool);
  if (!read.ok()) fail("what was read cannot be written and read again", read.error().text());
  return trace_text(*read.value().trace);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const PackedFiles files;
  static ThreadPool pool(2);
  std::ofstream(files.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (const std::string view = packed_view(files.path, pool); !view.empty())
    static_cast<void>(parse_shown_state(view).ok());
  const auto packed = open_packed(files.path, pool);
  const auto mapped = SectionFile::open(files.path, SectionFile::Access::Mapped);
  if (mapped.ok() && has_index(*mapped.value())) {
    if (packed.ok()) work_with_mapped(packed.value(), files.again, pool);
    else if (packed.error().message.empty()) fail("refused without a message");
    return 0;
  }
  const Result<std::shared_ptr<const Trace>> trace = packed.ok() ? Result(packed.value().trace) : packed.error();
  const auto mapped_trace = mapped.ok() ? read_trace(*mapped.value(), pool) : Error{};
  if (trace.ok() != mapped_trace.ok()) fail("only one of the read and the mapped trace is refused");
  if (!trace.ok()) {
    if (trace.error().message.empty()) fail("refused without a message");
    return 0;
  }
  const std::string text = trace_text(*trace.value());
  if (text != trace_text(*mapped_trace.value())) fail("the read and the mapped trace differ");
  if (text != written_again(*trace.value(), files.again, pool)) fail("writing it again changes it");
  work_with(trace.value(), pool);
  // Combined with itself, one day later unless times stay as recorded.
  for (const Align align : {Align::Recorded, Align::Zero, Align::Fold}) {
    const Ns later = align == Align::Recorded ? 0 : 86'400 * kSecond;
    const auto view = compose({trace.value(), trace.value()}, PlaceBy::Collectives, {0, later}, {}, align);
    if (!view.ok()) return 0;
    if (const std::string wrong = check_invariants(*view.value()); !wrong.empty()) fail("a view of two breaks an invariant", wrong);
    if (view.value()->items() != 2 * trace.value()->items()) fail("a view of two has not twice the items");
    build_index(*view.value(), pool);
    const auto one = as_one_segment(*view.value(), test_pool());
    if (trace_text(*one.value()).size() != trace_text(*view.value()).size()) fail("one segment of two differs from their view");
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return put_input(SectionMutator(std::string(reinterpret_cast<const char*>(data), size), most, seed).change(), data,
                   most);
}
