// Reads a shown state from text that anybody may have edited. A value of the wrong type is an error that names its place, except
// in tables, where such a value is ignored. A number that is too small or too large is clamped or ignored. An unknown word counts
// as missing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/base/text/ascii.h"
#include "core/base/text/parse_json.h"
#include "core/view/lanes/row_heights.h"
#include "core/view/panels/shown_state.h"
#include "core/view/table/table_json.h"

namespace tv {
namespace {

using Json = nlohmann::json;

constexpr Ns kFurthest = 2 * kLongestLength;  // limit for the distance of a time from the origin
constexpr double kFurthestPx = 1e9;
constexpr float kHighestRow = 1000, kMostGrowth = 4;

// A whole number in JSON may be too large for a signed 64-bit integer.
std::int64_t clamped_whole(const Json& whole, std::int64_t least, std::int64_t most) {
  const bool huge = whole.is_number_unsigned() && whole.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  return huge ? most : std::clamp(whole.get<std::int64_t>(), least, most);
}

// A JSON object and its place in the text, for errors. All objects of a text share `wrong`, which holds the first error; nothing
// is read after an error.
class Fields {
 public:
  Fields(const Json& json, std::string place, std::string& wrong) : json_(&json), place_(std::move(place)), wrong_(&wrong) {
    if (!json.is_object()) complain(place_, "an object");
  }

  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  Fields object(const char* key) const { return {(*json_)[key], place_of(key), *wrong_}; }

  void get(const char* key, bool& out) const {
    take(key, "true or false", &Json::is_boolean, [&](const Json& j) { out = j.get<bool>(); });
  }
  void get(const char* key, std::string& out) const {
    take(key, "a string", &Json::is_string, [&](const Json& j) { out = j.get<std::string>(); });
  }
  void get(const char* key, double& out, double least, double most) const {
    take(key, "a number", &Json::is_number, [&](const Json& j) { out = std::clamp(j.get<double>(), least, most); });
  }
  void get(const char* key, float& out, float least, float most) const {
    take(key, "a number", &Json::is_number, [&](const Json& j) { out = std::clamp(j.get<float>(), least, most); });
  }
  template <std::integral Int>
  void get(const char* key, Int& out, std::int64_t least, std::int64_t most) const {
    take(key, "a whole number", &Json::is_number_integer, [&](const Json& j) { out = static_cast<Int>(clamped_whole(j, least, most)); });
  }
  void time(const char* key, Ns& out) const { get(key, out, -kFurthest, kFurthest); }
  TimeRange range() const {
    TimeRange out;
    time("begin_ns", out.begin);
    time("end_ns", out.end);
    out.end = std::max(out.begin, out.end);
    return out;
  }
  /// None if the word is missing or unknown.
  template <class Find>
  auto word(const char* key, Find find) const -> decltype(find(std::string_view())) {
    std::string text;
    get(key, text);
    return text.empty() ? std::nullopt : find(text);
  }
  std::vector<std::string> strings(const char* key) const {
    std::vector<std::string> out;
    each(key, [&](const Json& j, const std::string& place) {
      if (!j.is_string()) return complain(place, "a string");
      out.push_back(j.get<std::string>());
    });
    return out;
  }
  /// Calls visit(json, place) for each element of a list.
  template <class Visit>
  void each(const char* key, Visit visit) const {
    take(key, "a list", &Json::is_array, [&](const Json& list) {
      for (std::size_t i = 0; i < list.size() && wrong_->empty(); ++i) visit(list[i], fmt::format("{}[{}]", place_of(key), i));
    });
  }
  template <class Visit>
  void each_object(const char* key, Visit visit) const {
    each(key, [&](const Json& j, const std::string& place) { visit(Fields(j, place, *wrong_)); });
  }
  /// Calls visit(name, json, place) for each member of an object.
  template <class Visit>
  void each_member(const char* key, Visit visit) const {
    take(key, "an object", &Json::is_object, [&](const Json& object) {
      for (auto at = object.begin(); at != object.end() && wrong_->empty(); ++at) visit(at.key(), at.value(), place_of(key) + "." + at.key());
    });
  }
  void complain(const std::string& place, std::string_view wanted) const {
    if (wrong_->empty()) *wrong_ = fmt::format("\"{}\" must be {}", place, wanted);
  }

