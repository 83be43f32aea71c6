#include "app/line/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tv {
namespace {

constexpr std::string_view kExitCodes =
    "Exit codes: 0 ok, 1 failed, 2 usage, 3 nothing recognised or empty, 4 loaded with losses (--strict),\n"
    "5 --fail-if came true, 6 no display for the window (use \"screenshot\"), 130 interrupted.";

}  // namespace

const std::vector<Example>& examples() {
  // The first example of each verb is also shown for the program.
  static const std::vector<Example> kAll = {
      {"", "", "an empty window: drop files or folders on it"},
      {"", "--sample", "the run that comes with the program"},
      {"", "logs/exp trace.pt.trace.json.gz", "everything below the folder and the trace, on one clock"},
      {"info", "info trace.json --json", "what is in it, for scripts"},
      {"info", "info logs/exp --strict", "exit code 4 if any record was lost"},
      {"stats", "stats logs/exp --top 20", "time per name, with percentiles"},
      {"stats", "stats logs/exp --of findings", "what stands out, in sentences"},
      {"stats", "stats trace.json --group-by category --range 1.5s..2s", "a row for each category, within half a second"},
      {"stats", "stats trace.json --where 'dur > 2ms && name ~ \"gemm\"' --csv", "long GEMM kernels only, for a spreadsheet"},
      {"find", "find --records 'ncclDevKernel' trace.json", "slices with this text anywhere in their records"},
      {"find", "find --regex '^nccl.*Reduce' trace.json --top 10", "the first ten slices with such a name"},
      {"screenshot", "screenshot logs/exp -o exp.png --size 2560x1440", "the first view as a picture"},
      {"screenshot", "screenshot logs/exp -o cdf.svg --panel cdf --step 70", "a chart of step 70, as SVG"},
      {"report", "report logs/exp -o report", "a page with what was found and every chart"},
      {"report", "report logs/exp --fail-if 'p99(request)>60s'", "exit code 5 if requests are too slow"},
      {"dump", "dump trace.json", "one JSON object per slice, instant, sample and arrow"},
      {"export", "export logs/exp --to chrome -o exp.json", "for Perfetto and chrome://tracing; also paddle, perfetto, csv"},
      {"export", "export trace.json --to csv --range 1.5s..2s --lanes 'rank 0 stream' -o part.csv", "a part of it, as a table"},
      {"pack", "pack logs/exp -o exp.tvx", "one file to take home that opens at once"},
      {"pack", "pack logs/exp --each -o packed", "a packed trace for each rank, in a folder"},
      {"pack", "pack logs/exp --list", "the items that --each packs, one per line"},
      {"pack", "pack logs/exp --each --item logs -o packed", "one of these items, for a job array"},
      {"cache", "cache --clear", "deletes everything in the cache"},
      {"keys", "keys --preset perfetto", "with the mouse actions of another viewer"},
      {"help", "help clocks", "a page of the manual"},
  };
  return kAll;
}

std::string help_footer(std::string_view verb) {
  std::vector<Example> shown;
  std::size_t width = 0;
  std::string_view before;
  for (const Example& each : examples()) {
    const bool first = std::exchange(before, each.verb) != each.verb;
    if (each.verb != verb && (!verb.empty() || !first)) continue;
    shown.push_back(each);
    if (each.words.size() < 40) width = std::max(width, each.words.size());
  }
  std::string text = shown.empty() ? "" : "Examples:\n";
  for (const Example& each : shown) text += fmt::format("  traceview {:<{}}   {}\n", each.words, width, each.meaning);
  if (!shown.empty()) text += "\n";
  return text.append(kExitCodes);
}

}  // namespace tv
