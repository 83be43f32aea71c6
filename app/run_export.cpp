// traceview export: what was loaded, in the formats of other programs.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/headless.h"
#include "app/headless_load.h"
#include "app/interrupt_watch.h"
#include "core/export/export_trace.h"
#include "core/io/new_file.h"
#include "core/query/lane_filter.h"

namespace tv {
namespace {

// Where the bytes go: into a new file, which is there when it is whole, or straight into what is no file: standard
// output, a pipe, /dev/null.
class ExportTarget {
 public:
  Result<void> open(const std::string& path) {
    path_ = path;
    std::error_code none;
    const auto type = std::filesystem::status(path, none).type();
    if (path == "-") {
      stream_ = stdout;
    } else if (type == std::filesystem::file_type::directory) {
      return Error{"it is a folder", path, {}, "give the name of a file in it"};
    } else if (type == std::filesystem::file_type::regular || type == std::filesystem::file_type::not_found) {
      auto made = NewFile::create(path);
      if (!made) return made.error();
      file_.emplace(std::move(*made));
    } else if (!(stream_ = std::fopen(path.c_str(), "wb"))) {
      return stream_error();
    }
    return {};
  }
  Result<void> append(std::string_view bytes) {
    if (file_) return file_->append(bytes);
    return std::fwrite(bytes.data(), 1, bytes.size(), stream_) == bytes.size() ? Result<void>() : stream_error();
  }
  Result<void> finish() {
    if (file_) return file_->commit();
    return std::fflush(stream_) == 0 ? Result<void>() : stream_error();
  }

 private:
  Error stream_error() const { return {std::string("cannot write: ") + std::strerror(errno), path_, {}, {}}; }

  std::string path_;
  std::optional<NewFile> file_;
  std::FILE* stream_ = nullptr;  // open until the program ends
};

Result<ExportTotals> write_output(const Trace& trace, const ExportChoice& choice, const Options& options,
                                  ThreadPool& pool) {
  const InterruptWatch watch;
  ExportTarget target;
  if (auto opened = target.open(options.output); !opened) return opened.error();
  const ExportSink sink = [&](std::string_view bytes) -> Result<void> {
    if (was_interrupted()) return Error{"interrupted", {}, {}, {}};
    return target.append(bytes);
  };
  auto totals = export_trace(trace, choice, options.export_format, pool, sink);
  if (!totals) return totals;
  if (auto done = target.finish(); !done) return done.error();
  return totals;
}

void print_totals(const ExportTotals& totals, const Options& options) {
  std::FILE* const out = options.output == "-" ? stderr : stdout;
  if (options.json) {
    const nlohmann::ordered_json figures = {{"file", options.output},
                                            {"bytes", totals.bytes},
                                            {"slices", totals.slices},
                                            {"instants", totals.instants},
                                            {"samples", totals.samples},
                                            {"flows", totals.flows},
                                            {"without_args", totals.without_args},
                                            {"left_out", totals.left_out}};
    fmt::print(out, "{}\n", figures.dump(1));
  } else if (options.output != "-") {
    fmt::print(out, "{}\n", totals_text(options.output, totals));
  }
}

}  // namespace

int run_export(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed || load.exit == exit_code::kNotRecognised) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  ExportChoice choice;
  choice.range = options.range;
  if (!options.lanes.empty()) {
    auto chosen = chosen_lanes(trace, options.lanes);
    if (!chosen) {
      fmt::print(stderr, "traceview: --lanes: {}\n", chosen.error().text());
      return exit_code::kUsage;
    }
    if (chosen.value().as_expression) {
      fmt::print(stderr, "traceview: no lane has these words, so --lanes is taken as a regular expression; write it as '/{}/'\n",
                 options.lanes);
    }
    choice.lanes = std::move(chosen.value().lanes);
  }
  const auto totals = write_output(trace, choice, options, pool);
  if (!totals) {
    fmt::print(stderr, "traceview: {}\n", totals.error().text());
    return was_interrupted() ? exit_code::kInterrupted : exit_code::kFailed;
  }
  for (const std::string& problem : totals.value().problems) fmt::print(stderr, "traceview: {}\n", problem);
  for (const std::string& what : totals.value().left_out) fmt::print(stderr, "traceview: left out: {}\n", what);
  if (totals.value().without_args > 0) {
    fmt::print(stderr, "traceview: {} slices are written without args: their records could not be read again\n",
               totals.value().without_args);
  }
  if (totals.value().flows_moved > 0) {
    fmt::print(stderr,
               "traceview: {} arrows lead to another slice at the same time: the format binds them by time alone\n",
               totals.value().flows_moved);
  }
  if (totals.value().slices + totals.value().instants + totals.value().samples == 0) {
    fmt::print(stderr, "traceview: nothing was chosen: the file is empty\n");
  }
  print_totals(totals.value(), options);
  return load.exit;
}

}  // namespace tv
