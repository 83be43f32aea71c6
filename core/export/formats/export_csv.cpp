#include "core/export/formats/export_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/text/csv_text.h"
#include "core/base/text/utf8.h"
#include "core/query/lane_filter.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

constexpr std::size_t kLinesPerPiece = 8192;

std::string field(std::string_view text) {
  std::string out;
  append_csv_field(out, valid_utf8(text));  // names of files and lanes can contain other bytes
  return out;
}

class CsvExport {
 public:
  CsvExport(const Trace& trace, const ExportChoice& choice, ThreadPool& pool, const ExportSink& sink)
      : trace_(trace), choice_(choice), out_(pool, sink) {
    for (const SourceInfo& source : trace.sources) sources_.push_back(field(source.path));
  }

  Result<ExportTotals> run() {
    auto written = out_.add(
        [](std::string& out) { out += "kind,source,lane,name,category,begin_ns,duration_ns,self_ns,depth,value\r\n"; });
    for (std::size_t l = 0; l < trace_.lanes.size() && written; ++l) {
      const Lane& lane = trace_.lanes[l];
      if (!choice_.has_lane(id_at<LaneId>(l))) continue;
      const auto path = std::make_shared<const std::string>(field(joined_path(trace_, id_at<LaneId>(l))));
      for (const Row& row : trace_.rows_of(lane)) {
        if (written) written = add_row(row, path);
      }
      if (lane.counter != UINT32_MAX && written) written = add_samples(trace_.counters[lane.counter], path);
    }
    if (written) written = out_.finish();
    if (!written) return written.error();
    ExportTotals totals;
    count_chosen(trace_, choice_, totals);
    totals.bytes = out_.bytes();
    name_left_out(trace_, totals, {.logs = true, .members = true, .args = true, .arrows = true});
    return totals;
  }

 private:
  using Path = std::shared_ptr<const std::string>;

  Result<void> add_row(const Row& row, const Path& path) {
    const RowSlices slices = trace_.slices_of(row);
    const RowPart part = choice_.range ? touching(slices, *choice_.range) : RowPart{0, slices.size()};
    for (std::size_t at = part.first; at < part.last; at += kLinesPerPiece) {
      auto added = out_.add([this, &row, path, at, end = std::min(part.last, at + kLinesPerPiece)](std::string& out) {
        const RowSlices lines = trace_.slices_of(row);
        for (std::size_t i = at; i < end; ++i) append_slice(out, row, lines.id(i), *path);
      });
      if (!added) return added;
    }
    return {};
  }

  void append_slice(std::string& out, const Row& row, SliceId id, const std::string& path) const {
    const ItemRef ref = trace_.ref_of(id);
    const bool instant = row.kind == RowKind::Instants;
    fmt::format_to(std::back_inserter(out), "{},{},{},", instant ? "instant" : "slice",
                   sources_[idx(ref.source())], path);
    append_csv_field(out, trace_.name_of(id));
    out += ',';
    append_csv_field(out, trace_.labels.category(trace_.label_of(id)));
    fmt::format_to(std::back_inserter(out), ",{},", trace_.begin_of(id) + trace_.origin_ns);
    if (instant) {
      out += ",,,\r\n";
    } else if (ref.is(kUnfinished)) {  // the length is unknown
      fmt::format_to(std::back_inserter(out), ",,{},\r\n", row.depth);
    } else {
      fmt::format_to(std::back_inserter(out), "{},{},{},\r\n", trace_.duration_of(id), trace_.self_of(id), row.depth);
    }
  }

  Result<void> add_samples(const CounterSeries& series, const Path& path) {
    const SamplePart part = chosen_samples(series, choice_);
    for (std::size_t at = part.first; at < part.last; at += kLinesPerPiece) {
      auto added =
          out_.add([this, &series, path, at, end = std::min(part.last, at + kLinesPerPiece)](std::string& out) {
            const std::string name = field(trace_.lane(series.lane).name);
            for (std::size_t i = at; i < end; ++i) {
              fmt::format_to(std::back_inserter(out), "sample,,{},{},,{},,,,{}\r\n", *path, name,
                             series.time[i] + trace_.origin_ns, series.value[i]);
            }
          });
      if (!added) return added;
    }
    return {};
  }

  const Trace& trace_;
  const ExportChoice& choice_;
  std::vector<std::string> sources_;  // as fields
  OrderedWriter out_;                 // destroyed first: its pieces use the members above
};

}  // namespace

Result<ExportTotals> export_csv(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                const ExportSink& sink) {
  return CsvExport(trace, choice, pool, sink).run();
}

}  // namespace tv
