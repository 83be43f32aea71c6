#include "app/line/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <initializer_list>
#include <vector>

#include "app/line/examples.h"
#include "app/line/sample_path.h"
#include "app/line/version_lines.h"
#include "core/base/text/decimal_ns.h"
#include "core/base/text/nearest_word.h"
#include "core/query/lane_filter.h"
#include "core/store/clock/align_runs.h"
#include "core/view/color/color_rule.h"

namespace tv {
namespace {

// The words for all values of an enumeration, and perhaps one more.
template <class Enum>
std::vector<std::string> words_of(std::initializer_list<std::string> more = {}) {
  std::vector<std::string> words;
  for (std::size_t value = 0; value < static_cast<std::size_t>(Enum::kCount); ++value) words.emplace_back(name(static_cast<Enum>(value)));
  words.insert(words.end(), more);
  return words;
}

bool parse_size(const std::string& text, int& width, int& height) {
  char end = 0;
  return std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &end) == 2 && width >= 64 && height >= 64 &&
         width <= 16384 && height <= 16384;
}

// "800x600+100+50", an X geometry.
std::optional<PictureClip> parse_clip(const std::string& text) {
  PictureClip clip;
  char end = 0;
  const bool whole = std::sscanf(text.c_str(), "%dx%d+%d+%d%c", &clip.width, &clip.height, &clip.x, &clip.y, &end) == 4;
  const bool sane = clip.width > 0 && clip.height > 0 && clip.x >= 0 && clip.y >= 0 && clip.width <= 16384 && clip.height <= 16384;
  return whole && sane ? std::optional(clip) : std::nullopt;
}

// Raw values that are checked once all have been parsed.
struct Words {
  std::string range, part, ranks, steps, devices, roles, size, clip;
  std::vector<std::string> clocks;
  std::string align;
  bool sample = false;
};

constexpr const char* kSampleHelp = "The sample run that comes with the program, as if its folder were a PATH";

void add_loading(CLI::App& verb, Options& options, Words& words) {
  verb.add_option("--role", words.roles, "Load only these roles, if files name one: actor,critic");
  verb.add_option("--rank", words.ranks, "Load only these ranks (workers, if files name no rank): 0..3,7");
  verb.add_option("--steps", words.steps, "Load only these steps, if files name one: 60..70");
  verb.add_option("--devices", words.devices,
                  "Load only these devices of a Paddle pipeline: 0,1 of every machine, machine1/0..3 of one");
  verb.add_option("--memory-limit", options.memory_limit,
                  "Stop with advice if more is needed: 4G (default: what is available)")
      ->transform(CLI::AsSizeValue(true));
  verb.add_option("--nsys", options.nsys, "The nsys that exports .nsys-rep files (default: the one on the PATH)")
      ->type_name("FILE");
  verb.add_flag("!--no-cache", options.cache, "Read the files even if they are in the index cache, and leave the cache alone");
}

// Not for verbs that have their own range.
void add_part(CLI::App& verb, Words& words) {
  verb.add_option("--range", words.part, "Load only what touches A..B, relative to the beginning (1.5ms..2s)");
}

// Not for bench, which measures one load.
void add_clocks(CLI::App& verb, Words& words) {
  verb.add_option(
          "--clock", words.clocks,
          "Move the clock of files: 'worker_3.jsonl=+1.5s', 'hostB/*=-250ms', 'rollout/*=-9h'; the first that matches "
          "counts. 'barriers': that of rollout workers, so that their barriers end together. 'recorded': leave ranks' "
          "traces where their clocks put them, whatever their collective kernels say. Can be repeated")
      ->allow_extra_args(false);
  verb.add_option("--align", words.align,
                  "Runs that were recorded at different times: 'recorded', where their clocks put them; 'zero', each from 0; "
                  "'fold', one after the other without the idle time between them; 'auto', what windows and pictures do "
                  "unless told: folded where the view would be mostly empty, else recorded")
      ->check(CLI::IsMember(words_of<Align>({"auto"})));
}

CLI::Option* add_common(CLI::App& verb, Options& options, Words& words) {
  CLI::Option* const paths = verb.add_option("PATH", options.paths, "Files and folders")->required();
  // Flags are processed before required arguments.
  const auto use_sample = [paths, &words](std::int64_t) {
    words.sample = true;
    paths->required(false);
  };
  verb.add_flag_function("--sample", use_sample, kSampleHelp);
  verb.add_flag("--strict", options.strict, "Exit with 4 if anything was lost");
  add_loading(verb, options, words);
  verb.add_option("--threads", options.threads, "Worker threads (default: one per core)");
  verb.add_option("--chunk-bytes", options.chunk_bytes, "Size of the pieces that are parsed at a time (for tests)")
      ->check(CLI::Range(std::size_t{16}, std::size_t{1} << 30));
  return paths;
}

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
  Options options;
  Words words;
  CLI::App app("traceview - timelines of training runs: PyTorch traces and rollout logs on one clock", "traceview");
  app.footer(help_footer(""));
  app.set_version_flag("--version", version_lines, "Version, commit, compiler and libraries");
  bool diagnose = false;
  app.add_flag("--diagnose", diagnose, "Print versions, driver, fonts and folders, for a bug report");
  app.require_subcommand(0, 1);
  app.add_option("PATH", options.paths, "Files and folders to open in the window");
  app.add_option("--without-display", options.picture,
                 "Without a display, draw the window into this picture (PNG), or beside it if that exists")
      ->type_name("FILE");
  app.add_flag("--follow", options.follow, "Follow what is opened: new lines, steps and files are shown as they are written");
  app.add_flag("--sample", words.sample, kSampleHelp);
  app.add_flag("--light", options.light, "Light theme");
  app.add_flag("--safe-mode", options.safe_mode, "Ignore settings, keys and the last session, and keep nothing");
  app.add_option("--settings", options.settings_folder, "Keep settings and the session in this folder")->type_name("DIR");
  add_loading(app, options, words);
  add_part(app, words);
  add_clocks(app, words);

