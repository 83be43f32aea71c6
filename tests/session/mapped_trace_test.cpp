// Mapped packed traces: equal to the traces they were packed from, and harmless with any bytes in their columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "core/analysis/run/damaged_files.h"
#include "core/analysis/run/run_data.h"
#include "core/export/export_trace.h"
#include "core/io/tables/mapped_file.h"
#include "core/io/tables/section_file.h"
#include "core/query/hit_test.h"
#include "core/query/range_stats.h"
#include "core/query/visible.h"
#include "core/session/load/load_job.h"
#include "core/session/packed/index_file.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/records/load_args.h"
#include "core/session/workspace/session.h"
#include "core/store/segments/compose.h"
#include "core/view/charts/chart_kinds.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/chart_check.h"
#include "tests/support/gen_gpu.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

void pack_mapped(const Trace& trace, const std::string& path, bool records = true) {
  std::atomic<std::uint64_t> done = 0;
  REQUIRE(pack_trace(trace, path, test_pool(), done, {.records = records, .mapped = true}).ok());
}

std::shared_ptr<const Trace> loaded(const std::vector<std::string>& paths) { return load_snapshot(paths, test_pool())->trace; }

bool same_overview(const Overview* a, const Overview* b) {
  return (a == nullptr) == (b == nullptr) && (a == nullptr || (a->busy == b->busy && a->label == b->label));
}

// Runs everything that is computed to show a view, and checks that every index is in range.
void look_at_all(const std::shared_ptr<const Trace>& view, const TraceIndex& index) {
  for (const SliceId slice : view->ids()) {
    REQUIRE(idx(view->label_of(slice)) < view->labels.size());
    REQUIRE(idx(view->ref_of(slice).source()) < view->sources.size());
    REQUIRE(view->duration_of(slice) >= 0);
    REQUIRE(view->self_of(slice) >= 0);
    REQUIRE(view->end_of(slice) <= 2 * view->extent.end);
    view->flows.leaving(slice, [&](std::size_t n, const Flow& flow) {
      REQUIRE(n < view->flows.size());
      REQUIRE(idx(flow.to) < view->items());
    });
    view->flows.entering(slice, [&](std::size_t, const Flow& flow) { REQUIRE(idx(flow.from) < view->items()); });
  }
  VisibleRow out;
  for (std::size_t r = 0; r < view->rows.size(); ++r) {
    const IndexedRow row = index.row(*view, id_at<RowId>(r));
    for (const double part : {1.0, 0.1, 0.001}) {
      const double span = std::max(static_cast<double>(view->extent.end) * part, 1.0);
      const PixelMap map{0.3 * (static_cast<double>(view->extent.end) - span), span / 300, 300};
      visible(row, map, out);
      const WholeRow whole = whole_row(row);
      if (static_cast<double>(whole.extent.length()) < map.ns_per_px) add_visible(whole, map, out);
      for (const FoldedColumn& column : out.columns) {
        if (column.empty()) continue;
        REQUIRE(column.coverage >= 0);
        REQUIRE(column.coverage <= 1);
        REQUIRE(idx(column.label) < view->labels.size());
        REQUIRE(idx(view->row_of(column.representative)) == r);
      }
      for (const VisibleSlice& slice : out.slices) REQUIRE(slice.at < row.slices.size());
    }
    static_cast<void>(hit_test(row.slices, view->extent.end / 2, view->extent.end / 10));
  }
  analyse_run(view, test_pool());
  for (const ExportFormat format : {ExportFormat::Chrome, ExportFormat::Perfetto, ExportFormat::Csv}) {
    REQUIRE(export_trace(*view, {}, format, test_pool(), [](std::string_view) { return Result<void>(); }).ok());
  }
}

constexpr const char* kMappedSections[] = {"slices.begin", "slices.duration", "slices.self", "slices.label", "slices.ref", "flows",
                                           "flows_by_end", "index.nodes", "index.begin", "index.duration", "index.label",
                                           "index.union_nodes"};

