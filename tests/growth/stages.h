// What the window and the command line do with files, stage by stage, without a window: load, draw, count, search, write.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/clocks/clock_table.h"
#include "core/analysis/findings/findings.h"
#include "core/analysis/run/run_data.h"
#include "core/export/export_trace.h"
#include "core/query/lane_filter.h"
#include "core/query/lane_gaps.h"
#include "core/query/search/search.h"
#include "core/query/search/search_hits.h"
#include "core/session/load/load_job.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/records/load_args.h"
#include "core/session/search/ask_statistics.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/details/gap_details.h"
#include "core/view/lanes/lane_choice.h"
#include "core/view/lists/clocks_table.h"
#include "core/view/lists/findings_table.h"
#include "core/view/lists/hit_list.h"
#include "core/view/lists/sources_table.h"
#include "core/view/lists/statistics_table.h"
#include "core/view/picture/chart_as_table.h"
#include "core/view/picture/chart_picture.h"
#include "core/view/picture/chart_svg.h"
#include "core/view/table/table_rows.h"
#include "core/view/timeline/minimap.h"
#include "core/view/timeline/timeline_frame.h"
#include "core/view/timeline/timeline_svg.h"
#include "tests/growth/growth.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

namespace tv::test {

/// Options as for a user, but nothing is stored, and elapsed time has no effect.
inline LoadOptions growth_options() {
  LoadOptions options;
  options.patience = 1e9;
  options.memory_limit = 8ull << 30;
  return options;
}

/// Eight slices from the first to the last, evenly spaced.
inline std::vector<SliceId> some_slices(const Trace& trace) {
  std::vector<SliceId> out;
  const std::size_t n = trace.slices.size();
  for (std::size_t i = 0; i < 8 && n > 0; ++i) out.push_back(id_at<SliceId>(i * (n - 1) / 7));
  return out;
}

class DrawnLanes {
 public:
  explicit DrawnLanes(const Snapshot& snapshot) : snapshot_(snapshot), palette_(snapshot.trace->labels, ThemeKind::Dark) {}

  /// Draws at several zooms into the middle, each scrolled to the first, middle and last lanes.
  void draw(const LaneState& state) {
    const Trace& trace = *snapshot_.trace;
    const LaneLayout layout(trace, state, LaneMetrics());
    const TimeRange all = shown_extent(trace);
    const auto begin = static_cast<double>(all.begin), span = std::max(1.0, static_cast<double>(all.end - all.begin));
    for (const double part : {1.0, 0.1, 0.001}) {
      for (const double scroll : {0.0, 0.5, 1.0}) {
        draw_one(layout, {begin + span * (1 - part) / 2, span * part}, scroll * std::max(0.0, layout.height() - kHeight));
      }
    }
    const Overview overview = overview_of(snapshot_, layout);
    Minimap minimap;
    build_minimap(snapshot_, overview, palette_, {begin, span}, {}, kWidth, minimap);
  }
  std::string svg() const {
    TimelinePicture picture{0, 0, kWidth, kHeight, 1, 0, {}};
    DrawnShape shape;
    shape.kind = DrawnShape::Kind::Frame;
    shape.x1 = kWidth, shape.y1 = kHeight;
    shape.clip = {0, 0, kWidth, kHeight};
    shape.frame = &frame_;
    picture.shapes.push_back(shape);
    return timeline_svg(picture).text;
  }
  SliceId selected = kNone<SliceId>;

 private:
  static constexpr float kWidth = 1000, kHeight = 600;

  void draw_one(const LaneLayout& layout, const Viewport& view, double scroll) {
    FrameParams params;
    params.width_px = static_cast<std::uint32_t>(kWidth);
    params.height_px = kHeight;
    params.scroll_y = scroll;
    params.palette = &palette_;
    params.selected = selected;
    builder_.build(snapshot_, layout, view, params, frame_);
  }

  const Snapshot& snapshot_;
  Palette palette_;
  FrameBuilder builder_;
  TimelineFrame frame_;
};

inline void draw_frames(const Snapshot& snapshot) {
  DrawnLanes drawn(snapshot);
  LaneState state;
  const auto slices = some_slices(*snapshot.trace);
  if (!slices.empty()) drawn.selected = slices[slices.size() / 2];
  drawn.draw(state);
  for (const bool collapsed : {true, false}) {
    for (const std::string& key : lane_keys(*snapshot.trace)) state.collapsed[key] = collapsed;
    drawn.draw(state);
  }
  drawn.svg();
}

inline void draw_charts(const RunData& data) {
  for (const ChartKind& kind : chart_kinds()) {
    if (!data.has(kind.of)) continue;
    ChartQuestion question;
    if (data.rollout) question.requests = all_requests(*data.rollout);
    for (const Chart& chart : make_charts(kind, data, question)) {
      chart_svg(chart_picture(chart, {800, 500}));
      chart_csv(chart);
      chart_as_table(chart);
    }
  }
}

/// Sorts by each column, reads as many rows as a screen shows, and filters.
inline void use_table(const TableModel& model) {
  TableRows rows;
  TableState state;
  std::uint64_t version = 0;
  std::string text;
  for (const TableColumn& column : model.columns()) {
    state.sort = {{column.id, true}};
    rows.update(model, ++version, state);
    for (std::size_t i = 0; i < rows.shown().size() && i < 50; ++i) model.text(rows.shown()[i], 0, text);
  }
  state.filter = "a";
  rows.update(model, ++version, state);
}

inline void make_all_statistics(const std::shared_ptr<const Snapshot>& snapshot) {
  const TimeRange all = shown_extent(*snapshot->trace);
  for (const char* by : {"name", "category", "lane", "process"}) {
    StatisticsQuestion question;
    question.by = parse_grouping(by).value();
    for (const bool part : {false, true}) {
      if (part) question.range = TimeRange{all.begin + (all.end - all.begin) / 4, all.end - (all.end - all.begin) / 4};
      const auto made = std::make_shared<const Statistics>(ask_statistics(*snapshot, question, test_pool()));
      use_table(StatisticsModel(snapshot->trace, made));
    }
  }
}

inline void show_details(const Snapshot& snapshot, const RunData& data) {
  const Trace& trace = *snapshot.trace;
  for (const SliceId slice : some_slices(trace)) {
    slice_details(trace, slice).text();
    const ItemRef ref = trace.ref_of(slice);
    (void)load_args(trace.sources[idx(ref.source())], ref);
  }
  std::vector<LaneId> lanes;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) lanes.push_back(id_at<LaneId>(l));
  const std::vector<Gap> gaps = gaps_of_lanes(trace, lanes, 1000, test_pool());
  for (std::size_t i = 0; i < 4 && !gaps.empty(); ++i) gap_details(snapshot, data.gpu.get(), gaps[i * (gaps.size() - 1) / 3]);
}