  CLI::App* info = app.add_subcommand("info", "What was found: sources, lanes, problems");
  add_common(*info, options, words);
  add_part(*info, words);
  info->add_flag("--json", options.json, "As JSON");

  CLI::App* stats = app.add_subcommand("stats", "Time per name: count, total, self, percentiles");
  add_common(*stats, options, words);
  stats->add_flag("--json", options.json, "As JSON");
  stats->add_option("--top", options.top, "Only the first N names by total time");
  CLI::Option* stats_range = stats->add_option("--range", words.range,
                                               "Only A..B, relative to the beginning (1.5ms..2s): times are clipped to it");
  stats->add_option("--step", options.stats_step,
                    "Only this step, of a rollout, a training log, a pipeline or marked ranges: 6, 'ProfilerStep#6'")
      ->excludes(stats_range);
  stats
      ->add_option("--of", options.stats_of,
                   "findings: what stands out, in sentences. What a chart shows, in rows: steps, workers, cdf, training and "
                   "so on (an unknown name lists all); with --step N of that step of a rollout. Names of one kind: "
                   "kernels, api, memory, nvtx, projected (ranges as time on the GPU), sync (calls that wait for it). Of "
                   "GPUs: gpus, gaps with their causes, nccl or communication (hidden or exposed; what waits for the last "
                   "rank), stragglers (of it only that), waits of the CPU, launches (how long they queue), pace of what "
                   "repeats, gpu_steps: what they did in each step that is marked")
      ->type_name("WHAT");
  stats->add_option("--group-by", options.group_by,
                    "A row for each name, category, lane, process (rank, worker, GPU), or value of an argument: arg:NAME");
  stats->add_option("--where", options.where,
                    "Only slices for which this holds: 'dur > 2ms && name ~ \"gemm\" && stream == 7 && arg.bytes >= 1e6'");
  stats
      ->add_flag("--csv", options.csv,
                 "Numbers in full: time per name as the panel Statistics saves it; with --of what a chart shows")
      ->excludes("--json");
  stats->add_option("--lanes", options.lane_filter,
                    "With --of gaps: when these lanes do nothing, of any trace, as screenshot --lanes: 'rank 0 nccl', "
                    "'worker 0..3 !phases', '/stream [79]/'");
  stats
      ->add_option("--set", options.settings,
                   "With --of: gap_least=100 (microseconds), pace_of=iteration, communication='my_exchange|-layout' "
                   "(kernels that communicate too, or do not)")
      ->take_all();