// Overwrites some columns, whole or in a few places, with correct checksums, as an attacker could. Returns their names.
std::string harm(const std::string& path, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string harmed;
  const auto file = SectionFile::open(path, SectionFile::Access::Read);
  REQUIRE(file.ok());
  auto out = SectionWriter::create(path + ".harmed", test_pool());
  REQUIRE(out.ok());
  for (const Section& section : file.value()->sections()) {
    const auto loaded = file.value()->load(section, test_pool());
    REQUIRE(loaded.ok());
    std::string bytes(loaded.value().text());
    const bool mapped = std::ranges::find(kMappedSections, section.name) != std::end(kMappedSections);
    if (mapped && !bytes.empty() && random() % 2 == 1) {
      harmed += section.name + " ";
      const auto kind = random() % 4;
      const std::size_t most = kind == 3 ? std::min<std::size_t>(bytes.size(), 64) : bytes.size();
      std::string noise(most, '\0');
      for (char& byte : noise) byte = kind == 1 ? '\xff' : kind == 2 ? '\x7f' : static_cast<char>(random());
      for (int times = kind == 3 ? 3 : 1; times > 0; --times) bytes.replace(random() % (bytes.size() - most + 1), most, noise);
    }
    out->add(section.name, section.coding, bytes);
  }
  REQUIRE(out->finish().ok());
  std::filesystem::rename(path + ".harmed", path);
  return harmed;
}

// Changes raw bytes of one section. Returns the offset of their block, 0 if nothing changed.
std::uint64_t damage(const std::string& path, const char* name, std::uint64_t seed, bool zeros) {
  const auto file = SectionFile::open(path, SectionFile::Access::Read);
  REQUIRE(file.ok());
  const Section* const section = file.value()->find(name);
  REQUIRE(section);
  if (section->bytes == 0) return 0;
  std::mt19937_64 random(seed);
  const std::uint64_t at = section->blocks[0].offset + random() % section->bytes;
  const std::uint64_t n = zeros ? std::min<std::uint64_t>(4096, section->blocks[0].offset + section->bytes - at) : 1;
  std::fstream bytes(path, std::ios::binary | std::ios::in | std::ios::out);
  std::string was(n, '\0');
  bytes.seekg(static_cast<std::streamoff>(at)).read(was.data(), static_cast<std::streamsize>(n));
  const std::string is = zeros ? std::string(n, '\0') : std::string(1, static_cast<char>(was[0] ^ (1 << random() % 8)));
  bytes.seekp(static_cast<std::streamoff>(at)).write(is.data(), static_cast<std::streamsize>(n));
  const std::uint64_t block = section->blocks[(at - section->blocks[0].offset) / section->block_bytes].offset;
  return is == was ? 0 : block;
}

// Computes statistics and all charts, of the whole view and of a part of it. Returns the number of charts.
std::size_t analyse_all(const std::shared_ptr<const Trace>& view) {
  const RunData data = analyse_run(view, test_pool());
  const Ns end = view->extent.end;
  std::size_t charts = 0;
  for (const bool part : {false, true}) {
    StatsQuery query;
    if (part) query.range = TimeRange{end / 3, end / 2};
    query.unions = true;
    const RangeStats stats = range_stats(*view, query, test_pool());
    for (const LabelStats& of_label : stats.labels) REQUIRE(idx(of_label.label) < view->labels.size());
    for (const ChartKind& kind : chart_kinds()) {
      if (data.empty() || !data.has(kind.of)) continue;
      ChartQuestion question = data.rollout ? about_all(*data.rollout) : ChartQuestion();
      if (part) question.area = Scope{{end / 3, end / 2}, {}};
      charts += make_charts(kind, data, question).size();
    }
  }
  return charts;
}

}  // namespace

TEST_CASE("mapped_trace: a mapped trace equals the packed one, including records and index") {
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const TempDir folder;
    const auto before = load_snapshot({fixture.path}, test_pool());
    if (before->trace->items() == 0) continue;
    pack_mapped(*before->trace, folder.path("a.tvx"));
    const auto after = load_snapshot({folder.path("a.tvx")}, test_pool());
    REQUIRE(after->trace->parts.size() == 1);
    CHECK(after->trace->parts.front().segment->columns_are == ColumnsAre::Unchecked);
    CHECK(trace_text(*after->trace) == trace_text(*before->trace));
    CHECK(after->trace->is_one_packed());
    CHECK(!before->trace->is_one_packed());
    for (std::size_t l = 0; l < before->trace->lanes.size(); ++l) {
      CHECK(same_overview(before->index->overview(id_at<LaneId>(l)), after->index->overview(id_at<LaneId>(l))));
    }
    CHECK(same_overview(&before->index->whole(), &after->index->whole()));
    look_at_all(after->trace, *after->index);
    const auto record = [](const Trace& trace, SliceId slice) {
      const ItemRef ref = trace.ref_of(slice);
      const auto args = load_args(trace.sources[idx(ref.source())], ref);
      return args ? args.value().text : args.error().message;
    };
    for (const SliceId slice : before->trace->ids()) {
      if (idx(slice) % 7 == 0) CHECK(record(*after->trace, slice) == record(*before->trace, slice));
    }
  }
}

