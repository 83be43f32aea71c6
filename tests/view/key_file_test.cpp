#include "core/view/keys/key_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace tv {
namespace {

const Binding& row_of(const std::vector<Binding>& table, Action action) { return table[static_cast<std::size_t>(action)]; }

std::string said_by(const KeyFile& file) {
  std::string out;
  for (const KeyFileProblem& each : file.problems) out += std::to_string(each.line) + ": " + each.text + "\n";
  return out;
}

// UTF-8 of a code point from U+0800 to U+FFFF.
std::string three_bytes(int code) {
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
}

}  // namespace

TEST_CASE("key file: every chord of the key table parses back from its text") {
  for (const Binding& row : default_bindings(MousePreset::Chrome)) {
    for (const Chord chord : {row.chord, row.second}) {
      if (chord.key == Key::None) continue;
      CAPTURE(text(chord));
      const auto read = chord_of(text(chord));
      REQUIRE(read.ok());
      CHECK(read.value() == chord);
    }
  }
  CHECK(chord_of("ctrl + shift + pageup").value() == Chord{Key::PageUp, kCtrl | kShift});
  CHECK(chord_of("Escape").value() == Chord{Key::Escape});
  CHECK(chord_of("Ctrl++").value() == Chord{Key::Equal, kCtrl});
  CHECK(chord_of("+").value() == Chord{Key::Equal});
  CHECK(chord_of("Ctrl").error().message == "Ctrl needs another key after it, as in Ctrl+W");
  CHECK(chord_of("Ctlr+A").error().message == "there is no key Ctlr+A: did you mean Ctrl?");
  CHECK(chord_of("Backspce").error().message == "there is no key Backspce: did you mean Backspace?");
  CHECK(chord_of("Shift+/").error().message == "Shift changes what / types: write the resulting character");
  CHECK_FALSE(chord_of("A+B").ok());
  CHECK_FALSE(chord_of("Ctrl+").ok());
  CHECK_FALSE(chord_of("").ok());
}

TEST_CASE("key file: named actions get new chords, all others keep theirs") {
  const KeyFile file = read_key_file("mouse = \"tracy\"\n[keys]\nview.fit_all = \"Ctrl+J\"\n\"app.quit\" = \"\"\nview.back = [\"J\", \"Alt+B\"]\n");
  CHECK(said_by(file) == "");
  CHECK(file.choice.mouse == MousePreset::Tracy);
  const std::vector<Binding> table = key_table(file.choice);
  CHECK(row_of(table, Action::FitAll).chord == Chord{Key::J, kCtrl});
  CHECK(row_of(table, Action::FitAll).second == Chord{});
  CHECK(row_of(table, Action::Quit).chord == Chord{});
  CHECK(row_of(table, Action::Back).second == Chord{Key::B, kAlt});
  CHECK(row_of(table, Action::ZoomIn).chord == Chord{Key::W});
  CHECK(row_of(table, Action::ZoomIn).held);
}

TEST_CASE("key file: the advice for a lost default does not offer a key that the file takes as well") {
  const std::string said = said_by(read_key_file("[keys]\nview.fit_all = [\"A\", \"Left\"]\n"));
  CAPTURE(said);
  CHECK(said.find("A is taken from view.pan_left; add a line view.pan_left = \"\"") != std::string::npos);
  CHECK(said.find("Left is taken from view.pan_left; add a line view.pan_left = \"\"") != std::string::npos);
  CHECK(said_by(read_key_file("keys = 3\n")).find("keys must be a table: [keys]") != std::string::npos);
}

