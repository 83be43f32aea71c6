#include "core/export/export_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/export/formats/export_chrome.h"
#include "core/export/formats/export_csv.h"
#include "core/export/formats/export_paddle.h"
#include "core/export/formats/export_perfetto.h"
#include "core/export/formats/paddle_run.h"
#include "core/query/lane_filter.h"

namespace tv {
namespace {

constexpr std::size_t kLongestFilter = 600;  // characters: a command of this length can still be copied

// Quotes a word for a shell: plain words stay, others are put in single quotes.
std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlainSigns = "_-./=:,+@%";
  const bool plain_word = !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kPlainSigns.find(c) != kPlainSigns.npos;
  });
  if (plain_word) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// A path as a regular expression, with wildcards for special characters, so that no quoting is needed.
std::string as_expression(std::string_view path) {
  std::string out;
  for (const char c : path) out += std::string_view("\\^$.|?*+()[]{}/'\"").find(c) == std::string_view::npos ? c : '.';
  return out;
}

}  // namespace

std::string_view name(ExportFormat format) {
  switch (format) {
    case ExportFormat::Chrome: return "chrome";
    case ExportFormat::Paddle: return "paddle";
    case ExportFormat::Perfetto: return "perfetto";
    case ExportFormat::Csv: return "csv";
  }
  return {};
}

std::string_view meaning(ExportFormat format) {
  switch (format) {
    case ExportFormat::Chrome: return "Chrome trace (JSON), for Perfetto, chrome://tracing and HTA";
    case ExportFormat::Paddle: return "Paddle's pipeline_profile.json";
    case ExportFormat::Perfetto: return "Perfetto (protobuf)";
    case ExportFormat::Csv: return "CSV, a line per slice, instant and sample";
  }
  return {};
}

std::string_view file_ending(ExportFormat format) {
  return format == ExportFormat::Csv ? ".csv" : format == ExportFormat::Perfetto ? ".perfetto-trace" : ".json";
}

bool can_export(const Trace& trace, ExportFormat format) {
  return format != ExportFormat::Paddle || is_paddle_run(trace) || is_dygraph_run(trace);
}

Result<ExportTotals> export_trace(const Trace& trace, const ExportChoice& choice, ExportFormat format, ThreadPool& pool,
                                  const ExportSink& sink) {
  switch (format) {
    case ExportFormat::Chrome:
      return is_paddle_run(trace) ? export_paddle(trace, choice, PaddleShape::Perfetto, pool, sink)
                                  : export_chrome(trace, choice, pool, sink);
    case ExportFormat::Paddle: return export_paddle(trace, choice, PaddleShape::Profile, pool, sink);
    case ExportFormat::Perfetto: return export_perfetto(trace, choice, pool, sink);
    case ExportFormat::Csv: return export_csv(trace, choice, pool, sink);
  }
  return Error{"no such format", {}, {}, {}};
}

std::string totals_text(const std::string& file, const ExportTotals& totals) {
  return fmt::format("{}: {:.1f} MB, {} slices, {} instants, {} samples, {} arrows", file, static_cast<double>(totals.bytes) / 1e6,
                     totals.slices, totals.instants, totals.samples, totals.flows);
}

std::string export_command(const ExportRequest& request) {
  std::string line = "traceview export";
  for (const std::string& path : request.paths) line += ' ' + shell_word(path);
  for (const ClockOffset& clock : request.clocks) line += " --clock " + shell_word(format_clock_offset(clock));
  if (request.place_by == PlaceBy::Recorded) line += " --clock recorded";
  if (request.align != Align::Recorded) line += fmt::format(" --align {}", name(request.align));
  line += fmt::format(" --to {}", name(request.format));
  if (request.range) line += fmt::format(" --range {}ns..{}ns", request.range->begin, request.range->end);
  if (!request.lanes.empty()) line += " --lanes " + shell_word(request.lanes);
  return line + " -o " + shell_word(request.file);
}

std::optional<std::string> filter_of_lanes(const Trace& trace, const std::vector<bool>& lanes) {
  if (std::ranges::all_of(lanes, [](bool in) { return in; })) return std::string();
  std::string filter = "/";
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    if (!lanes[l]) continue;
    filter += (filter.size() > 1 ? "|^" : "^") + as_expression(joined_path(trace, id_at<LaneId>(l))) + "$";
    if (filter.size() > kLongestFilter) return std::nullopt;
  }
  filter += '/';
  const auto chosen = chosen_lanes(trace, filter);
  return chosen && chosen.value().lanes == lanes ? std::optional(filter) : std::nullopt;
}

}  // namespace tv