TEST_CASE("mapped_trace: showing a trace with arbitrary bytes in its columns and index does no harm") {
  const TempDir folder;
  const std::string path = folder.path("a.tvx");
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    pack_mapped(*gen_trace(seed, shape_of(seed)).build(), path, false);
    const std::string harmed = harm(path, seed);
    CAPTURE(harmed);
    const auto snapshot = load_snapshot({path}, test_pool());
    REQUIRE(snapshot->trace->items() > 0);
    look_at_all(snapshot->trace, *snapshot->index);
  }
}

TEST_CASE("mapped_trace: analysing a trace with arbitrary bytes in its columns does no harm and reports only real damage") {
  const TempDir folder;
  const std::string path = folder.path("a.tvx");
  std::size_t charts = 0, damaged = 0;
  const auto analyse = [&](const Trace& trace, std::uint64_t seed) {
    CAPTURE(seed);
    pack_mapped(trace, path, false);
    CHECK(damaged_files(*load_snapshot({path}, test_pool())->trace, test_pool()).empty());
    const std::string harmed = harm(path, seed);
    CAPTURE(harmed);
    const auto view = load_snapshot({path}, test_pool())->trace;
    charts += analyse_all(view);
    const std::vector<std::string> files = damaged_files(*view, test_pool());
    damaged += files.size();
    if (!files.empty()) CHECK(harmed.find("slices.") != std::string::npos);
    CHECK(damaged_words(files).empty() == files.empty());
  };
  for (const std::uint64_t seed : seeds(60)) analyse(*gen_gpu_trace(seed).build(), seed);
  std::uint64_t seed = 0;
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const auto trace = loaded({fixture.path});
    if (trace->items() == 0) continue;
    analyse(*trace, ++seed);
  }
  CHECK(charts > 100);
  CHECK(damaged > 10);
}

TEST_CASE("mapped_trace: a block with a wrong checksum does no harm when it is read, and its offset is reported") {
  const TempDir folder;
  const std::string path = folder.path("a.tvx");
  std::size_t found = 0, untouched = 0;
  for (const char* const name : kMappedSections) {
    for (const std::uint64_t seed : {1u, 2u}) {
      CAPTURE(name);
      CAPTURE(seed);
      pack_mapped(*gen_trace(seed, shape_of(seed)).build(), path, false);
      const std::uint64_t at = damage(path, name, seed, seed == 2);
      if (at == 0) continue;
      take_damaged_files();
      {
        const auto snapshot = load_snapshot({path}, test_pool());
        look_at_all(snapshot->trace, *snapshot->index);
      }
      const std::vector<DamagedFile> damaged = take_damaged_files();
      if (damaged.empty()) ++untouched;
      else CHECK(damaged == std::vector<DamagedFile>{{path, at}});
      found += damaged.size();
      CHECK(take_damaged_files().empty());
      // A caller that will read everything gets the error when it opens the file.
      const auto opened = open_packed(path, test_pool(), PackedCheck::All);
      if (std::string_view(name).starts_with("index.")) {  // rebuilt
        REQUIRE(opened.ok());
        CHECK(opened.value().index == nullptr);
        CHECK(trace_text(*opened.value().trace) == trace_text(*gen_trace(seed, shape_of(seed)).build()));
      } else {
        REQUIRE(!opened.ok());
        CHECK(opened.error().byte_offset == at);
      }
      LoadOptions all;
      all.check_packed = true;
      const auto refused = load_snapshot({path}, test_pool(), all)->trace;
      if (!opened.ok()) {
        CHECK(refused->lanes.empty());
        CHECK(refused->lost() == 1);
        REQUIRE(refused->sources.size() == 1);
        CHECK(refused->sources[0].state == SourceState::Rejected);
        CHECK(refused->sources[0].problems.entries().front().examples.front().byte_offset == at);
      }
      CHECK(take_damaged_files().empty());
    }
  }
  CHECK(found > 8);
  CHECK(untouched < found);
}