TEST_CASE("key file: errors are reported with their line, and valid lines still apply") {
  const KeyFile file = read_key_file(
      "mouse = \"tracey\"\n"                 // 1
      "[keys]\n"                             // 2
      "view.fit_al = \"J\"\n"                // 3: no such action
      "view.back = \"Ctlr+J\"\n"             // 4: no such key
      "this is no line\n"                    // 5
      "view.forward = \"F\"\n"               // 6: F is taken from another
      "select.next = \"F\"\n"                // 7: already taken in line 6
      "view.zoom_in = \"Ctrl+I\"\n"          // 8: held
      "search.open = 7\n"                    // 9
      "mark.add = \"Ctrl+J\"\n"              // 10: valid
      "view.back = \n"                       // 11
      "[other]\n");                          // 12
  const std::string said = said_by(file);
  CAPTURE(said);
  CHECK(said.find("1: mouse must be perfetto, tracy or chrome, not tracey\n") != std::string::npos);
  CHECK(said.find("3: there is no action view.fit_al: did you mean view.fit_all?\n") != std::string::npos);
  CHECK(said.find("4: there is no key Ctlr+J: did you mean Ctrl?\n") != std::string::npos);
  CHECK(said.find("5: this is not TOML") != std::string::npos);
  CHECK(said.find("6: F is taken from view.fit_selection; add a line view.fit_selection = \"Z\"") != std::string::npos);
  CHECK(said.find("7: F is already the key of view.forward (line 6)\n") != std::string::npos);
  CHECK(said.find("8: view.zoom_in acts while its key is held") != std::string::npos);
  CHECK(said.find("9: keys must be a string") != std::string::npos);
  CHECK(said.find("11: this is not TOML") != std::string::npos);
  CHECK(said.find("12: there is no setting other") != std::string::npos);
  CHECK(file.problems.size() == 10);
  const std::vector<Binding> table = key_table(file.choice);
  CHECK(row_of(table, Action::AddMark).chord == Chord{Key::J, kCtrl});
  CHECK(row_of(table, Action::Forward).chord == Chord{Key::F});
  CHECK(row_of(table, Action::FitSelection).chord == Chord{Key::Z});  // its other chord remains
  CHECK(row_of(table, Action::Back).chord == Chord{Key::Backspace});
  CHECK(row_of(table, Action::NextSlice).chord == Chord{Key::Period});
}

// Regression: the TOML library asserted that a table name begins with a valid character.
TEST_CASE("key file: any table name is either accepted or reported as a problem") {
  for (int c = 1; c < 256; ++c) {
    const KeyFile file = read_key_file("mouse = \"tracy\"\n[" + std::string(1, static_cast<char>(c)) + "eys]\n");
    CAPTURE(c);
    CHECK((c == ' ' || c == '\t' || !file.problems.empty() || c == 'k'));
  }
  CHECK(read_key_file("[+keys]").problems.size() == 1);
  CHECK(read_key_file("[[+keys]]").problems.size() == 1);
  CHECK(read_key_file("[keys.+view]").problems.size() == 1);
}

// Regression: in sanitizer builds, such a letter aborted the program in the TOML library's table of blanks.
TEST_CASE("key file: a line or table name that begins with a non-ASCII letter is reported as a problem") {
  std::vector<std::string> letters;
  for (int c = 0x80; c < 0x800; ++c) {
    letters.push_back({static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))});
  }
  for (int c = 0x800; c < 0x10000; c += 7) letters.push_back(three_bytes(c));
  letters.push_back("\xCC");
  for (const std::string& letter : letters) {
    CAPTURE(letter);
    CHECK(read_key_file(letter + "eys = 1\n").problems.size() == 1);
    CHECK(read_key_file("[" + letter + "eys]\n").problems.size() == 1);
  }
  CHECK(read_key_file("mouse = \"\"\"\\\n  \u00A7\"\"\"").problems.size() == 1);
}

TEST_CASE("key file: no chord is bound to two actions, whatever the file assigns") {
  for (const char* text : {"[keys]\nview.fit_all = \"W\"\n", "[keys]\nview.zoom_in = \"Up\"\n", "mouse = \"chrome\"\n[keys]\nview.back = \"1\"\n",
                           "[keys]\nview.back = \"T\"\nview.time_format = \"Backspace\"\n"}) {
    CAPTURE(text);
    const std::vector<Binding> table = key_table(read_key_file(text).choice);
    for (const Binding& a : table) {
      for (const Binding& b : table) {
        if (a.action >= b.action) continue;
        for (const Chord of_a : {a.chord, a.second}) {
          for (const Chord of_b : {b.chord, b.second}) CHECK_FALSE(collide(a, of_a, b, of_b));
        }
      }
    }
  }
}

