// traceview pack: everything that was opened as one small file.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/terminal/say.h"
#include "app/terminal/terminal.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "core/base/text/count_text.h"
#include "core/session/load/packed_trace.h"

namespace tv {
namespace {

// Says how far it is, for people who watch; a pipe gets nothing.
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

}  // namespace

int run_pack(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit != exit_code::kOk) return load.exit;
  std::atomic<std::uint64_t> bytes_done = 0;
  const auto packed = [&] {
    const ProgressLine line(bytes_done);
    return pack_trace(*load.snapshot->trace, options.output, pool, bytes_done, options.view_state);
  }();
  if (!packed) {
    say(stderr, "traceview: {}\n", packed.error().text());
    return exit_code::kFailed;
  }
  const PackTotals& totals = packed.value();
  const double share =
      static_cast<double>(totals.packed_bytes) / static_cast<double>(std::max<std::uint64_t>(totals.text_bytes, 1));
  std::FILE* const out = options.output == "-" ? stderr : stdout;
  if (options.json) {
    const nlohmann::ordered_json figures = {{"file", options.output},
                                            {"sources", totals.sources},
                                            {"text_bytes", totals.text_bytes},
                                            {"packed_bytes", totals.packed_bytes},
                                            {"slices", load.snapshot->trace->slice_count}};
    say(out, "{}\n", figures.dump(1));
  } else if (options.output != "-") {
    say("{}: {:.1f} MB, {:.1f} % of the text of {}\n", options.output,
        static_cast<double>(totals.packed_bytes) / 1e6, 100 * share, count_text(totals.sources, "file"));
  }
  return exit_code::kOk;
}

}  // namespace tv
