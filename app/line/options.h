// The parsed command line as a value, and the exit codes that --help lists.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/line/command_table.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/export/export_trace.h"
#include "core/store/clock/align_runs.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/load_choice.h"
#include "core/store/draft/load_part.h"

namespace tv {

namespace exit_code {
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kNotRecognised = 3;  ///< no file was recognised, or all are empty
inline constexpr int kLosses = 4;         ///< --strict: data were lost
inline constexpr int kFailIf = 5;         ///< --fail-if came true
inline constexpr int kNoDisplay = 6;
inline constexpr int kInterrupted = 130;  ///< core/io/written/unfinished.h exits with it
}  // namespace exit_code

inline constexpr std::size_t kTextRows = 30;  ///< rows of a printed table without --top

enum class Verb { Window, Info, Stats, Report, Screenshot, Find, Dump, Export, Pack, Cache, Keys, Settings, Script, Bench, Diagnose, Help, Packaging };
enum class BenchKind { Load, Add, Frame, Query, Export };

struct PictureClip {
  int x = 0, y = 0, width = 0, height = 0;
};

struct Options {
  Verb verb = Verb::Window;
  std::vector<std::string> verbs;  ///< all verbs, to suggest one for a mistyped verb
  std::vector<std::string> paths;
  std::string picture;  ///< window: the picture file to draw if there is no display; empty: then fail
  bool follow = false;  ///< window: read new data in files automatically
  bool json = false;
  bool csv = false;  ///< stats
  bool strict = false;
  std::size_t top = 0;             ///< stats, find: rows; 0: all for programs, kTextRows for people
  std::optional<TimeRange> range;  ///< relative to the beginning of what is loaded
  std::string output;              ///< screenshot, pack, export: the file; report, packaging, pack --each: the folder
  bool each = false, list_items = false;  ///< pack: write a packed trace per rank; only list what --each would write
  std::string item;                       ///< pack: with --each, write only this item
  bool packs_records = true;              ///< pack: include the text of the records
  bool packs_mapped = false;              ///< pack: store slices in their memory layout
  int width = 1920, height = 1080;
  double scale = 1;
  bool light = false;
  bool color_blind = false;        ///< screenshot: use the palette for colour-blind people
  bool timeline_alone = false;     ///< screenshot: only the lanes, their names and the ruler
  std::string panel;               ///< screenshot: only the panel with this id or title
  bool svg = false;                ///< screenshot: as SVG
  std::optional<PictureClip> clip;  ///< screenshot: only this part, in pixels before scaling
  std::optional<std::int64_t> step;  ///< screenshot: go to this step
  std::string go_to;                 ///< screenshot: go to this time, step, lane or request (go_to.h)
  std::string time_format;           ///< screenshot: time format (time_style.h)
  std::string color_by;              ///< screenshot: colour rule (color_rule.h)
  std::string lane_filter;           ///< screenshot, stats --of gaps, find: only matching lanes (lane_filter.h)
  std::string order;                 ///< screenshot: order of lanes (lane_order.h), or of a rollout's workers (heat_map.h)
  std::vector<std::string> settings;  ///< report, stats: chart settings NAME=VALUE (chart_controls.h)
  std::string stats_of;               ///< stats: --of, a chart or another subject; empty: time per name
  std::string group_by;               ///< stats: what to group by instead of names (stats_grouping.h)
  std::string where;                  ///< stats: only matching slices (slice_filter.h)
  std::string stats_step;             ///< stats: only this step, by its number or name (step_ranges.h)
  std::string view;                  ///< screenshot: restore this view file (view_file.h)
  std::set<std::string> closed;      ///< files that the view file among the paths leaves out
  std::string view_state;            ///< state in the view file among the paths (view_files.h); pack stores it too
  std::string select;  ///< screenshot: select the longest slice whose name contains this
  std::string script;  ///< script file
  std::string keys_path;  ///< keys, script: the key file; empty: keys uses the user's file, script uses none
  std::string mouse;      ///< keys: the mouse preset to use
  bool key_file = false;  ///< keys: print a new key file
  BenchKind bench = BenchKind::Load;
  LoadChoice choice;               ///< the part to load
  ClockOffsets clocks;             ///< clock offsets given for some files
  bool align_by_barriers = false;  ///< compute the clock offsets of rollout workers from barriers
  bool recorded_clocks = false;    ///< do not align clocks by collectives
  AlignChoice align;               ///< how runs are aligned
  bool align_given = false;        ///< `align` was given, so it is not the verb's default
  std::uint64_t memory_limit = 0;  ///< bytes; 0: the available memory
  bool cache = true;               ///< use the index cache
  std::string nsys;                ///< the nsys program, which exports reports; empty: search the PATH
  std::string text;                ///< find: the text; help: the topic
  bool records = false;            ///< find: search the records instead of the names
  bool match_case = false, regex = false;  ///< find: options for names
  ExportFormat export_format = ExportFormat::Chrome;
  std::string lanes;               ///< export: only matching lanes (lane_filter.h)
  std::string settings_folder;     ///< folder of settings and state; empty: window and settings use the user's, others none
  bool safe_mode = false;          ///< use neither settings nor state
  bool clear = false;              ///< cache: remove everything
  bool like_verl_scripts = false;  ///< report: only the charts that verl's scripts draw, computed as in the scripts
  bool png = false;                ///< report: pictures as PNG, not SVG
  bool single = false;             ///< report: everything in one index.html
  std::vector<std::string> charts;  ///< report: only these charts; empty: all
  std::string fail_if;             ///< report: exit with 5 if this is true
  unsigned threads = 0;
  std::size_t chunk_bytes = 0;  ///< 0: depends on the file size
  CommandTable commands;        ///< packaging: the whole command line
};

/// The options to run with, or a message and an exit code.
struct Parsed {
  std::optional<Options> options;
  int exit = 0;
  std::string message;  ///< for stdout when exit is 0, else for stderr
};

Parsed parse_options(int argc, const char* const* argv);

}  // namespace tv
