// traceview pack: packs the given files into one file, or each item of them (pack_items.h) into a file of its own.

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "app/line/load_options.h"
#include "app/terminal/say.h"
#include "app/terminal/terminal.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "core/base/text/count_text.h"
#include "core/io/files/left_parts.h"
#include "core/session/load/pack_items.h"
#include "core/session/packed/packed_trace.h"

namespace tv {
namespace {

// Shows progress if stderr is a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(const std::atomic<std::uint64_t>& bytes) {
    if (!stderr_is_terminal()) return;
    thread_ = std::jthread([&bytes](std::stop_token stop) {
      std::mutex mutex;
      std::condition_variable_any wake;
      std::unique_lock lock(mutex);
      while (!wake.wait_for(lock, stop, std::chrono::milliseconds(200), [&] { return stop.stop_requested(); })) {
        say(stderr, "\rpacking: {} MB of text", bytes.load() / 1'000'000);
      }
      say(stderr, "\r{:40}\r", "");
    });
  }

 private:
  std::jthread thread_;
};

struct Packed {
  int exit = exit_code::kOk;
  PackTotals totals;
  std::uint64_t slices = 0;
};

Packed pack_into(const Options& options, std::string_view made_from = {}) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit != exit_code::kOk) return {load.exit, {}, 0};
  std::atomic<std::uint64_t> bytes_done = 0;
  const Trace& trace = *load.snapshot->trace;
  const auto packed = [&] {  // a scope of its own: ~ProgressLine clears its line before other output
    const ProgressLine line(bytes_done);
    return pack_trace(trace, options.output, pool, bytes_done, {options.view_state, options.packs_records, options.packs_mapped, made_from});
  }();
  if (packed) return {exit_code::kOk, packed.value(), trace.slice_count};
  say(stderr, "traceview: {}\n", packed.error().text());
  return {exit_code::kFailed, {}, 0};
}

nlohmann::ordered_json figures(const std::string& file, const Packed& packed) {
  return {{"file", file},
          {"sources", packed.totals.sources},
          {"text_bytes", packed.totals.text_bytes},
          {"packed_bytes", packed.totals.packed_bytes},
          {"slices", packed.slices}};
}

std::string words_of(const std::string& file, const PackTotals& totals) {
  const double bytes = static_cast<double>(totals.packed_bytes);
  if (totals.text_bytes == 0) return fmt::format("{}: {:.1f} MB, without records\n", file, bytes / 1e6);
  return fmt::format("{}: {:.1f} MB, {:.1f} % of the text of {}\n", file, bytes / 1e6,
                     100 * bytes / static_cast<double>(totals.text_bytes), count_text(totals.sources, "file"));
}

// The options that determine the packed data, as a key for made_from().
std::string how_read(const Options& options) {
  const LoadOptions load = load_options(options);
  std::string how = fmt::format("{}; {}; {}", load.cache.program, load.choice.text(), options.packs_records ? "records" : "no records");
  if (options.packs_mapped) how += "; mapped";
  for (const ClockOffset& offset : options.clocks) how += "; " + format_clock_offset(offset);
  if (options.recorded_clocks) how += "; clocks as recorded";
  if (options.align_by_barriers) how += "; clocks by barriers";
  if (options.align) how += fmt::format("; {}", name(*options.align));
  for (const std::string& path : options.closed) how += "; without " + path;
  if (!options.view_state.empty()) how += "; view " + options.view_state;
  return how;
}

// The item named by --item, or all items.
std::optional<std::vector<PackItem>> items_of(const Options& options) {
  std::vector<PackItem> items = pack_items(options.paths);
  if (items.empty()) say(stderr, "traceview: the given files contain nothing to pack\n");
  if (options.item.empty() || items.empty()) return items;
  std::erase_if(items, [&](const PackItem& item) { return item.name != options.item; });
  if (!items.empty()) return items;
  say(stderr, "traceview: there is no item {}; traceview pack --list prints all items\n", options.item);
  return std::nullopt;
}

int pack_each(const Options& options) {
  const auto items = items_of(options);
  if (!items) return exit_code::kUsage;
  if (items->empty()) return exit_code::kNotRecognised;
  std::error_code code;
  std::filesystem::create_directories(options.output, code);
  if (code) {
    say(stderr, "traceview: {}: cannot create this folder: {}\n", options.output, code.message());
    return exit_code::kFailed;
  }
  remove_left_parts(options.output);
  ThreadPool alone(1);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  int exit = exit_code::kOk;
  const std::string how = how_read(options);
  for (const PackItem& item : *items) {
    Options item_options = options;
    item_options.paths = item.paths;
    item_options.output = options.output + "/" + item.name + ".tvx";
    const std::string origin = made_from(item, how);
    if (is_made_from(item_options.output, origin, alone)) {
      if (!options.json) say("{}: is up to date\n", item_options.output);
      list.push_back({{"file", item_options.output}, {"there_already", true}});
      continue;
    }
    const Packed packed = pack_into(item_options, origin);
    if (packed.exit != exit_code::kOk) {
      say(stderr, "traceview: {} is not packed\n", item.name);
      exit = exit == exit_code::kOk ? packed.exit : exit;
      continue;
    }
    if (!options.json) say("{}", words_of(item_options.output, packed.totals));
    list.push_back(figures(item_options.output, packed));
  }
  if (options.json) say("{}\n", list.dump(1));
  return exit;
}

int list_items(const Options& options) {
  const auto items = items_of(options);
  if (!items) return exit_code::kUsage;
  for (const PackItem& item : *items) say("{}\n", item.name);
  return items->empty() ? exit_code::kNotRecognised : exit_code::kOk;
}

}  // namespace

int run_pack(const Options& options) {
  if (options.list_items) return list_items(options);
  if (options.each) return pack_each(options);
  const Packed packed = pack_into(options);
  if (packed.exit != exit_code::kOk) return packed.exit;
  std::FILE* const out = options.output == "-" ? stderr : stdout;
  if (options.json) {
    say(out, "{}\n", figures(options.output, packed).dump(1));
  } else if (options.output != "-") {
    say("{}", words_of(options.output, packed.totals));
  }
  return exit_code::kOk;
}

}  // namespace tv
