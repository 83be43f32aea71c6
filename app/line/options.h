// The command line as a value. Exit codes as in --help.
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
inline constexpr int kNotRecognised = 3;  ///< nothing could be read, or it was empty
inline constexpr int kLosses = 4;         ///< --strict: something was lost
inline constexpr int kFailIf = 5;         ///< --fail-if came true
inline constexpr int kNoDisplay = 6;
inline constexpr int kInterrupted = 130;  ///< as core/io/written/unfinished.h ends the program
}  // namespace exit_code

inline constexpr std::size_t kTextRows = 30;  ///< of a table for people, where --top does not say

enum class Verb { Window, Info, Stats, Report, Screenshot, Find, Dump, Export, Pack, Cache, Keys, Settings, Script, Bench, Diagnose, Help, Packaging };
enum class BenchKind { Load, Add, Frame, Query, Export };

struct PictureClip {
  int x = 0, y = 0, width = 0, height = 0;
};

struct Options {
  Verb verb = Verb::Window;
  std::vector<std::string> verbs;  ///< all there are, for who mistypes one
  std::vector<std::string> paths;
  std::string picture;  ///< window: where it is drawn when there is no display; empty: that is an error
  bool follow = false;  ///< window: what is new in files is read by itself
  bool json = false;
  bool csv = false;  ///< stats
  bool strict = false;
  std::size_t top = 0;             ///< stats: rows; 0 = all with --json, kTextRows without
  std::optional<TimeRange> range;  ///< relative to the view's beginning
  std::string output;              ///< screenshot, pack, export; packaging: the folder
  bool each = false, list_items = false;  ///< pack: items one by one, or their names
  std::string item;                       ///< pack: the only one
  bool packs_records = true;              ///< pack: the files' texts, too
  bool packs_mapped = false;              ///< pack: slices as they lie in memory
  int width = 1920, height = 1080;
  double scale = 1;
  bool light = false;
  bool color_blind = false;        ///< screenshot: the palette for colour-blind eyes
  bool timeline_alone = false;     ///< screenshot: only names, ruler and lanes
  std::string panel;               ///< screenshot: only this panel, by its id or title
  bool svg = false;                ///< screenshot: likewise
  std::optional<PictureClip> clip;  ///< screenshot: only this part, in pixels before scaling
  std::optional<std::int64_t> step;  ///< screenshot: go to it
  std::string go_to;                 ///< screenshot: to a time, step, lane or request (go_to.h)
  std::string time_format;           ///< screenshot: how times are written (time_words.h)
  std::string color_by;              ///< screenshot: what colours stand for (color_rule.h)
  std::string lane_filter;           ///< screenshot, stats --of gaps, find: only these (lane_filter.h)
  std::string order;                 ///< screenshot: workers by this (heat_map.h)
  std::vector<std::string> settings;  ///< report, stats: NAME=VALUE of charts (chart_controls.h)
  std::string stats_of;               ///< stats: what alone; empty: every name
  std::string group_by;               ///< stats: by what instead of names (stats_grouping.h)
  std::string where;                  ///< stats: only slices for which this holds (slice_filter.h)
  std::string stats_step;             ///< stats: only this step, a number or a name (step_ranges.h)
  std::string view;                  ///< screenshot: as this view file has it (view_file.h)
  std::set<std::string> closed;      ///< files that are left out, as the view file among the paths says
  std::string view_state;            ///< of the view file among the paths (view_files.h): pack takes it along
  std::string select;  ///< screenshot: select the longest slice whose name contains this
  std::string script;  ///< script file
  std::string keys_path;  ///< keys, script: this file of keys; empty: keys has the user's, script none
  std::string mouse;      ///< keys: with this preset
  bool key_file = false;  ///< keys: a new file of keys
  BenchKind bench = BenchKind::Load;
  LoadChoice choice;               ///< which part is loaded
  ClockOffsets clocks;             ///< of some files
  bool align_by_barriers = false;  ///< find those of rollout workers
  bool recorded_clocks = false;    ///< do not move any by their collectives
  AlignChoice align;               ///< how runs lie beside each other
  std::uint64_t memory_limit = 0;  ///< bytes; 0 = what is available
  bool cache = true;               ///< use the index cache
  std::string nsys;                ///< program that exports reports; empty: what the PATH has
  std::string text;                ///< find; help: the topic
  bool records = false;            ///< find: in records, not in names
  bool match_case = false, regex = false;  ///< find: of names
  ExportFormat export_format = ExportFormat::Chrome;
  std::string lanes;               ///< export: likewise
  std::string settings_folder;     ///< settings and state are there; empty: the user's for the window, else none
  bool safe_mode = false;          ///< none of them
  bool clear = false;              ///< cache: remove all of it
  bool like_verl_scripts = false;  ///< report: only what verl's scripts compute, and as they do
  bool png = false;                ///< report: pictures as PNG, not SVG
  bool single = false;             ///< report: all of it in one index.html
  std::vector<std::string> charts;  ///< report: these alone; empty: all
  std::string fail_if;             ///< report: exit with 5 when this is true
  unsigned threads = 0;
  std::size_t chunk_bytes = 0;  ///< 0 = by the size of the file
  CommandTable commands;        ///< packaging: all that can be said on the command line
};

/// What to do, or what to say and exit with.
struct Parsed {
  std::optional<Options> options;
  int exit = 0;
  std::string message;  ///< for stdout when exit is 0, else for stderr
};

Parsed parse_options(int argc, const char* const* argv);

}  // namespace tv
