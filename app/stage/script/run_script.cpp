// Drives the window without a display, line by line: a user's actions, and what must be true afterwards. UI tests are such scripts,
// and bug reports can contain one. tests/ui/scripts/README.md lists the commands.
#include "app/stage/script/run_script.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <utility>

#include "app/key_settings.h"
#include "app/stage/drawn_text.h"
#include "app/stage/headless_stage.h"
#include "app/stage/picture_parts.h"
#include "app/stage/png.h"
#include "app/stage/script/script_coverage.h"
#include "app/stage/script/script_keys.h"
#include "app/stage/script/script_places.h"
#include "app/stage/script/script_state.h"
#include "app/stage/script/script_values.h"
#include "app/terminal/say.h"
#include "core/base/text/decimal_ns.h"
#include "core/query/search/search.h"
#include "core/session/desk/command_scene.h"
#include "core/view/menus/command_list.h"
#include "core/view/timeline/pick.h"
#include "core/view/words/time_style.h"

namespace tv {
namespace {

// Splits a line at blanks, except inside double quotes.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> std::quoted(word);) words.push_back(word);
  return words;
}

class Script {
 public:
  explicit Script(HeadlessStage& stage) : stage_(stage) {}

  /// Executes a line. Returns an error message, or an empty text.
  std::string run(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) return {};
    const std::string& verb = words[0];
    const auto argument = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
    const auto rest = [&] {  // the line after its first word and the blank behind it
      const std::size_t end = line.find(verb) + verb.size();
      return end < line.size() ? line.substr(end + 1) : std::string();
    };
    const auto number = [&](std::size_t i, double fallback) {
      return i < words.size() ? std::atof(words[i].c_str()) : fallback;
    };
    if (verb == "open" || verb == "add" || verb == "open_tab" || verb == "close") {
      coverage_.did({verb, {}, kNoModifier});
      std::vector<std::string> paths{words.begin() + 1, words.end()};
      if (verb == "close") {
        stage_.interface().commands().push(command::CloseFiles{std::move(paths)});
      } else {
        stage_.interface().commands().push(command::OpenPaths{std::move(paths), verb == "add", verb == "open_tab"});
      }
      stage_.frames(1);
      stage_.wait_until_loaded();
      stage_.settle();
    } else if (verb == "hover") {
      const ImVec2 size = ImGui::GetIO().DisplaySize;
      const bool away = argument(1) == "away";
      const ImVec2 at{static_cast<float>(number(1, 0)) * size.x, static_cast<float>(number(2, 0)) * size.y};
      stage_.interface().set_drop_hover(away ? std::nullopt : std::optional(at), (modifiers_ & kShift) != 0);
      hover_ = away ? std::nullopt : std::optional(at);
      stage_.frames(1);
    } else if (verb == "drop" || verb == "watch") {
      coverage_.did({"drop", {}, modifiers_});
      stage_.interface().drop({words.begin() + 1, words.end()}, std::exchange(hover_, std::nullopt), (modifiers_ & kShift) != 0);
      stage_.frames(2);
      stage_.wait_until_loaded(verb == "watch");
      stage_.settle();
    } else if (verb == "try") {
      run(rest());  // its errors are ignored
    } else if (verb == "window") {
      const auto resized = stage_.resize(static_cast<int>(number(1, 1280)), static_cast<int>(number(2, 800)), number(3, 1));
      if (!resized) return resized.error().text();
      stage_.settle();
    } else if (verb == "frames") {
      stage_.frames(static_cast<int>(number(1, 1)));
    } else if (verb == "wait") {
      stage_.wait_until_loaded();
      stage_.settle();
    } else if (verb == "append" || verb == "cut" || verb == "remove") {
      return change_file(words);
    } else if (verb == "catch_up") {
      stage_.catch_up();
    } else if (verb == "live") {
      stage_.live(number(1, 1), [this] { print_shown(); });
    } else if (verb == "settle") {
      stage_.settle();
    } else if (verb == "filter") {
      stage_.interface().commands().push(command::FilterRequests{rest()});
      stage_.settle();
    } else if (verb == "lanes") {
      stage_.interface().commands().push(command::FilterLanes{rest()});
      stage_.settle();
    } else if (verb == "order") {
      stage_.interface().commands().push(command::OrderLanes{heat_measure(argument(1))});
      stage_.settle();
    } else if (verb == "sort") {
      stage_.interface().commands().push(command::SortLanes{lane_sort(argument(1))});
      stage_.settle();
    } else if (verb == "colour") {
      stage_.interface().commands().push(command::ColorSlices{color_rule(argument(1))});
      stage_.settle();
    } else if (verb == "clock") {
      ClockOffsets offsets = stage_.workspace().session().read().clocks;
      const auto by = decimal_time(argument(2));
      if (!by) return "not a time: " + argument(2);
      if (*by > kLongestClockOffset || *by < -kLongestClockOffset) return "no clock is that far off: " + argument(2);
      std::erase_if(offsets, [&](const ClockOffset& each) { return each.pattern == argument(1); });
      if (*by != 0) offsets.push_back({argument(1), *by});
      stage_.interface().commands().push(command::SetClocks{std::move(offsets)});
      stage_.frames(1);
      stage_.wait_until_loaded();
      stage_.settle();
    } else if (verb == "half") {
      if (!stage_.workspace().state().split()) return "there is only one timeline; split it with V";
      stage_.set_half(argument(1) == "lower" ? SplitHalf::Lower : SplitHalf::Upper);
    } else if (verb == "set") {
      stage_.interface().commands().push(command::SetChart{argument(1), argument(2)});
      stage_.settle();
    } else if (verb == "press") {
      return press(argument(1), static_cast<int>(number(2, 1)));
    } else if (verb == "hold") {
      return hold(argument(1), static_cast<int>(number(2, 1)));
    } else if (verb == "type") {
      constexpr int kFramesToFocus = 10;
      // A text box gets the focus after some frames, and drops text that is typed earlier.
      for (int i = 0; i < kFramesToFocus && !ImGui::GetIO().WantTextInput; ++i) stage_.frames(1);
      stage_.io().type(fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " ")));
      stage_.frames(2);
    } else if (verb == "move") {
      return move(words);
    } else if (const auto button = button_of(verb)) {
      if (words.size() > 1) {
        if (std::string wrong = move(words); !wrong.empty()) return wrong;
      }
      coverage_.did({verb, place_, modifiers_});
      click(*button);
      if (verb == "doubleclick") click(*button);
      stage_.settle();
    } else if (verb == "go") {
      stage_.interface().commands().push(command::GoTo{rest()});
      stage_.settle();
    } else if (verb == "times") {
      stage_.interface().commands().push(command::SetTimeFormat{time_format(rest())});
      stage_.settle();
    } else if (verb == "drag" || verb == "middledrag" || verb == "rightdrag") {
      coverage_.did({verb, place_, modifiers_});
      return drag(words, verb == "drag"         ? ImGuiMouseButton_Left
                         : verb == "middledrag" ? ImGuiMouseButton_Middle
                                                : ImGuiMouseButton_Right);
    } else if (verb == "pull") {
      return pull(words, ImGuiMouseButton_Left);
    } else if (verb == "let_go") {
      let_go(ImGuiMouseButton_Left);
    } else if (verb == "wheel") {
      coverage_.did({verb, place_, modifiers_});
      stage_.io().turn_wheel(static_cast<float>(number(1, 1)), static_cast<float>(number(2, 0)));
      stage_.frames(1);
      stage_.settle();
    } else if (verb == "down" || verb == "up") {
      const auto chord = chords_of(argument(1));
      if (!chord || chord->keys.empty()) return "no such key: " + argument(1);
      for (const Key key : chord->keys) {
        const bool down = verb == "down";
        down ? stage_.io().press_key(key) : stage_.io().release_key(key);
        modifiers_ = static_cast<std::uint8_t>(down ? modifiers_ | modifier_of(key) : modifiers_ & ~modifier_of(key));
      }
      stage_.frames(1);
    } else if (verb == "scroll_to") {
      return scroll_to(argument(1), argument(2));
    } else if (verb == "zoom_until") {
      return zoom_until(argument(1), argument(2));
    } else if (verb == "expect") {
      std::string wrong = expect(words);
      if (wrong.empty()) coverage_.expectation_held();
      return wrong;
    } else if (verb == "keep") {
      const auto value = value_of(script_state(stage_), argument(2));
      if (!value) return "the state has no " + argument(2);
      values_.keep(argument(1), *value);
    } else if (verb == "commands") {
      nlohmann::ordered_json all = nlohmann::ordered_json::array();
      for (const ListedCommand& each : command_list(command_scene(stage_.workspace()))) {
        all.push_back({{"id", each.id}, {"title", each.title}, {"menu", name(each.menu)}, {"enabled", each.enabled}, {"on", each.on}});
        if (each.action) all.back()["chord"] = text(binding(*each.action).chord);
      }
      say("{}\n", all.dump());
    } else if (verb == "frame_times") {
      const FrameTimes times = stage_.take_frame_times();
      say("{}\n", nlohmann::json{{"frames", times.count}, {"longest_ms", 1e3 * times.longest_s}}.dump());
    } else if (verb == "coverage") {
      say("{}\n", coverage_.state().dump());
    } else if (verb == "state") {
      say("{}\n", script_state(stage_).dump(1));
    } else if (verb == "screenshot") {
      const bool svg = argument(1).ends_with(".svg");
      const auto written = svg ? write_timeline_svg(stage_, argument(1)) : write_screenshot(argument(1));
      if (!written) return written.error().text();
    } else if (verb == "where") {
      const ImVec2 mouse = ImGui::GetIO().MousePos;
      say("{} {}\n", mouse.x, mouse.y);
    } else if (verb == "boxes") {
      for (const ImVec2 box : text_boxes()) say("{} {}\n", box.x, box.y);
    } else if (verb == "drawn") {
      stage_.frames(1);
      say("{}drawn: {}\n", drawn_text(), argument(1));
    } else {
      return "no such command: " + verb;
    }
    return {};
  }

 private:
  Result<void> write_screenshot(const std::string& path) {
    auto image = stage_.screenshot();
    return image ? write_png(path, *image) : Result<void>(image.error());
  }

  void print_shown() {
    const std::chrono::duration<double> at = std::chrono::system_clock::now().time_since_epoch();
    const Rollout* const rollout = stage_.workspace().results().rollout;
    say("{}\n", nlohmann::json{{"at_s", at.count()}, {"slices", stage_.workspace().trace().slice_count},
                               {"steps", rollout ? rollout->steps.size() : 0}, {"requests", rollout ? rollout->size() : 0}}.dump());
    std::fflush(stdout);
  }

  // Changes a file as another program might while it is open.
  static std::string change_file(const std::vector<std::string>& words) {
    if (words.size() != (words[0] == "remove" ? 2 : 3)) return "append FILE FROM, cut FILE BYTES, remove FILE";
    std::error_code code;
    const std::filesystem::path file = words[1];
    if (words[0] == "remove") {
      std::filesystem::remove_all(file, code);
    } else if (words[0] == "cut") {
      std::filesystem::resize_file(file, static_cast<std::uintmax_t>(std::atoll(words[2].c_str())), code);
    } else {
      std::filesystem::create_directories(file.parent_path(), code);
      std::ifstream from(words[2], std::ios::binary);
      std::ofstream to(file, std::ios::binary | std::ios::app);
      if (!from || !(to << from.rdbuf()).flush()) return "cannot append";
    }
    return code ? code.message() : std::string();
  }

  static std::optional<ImGuiMouseButton> button_of(const std::string& verb) {
    if (verb == "click" || verb == "doubleclick") return ImGuiMouseButton_Left;
    if (verb == "rightclick") return ImGuiMouseButton_Right;
    if (verb == "middleclick") return ImGuiMouseButton_Middle;
    return verb == "mouse4" ? std::optional(3) : verb == "mouse5" ? std::optional(4) : std::nullopt;
  }

  // Keys that a text box receives do not count as used.
  void note_chord(Chord chord) {
    if (!ImGui::GetIO().WantTextInput) coverage_.pressed(chord);
  }

  std::string press(const std::string& text, int times) {
    const auto chord = chords_of(text);
    if (!chord) return "no such key: " + text;
    note_chord(chord->chord);
    for (int i = 0; i < times; ++i) {
      if (!chord->typed.empty()) stage_.io().type(chord->typed);
      for (const Key key : chord->keys) stage_.io().press_key(key);
      stage_.frames(1);
      for (const Key key : chord->keys) stage_.io().release_key(key);
      stage_.frames(1);
    }
    stage_.settle();
    return {};
  }

  bool is_text_box_at(ImVec2 place) {
    stage_.io().move_mouse(place);
    stage_.frames(1);
    return ImGui::GetMouseCursor() == ImGuiMouseCursor_TextInput;
  }

  // The centre of each text box, from top to bottom. A box is found where the mouse cursor becomes the text cursor. The grid may be
  // coarse: no box is smaller than a cell, and neighbouring boxes are at least kGap apart.
  std::vector<ImVec2> text_boxes() {
    constexpr float kStepX = 24, kStepY = 10, kGap = 6;
    struct Run {
      float y, left, right;
    };
    std::vector<Run> runs;
    const ImVec2 before = ImGui::GetIO().MousePos, size = ImGui::GetIO().DisplaySize;
    for (float y = kStepY / 2; y < size.y; y += kStepY) {
      bool inside = false;
      for (float x = kStepX / 2; x < size.x; x += kStepX) {
        bool same = std::exchange(inside, is_text_box_at({x, y}));
        if (!inside) continue;
        for (float between = x - kStepX + kGap; same && between < x; between += kGap) same = is_text_box_at({between, y});
        if (same) {
          runs.back().right = x;
        } else {
          runs.push_back({y, x, x});
        }
      }
    }
    stage_.io().move_mouse(before);
    stage_.frames(2);
    std::vector<ImVec2> boxes;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto above = std::find_if(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(i), [&](const Run& other) {
        return other.y == runs[i].y - kStepY && other.left <= runs[i].right && other.right >= runs[i].left;
      });
      if (above == runs.begin() + static_cast<std::ptrdiff_t>(i)) boxes.push_back({(runs[i].left + runs[i].right) / 2, runs[i].y + kStepY / 2});
    }
    return boxes;
  }

  std::string hold(const std::string& text, int frames) {
    const auto chord = chords_of(text);
    if (!chord || chord->keys.empty()) return "no such key: " + text;
    note_chord(chord->chord);
    for (const Key key : chord->keys) stage_.io().press_key(key);
    stage_.frames(frames);
    for (const Key key : chord->keys) stage_.io().release_key(key);
    stage_.settle();
    return {};
  }

  std::string move(const std::vector<std::string>& words) {
    const auto place = place_in_window(stage_, std::span(words).subspan(1));
    if (!place) return place.error().message;
    stage_.io().move_mouse(place.value());
    stage_.frames(2);
    place_ = place_word(words);
    return {};
  }

  static std::string place_word(const std::vector<std::string>& words) {
    const bool number = words[1].find_first_not_of("0123456789.-") == std::string::npos;
    if (number) return "lanes";
    const bool edge = words[1] == "minimap" && words.size() > 2 && (words[2] == "begin" || words[2] == "end");
    return edge ? "minimap_edge" : words[1];
  }

  void click(ImGuiMouseButton button = ImGuiMouseButton_Left) {
    stage_.io().press_mouse(button);
    stage_.frames(1);
    stage_.io().release_mouse(button);
    stage_.frames(2);
  }

  // Drags from the mouse position.
  std::string pull(const std::vector<std::string>& words, ImGuiMouseButton button) {
    const auto place = place_in_window(stage_, std::span(words).subspan(1));
    if (!place) return place.error().message;
    const ImVec2 from = ImGui::GetIO().MousePos, target = place.value();
    stage_.io().press_mouse(button);
    stage_.frames(1);
    constexpr int kSteps = 8;
    for (int i = 1; i <= kSteps; ++i) {
      const float part = static_cast<float>(i) / kSteps;
      stage_.io().move_mouse({from.x + (target.x - from.x) * part, from.y + (target.y - from.y) * part});
      stage_.frames(1);
    }
    place_ = place_word(words);
    return {};
  }

  void let_go(ImGuiMouseButton button) {
    stage_.io().release_mouse(button);
    stage_.frames(1);
    stage_.settle();
  }

  std::string drag(const std::vector<std::string>& words, ImGuiMouseButton button) {
    if (std::string wrong = pull(words, button); !wrong.empty()) return wrong;
    let_go(button);
    return {};
  }

  // Turns the wheel until the slice is visible, as a user would: down to the end, then up.
  std::string scroll_to(const std::string& slice_name, const std::string& lane) {
    const Area lanes = stage_.interface().lanes_area(stage_.half());
    stage_.io().move_mouse({lanes.x + 5, lanes.y + 5});
    stage_.frames(2);
    constexpr int kMostNotches = 500;
    for (const float direction : {-1.0f, 1.0f}) {
      for (int i = 0; i < kMostNotches; ++i) {
        if (place_of_slice(stage_, slice_name, lane)) return {};
        const double before = stage_.workspace().state().scroll_y(stage_.half());
        stage_.io().turn_wheel(direction);
        stage_.frames(1);
        stage_.settle();
        if (stage_.workspace().state().scroll_y(stage_.half()) == before) break;
      }
    }
    return "no such slice in any lane at the shown time: " + slice_name;
  }

  // Holds W until the view is at most `span` long. The mouse stays on the slice, which moves while the view zooms.
  std::string zoom_until(const std::string& slice_name, const std::string& span) {
    const auto wanted = parse_range(".." + span);
    if (!wanted) return "not a time: " + span;
    constexpr int kMostSteps = 200, kFramesPerStep = 6;
    for (int i = 0; i < kMostSteps; ++i) {
      if (stage_.workspace().state().view().span <= static_cast<double>(wanted.value().end)) return {};
      const auto at = place_of_slice(stage_, slice_name, {});
      if (!at) return "not on the screen: " + slice_name;
      stage_.io().move_mouse(*at);
      stage_.frames(1);
      if (std::string wrong = hold("W", kFramesPerStep); !wrong.empty()) return wrong;
    }
    return "W does not zoom in that far";
  }

  static std::optional<nlohmann::ordered_json> value_of(const nlohmann::ordered_json& state, const std::string& key) {
    std::string pointer = "/" + key;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const auto at = nlohmann::ordered_json::json_pointer(pointer);
    return state.contains(at) ? std::optional(state.at(at)) : std::nullopt;
  }

  // expect selected.name = TEXT | expect view.span_ns < NUMBER | expect view.begin_ns near $begin+100 2
  std::string expect(const std::vector<std::string>& words) {
    const bool near = words.size() > 2 && words[2] == "near";
    if (words.size() != 4 && !(near && words.size() == 5)) return "expect KEY OPERATOR VALUE";
    const auto value = value_of(script_state(stage_), words[1]);
    if (!value) return "the state has no " + words[1];
    const auto wanted = values_.text_of(words[3]);
    if (!wanted) return "no value: " + words[3];
    const std::string found = value->is_string() ? value->get<std::string>() : value->dump();
    const double a = value->is_number() ? value->get<double>() : 0, b = std::atof(wanted->c_str());
    const double within = words.size() == 5 ? std::atof(words[4].c_str()) : std::abs(b) * 1e-3;
    const std::string& op = words[2];
    const bool holds = op == "="    ? found == *wanted || (value->is_number() && a == b)
                       : op == "!=" ? found != *wanted
                       : op == "<"  ? value->is_number() && a < b
                       : op == ">"  ? value->is_number() && a > b
                       : op == "~"  ? found.find(*wanted) != std::string::npos
                       : near       ? value->is_number() && std::abs(a - b) <= within
                                    : false;
    return holds ? std::string() : fmt::format("expected {} {} {}, found {}", words[1], op, *wanted, found);
  }

  HeadlessStage& stage_;
  ScriptCoverage coverage_;
  ScriptValues values_;
  std::string place_ = "lanes";  // keyword of the place under the mouse
  std::uint8_t modifiers_ = kNoModifier;  // modifiers held down
  std::optional<ImVec2> hover_;           // position of dragged files
};

}  // namespace

int run_script(const Options& options) {
  std::ifstream file;
  if (options.script != "-") {
    file.open(options.script);
    if (!file) {
      say(stderr, "traceview: cannot open the script {}\n", options.script);
      return exit_code::kFailed;
    }
  }
  if (!options.keys_path.empty()) say(stderr, "{}", use_key_file(options.keys_path));
  HeadlessStage stage(options);
  Script script(stage);
  std::istream& in = options.script == "-" ? std::cin : file;
  int number = 0, failures = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string wrong = script.run(line);
    if (wrong.empty()) continue;
    ++failures;
    say(stderr, "{}:{}: {}\n    {}\n", options.script, number, line, wrong);
  }
  return failures == 0 ? exit_code::kOk : exit_code::kFailed;
}

}  // namespace tv
