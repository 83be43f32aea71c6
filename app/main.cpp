#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "app/key_settings.h"
#include "app/line/options.h"
#include "app/line/packaging.h"
#include "app/stage/allocation_count.h"
#include "app/stage/run_bench.h"
#include "app/stage/run_screenshot.h"
#include "app/stage/script/run_script.h"
#include "app/terminal/say.h"
#include "app/terminal/standard_output.h"
#include "app/verbs/headless.h"
#include "app/view_files.h"
#include "app/window/run_window.h"
#include "core/base/memory/memory.h"
#include "core/base/memory/memory_budget.h"
#include "core/base/process.h"
#include "core/base/threads/thread_pool.h"
#include "core/io/tables/mapped_file.h"
#include "core/io/tables/section_file.h"
#include "core/io/written/new_file.h"
#include "core/io/written/unfinished.h"

namespace {

int run(const tv::Options& options) {
  switch (options.verb) {
    case tv::Verb::Info: return tv::run_info(options);
    case tv::Verb::Stats: return tv::run_stats(options);
    case tv::Verb::Report: return tv::run_report(options);
    case tv::Verb::Dump: return tv::run_dump(options);
    case tv::Verb::Export: return tv::run_export(options);
    case tv::Verb::Find: return tv::run_find(options);
    case tv::Verb::Pack: return tv::run_pack(options);
    case tv::Verb::Cache: return tv::run_cache(options);
    case tv::Verb::Keys: return tv::run_keys(options);
    case tv::Verb::Settings: return tv::run_settings(options);
    case tv::Verb::Screenshot: return tv::run_screenshot(options);
    case tv::Verb::Help: return tv::run_help(options);
    case tv::Verb::Script: return tv::run_script(options);
    case tv::Verb::Bench: return tv::run_bench(options);
    case tv::Verb::Diagnose: return tv::run_diagnose();
    case tv::Verb::Packaging: return tv::run_packaging(options);
    case tv::Verb::Window: return tv::run_window(options);
  }
  return tv::exit_code::kUsage;
}

constexpr const char* kOutOfMemory =
    "traceview: out of memory: load only a part with --rank or --range A..B, or allow more with --memory-limit, ulimit or the "
    "container's limit\n";

// Ends the program when an exception reaches no catch, as in destructors and threads. Running out of memory must never dump core.
[[noreturn]] void end_without_memory() {
  if (const std::exception_ptr error = std::current_exception()) {
    try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      tv::end_cleanly(kOutOfMemory, tv::exit_code::kFailed);
    } catch (const std::system_error& what) {
      std::fprintf(stderr, "traceview: %s", what.what());
      tv::end_cleanly(": allow more processes (ulimit -u) or more memory\n", tv::exit_code::kFailed);
    } catch (const std::exception& what) {
      std::fprintf(stderr, "traceview: %s\n", what.what());
    } catch (...) {
    }
  } else if (tv::allocation_was_refused()) {  // thrown out of a noexcept function, so not accessible here
    tv::end_cleanly(kOutOfMemory, tv::exit_code::kFailed);
  }
  std::abort();
}

// For the verbs listed here, a memory limit covers everything they do. For the others it covers only loading: most of those that
// load also draw, and drawing libraries do not expect a limit.
std::shared_ptr<tv::MemoryBudget> budget_of(const tv::Options& options) {
  constexpr std::array kVerbs = {tv::Verb::Info, tv::Verb::Stats, tv::Verb::Dump, tv::Verb::Export, tv::Verb::Find};
  if (options.memory_limit == 0 || std::ranges::find(kVerbs, options.verb) == kVerbs.end()) return nullptr;
  return std::make_shared<tv::MemoryBudget>(options.memory_limit);
}

int run(int argc, char** argv) {
  tv::return_large_blocks();
  tv::prepare_unwinding();
  tv::on_closed_pipe(tv::ClosedPipe::Ends);  // `traceview dump x | head` ends quietly
  std::set_terminate(end_without_memory);
  tv::Parsed parsed = tv::parse_options(argc, argv);
  if (!parsed.options) {
    if (parsed.exit == tv::exit_code::kOk) std::fputs(parsed.message.c_str(), stdout);
    else tv::say_text(stderr, parsed.message);
    return parsed.exit;
  }
  if (const unsigned most = tv::ThreadPool::most_threads(); parsed.options->threads > most) {
    std::fprintf(stderr, "traceview: --threads %u is more than is useful; using %u\n", parsed.options->threads, most);
    parsed.options->threads = most;
  }
  try {
    if (const auto checked = tv::check_not_input(parsed.options->output, parsed.options->paths); !checked) {
      tv::say(stderr, "traceview: {}\n", checked.error().text());
      return tv::exit_code::kFailed;
    }
    if (const auto resolved = tv::resolve_view_files(*parsed.options); !resolved) {
      tv::say(stderr, "traceview: {}\n", resolved.error().text());
      return tv::exit_code::kFailed;
    }
    const auto budget = budget_of(*parsed.options);
    const tv::OnBudget charged(budget.get());
    const int exit = run(*parsed.options);
    const std::vector<std::string> cut = tv::take_cut_files();
    for (const std::string& path : cut) {
      tv::say(stderr, "traceview: {}: the file was truncated while it was read, or its disk is failing; the lost part counts as empty\n", path);
    }
    const std::vector<tv::DamagedFile> damaged = tv::take_damaged_files();
    for (const tv::DamagedFile& file : damaged) {
      tv::say(stderr, "traceview: {}; do not trust what was written from it\n", tv::damaged_part(file.path, file.byte_offset).text());
    }
    return cut.empty() && damaged.empty() ? exit : tv::exit_code::kFailed;
  } catch (const std::bad_alloc&) {
    std::fputs(kOutOfMemory, stderr);
    return tv::exit_code::kFailed;
  } catch (const std::exception& error) {
    if (tv::output_failed()) return tv::exit_code::kFailed;  // reported at the end
    tv::say(stderr, "traceview: {}\n", error.what());
    return tv::exit_code::kFailed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  tv::hold_standard_streams();
  tv::end_cleanly_on_signals();
  return tv::end_output(run(argc, argv));
}