TEST_CASE("mapped_trace: a session drops a file that turns out to be damaged and keeps the others") {
  const TempDir folder;
  const std::string good = folder.path("good.tvx"), bad = folder.path("bad.tvx");
  pack_mapped(*loaded({folder.write("good.json", "[" + event("a", 1, 5, 3) + "]")}), good, false);
  const auto trace = gen_trace(5, shape_of(5)).build();
  pack_mapped(*trace, bad, false);
  const std::uint64_t at = damage(bad, "slices.self", 1, false);
  REQUIRE(at != 0);
  Session session(test_pool(), {});
  session.open({good, bad});
  wait_until([&] { return !session.status().running(); });
  session.give_up_damaged();
  const auto first = session.snapshot();
  CHECK(first->trace->slice_count > trace->slice_count);
  Ns sum = 0;
  for (const SliceId slice : first->trace->ids()) sum += first->trace->self_of(slice);
  CHECK(sum > 0);
  session.give_up_damaged();
  wait_until([&] { return !session.status().running(); });
  const auto after = session.snapshot();
  CHECK(after->trace->slice_count == 1);
  CHECK(after->trace->lost() == 1);
  // A file that has been written again counts as a different one.
  pack_mapped(*trace, bad, false);
  session.reload();
  wait_until([&] { return !session.status().running(); });
  CHECK(session.snapshot()->trace->slice_count == first->trace->slice_count);
  CHECK(session.snapshot()->trace->lost() == first->trace->lost());
}

TEST_CASE("mapped_trace: several threads can read blocks for the first time at once") {
  const TempDir folder;
  const std::string path = folder.path("a");
  const std::string text = std::string(24 * kPlainBlock + 5000, 'x');
  {
    auto out = SectionWriter::create(path, test_pool());
    REQUIRE(out.ok());
    out->add("numbers", SectionCoding::Plain, text);
    REQUIRE(out->finish().ok());
  }
  for (int round = 0; round < 20; ++round) {
    const auto file = SectionFile::open(path, SectionFile::Access::Mapped);
    REQUIRE(file.ok());
    const auto bytes = file.value()->map(*file.value()->find("numbers"));
    REQUIRE(bytes.ok());
    std::vector<std::jthread> threads;
    std::atomic<std::size_t> wrong = 0;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const std::string_view all = bytes.value().text();
        for (std::size_t i = static_cast<std::size_t>(t) * 977; i < all.size(); i += 65'521) wrong += all[i] == 'x' ? 0 : 1;
      });
    }
    threads.clear();
    CHECK(wrong == 0);
  }
  CHECK(take_damaged_files().empty());
}

TEST_CASE("mapped_trace: a file with a damaged table is refused with a message") {
  const TempDir folder;
  const std::string path = folder.path("a.tvx");
  pack_mapped(*gen_trace(1, shape_of(1)).build(), path, false);
  for (const char* const name : {"rows", "lanes", "labels", "trace", "counters"}) {
    CAPTURE(name);
    std::filesystem::copy_file(path, folder.path("b.tvx"), std::filesystem::copy_options::overwrite_existing);
    const auto file = SectionFile::open(path, SectionFile::Access::Read);
    const std::uint64_t at = file.value()->find(name)->blocks[0].offset;
    std::fstream(folder.path("b.tvx"), std::ios::binary | std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(at)).put('\x55');
    const auto opened = open_packed(folder.path("b.tvx"), test_pool());
    REQUIRE(!opened.ok());
    CHECK(opened.error().message == "the file is damaged or was cut off");
  }
}

TEST_CASE("mapped_trace: a damaged list of union rows is made again, unless slices are damaged, too") {
  const TempDir folder;
  const std::string path = folder.path("a.tvx");
  const auto trace = gen_trace(1, shape_of(1)).build();
  pack_mapped(*trace, path, false);
  REQUIRE(damage(path, "index.unions", 1, false) != 0);
  const auto opened = open_packed(path, test_pool());
  REQUIRE(opened.ok());
  CHECK(opened.value().index == nullptr);
  CHECK(trace_text(*opened.value().trace) == trace_text(*trace));
  const auto snapshot = load_snapshot({path}, test_pool());
  CHECK(snapshot->trace->lost() == 0);
  look_at_all(snapshot->trace, *snapshot->index);
  const std::uint64_t at = damage(path, "slices.begin", 1, false);
  REQUIRE(at != 0);
  const auto refused = open_packed(path, test_pool());
  REQUIRE(!refused.ok());
  CHECK(refused.error().byte_offset == at);
}

TEST_CASE("mapped_trace: a file truncated while it is open does no harm, and is reported once") {
  const TempDir folder;
  const std::string path = folder.path("a.tvx");
  const auto before = gen_trace(3, shape_of(3)).build();
  pack_mapped(*before, path, false);
  {
    const auto snapshot = load_snapshot({path}, test_pool());
    CHECK(take_cut_files().empty());
    std::filesystem::resize_file(path, 4096);
    look_at_all(snapshot->trace, *snapshot->index);
    CHECK(take_cut_files() == std::vector{path});
    CHECK(take_cut_files().empty());
  }
  CHECK(!open_packed(path, test_pool()).ok());
}