 private:
  // Calls use(json) with the member of this key if it exists and has the wanted type.
  template <class Use>
  void take(const char* key, std::string_view wanted, bool (Json::*is_wanted)() const noexcept, Use use) const {
    if (!has(key) || !wrong_->empty()) return;
    const Json& found = (*json_)[key];
    if (!(found.*is_wanted)()) return complain(place_of(key), wanted);
    use(found);
  }
  std::string place_of(std::string_view key) const {
    return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
  }

  const Json* json_;
  std::string place_;
  std::string* wrong_;
};

std::optional<RowSize> row_size(std::string_view word) {
  if (word == "compact") return RowSize::Compact;
  if (word == "normal") return RowSize::Normal;
  if (word == "tall") return RowSize::Tall;
  return std::nullopt;
}

void read_lanes(const Fields& from, ShownLook& look) {
  look.arranged = true;
  LaneState& lanes = look.lanes.state;
  from.get("overview", look.lanes.overview);
  from.each_object("overview_lanes", [&](const Fields& each) {
    OverviewLane lane;
    each.get("lane", lane.key);
    each.get("folded", lane.collapsed);
    each.get("row_px", lane.row, 0, kHighestRow);
    each.get("levels", lane.levels, 0, UINT32_MAX - 1);
    each.get("first_slot", lane.first_slot, 0, UINT32_MAX - 1);
    each.get("thin", lane.thin, 0, UINT32_MAX - 1);
    lanes.overview.push_back(std::move(lane));
  });
  from.get("overview_scale", lanes.overview_scale, 0.05f, 1);
  from.get("row_growth", lanes.growth, 1, kMostGrowth);
  from.get("row_steps", look.lanes.row_steps, kLeastSteps, kMostSteps);
  from.get("filter", lanes.filter);
  look.lanes.sort = from.word("sort", [](std::string_view w) { return lane_sort(w); });
  look.lanes.order = from.word("order", [](std::string_view w) { return heat_measure(w); });
  from.each_member("folded", [&](const std::string& lane, const Json& j, const std::string& place) {
    if (!j.is_boolean()) return from.complain(place, "true or false");
    lanes.collapsed[lane] = j.get<bool>();
  });
  from.each_member("row_sizes", [&](const std::string& lane, const Json& j, const std::string& place) {
    if (!j.is_string()) return from.complain(place, "a string");
    if (const auto size = row_size(j.get_ref<const std::string&>())) lanes.row_sizes[lane] = *size;
  });
  from.each_member("depth_limits", [&](const std::string& lane, const Json& j, const std::string& place) {
    if (!j.is_number_unsigned()) return from.complain(place, "a positive whole number");
    const auto levels = j.get<std::uint64_t>();
    if (levels > 0 && levels < UINT32_MAX) lanes.depth_limits[lane] = static_cast<std::uint32_t>(levels);
  });
  for (std::string& lane : from.strings("hidden")) lanes.hidden.insert(std::move(lane));
  for (std::string& lane : from.strings("only")) lanes.only.insert(std::move(lane));
  std::set<std::string> pinned;
  for (std::string& lane : from.strings("pinned")) {
    if (pinned.insert(lane).second) lanes.pinned.push_back(std::move(lane));
  }
  from.each_member("dragged", [&](const std::string& group, const Json& j, const std::string& place) {
    if (!j.is_array()) return from.complain(place, "a list");
    for (const Json& lane : j) {
      if (!lane.is_string()) return from.complain(place, "a list of strings");
      lanes.dragged[group].push_back(lane.get<std::string>());
    }
  });
}

PanelLayout read_panels(const Fields& from) {
  PanelLayout panels = first_panels();
  from.get("open", panels.drawer);
  from.get("panel", panels.left);
  from.get("right", panels.right);
  from.get("side", panels.side);
  from.get("beside", panels.beside);
  from.get("right_in_front", panels.right_in_front);
  from.get("drawer_share", panels.drawer_share, 0, 1);
  from.get("left_share", panels.left_share, 0, 1);
  from.get("side_share", panels.side_share, 0, 1);
  from.each_object("own", [&](const Fields& each) {
    OwnPanel own;
    each.get("panel", own.id);
    each.get("x", own.x, -1, 1);
    each.get("y", own.y, 0, 1);
    each.get("width", own.width, 0, 1);
    each.get("height", own.height, 0, 1);
    panels.own.push_back(std::move(own));
  });
  return tidy_panels(std::move(panels));
}

SplitLook read_split(const Fields& from) {
  SplitLook look;
  look.split.by = from.word("by", [](std::string_view w) { return split_by(w); }).value_or(SplitBy::Recorded);
  from.get("share", look.split.share, kLeastSplitShare, 1 - kLeastSplitShare);
  for (const SplitHalf half : kHalves) {
    const char* const key = half == SplitHalf::Upper ? "upper" : "lower";
    if (!from.has(key)) continue;
    const Fields each = from.object(key);
    each.time("at_ns", look.split.at[ix(half)]);
    look.split.lanes[ix(half)] = each.strings("lanes");
  }
  if (!from.has("top")) return look;
  from.object("top").get("lane", look.top_lane);
  from.object("top").get("px", look.top_px, 0, kFurthestPx);
  return look;
}

ShownLook read_look(const Fields& from) {
  ShownLook look;
  if (from.has("view")) {
    look.everything = false;
    constexpr auto kFurthestTime = static_cast<double>(kFurthest);
    from.object("view").get("begin_ns", look.view.begin, -kFurthestTime, kFurthestTime);
    from.object("view").get("span_ns", look.view.span, kMinSpanNs, 2 * kFurthestTime);
  }
  if (from.has("top")) {
    from.object("top").get("lane", look.top_lane);
    from.object("top").get("px", look.top_px, 0, kFurthestPx);
  }
  if (from.has("split")) look.split = read_split(from.object("split"));
  if (from.has("lanes")) read_lanes(from.object("lanes"), look);
  look.filters = from.strings("filters");
  look.color = from.word("colour", [](std::string_view w) { return color_rule(w); }).value_or(ColorRule::Name);
  look.times = from.word("times", [](std::string_view w) { return time_format(w); }).value_or(TimeFormat::SinceBegin);
  if (from.has("drawer")) look.panels = read_panels(from.object("drawer"));
  return look;
}

SliceRef read_slice(const Fields& from) {
  SliceRef slice;
  from.get("lane", slice.lane);
  from.get("row", slice.row, 0, UINT32_MAX);
  from.time("begin_ns", slice.begin);
  from.get("duration_ns", slice.duration, 0, kFurthest);
  from.get("name", slice.name);
  from.get("nth", slice.nth, 0, UINT32_MAX);
  return slice;
}

SavedSelection read_selected(const Fields& from) {
  SavedSelection out;
  if (from.has("slice")) out.slice = read_slice(from.object("slice"));
  from.each_object("also", [&](const Fields& each) { out.also.push_back(read_slice(each)); });
  if (from.has("through")) out.through = read_slice(from.object("through"));
  if (from.has("gap")) {
    const Fields gap = from.object("gap");
    if (gap.has("before") && gap.has("after")) {
      out.gap = GapRef{{}, {}, read_slice(gap.object("before")), read_slice(gap.object("after"))};
      gap.get("lane", out.gap->lane);
      std::uint32_t row = 0;
      gap.get("row", row, 0, UINT32_MAX);
      if (gap.has("row")) out.gap->row = row;
    }
  }
  from.get("same_name", out.same_name);
  if (from.has("area")) {
    const Fields area = from.object("area");
    out.area = area.range();
    out.area_lanes = area.strings("lanes");
    area.get("chart", out.area_chart);
  }
  return out;
}

void read_spans(const Fields& from, const char* key, std::vector<RankSpan>& out) {
  from.each(key, [&](const Json& j, const std::string& place) {
    const bool pair = j.is_array() && j.size() == 2 && j[0].is_number_integer() && j[1].is_number_integer();
    if (!pair) return from.complain(place, "two whole numbers");
    out.push_back({clamped_whole(j[0], INT64_MIN, INT64_MAX), clamped_whole(j[1], INT64_MIN, INT64_MAX)});
  });
}

ReadSettings read_reading(const Fields& from) {
  ReadSettings out;
  from.each_object("clocks", [&](const Fields& each) {
    ClockOffset offset;
    each.get("files", offset.pattern);
    each.get("offset_ns", offset.offset, -kLongestClockOffset, kLongestClockOffset);
    if (!offset.pattern.empty()) out.clocks.push_back(std::move(offset));
  });
  for (std::string& file : from.strings("closed")) out.closed.insert(std::move(file));
  std::string place_by;
  from.get("clocks_by", place_by);
  if (place_by == "recorded") out.place_by = PlaceBy::Recorded;
  std::string align;
  from.get("align", align);
  out.align = align == "auto" ? AlignChoice() : AlignChoice(align_named(align).value_or(Align::Recorded));
  if (!from.has("part")) return out;
  const Fields part = from.object("part");
  read_spans(part, "ranks", out.choice.ranks);
  read_spans(part, "steps", out.choice.steps);
  for (const std::string& role : part.strings("roles")) out.choice.roles.push_back(lower_case(role));
  part.each_object("devices", [&](const Fields& each) {
    DeviceSpan device;
    each.get("machine", device.machine);
    each.get("first", device.numbers.first, INT64_MIN, INT64_MAX);
    each.get("last", device.numbers.last, INT64_MIN, INT64_MAX);
    out.choice.devices.push_back(std::move(device));
  });
  if (part.has("window")) {
    const Fields window = part.object("window");
    TimeRange time;  // its limits are wider, because it may count from the epoch
    window.get("begin_ns", time.begin, kEarliestTime, kLatestTime);
    window.get("end_ns", time.end, kEarliestTime, kLatestTime);
    bool absolute = false;
    window.get("absolute", absolute);
    if (!time.empty()) out.choice.window = time;
    if (absolute) out.choice.clock = LoadChoice::Clock::Absolute;
  }
  return out;
}

Note read_note(const Fields& from) {
  Note note;
  from.time("begin_ns", note.time.begin);
  note.time.end = note.time.begin;
  from.time("end_ns", note.time.end);
  note.time.end = std::max(note.time.begin, note.time.end);
  from.get("name", note.name);
  note.color = from.word("colour", [](std::string_view w) { return note_color(w); }).value_or(NoteColor::Plain);
  return note;
}

void read_brush(const Fields& from, SavedBrush& brush) {
  from.get("chart", brush.chart);
  from.get("requests", brush.requests);
  if (!from.has("slices")) return;
  from.object("slices").get("name", brush.name);
  from.object("slices").get("least_ns", brush.least, -kFurthest, kFurthest);
  from.object("slices").get("most_ns", brush.most, -kFurthest, kFurthest);
}

ShownState read_state(const Fields& from) {
  ShownState state;
  from.get("origin_ns", state.origin_ns, kEarliestTime, kLatestTime);
  if (from.has("read")) state.read = read_reading(from.object("read"));
  if (from.has("look")) state.look = read_look(from.object("look"));
  if (from.has("selected")) state.selected = read_selected(from.object("selected"));
  if (from.has("brush")) read_brush(from.object("brush"), state.brush);
  from.each_member("charts", [&](const std::string& setting, const Json& j, const std::string& place) {
    if (!j.is_string()) return from.complain(place, "a string");
    state.charts.emplace_back(setting, j.get<std::string>());
  });
  from.get("as_script", state.as_script);
  std::int64_t number = 0;
  if (from.has("step")) {
    const Fields step = from.object("step");
    step.get("run", state.run);
    step.get("number", number, INT32_MIN, INT32_MAX);
    if (step.has("number")) state.step = number;
  }
  from.get("training_step", number, INT64_MIN, INT64_MAX);
  if (from.has("training_step")) state.training_step = number;
  from.each_object("notes", [&](const Fields& each) { state.notes.push_back(read_note(each)); });
  from.each_member("tables", [&](const std::string& table, const Json& j, const std::string& place) {
    if (!j.is_object()) return from.complain(place, "an object");
    state.tables.emplace_back(table, table_state_of(j));
  });
  if (from.has("stored")) {
    const Fields stored = from.object("stored");
    for (std::size_t v = 0; v < kStoredViews; ++v) {
      const std::string key = std::to_string(v + 1);
      if (stored.has(key.c_str())) state.stored[v] = read_look(stored.object(key.c_str()));
    }
  }
  return state;
}

}  // namespace

Result<ShownState> parse_shown_state(std::string_view json) {
  const Json parsed = parse_json(json);
  if (parsed.is_discarded()) return Error{"this is not a view: its text is not JSON", {}, {}, {}};
  std::string wrong;
  const Fields fields(parsed, {}, wrong);
  if (!wrong.empty() || !fields.has("traceview_view")) return Error{"this is not a view: \"traceview_view\" is missing", {}, {}, {}};
  std::int64_t version = 0;
  fields.get("traceview_view", version, 0, INT32_MAX);
  if (wrong.empty() && version > 1) {
    return Error{fmt::format("this view has format {}, which only a newer traceview can read", version), {}, {},
                 "open it with a newer traceview"};
  }
  if (wrong.empty() && version < 1) wrong = "\"traceview_view\" must be 1";
  ShownState state;
  if (wrong.empty()) state = read_state(fields);
  if (!wrong.empty()) return Error{"this view cannot be read: " + wrong, {}, {}, {}};
  return state;
}

}  // namespace tv