  CLI::App* find = app.add_subcommand("find", "Slices by a text in their names, or in their records");
  find->add_option("TEXT", options.text, "What to look for")->required();
  add_common(*find, options, words);
  add_part(*find, words);
  find->add_flag("--records", options.records,
                 "Search whole records as the files have them, args included");
  find->add_flag("--regex", options.regex, "TEXT is a regular expression (RE2): '^nccl.*(Reduce|Gather)'")->excludes("--records");
  find->add_flag("--case", options.match_case, "Match case; record searches always do");
  find->add_option("--lanes", options.lane_filter, "Only on these lanes, as screenshot --lanes: 'rank 0..3 stream'");
  find->add_flag("--json", options.json, "As JSON");
  find->add_option("--top", options.top, "Only the first N hits by time");

  CLI::App* shot = app.add_subcommand("screenshot", "Draws the window into a picture, without a display");
  add_common(*shot, options, words)->required(false);
  shot->add_option("--view", options.view,
                   "As this view file (.tvview) shows it: time, lanes, filters, notes. Without a PATH, the files that it names")
      ->type_name("FILE");
  shot->add_option("-o,--output", options.output, "The picture: PNG, or SVG if the name ends in .svg; - for standard output")
      ->type_name("FILE")
      ->required();
  shot->add_flag("--timeline", options.timeline_alone, "Only the timeline: names, ruler and lanes");
  shot->add_option("--panel", options.panel, "Only this panel: cdf, blame, statistics, ... With .svg the panel's charts")
      ->excludes("--timeline");
  shot->add_flag("--svg", options.svg, "SVG, whatever the name ends with: of the timeline, or of a panel's charts");
  shot->add_option("--clip", words.clip, "Only this part of the picture, WIDTHxHEIGHT+X+Y in pixels before scaling");
  shot->add_option("--size", words.size, "Width and height in pixels, before scaling (default 1920x1080)");
  shot->add_option("--scale", options.scale, "Size of everything; 2 = a picture for a high-density screen")
      ->check(CLI::Range(0.5, 4.0));
  shot->add_option("--range", words.range, "Show A..B, relative to the beginning");
  shot->add_option("--step", options.step, "Go to this step of a rollout");
  shot->add_option("--go", options.go_to, "Go to a time (12.5s, 1:02:03, 14:03:22), 'step 67', 'rank 3', a request's id");
  shot->add_option("--times", options.time_format, "How times are written")
      ->check(CLI::IsMember({"since begin", "wall clock", "since step", "seconds"}));
  shot->add_option("--lanes", options.lane_filter,
                   "Only lanes with all of these in their path:\n" + std::string(kLaneFilterHelp));
  shot->add_option("--colour,--color", options.color_by, "What colours of slices stand for")
      ->check(CLI::IsMember(words_of<ColorRule>()));
  shot->add_option("--sort", options.order,
                   "Lanes by name, start, busy, tail (what ends last) or wait; workers of a rollout by busy, tail, tokens, wait, "
                   "requests or tokens_per_second in the step, most first")
      ->check(CLI::IsMember({"name", "start", "busy", "tail", "tokens", "wait", "requests", "tokens_per_second"}));
  shot->add_option("--select", options.select, "Select the longest slice whose name contains this");
  shot->add_flag("--light", options.light, "Light theme");
  shot->add_flag("--colour-blind,--color-blind", options.color_blind, "Colours for colour blindness");

