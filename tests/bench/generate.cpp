// Writes big inputs, the same bytes each time on every machine, and prints as JSON what a reader must find in them.
//   generate kineto -o FILE --mb N [--seed S] [--rank R] [--absolute] [--base-last] [--one-line]
//   generate rollout -o FOLDER --mb N [--seed S] [--steps N] [--workers N] [--requests N]
//   generate console -o FILE --mb N [--seed S]
//   generate store -o FILE.tvx [--count N] [--lanes N]
//   generate ranks -o FOLDER --of FILE.tvx [--count N]
//   generate deep-lane|many-lanes|async|big-arg -o FILE [--count N] [--seed S]
// What each kind is for and looks like: tests/support/big_traces.h. The speed goes to stderr.
#include <CLI/CLI.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/io/tables/section_file.h"
#include "core/session/packed/packed_trace.h"
#include "core/store/segments/trace_file.h"
#include "tests/support/big_traces.h"
#include "tests/support/store_trace.h"

namespace {

using namespace tv::test;

constexpr std::uint64_t kMegabyte = 1'000'000;

class OutputFile {
 public:
  explicit OutputFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) throw std::runtime_error("cannot write " + path);
    std::setvbuf(file_, nullptr, _IONBF, 0);  // writes are large already
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (file_) std::fclose(file_);
  }
  void write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
      throw std::runtime_error("cannot write all of " + path_ + ": is the disk full?");
    }
  }

 private:
  const std::string path_;
  std::FILE* file_;
};

struct Arguments {
  std::string output, of;
  std::uint64_t mb = 0, count = 0, lanes = 10'000;
  KinetoPlan kineto;
  RolloutPlan rollout;
  std::uint64_t seed = 1;
};

// Writes a packed trace from columns, without a text that would have to be read.
BigTruth write_store(const Arguments& arguments) {
  tv::ThreadPool pool;
  const auto trace = make_store_trace(arguments.count > 0 ? arguments.count : 100'000'000, arguments.lanes);
  auto file = tv::SectionWriter::create(arguments.output, pool, 1);
  if (!file) throw std::runtime_error(file.error().text());
  tv::write_trace(*file, *trace, tv::TraceCoding::Packed);
  if (auto done = file->finish(); !done) throw std::runtime_error(done.error().text());
  BigTruth truth;
  truth.bytes = file->size();
  truth.slices = trace->slice_count;
  return truth;
}

// Writes the packed trace of one rank as the traces of `count` ranks, each to be mapped.
BigTruth write_ranks(const Arguments& arguments) {
  tv::ThreadPool pool;
  BigTruth truth;
  std::filesystem::create_directories(arguments.output);
  for (std::uint64_t rank = 0; rank < (arguments.count > 0 ? arguments.count : 64); ++rank) {
    const auto file = tv::SectionFile::open(arguments.of, tv::SectionFile::Access::Mapped);
    if (!file) throw std::runtime_error(file.error().text());
    const auto trace = tv::read_trace(*file.value(), pool);
    if (!trace) throw std::runtime_error(trace.error().text());
    for (tv::Lane& lane : trace.value()->lanes) {
      if (lane.depth == 0) lane.name = "rank " + std::to_string(rank), lane.key = lane.name, lane.sort = static_cast<std::int64_t>(rank);
    }
    for (tv::SourceInfo& source : trace.value()->sources) {
      source.rank = static_cast<std::int64_t>(rank);
      source.path += ".rank" + std::to_string(rank);
    }
    const std::string path = arguments.output + "/rank" + std::to_string(rank) + ".tvx";
    std::atomic<std::uint64_t> done = 0;
    const auto packed = tv::pack_trace(*trace.value(), path, pool, done, {.records = false, .mapped = true});
    if (!packed) throw std::runtime_error(packed.error().text());
    truth.bytes += packed.value().packed_bytes;
    truth.slices += trace.value()->slice_count;
  }
  return truth;
}