inline void search_names(const std::shared_ptr<const Trace>& trace) {
  for (const char* text : {"o", "e", "no such name"}) {
    const LabelSet labels = find_labels(trace->labels, text);
    const SearchHits hits(*trace, labels, nullptr, test_pool());
    const auto list = std::make_shared<const HitList>(list_hits(trace, hits, NamePattern()));
    use_table(HitTable(list, TimeStyle()));
    for (const SliceId slice : some_slices(*trace)) hits_before(*trace, hits, slice);
  }
  for (const char* words : {"a", "!rank 2", "/a.*[0-9]$/"}) (void)chosen_lanes(*trace, words);
}

inline void show_tables(const std::shared_ptr<const Trace>& trace) {
  use_table(sources_table(*trace));
  use_table(problems_table(*trace, [](const SourceInfo&, std::uint64_t byte) { return std::optional(byte); }));
  use_table(problem_kinds_table(problems_by_kind(trace->sources), trace->sources));
  use_table(clocks_list(clock_table(*trace)));
}

inline std::string exported_as(const Trace& trace, ExportFormat format) {
  std::string out;
  const auto totals = export_trace(trace, {}, format, test_pool(), [&](std::string_view bytes) {
    out += bytes;
    return Result<void>();
  });
  REQUIRE(totals.ok());
  return out;
}

/// Runs all stages. `read_again`: the Perfetto export is read too, since it has contents that no kind for that reader has.
inline void look_at(Meter& meter, const std::vector<std::string>& paths, bool read_again = false) {
  std::shared_ptr<const Snapshot> snapshot;
  RunData data;
  meter.stage("load", [&] { snapshot = load_snapshot(paths, test_pool(), growth_options()); });
  const Trace& trace = *snapshot->trace;
  CHECK_MESSAGE(!trace.lanes.empty(), "nothing was read");
  meter.stage("frames", [&] { draw_frames(*snapshot); });
  meter.stage("analyse", [&] { data = analyse_run(snapshot->trace, test_pool()); });
  meter.stage("charts", [&] { draw_charts(data); });
  meter.stage("findings", [&] { use_table(findings_table(findings(data, trace), TimeStyle())); });
  meter.stage("statistics", [&] { make_all_statistics(snapshot); });
  meter.stage("details", [&] { show_details(*snapshot, data); });
  meter.stage("search", [&] { search_names(snapshot->trace); });
  meter.stage("tables", [&] { show_tables(snapshot->trace); });

  const TempDir folder;
  std::string text;
  for (const ExportFormat format : {ExportFormat::Chrome, ExportFormat::Perfetto, ExportFormat::Csv}) {
    if (!can_export(trace, format)) continue;
    const std::string as(name(format));
    meter.stage("export " + as, [&] { text = exported_as(trace, format); });
    if (format != ExportFormat::Perfetto || !read_again) continue;
    const std::string path = folder.write("exported" + std::string(file_ending(format)), text);
    meter.stage("read " + as, [&] { load_snapshot({path}, test_pool(), growth_options()); });
  }
  meter.stage("pack", [&] {
    std::atomic<std::uint64_t> done = 0;
    REQUIRE(pack_trace(trace, folder.path("packed.tvx"), test_pool(), done).ok());
  });
  meter.stage("open packed", [&] { load_snapshot({folder.path("packed.tvx")}, test_pool(), growth_options()); });
}

/// Work of a kind that is a file; `text` gives the file's text for n.
inline std::function<void(Meter&, std::size_t)> file(const char* name, std::function<std::string(std::size_t n)> text,
                                                     bool read_again = false) {
  return [name, text = std::move(text), read_again](Meter& meter, std::size_t n) {
    const TempDir folder;
    look_at(meter, {folder.write(name, text(n))}, read_again);
  };
}

/// Work of a kind that is a folder, which `write` fills.
inline std::function<void(Meter&, std::size_t)> files(std::function<void(const TempDir& folder, std::size_t n)> write) {
  return [write = std::move(write)](Meter& meter, std::size_t n) {
    const TempDir folder;
    write(folder, n);
    look_at(meter, {folder.path()});
  };
}

}  // namespace tv::test