  std::string like, format;
  CLI::App* report = app.add_subcommand(
      "report", "What was found and every chart, as a page (index.html), pictures, CSV and report.json");
  add_common(*report, options, words);
  report->add_option("-o,--output", options.output,
                     "The folder to write into; it is made if it is missing. With --fail-if alone nothing is written")
      ->type_name("DIR");
  report->add_option("--like", like, "Charts and report.json as verl's own scripts compute them")
      ->check(CLI::IsMember({"verl-scripts"}));
  report->add_option("--format", format, "Format of the pictures: svg or png (default svg)")
      ->check(CLI::IsMember({"png", "svg"}));
  report->add_flag("--single", options.single, "One file, index.html, with all pictures in it");
  report->add_option("--charts", options.charts, "These charts alone: steps,workers,blame")->delimiter(',');
  report->add_option("--set", options.settings,
                     "What charts are made with, as their controls in the window: compare_a='step==3', what_if_tokens=600")
      ->take_all();
  report->add_option("--fail-if", options.fail_if, "Exit with 5 if this is true: 'p99(request)>60s'");

  CLI::App* dump = app.add_subcommand("dump", "Every slice, instant, sample and arrow, a JSON object per line");
  add_common(*dump, options, words);

  std::string export_format;
  CLI::App* exported = app.add_subcommand("export", "Writes all of it, or a part, for other programs");
  add_common(*exported, options, words);
  exported->add_option("--to", export_format,
                       "chrome: Trace Event JSON for Perfetto, chrome://tracing and HTA, args included; of a Paddle run "
                       "as its pipeline_profile_perfetto.json. paddle: as its pipeline_profile.json. perfetto: "
                       "protobuf. csv: a line per slice, instant and sample")
      ->required()
      ->check(CLI::IsMember({"chrome", "paddle", "perfetto", "csv"}));
  exported->add_option("-o,--output", options.output, "The file; - for standard output")->type_name("FILE")->required();
  exported->add_option("--range", words.range,
                       "Only what touches A..B, relative to the beginning (1.5ms..2s); slices go out whole");
  exported->add_option("--lanes", options.lanes,
                       "Only lanes with all of these in their path:\n" + std::string(kLaneFilterHelp));
  exported->add_flag("--json", options.json, "What was written, as JSON");

  CLI::App* pack = app.add_subcommand("pack", "Puts all of it into one small file that opens anywhere, records included");
  add_common(*pack, options, words);
  CLI::Option* const packed =
      pack->add_option("-o,--output", options.output, "The packed trace (.tvx); - for standard output; with --each a folder")
          ->type_name("FILE")
          ->required();
  CLI::Option* const each = pack->add_flag(
      "--each", options.each,
      "A packed trace for each rank, and one for all logs, in the folder of -o: opened together they match the original files. "
      "Packs that are still valid are kept, so it can be rerun or split across jobs; see --list");
  pack->add_option("--item", options.item, "With --each: only this one of what --list names")->type_name("NAME")->needs(each);
  pack->add_flag_function(
      "--list",
      [packed, &options](std::int64_t) {
        options.list_items = true;
        packed->required(false);
      },
      "Names what --each packs, a line each, for xargs or a cluster's job array");
  pack->add_flag("--mapped", options.packs_mapped,
                 "Larger, 42 bytes per slice, but it opens at once and need not fit into memory: for many ranks");
  pack->add_flag("!--no-records", options.packs_records, "Leave the files' texts out: the smallest, but records are not in it");
  pack->add_flag("--json", options.json, "What was written, as JSON");

  CLI::App* cache =
      app.add_subcommand("cache", "The index cache, which makes a second open fast: where it is, what is in it");
  cache->add_flag("--clear", options.clear, "Removes all of it");
  cache->add_flag("--json", options.json, "As JSON");