BigTruth generate(const std::string& kind, Arguments& arguments) {
  const std::uint64_t seed = arguments.seed;
  const std::string& output = arguments.output;
  if (kind == "store") return write_store(arguments);
  if (kind == "ranks") return write_ranks(arguments);
  if (kind == "rollout") {
    arguments.rollout.bytes = arguments.mb * kMegabyte;
    arguments.rollout.seed = seed;
    return write_rollout(arguments.rollout, [&](std::string_view path, std::string_view bytes) {
      const std::filesystem::path file = std::filesystem::path(output) / path;
      std::filesystem::create_directories(file.parent_path());
      OutputFile(file.string()).write(bytes);
    });
  }
  OutputFile file(output);
  const Sink sink = [&](std::string_view bytes) { file.write(bytes); };
  const auto count = [&](std::uint64_t usual) { return arguments.count > 0 ? arguments.count : usual; };
  if (kind == "kineto") {
    arguments.kineto.bytes = arguments.mb * kMegabyte;
    arguments.kineto.seed = seed;
    return write_kineto(arguments.kineto, sink);
  }
  if (kind == "console") return write_console(arguments.mb * kMegabyte, seed, sink);
  if (kind == "deep-lane") return write_deep_lane(count(20'000'000), seed, sink);
  if (kind == "many-lanes") return write_many_lanes(count(50'000), seed, sink);
  if (kind == "async") return write_async(count(5'000'000), seed, sink);
  return write_big_arg(count(100'000), 20 * kMegabyte, seed, sink);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{"Writes big inputs and prints what must be found in them."};
  app.require_subcommand(1);
  const auto add = [&](const char* kind, const char* help) {
    CLI::App* const command = app.add_subcommand(kind, help);
    command->add_option("-o,--output", arguments.output, "the file (rollout: the folder) to write")->required();
    command->add_option("--seed", arguments.seed, "another seed, another input")->capture_default_str();
    return command;
  };
  CLI::App* const kineto = add("kineto", "one rank of a training run as the PyTorch profiler writes it");
  kineto->add_option("--mb", arguments.mb, "megabytes (10^6)")->required();
  kineto->add_option("--rank", arguments.kineto.rank, "rank of the file")->check(CLI::Range(0, 1'000'000));
  CLI::Option* const absolute = kineto->add_flag("--absolute", arguments.kineto.absolute, "times since 1970");
  bool base_relative = true;
  kineto->add_flag("--base-relative", base_relative, "times relative to a clock base (default)")->excludes(absolute);
  kineto->add_flag("--base-last", arguments.kineto.base_last, "the clock base after the events");
  kineto->add_flag("--one-line", arguments.kineto.one_line, "no line breaks");

  CLI::App* const rollout = add("rollout", "verl's step_N/worker_M.jsonl");
  rollout->add_option("--mb", arguments.mb, "megabytes (10^6) in all")->required();
  rollout->add_option("--steps", arguments.rollout.steps, "instead of as many as fit");
  rollout->add_option("--workers", arguments.rollout.workers, "instead of 8");
  rollout->add_option("--requests", arguments.rollout.requests, "per file, instead of up to 330");

  CLI::App* const console = add("console", "verl's console log, a line of metrics per 2 MB");
  console->add_option("--mb", arguments.mb, "megabytes (10^6)")->required();

  CLI::App* const store = add("store", "a packed trace of COUNT slices (100 M), made without a reader");
  store->add_option("--count", arguments.count, "how many slices");
  store->add_option("--lanes", arguments.lanes, "lanes of one row each")->capture_default_str();

  CLI::App* const ranks = add("ranks", "a packed trace of rank 0 as COUNT ranks (64), each to be mapped");
  ranks->add_option("--of", arguments.of, "rank 0, packed with --mapped")->required();
  ranks->add_option("--count", arguments.count, "how many ranks");

  for (const auto& [kind, help] : std::vector<std::pair<const char*, const char*>>{
           {"deep-lane", "one thread with COUNT slices (20 M)"},
           {"many-lanes", "COUNT threads (50,000)"},
           {"async", "COUNT spans open at once (5 M)"},
           {"big-arg", "COUNT slices (100,000), one of them with an arg of 20 MB"}}) {
    add(kind, help)->add_option("--count", arguments.count, "instead of the number in brackets");
  }
  CLI11_PARSE(app, argc, argv);

  try {
    const auto start = std::chrono::steady_clock::now();
    const BigTruth truth = generate(app.get_subcommands().front()->get_name(), arguments);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::fputs(to_json(truth).c_str(), stdout);
    std::fprintf(stderr, "%.1f MB in %.2f s: %.0f MB/s, %.1f bytes per slice\n", static_cast<double>(truth.bytes) / 1e6,
                 seconds, static_cast<double>(truth.bytes) / 1e6 / seconds,
                 static_cast<double>(truth.bytes) / static_cast<double>(truth.slices));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate: %s\n", error.what());
    return 1;
  }
  return 0;
}