TEST_CASE("key file: a new file changes no keys, even with all its lines uncommented") {
  for (const MousePreset mouse : {MousePreset::Perfetto, MousePreset::Tracy, MousePreset::Chrome}) {
    const std::string fresh = new_key_file(mouse);
    const KeyFile file = read_key_file(fresh);
    CHECK(said_by(file) == "");
    CHECK(file.choice.changes.empty());
    CHECK(file.choice.mouse == mouse);
    std::string used = fresh;
    for (const Binding& row : default_bindings(mouse)) {
      const std::size_t at = used.find("\n#" + std::string(row.id) + " = ");
      REQUIRE(at != std::string::npos);
      used.erase(at + 1, 1);
    }
    const KeyFile all = read_key_file(used);
    CHECK(said_by(all) == "");
    const std::vector<Binding> table = key_table(all.choice), wanted = default_bindings(mouse);
    REQUIRE(all.choice.changes.size() == wanted.size());
    CHECK(std::ranges::equal(table, wanted, [](const Binding& a, const Binding& b) { return a.chord == b.chord && a.second == b.second; }));
  }
}

TEST_CASE("key file: changing the mouse preset keeps the rest of the text") {
  CHECK(with_mouse("", MousePreset::Tracy) == "mouse = \"tracy\"\n");
  CHECK(with_mouse("# mine\nmouse = \"perfetto\"  # as always\n[keys]\n", MousePreset::Chrome) ==
        "# mine\nmouse = \"chrome\"  # as always\n[keys]\n");
  CHECK(with_mouse("[keys]\nmouse.pan = \"1\"\n", MousePreset::Tracy) == "mouse = \"tracy\"\n[keys]\nmouse.pan = \"1\"\n");
  CHECK(read_key_file(with_mouse(new_key_file(MousePreset::Perfetto), MousePreset::Tracy)).choice.mouse == MousePreset::Tracy);
}

TEST_CASE("mouse map: each preset maps the wheel and drags to its own actions") {
  const MouseHabit perfetto{MousePreset::Perfetto}, tracy{MousePreset::Tracy}, chrome{MousePreset::Chrome};
  const MouseModifiers none, ctrl{true}, shift{false, true}, alt{false, false, true};
  CHECK(wheel_rule(perfetto, none).act == WheelAct::Scroll);
  CHECK(wheel_rule(perfetto, ctrl).act == WheelAct::Zoom);
  CHECK(wheel_rule(perfetto, shift).act == WheelAct::Pan);
  CHECK(wheel_rule(tracy, none).act == WheelAct::Zoom);
  CHECK(wheel_rule(tracy, none, true).act == WheelAct::Scroll);
  CHECK(wheel_rule(tracy, ctrl).speed < wheel_rule(tracy, none).speed);
  CHECK(wheel_rule(tracy, shift).speed > wheel_rule(tracy, none).speed);
  CHECK(wheel_rule(chrome, none).act == WheelAct::Scroll);
  CHECK(wheel_rule(chrome, alt).act == WheelAct::Zoom);
  CHECK(drag_act(perfetto, DragButton::Left, none) == DragAct::Area);
  CHECK(drag_act(tracy, DragButton::Left, none) == DragAct::Measure);
  CHECK(drag_act(tracy, DragButton::Left, ctrl) == DragAct::Area);
  CHECK(drag_act(tracy, DragButton::Right, none) == DragAct::Pan);
  CHECK(drag_act(tracy, DragButton::Middle, ctrl) == DragAct::ZoomOut);
  CHECK(drag_act({MousePreset::Chrome, MouseMode::Pan}, DragButton::Left, none) == DragAct::Pan);
  CHECK(drag_act({MousePreset::Chrome, MouseMode::Zoom}, DragButton::Left, shift) == DragAct::Area);
  for (std::size_t p = 0; p < kMousePresets; ++p) {
    const auto preset = static_cast<MousePreset>(p);
    CHECK(mouse_preset(name(preset)) == preset);
    std::set<std::string_view> rows;
    for (const Gesture& row : gestures(preset)) CHECK(rows.insert(row.gesture).second);
    CHECK(rows.size() > 15);
  }
}

}  // namespace tv