  CLI::App* keys = app.add_subcommand("keys", "Keys and mouse as they are now, your keymap file included");
  keys->add_option("--preset", options.mouse, "With the mouse of another viewer")->check(CLI::IsMember({"perfetto", "tracy", "chrome"}));
  keys->add_option("--keys", options.keys_path, "This keymap file instead of yours")->type_name("FILE");
  keys->add_flag("--file", options.key_file, "Print a keymap file to begin with: all defaults, in comments");
  keys->add_flag("--json", options.json, "As JSON");
  CLI::App* kept = app.add_subcommand("settings", "The settings: where they are, what can be set, what is set");
  kept->add_option("--settings", options.settings_folder, "As if they were in this folder")->type_name("DIR");
  kept->add_flag("--safe-mode", options.safe_mode, "As if there were none");

  CLI::App* help = app.add_subcommand("help", "The manual: its topics, or a page of it");
  help->add_option("TOPIC", options.text, "A page of the manual, or a verb");

  add_part(*dump, words);
  add_part(*pack, words);
  for (CLI::App* verb : {info, stats, find, shot, report, dump, exported, pack}) add_clocks(*verb, words);

  CLI::App* script = app.add_subcommand("script", "Drives the window without a display: keys, mouse, checks (for tests)");
  script->add_option("SCRIPT", options.script, "The script; - for standard input")->required();
  script->add_option("--size", words.size, "Width and height in pixels");
  script->add_option("--scale", options.scale, "Size of everything")->check(CLI::Range(0.5, 4.0));
  script->add_option("--settings", options.settings_folder, "Keep settings and the session in this folder; without it there are none")
      ->type_name("DIR");
  script->add_flag("--light", options.light, "Light theme");
  script->add_option("--keys", options.keys_path, "With this keymap file")->type_name("FILE");
  script->add_option("--threads", options.threads, "Worker threads");

