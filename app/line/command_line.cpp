#include "app/line/command_line.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <initializer_list>

#include "app/line/examples.h"
#include "app/line/version_lines.h"
#include "core/query/lane_filter.h"
#include "core/store/clock/align_runs.h"
#include "core/view/color/color_rule.h"

namespace tv {
namespace {

// Returns the names of all values of an enumeration, followed by `more`.
template <class Enum>
std::vector<std::string> value_names(std::initializer_list<std::string> more = {}) {
  std::vector<std::string> names;
  for (std::size_t value = 0; value < static_cast<std::size_t>(Enum::kCount); ++value) names.emplace_back(name(static_cast<Enum>(value)));
  names.insert(names.end(), more);
  return names;
}

// --- options that several verbs have ---

constexpr const char* kSampleHelp = "Open the bundled sample run";

void add_loading(CLI::App& verb, CommandLine& line) {
  verb.add_option("--role", line.roles, "Load only these roles, where files name a role: actor,critic");
  verb.add_option("--rank", line.ranks, "Load only these ranks, or these workers where files name no rank: 0..3,7");
  verb.add_option("--steps", line.steps, "Load only these steps, where files name a step: 60..70");
  verb.add_option("--devices", line.devices,
                  "Load only these devices of a Paddle pipeline: 0,1 for every machine, machine1/0..3 for one machine");
  verb.add_option("--memory-limit", line.options.memory_limit,
                  "Stop with advice if loading needs more memory than this: 4G (default: what is available)")
      ->transform(CLI::AsSizeValue(true));
  verb.add_option("--nsys", line.options.nsys, "Export .nsys-rep files with this nsys program (default: the one on the PATH)")
      ->type_name("FILE");
  verb.add_flag("!--no-cache", line.options.cache, "Read the files without the index cache, and write nothing to it");
}

// Verbs whose own --range means something else do not get this option.
void add_part(CLI::App& verb, CommandLine& line) {
  verb.add_option("--range", line.part, "Load only what touches A..B, relative to the beginning (1.5ms..2s)");
}

// bench does not get these options: it measures one load, and 'barriers' needs two.
void add_clocks(CLI::App& verb, CommandLine& line) {
  verb.add_option("--clock", line.clocks,
                  "Move the clocks of files. Can be repeated; the first that matches a file counts:\n"
                  "  'worker_3.jsonl=+1.5s', 'hostB/*=-250ms', 'rollout/*=-9h'\n"
                  "  'barriers'  move the clocks of rollout workers so that their barriers end together\n"
                  "  'recorded'  leave the clocks of ranks as recorded, even if their collective kernels then do not match")
      ->allow_extra_args(false);
  verb.add_option("--align", line.align,
                  "How to show runs that were recorded at different times:\n"
                  "  'recorded'  where their clocks put them\n"
                  "  'zero'      each from 0\n"
                  "  'fold'      one after the other, without the idle time between them\n"
                  "  'auto'      folded if the view would be mostly empty, otherwise recorded (default for windows and pictures)")
      ->check(CLI::IsMember(value_names<Align>({"auto"})));
}

CLI::Option* add_common(CLI::App& verb, CommandLine& line) {
  CLI::Option* const paths = verb.add_option("PATH", line.options.paths, "Files and folders")->required();
  // CLI11 processes flags before it checks that required arguments are there.
  const auto use_sample = [paths, &line](std::int64_t) {
    line.sample = true;
    paths->required(false);
  };
  verb.add_flag_function("--sample", use_sample, kSampleHelp);
  verb.add_flag("--strict", line.options.strict, "Exit with 4 if anything was lost");
  add_loading(verb, line);
  verb.add_option("--threads", line.options.threads, "Worker threads (default: one per core)");
  verb.add_option("--chunk-bytes", line.options.chunk_bytes, "Parse pieces of this size (for tests)")
      ->check(CLI::Range(std::size_t{16}, std::size_t{1} << 30));
  return paths;
}

std::string lanes_help(const char* purpose) { return fmt::format("{} only lanes with all of these in their path:\n{}", purpose, kLaneFilterHelp); }

// --- the window and the verbs, in the order of --help ---

void declare_window(CLI::App& app, CommandLine& line) {
  app.set_version_flag("--version", version_lines, "Print version, commit, compiler and libraries");
  app.add_flag("--diagnose", line.diagnose, "Print versions, driver, fonts and folders, for a bug report");
  app.add_option("PATH", line.options.paths, "Files and folders to open in the window");
  app.add_option("--without-display", line.options.picture,
                 "If there is no display, draw the window into this PNG file; if the file exists, into a new one next to it")
      ->type_name("FILE");
  app.add_flag("--follow", line.options.follow, "Show new lines, steps and files as they are written");
  app.add_flag("--sample", line.sample, kSampleHelp);
  app.add_flag("--light", line.options.light, "Light theme");
  app.add_flag("--safe-mode", line.options.safe_mode, "Ignore settings, keys and the last session, and save nothing");
  app.add_option("--settings", line.options.settings_folder, "Keep settings and the session in this folder")->type_name("DIR");
  add_loading(app, line);
  add_part(app, line);
  add_clocks(app, line);
}

CLI::App& add_verb(CLI::App& app, CommandLine& line, Verb verb, const char* name, const char* about) {
  CLI::App* const added = app.add_subcommand(name, about);
  added->callback([&line, verb] { line.options.verb = verb; });
  return *added;
}

void declare_info(CLI::App& app, CommandLine& line) {
  CLI::App& info = add_verb(app, line, Verb::Info, "info", "Lists what was found: sources, lanes, problems");
  add_common(info, line);
  add_part(info, line);
  info.add_flag("--json", line.options.json, "As JSON");
  add_clocks(info, line);
}

void declare_stats(CLI::App& app, CommandLine& line) {
  Options& options = line.options;
  CLI::App& stats = add_verb(app, line, Verb::Stats, "stats", "Sums up the time of each name: count, total, self, percentiles");
  add_common(stats, line);
  stats.add_flag("--json", options.json, "As JSON");
  stats.add_option("--top", options.top, "Only the first N names by total time");
  CLI::Option* const range =
      stats.add_option("--range", line.range, "Only A..B, relative to the beginning (1.5ms..2s); slices are clipped to it");
  stats.add_option("--step", options.stats_step,
                   "Only this step of a rollout, a training log, a pipeline or marked ranges: 6, 'ProfilerStep#6'")
      ->excludes(range);
  stats
      .add_option("--of", options.stats_of,
                  "List something other than all names:\n"
                  "  findings                         what stands out, in sentences\n"
                  "  steps, workers, cdf, training... the numbers of this chart (an unknown name lists all charts); with\n"
                  "                                   --step N only that step of a rollout\n"
                  "  kernels, api, memory, nvtx       names of this kind\n"
                  "  projected                        NVTX ranges as time on the GPU\n"
                  "  sync                             calls that wait for the GPU\n"
                  "  gpus                             what each GPU did\n"
                  "  gaps                             when GPUs were idle, with causes\n"
                  "  nccl, communication              how much is hidden or exposed, and what waits for the last rank\n"
                  "  stragglers                       only what waits for the last rank\n"
                  "  waits, launches                  how long the CPU waits; how long launches queue\n"
                  "  pace                             how even repeated work is\n"
                  "  gpu_steps                        what the GPUs did in each marked step")
      ->type_name("WHAT");
  stats.add_option("--group-by", options.group_by,
                   "Make a row for each name, category, lane, process (rank, worker or GPU), or value of an argument (arg:NAME)");
  stats.add_option("--where", options.where,
                   "Only slices for which this is true: 'dur > 2ms && name ~ \"gemm\" && stream == 7 && arg.bytes >= 1e6'");
  stats
      .add_flag("--csv", options.csv,
                "As CSV with full numbers: the table of the panel Statistics, or with --of the table of the chart")
      ->excludes("--json");
  stats.add_option("--lanes", options.lane_filter,
                   "With --of gaps: list when these lanes were idle, in any trace. Choose lanes as with screenshot --lanes: 'rank 0 nccl', "
                   "'worker 0..3 !phases', '/stream [79]/'");
  stats
      .add_option("--set", options.settings,
                  "With --of, set a control of the chart: gap_least=100 (microseconds), pace_of=iteration,\n"
                  "communication='my_exchange|-layout' (kernels that also count as communication; those after - do not)")
      ->take_all();
  add_clocks(stats, line);
}

void declare_find(CLI::App& app, CommandLine& line) {
  Options& options = line.options;
  CLI::App& find = add_verb(app, line, Verb::Find, "find", "Finds slices by a text in their names or records");
  find.add_option("TEXT", options.text, "The text to find")->required();
  add_common(find, line);
  add_part(find, line);
  find.add_flag("--records", options.records, "Search whole records as they are in the files, args included");
  find.add_flag("--regex", options.regex, "TEXT is a regular expression (RE2): '^nccl.*(Reduce|Gather)'")->excludes("--records");
  find.add_flag("--case", options.match_case, "Match case; record searches always do");
  find.add_option("--lanes", options.lane_filter, "Search only these lanes, chosen as with screenshot --lanes: 'rank 0..3 stream'");
  find.add_flag("--json", options.json, "As JSON");
  find.add_option("--top", options.top, "Only the first N hits, in order of time");
  add_clocks(find, line);
}

void declare_screenshot(CLI::App& app, CommandLine& line) {
  Options& options = line.options;
  CLI::App& shot = add_verb(app, line, Verb::Screenshot, "screenshot", "Draws the window into a picture, without a display");
  add_common(shot, line)->required(false);
  shot.add_option("--view", options.view,
                  "Restore this view file (.tvview): time, lanes, filters, notes. Without a PATH, its files are opened")
      ->type_name("FILE");
  shot.add_option("-o,--output", options.output, "The picture: PNG, or SVG if the name ends in .svg; - for standard output")
      ->type_name("FILE")
      ->required();
  shot.add_flag("--timeline", options.timeline_alone, "Only the timeline: names, ruler and lanes");
  shot.add_option("--panel", options.panel, "Only this panel: cdf, blame, statistics, ... As SVG, only the panel's charts")
      ->excludes("--timeline");
  shot.add_flag("--svg", options.svg, "Write SVG, whatever the name ends with: the timeline, or the charts of --panel");
  shot.add_option("--clip", line.clip, "Only this part of the picture, WIDTHxHEIGHT+X+Y in pixels before scaling");
  shot.add_option("--size", line.size, "Width and height in pixels, before scaling (default 1920x1080)");
  shot.add_option("--scale", options.scale, "Scale everything by this factor; 2 suits a high-density screen")
      ->check(CLI::Range(0.5, 4.0));
  shot.add_option("--range", line.range, "Show A..B, relative to the beginning");
  shot.add_option("--step", options.step, "Go to this step of a rollout");
  shot.add_option("--go", options.go_to, "Go to a time (12.5s, 1:02:03, 14:03:22), 'step 67', 'rank 3', a request's id");
  shot.add_option("--times", options.time_format, "How times are written")
      ->check(CLI::IsMember({"since begin", "wall clock", "since step", "seconds"}));
  shot.add_option("--lanes", options.lane_filter, lanes_help("Show"));
  shot.add_option("--colour,--color", options.color_by, "What the colours of slices mean")->check(CLI::IsMember(value_names<ColorRule>()));
  shot.add_option("--sort", options.order,
                  "The order of lanes: by name, start, busy, tail (what ends last) or wait. Workers of a rollout: by busy, tail,\n"
                  "tokens, wait, requests or tokens_per_second in the step, the greatest first")
      ->check(CLI::IsMember({"name", "start", "busy", "tail", "tokens", "wait", "requests", "tokens_per_second"}));
  shot.add_option("--select", options.select, "Select the longest slice whose name contains this");
  shot.add_flag("--light", options.light, "Light theme");
  shot.add_flag("--colour-blind,--color-blind", options.color_blind, "Use colours that colour-blind people can tell apart");
  add_clocks(shot, line);
}

void declare_report(CLI::App& app, CommandLine& line) {
  Options& options = line.options;
  CLI::App& report = add_verb(app, line, Verb::Report, "report",
                              "Writes findings and all charts: a page (index.html), pictures, CSV files and report.json");
  add_common(report, line);
  report
      .add_option("-o,--output", options.output,
                  "The folder to write into; it is created if it is missing. With --fail-if it may be left out: then nothing is written")
      ->type_name("DIR");
  report.add_option("--like", line.report_like, "Compute charts and report.json as verl's own scripts do")
      ->check(CLI::IsMember({"verl-scripts"}));
  report.add_option("--format", line.picture_format, "Format of the pictures: svg or png (default svg)")
      ->check(CLI::IsMember({"png", "svg"}));
  report.add_flag("--single", options.single, "Write one file, index.html, with all pictures in it");
  report.add_option("--charts", options.charts, "Only these charts: steps,workers,blame")->delimiter(',');
  report
      .add_option("--set", options.settings,
                  "Set controls of charts, as in the window: compare_a='step==3', what_if_tokens=600")
      ->take_all();
  report.add_option("--fail-if", options.fail_if, "Exit with 5 if this is true: 'p99(request)>60s'");
  add_clocks(report, line);
}

void declare_dump(CLI::App& app, CommandLine& line) {
  CLI::App& dump = add_verb(app, line, Verb::Dump, "dump", "Prints every slice, instant, sample and arrow as a line of JSON");
  add_common(dump, line);
  add_part(dump, line);
  add_clocks(dump, line);
}

void declare_export(CLI::App& app, CommandLine& line) {
  CLI::App& verb = add_verb(app, line, Verb::Export, "export", "Writes everything, or a part, in a format of other programs");
  add_common(verb, line);
  verb.add_option("--to", line.export_format,
                  "The format:\n"
                  "  chrome    Trace Event JSON for Perfetto, chrome://tracing and HTA, args included;\n"
                  "            a Paddle run is written like its pipeline_profile_perfetto.json\n"
                  "  paddle    like pipeline_profile.json of a Paddle run\n"
                  "  perfetto  protobuf\n"
                  "  csv       a line per slice, instant and sample")
      ->required()
      ->check(CLI::IsMember({"chrome", "paddle", "perfetto", "csv"}));
  verb.add_option("-o,--output", line.options.output, "The file; - for standard output")->type_name("FILE")->required();
  verb.add_option("--range", line.range,
                  "Only what touches A..B, relative to the beginning (1.5ms..2s); slices are written whole");
  verb.add_option("--lanes", line.options.lanes, lanes_help("Write"));
  verb.add_flag("--json", line.options.json, "Report what was written, as JSON");
  add_clocks(verb, line);
}

void declare_pack(CLI::App& app, CommandLine& line) {
  Options& options = line.options;
  CLI::App& pack = add_verb(app, line, Verb::Pack, "pack", "Writes everything, records included, into one small file that opens anywhere");
  add_common(pack, line);
  CLI::Option* const output =
      pack.add_option("-o,--output", options.output, "The packed trace (.tvx); - for standard output; with --each a folder")
          ->type_name("FILE")
          ->required();
  CLI::Option* const each = pack.add_flag(
      "--each", options.each,
      "Write a packed trace for each rank and one for all logs into the folder -o; opened together, they show the same as the original files.\n"
      "Packed traces that are still valid are kept, so the command can be repeated, or split into jobs (see --list)");
  pack.add_option("--item", options.item, "With --each: write only this item; --list prints the names")
      ->type_name("NAME")
      ->needs(each);
  pack.add_flag_function(
      "--list",
      [output, &options](std::int64_t) {
        options.list_items = true;
        output->required(false);
      },
      "Print the items that --each writes, one per line, for xargs or a cluster's job array");
  pack.add_flag("--mapped", options.packs_mapped,
                "Write a larger file, 42 bytes per slice, that opens at once and need not fit into memory: for many ranks");
  pack.add_flag("!--no-records", options.packs_records,
                "Leave out the files' texts. The packed trace is then as small as possible, but does not show records");
  pack.add_flag("--json", options.json, "Report what was written, as JSON");
  add_part(pack, line);
  add_clocks(pack, line);
}

void declare_cache(CLI::App& app, CommandLine& line) {
  CLI::App& cache = add_verb(app, line, Verb::Cache, "cache",
                             "Shows the index cache, which makes the next load of the same files fast: where it is, what it holds");
  cache.add_flag("--clear", line.options.clear, "Remove everything in it");
  cache.add_flag("--json", line.options.json, "As JSON");
}

void declare_keys(CLI::App& app, CommandLine& line) {
  CLI::App& keys = add_verb(app, line, Verb::Keys, "keys", "Lists keys and mouse actions as they are now, your keymap file included");
  keys.add_option("--preset", line.options.mouse, "Use the mouse actions of another viewer")
      ->check(CLI::IsMember({"perfetto", "tracy", "chrome"}));
  keys.add_option("--keys", line.options.keys_path, "Use this keymap file instead of yours")->type_name("FILE");
  keys.add_flag("--file", line.options.key_file, "Print a keymap file to start from: all defaults, in comments");
  keys.add_flag("--json", line.options.json, "As JSON");
}

void declare_settings(CLI::App& app, CommandLine& line) {
  CLI::App& settings = add_verb(app, line, Verb::Settings, "settings", "Lists the settings: where they are, what can be set, what is set");
  settings.add_option("--settings", line.options.settings_folder, "List the settings in this folder instead of yours")->type_name("DIR");
  settings.add_flag("--safe-mode", line.options.safe_mode, "Ignore your settings");
}

void declare_help(CLI::App& app, CommandLine& line) {
  CLI::App& help = add_verb(app, line, Verb::Help, "help", "Prints the topics of the manual, or one of its pages");
  help.add_option("TOPIC", line.options.text, "A page of the manual, or a verb");
}

void declare_script(CLI::App& app, CommandLine& line) {
  Options& options = line.options;
  CLI::App& script = add_verb(app, line, Verb::Script, "script", "Drives the window without a display: keys, mouse, checks (for tests)");
  script.add_option("SCRIPT", options.script, "The script; - for standard input")->required();
  script.add_option("--size", line.size, "Width and height in pixels, before scaling");
  script.add_option("--scale", options.scale, "Scale everything by this factor")->check(CLI::Range(0.5, 4.0));
  script.add_option("--settings", options.settings_folder, "Keep settings and the session in this folder (default: do not keep any)")
      ->type_name("DIR");
  script.add_flag("--light", options.light, "Light theme");
  script.add_option("--keys", options.keys_path, "Use this keymap file")->type_name("FILE");
  script.add_option("--threads", options.threads, "Worker threads");
}

void declare_bench(CLI::App& app, CommandLine& line) {
  CLI::App& bench = add_verb(app, line, Verb::Bench, "bench", "Measures loading, drawing or queries with your own files");
  bench.require_subcommand(1);
  const auto add_kind = [&](const char* name, const char* about, BenchKind kind) {
    CLI::App* const command = bench.add_subcommand(name, about);
    add_common(*command, line);
    add_part(*command, line);
    command->add_flag("--json", line.options.json, "As JSON");
    command->add_option("--size", line.size, "Width and height in pixels (default 1920x1080)");
    command->callback([&line, kind] { line.options.bench = kind; });
  };
  add_kind("load", "Measures a load, from bytes to a complete picture: seconds per stage, memory", BenchKind::Load);
  add_kind("add", "Measures adding the last path to the others, as when it is dropped on the window", BenchKind::Add);
  add_kind("frame", "Measures a frame at every zoom: the model alone, and drawn", BenchKind::Frame);
  add_kind("query", "Measures statistics over everything, and searches", BenchKind::Query);
  add_kind("export", "Measures writing everything as Trace Event JSON, without a file", BenchKind::Export);
}

}  // namespace

void declare_all(CLI::App& app, CommandLine& line) {
  const auto all = [](const CLI::App*) { return true; };
  app.footer(help_footer(""));
  app.require_subcommand(0, 1);
  declare_window(app, line);
  for (const auto declare : {declare_info, declare_stats, declare_find, declare_screenshot, declare_report, declare_dump, declare_export,
                             declare_pack, declare_cache, declare_keys, declare_settings, declare_help, declare_script, declare_bench}) {
    declare(app, line);
  }
  for (CLI::App* const verb : app.get_subcommands(all)) {
    line.options.verbs.push_back(verb->get_name());
    verb->footer(help_footer(verb->get_name()));
    for (CLI::App* const subcommand : verb->get_subcommands(all)) subcommand->footer(verb->get_footer());
  }
  // Only install rules use this verb, so --help does not show it.
  CLI::App& packaging = add_verb(app, line, Verb::Packaging, "packaging", "Writes manual page, completions and icons into a folder");
  packaging.group("");
  packaging.add_option("DIR", line.options.output, "The folder")->required();
}

}  // namespace tv
