#include "app/line/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "app/line/command_line.h"
#include "app/line/sample_path.h"
#include "core/base/text/ascii.h"
#include "core/base/text/decimal_ns.h"
#include "core/base/text/nearest_word.h"

namespace tv {
namespace {

constexpr int kLeastSide = 64, kMostSide = 16384;

// Parses N whole numbers from `least` to kMostSide. `between`: the characters between them, in order.
template <std::size_t N>
std::optional<std::array<int, N>> numbers_in(std::string_view text, std::string_view between, int least) {
  std::array<int, N> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < N; ++i) {
    if (i > 0 && (at == end || *at++ != between[i - 1])) return std::nullopt;
    const std::from_chars_result read = std::from_chars(at, end, numbers[i]);
    if (read.ec != std::errc() || numbers[i] < least || numbers[i] > kMostSide) return std::nullopt;
    at = read.ptr;
  }
  return at == end ? std::optional(numbers) : std::nullopt;
}

bool parse_size(std::string_view text, int& width, int& height) {
  const auto numbers = numbers_in<2>(text, "x", kLeastSide);
  if (!numbers) return false;
  width = (*numbers)[0];
  height = (*numbers)[1];
  return true;
}

// "800x600+100+50", an X geometry.
std::optional<PictureClip> parse_clip(std::string_view text) {
  const auto numbers = numbers_in<4>(text, "x++", 0);
  if (!numbers || (*numbers)[0] == 0 || (*numbers)[1] == 0) return std::nullopt;
  return PictureClip{(*numbers)[2], (*numbers)[3], (*numbers)[0], (*numbers)[1]};
}

// The functions below convert texts of the command line. Their errors say what the user should write.

Result<void> convert_choice(CommandLine& line) {
  Options& options = line.options;
  for (const auto& [text, range] : {std::pair{&line.range, &options.range}, {&line.part, &options.choice.window}}) {
    if (text->empty()) continue;
    const Result<TimeRange> parsed = parse_range(*text);
    if (!parsed) return parsed.error();
    *range = parsed.value();
  }
  for (const auto& [text, spans] : {std::pair{&line.ranks, &options.choice.ranks}, {&line.steps, &options.choice.steps}}) {
    if (text->empty()) continue;
    auto parsed = parse_ranks(*text);
    if (!parsed) return parsed.error();
    *spans = std::move(parsed.value());
  }
  if (!line.devices.empty()) {
    auto parsed = parse_devices(line.devices);
    if (!parsed) return parsed.error();
    options.choice.devices = std::move(parsed.value());
  }
  if (!line.roles.empty()) {
    auto parsed = parse_roles(line.roles);
    if (!parsed) return parsed.error();
    options.choice.roles = std::move(parsed.value());
  }
  return {};
}

Result<void> convert_clocks(CommandLine& line) {
  Options& options = line.options;
  // By default, verbs that show a trace fold the idle time if it is most of the view; the others use the recorded times.
  const bool shows_trace = options.verb == Verb::Window || options.verb == Verb::Screenshot || options.verb == Verb::Script;
  options.align_given = !line.align.empty();
  options.align = options.align_given || shows_trace ? align_named(line.align) : Align::Recorded;
  for (const std::string& text : line.clocks) {
    if (text == "barriers") {
      options.align_by_barriers = true;
    } else if (text == "recorded") {
      options.recorded_clocks = true;
    } else {
      auto parsed = parse_clock_offset(text);
      if (!parsed) return Error{"--clock: " + parsed.error().text(), {}, {}, {}};
      options.clocks.push_back(std::move(parsed.value()));
    }
  }
  return {};
}

Result<void> convert_picture(CommandLine& line) {
  Options& options = line.options;
  options.svg = options.svg || (options.verb == Verb::Screenshot && lower_case(options.output).ends_with(".svg"));
  if (!line.clip.empty() && !(options.clip = parse_clip(line.clip))) {
    return Error{"not a part of a picture: " + line.clip, {}, {}, "write it as 800x600+100+50: width, height, distance from the left, from the top"};
  }
  if (options.clip && options.svg) return Error{"--clip works only for PNG: an SVG shows the whole timeline or a panel's charts", {}, {}, {}};
  if (!line.size.empty() && !parse_size(line.size, options.width, options.height)) {
    return Error{"not a size: " + line.size, {}, {}, "write it as 1920x1080, with numbers from 64 to 16384"};
  }
  return {};
}

Parsed parse_failure(int code, const std::string& message) { return {{}, code, "traceview: " + message}; }
Parsed usage_error(const std::string& message) { return parse_failure(exit_code::kUsage, message + "\n"); }

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
  CommandLine line;
  CLI::App app("traceview - timelines of training runs: PyTorch traces and rollout logs on one clock", "traceview");
  declare_all(app, line);
  Options& options = line.options;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    if (code == 0) return {{}, exit_code::kOk, out.str()};
    // "traceview inof x --json": CLI11 complains about --json, because it took inof for a path.
    const std::string first = argc > 1 ? argv[1] : "";
    if (const std::string meant = nearest_word(first, options.verbs); !meant.empty() && meant != first) {
      err << "\"" << first << "\" is not a verb; did you mean \"" << meant << "\"?\n";
    }
    return parse_failure(exit_code::kUsage, err.str());
  }
  const bool reports = options.verb == Verb::Report, draws = options.verb == Verb::Screenshot;
  if (reports && options.output.empty() && options.fail_if.empty()) {
    return usage_error("report: -o is missing: name the folder to write into");
  }
  options.like_verl_scripts = !line.report_like.empty();
  options.png = line.picture_format == "png";
  if (line.diagnose) options.verb = Verb::Diagnose;
  if (options.verb == Verb::Packaging) options.commands = command_table(app);
  if (line.sample) {
    const std::string sample = sample_path();
    if (sample.empty()) {
      return parse_failure(exit_code::kFailed,
                           "--sample: the sample run is missing; it belongs in ../share/traceview/samples, relative to the program\n");
    }
    options.paths.insert(options.paths.begin(), sample);
  }
  if (draws && options.paths.empty() && options.view.empty()) return usage_error("screenshot: name a PATH, or a view file with --view");
  if (draws && options.paths.empty()) std::swap(options.view, options.paths.emplace_back());
  if (line.export_format == "paddle") options.export_format = ExportFormat::Paddle;
  if (line.export_format == "perfetto") options.export_format = ExportFormat::Perfetto;
  if (line.export_format == "csv") options.export_format = ExportFormat::Csv;
  for (const auto convert : {convert_choice, convert_clocks, convert_picture}) {
    if (const Result<void> converted = convert(line); !converted) return usage_error(converted.error().text());
  }
  return {options, exit_code::kOk, {}};
}

}  // namespace tv
