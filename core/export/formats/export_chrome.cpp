#include "core/export/formats/export_chrome.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "core/base/text/json_text.h"
#include "core/export/formats/paddle_colours.h"
#include "core/export/parts/export_tracks.h"
#include "core/export/parts/flow_places.h"
#include "core/export/parts/microseconds.h"
#include "core/export/parts/record_args.h"
#include "core/export/parts/source_members.h"
#include "core/read/chrome/exported_lane.h"

namespace tv {
namespace {

constexpr std::size_t kPerPiece = 8192;  // samples, arrows or threads per piece

void append_number(std::string& out, std::uint64_t number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

class ChromeExport {
 public:
  ChromeExport(const Trace& trace, const ExportChoice& choice, ThreadPool& pool, const ExportSink& sink)
      : trace_(trace),
        choice_(choice),
        tracks_(trace, choice, pool),
        members_(source_members(trace)),
        blocks_(trace, chosen_records(trace, choice), pool),
        out_(pool, sink) {}

  Result<ExportTotals> run() {
    for (const auto part : {&ChromeExport::head, &ChromeExport::slices, &ChromeExport::samples, &ChromeExport::flows}) {
      if (auto written = (this->*part)(); !written) return written.error();
    }
    if (auto written = out_.add([](std::string& out) { out += "\n]}\n"; }); !written) return written.error();
    if (auto written = out_.finish(); !written) return written.error();
    ExportTotals totals;
    count_chosen(trace_, choice_, totals);
    totals.bytes = out_.bytes();
    totals.without_args = unreadable_;
    totals.flows_moved = flows_moved_;
    totals.problems = blocks_.problems();
    for (const Error& problem : members_.problems) {
      const auto of_file = [&](const std::string& text) { return text.starts_with(problem.file + ": "); };
      if (std::ranges::none_of(totals.problems, of_file)) totals.problems.push_back(problem.text());
    }
    totals.left_out = members_.left_out;
    name_left_out(trace_, totals, {.logs = true});
    return totals;
  }

 private:
  // --- the beginning of the file ---

  Result<void> head() {
    std::string text = fmt::format(R"({{"displayTimeUnit":"ms","baseTimeNanoseconds":{},)", trace_.origin_ns);
    bool ranked = false;
    for (const auto& [key, value] : members_.kept) {
      ranked |= key == "distributedInfo";
      text += fmt::format("\n\"{}\":{},", key, value);
    }
    if (const auto rank = only_rank(); rank && !ranked) text += fmt::format(R"("distributedInfo":{{"rank":{}}},)", *rank);
    text += fmt::format("\"otherData\":{{{}}},\n\"traceEvents\":[\n", kExportWriter);
    for (const ExportProcess& process : tracks_.processes()) {
      if (process.pid > 1) text += ",\n";
      text += fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"ts":0,"args":{{"name":{}}}}},)", process.source_pid,
                          json_quoted(process.name));
      text += fmt::format(
          "\n"
          R"({{"ph":"M","name":"process_sort_index","pid":{},"ts":0,"args":{{"sort_index":{}}}}})",
          process.source_pid, process.pid);
    }
    auto added = out_.add([text = std::move(text)](std::string& out) { out += text; });
    const auto tracks = tracks_.all();
    for (std::size_t at = 0; at < tracks.size() && added; at += kPerPiece) {
      added = out_.add([this, some = tracks.subspan(at, std::min(kPerPiece, tracks.size() - at))](std::string& out) {
        for (const ExportTrack& track : some) append_thread(out, track);
      });
    }
    return added;
  }

  void append_thread(std::string& out, const ExportTrack& track) const {
    const auto metadata = [&](std::string_view name, std::string_view args) {
      out += fmt::format(
          ",\n"
          R"({{"ph":"M","name":"{}","pid":{},"tid":{},"ts":0,"args":{{{}}}}})",
          name, tracks_.source_pid(track), track.source_tid, args);
    };
    metadata("thread_name", fmt::format(R"("name":{},"traceview":{})", json_quoted(track.name),
                                        json_quoted(exported_lane_text(exported_spec(trace_, track.lane)))));
    metadata("thread_sort_index", fmt::format(R"("sort_index":{})", track.tid));
  }

  std::optional<std::int64_t> only_rank() const {
    std::optional<std::int64_t> rank;
    for (const SourceInfo& source : trace_.sources) {
      if (!source.rank || (rank && *rank != *source.rank)) return std::nullopt;
      rank = source.rank;
    }
    return rank;
  }

  // --- slices and instants ---

  Result<void> slices() {
    while (auto block = blocks_.next()) {
      auto added = out_.add([this, block = std::move(*block)](std::string& out) {
        RecordArgs args;
        for (const SliceId id : block.slices) append_slice(out, id, args, block);
      });
      if (!added) return added;
    }
    return {};
  }

  void append_slice(std::string& out, SliceId id, RecordArgs& args, const RecordBlock& block) {
    const LabelId label = trace_.label_of(id);
    const RowId row = trace_.row_of(id);
    const ExportTrack& track = tracks_.of(row, id);
    const bool instant = trace_.row(row).kind == RowKind::Instants;
    const ItemRef ref = trace_.ref_of(id);
    // A slice that never ended becomes a B event without an E. Other viewers ignore its "dur", the length at which we draw the slice.
    out += instant ? ",\n{\"ph\":\"i\",\"s\":\"t\",\"name\":"
                   : ref.is(kUnfinished) ? ",\n{\"ph\":\"B\",\"name\":" : ",\n{\"ph\":\"X\",\"name\":";
    append_json_quoted(out, trace_.labels.name(label));
    if (const std::string_view category = trace_.labels.category(label); !category.empty()) {
      out += ",\"cat\":";
      append_json_quoted(out, category);
    }
    append_place(out, track, trace_.begin_of(id));
    if (!instant) {
      out += ",\"dur\":";
      append_microseconds(out, trace_.duration_of(id));
      if (packs(trace_, track.lane)) {
        out += ",\"id\":";
        append_number(out, track.slot);
      }
    }
    for (const auto& [flag, mark] : {std::pair{kUnfinished, kUnfinishedMark}, {kClamped, kClampedMark}}) {
      if (ref.is(flag)) out.append(",\"traceview\":\"").append(mark).append("\"");
    }
    const RecordFacts facts = args.read(trace_, block, id);
    if (!facts.readable) unreadable_.fetch_add(1, std::memory_order_relaxed);
    append_colour(out, facts, block.source, label);
    if (!facts.args.empty()) {
      out += ",\"args\":";
      out += facts.args;
    }
    out += '}';
  }

  void append_colour(std::string& out, const RecordFacts& facts, SourceId source, LabelId label) const {
    if (!facts.cname.empty()) {
      out += ",\"cname\":";
      out += facts.cname;
    } else if (trace_.sources[idx(source)].format == "paddle_log") {
      const std::string_view colour = paddle_colour(trace_.labels.category(label));
      if (!colour.empty()) out += fmt::format(R"(,"cname":"{}")", colour);
    }
  }

  void append_place(std::string& out, const ExportTrack& track, Ns time) const {
    out += ",\"pid\":";
    append_number(out, static_cast<std::uint64_t>(tracks_.source_pid(track)));
    out += ",\"tid\":";
    append_number(out, static_cast<std::uint64_t>(track.source_tid));
    out += ",\"ts\":";
    append_microseconds(out, time);
  }

  // --- samples ---

  Result<void> samples() {
    for (const CounterSeries& series : trace_.counters) {
      if (!choice_.has_lane(series.lane)) continue;
      const SamplePart chosen = chosen_samples(series, choice_);
      for (std::size_t at = chosen.first; at < chosen.last; at += kPerPiece) {
        auto added = out_.add([this, &series, at, end = std::min(chosen.last, at + kPerPiece)](std::string& out) {
          const std::string name = json_quoted(trace_.lane(series.lane).name);
          for (std::size_t i = at; i < end; ++i) {
            out += fmt::format(
                ",\n"
                R"({{"ph":"C","name":{},"pid":{},"ts":)",
                name, tracks_.source_pid(tracks_.of_counter(series.lane)));
            append_microseconds(out, series.time[i]);
            // Viewers append the key to the series' name, so an empty key keeps the name as it is.
            fmt::format_to(std::back_inserter(out), R"(,"args":{{"":{}}}}})", series.value[i]);
          }
        });
        if (!added) return added;
      }
    }
    return {};
  }

  // --- arrows ---

  Result<void> flows() {
    for (std::size_t at = 0; at < trace_.flows.size(); at += kPerPiece) {
      auto added = out_.add([this, at](std::string& out) {
        for (std::size_t f = at; f < std::min(trace_.flows.size(), at + kPerPiece); ++f) append_flow(out, f);
      });
      if (!added) return added;
    }
    return {};
  }

  void append_flow(std::string& out, std::size_t f) {
    const Flow flow = trace_.flows[f];
    if (!choice_.has(trace_, flow.from) || !choice_.has(trace_, flow.to)) return;
    const FlowPlace place = place_flow(trace_, flow);
    if (!place.exact) flows_moved_.fetch_add(1, std::memory_order_relaxed);
    fmt::format_to(std::back_inserter(out),
                   ",\n"
                   R"({{"ph":"s","cat":"flow","name":"flow","id":{})",
                   f + 1);
    append_place(out, tracks_.of(flow.from), place.from);
    fmt::format_to(std::back_inserter(out),
                   "}},\n"
                   R"({{"ph":"f","bp":"e","cat":"flow","name":"flow","id":{})",
                   f + 1);
    append_place(out, tracks_.of(flow.to), place.to);
    out += '}';
  }

  const Trace& trace_;
  const ExportChoice& choice_;
  const ExportTracks tracks_;
  const SourceMembers members_;
  RecordBlocks blocks_;
  std::atomic<std::uint64_t> unreadable_ = 0, flows_moved_ = 0;
  OrderedWriter out_;  // destroyed first: its pieces use the members above
};

}  // namespace

Result<ExportTotals> export_chrome(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                   const ExportSink& sink) {
  return ChromeExport(trace, choice, pool, sink).run();
}

}  // namespace tv