  CLI::App* bench = app.add_subcommand("bench", "Measures loading, drawing or questions on your own files");
  bench->require_subcommand(1);
  const auto add_bench = [&](const char* name, const char* about, BenchKind kind) {
    CLI::App* command = bench->add_subcommand(name, about);
    add_common(*command, options, words);
    add_part(*command, words);
    command->add_flag("--json", options.json, "As JSON");
    command->add_option("--size", words.size, "Width and height in pixels (default 1920x1080)");
    command->callback([&options, kind] { options.bench = kind; });
  };
  add_bench("load", "From bytes to a complete picture: seconds by stage, memory", BenchKind::Load);
  add_bench("add", "The last path beside all before it, as when it is dropped on them", BenchKind::Add);
  add_bench("frame", "What a frame costs at every zoom: the model alone, and drawn", BenchKind::Frame);
  add_bench("query", "Statistics over everything, and searches", BenchKind::Query);
  add_bench("export", "Writing all of it as Trace Event JSON, to nowhere", BenchKind::Export);

  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    options.verbs.push_back(verb->get_name());
    verb->footer(help_footer(verb->get_name()));
    for (CLI::App* part : verb->get_subcommands([](const CLI::App*) { return true; })) part->footer(verb->get_footer());
  }
  // For install rules, therefore hidden from the help.
  CLI::App* packaging = app.add_subcommand("packaging", "Writes manual page, completions and icons into a folder")->group("");
  packaging->add_option("DIR", options.output, "The folder")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    if (code == 0) return {{}, exit_code::kOk, out.str()};
    // "traceview inof x --json": the option belongs to the intended verb.
    const std::string first = argc > 1 ? argv[1] : "";
    if (const std::string meant = nearest_word(first, options.verbs); !meant.empty() && meant != first) {
      err << "\"" << first << "\" is not a verb; did you mean \"" << meant << "\"?\n";
    }
    return {{}, exit_code::kUsage, "traceview: " + err.str()};
  }
  const auto usage = [](std::string message) { return Parsed{{}, exit_code::kUsage, "traceview: " + std::move(message) + "\n"}; };
  if (*info) options.verb = Verb::Info;
  if (*stats) options.verb = Verb::Stats;
  if (*report) options.verb = Verb::Report;
  if (*report && options.output.empty() && options.fail_if.empty()) return usage("report: -o is missing: the folder to write into");
  options.like_verl_scripts = !like.empty();
  options.png = format == "png";
  if (*shot) options.verb = Verb::Screenshot;
  if (diagnose) options.verb = Verb::Diagnose;
  if (*packaging) {
    options.verb = Verb::Packaging;
    options.commands = command_table(app);
  }
  if (words.sample) {
    const std::string sample = sample_path();
    if (sample.empty()) return {{}, exit_code::kFailed, "traceview: --sample: it is not there; share/traceview/samples belongs beside the program\n"};
    options.paths.insert(options.paths.begin(), sample);
  }
  if (*shot && options.paths.empty() && options.view.empty()) return usage("screenshot: PATH is missing, or --view");
  if (*shot && options.paths.empty()) std::swap(options.view, options.paths.emplace_back());
  if (*dump) options.verb = Verb::Dump;
  if (*exported) options.verb = Verb::Export;
  if (export_format == "paddle") options.export_format = ExportFormat::Paddle;
  if (export_format == "perfetto") options.export_format = ExportFormat::Perfetto;
  if (export_format == "csv") options.export_format = ExportFormat::Csv;
  if (*find) options.verb = Verb::Find;
  if (*pack) options.verb = Verb::Pack;
  if (*cache) options.verb = Verb::Cache;
  if (*keys) options.verb = Verb::Keys;
  if (*kept) options.verb = Verb::Settings;
  if (*help) options.verb = Verb::Help;
  if (*script) options.verb = Verb::Script;
  if (*bench) options.verb = Verb::Bench;
  for (const auto& [text, range] : {std::pair{&words.range, &options.range}, {&words.part, &options.choice.window}}) {
    if (text->empty()) continue;
    const Result<TimeRange> parsed = parse_range(*text);
    if (!parsed) return usage(parsed.error().text());
    *range = parsed.value();
  }
  for (const auto& [text, spans] : {std::pair{&words.ranks, &options.choice.ranks}, {&words.steps, &options.choice.steps}}) {
    if (text->empty()) continue;
    auto parsed = parse_ranks(*text);
    if (!parsed) return usage(parsed.error().text());
    *spans = std::move(parsed.value());
  }
  if (!words.devices.empty()) {
    auto parsed = parse_devices(words.devices);
    if (!parsed) return usage(parsed.error().text());
    options.choice.devices = std::move(parsed.value());
  }
  if (!words.roles.empty()) {
    auto parsed = parse_roles(words.roles);
    if (!parsed) return usage(parsed.error().text());
    options.choice.roles = std::move(parsed.value());
  }
  // Verbs that show a trace fold idle time by default; figures use the recorded times.
  const bool seen = options.verb == Verb::Window || options.verb == Verb::Screenshot || options.verb == Verb::Script;
  options.align_given = !words.align.empty();
  options.align = options.align_given || seen ? align_named(words.align) : Align::Recorded;
  for (const std::string& text : words.clocks) {
    if (text == "barriers") {
      options.align_by_barriers = true;
      continue;
    }
    if (text == "recorded") {
      options.recorded_clocks = true;
      continue;
    }
    auto parsed = parse_clock_offset(text);
    if (!parsed) return usage("--clock: " + parsed.error().text());
    options.clocks.push_back(std::move(parsed.value()));
  }
  options.svg = options.svg || (options.verb == Verb::Screenshot && options.output.ends_with(".svg"));
  if (!words.clip.empty() && !(options.clip = parse_clip(words.clip))) {
    return usage("not a part of a picture: " + words.clip + " (write it as 800x600+100+50: width, height, from the left, from the top)");
  }
  if (options.clip && options.svg) return usage("--clip is for PNG: an SVG is the timeline, or a panel's charts, as a whole");
  if (!words.size.empty() && !parse_size(words.size, options.width, options.height)) {
    return usage("not a size: " + words.size + " (write it as 1920x1080)");
  }
  return {options, exit_code::kOk, {}};
}

}  // namespace tv
