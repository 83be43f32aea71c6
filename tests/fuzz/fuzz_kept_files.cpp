// The files that keep a user's settings, with any contents: settings and keys (TOML), the session, the window's place, recent
// files, tables, views (JSON). Each is understood or refused with a message; what was understood survives writing and reading.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/session/persistence/recent_commands.h"
#include "core/session/persistence/recent_files.h"
#include "core/session/persistence/saved_session.h"
#include "core/session/persistence/settings.h"
#include "core/session/persistence/view_file.h"
#include "core/view/keys/key_file.h"
#include "core/view/panels/shown_state.h"
#include "core/view/table/table_states.h"
#include "tests/fuzz/json_mutator.h"
#include "tests/fuzz/reader_fuzz.h"

using namespace tv;
using namespace tv::test;

namespace {

template <class T>
bool read(const Result<T>& result) {
  if (!result.ok() && result.error().message.empty()) fail("refused without a message");
  return result.ok();
}

void check_settings(const std::string& text) {
  const auto settings = read_settings(text);
  if (!read(settings)) return;
  const Settings& found = settings.value().settings;
  Settings other = found;
  other.palette = found.palette == PaletteKind::Usual ? PaletteKind::ColorBlind : PaletteKind::Usual;
  other.text_size = found.text_size == 1 ? 1.5f : 1;
  other.nsys = found.nsys + "/\"n\\sys";
  const auto edited = edited_settings(text, found, other);
  if (!read(edited)) return;
  const auto again = read_settings(edited.value());
  if (!again.ok() || !(again.value().settings == other)) fail("a setting does not come back", edited.value());
}

void check_keys(const std::string& text) {
  const KeyFile keys = read_key_file(text);
  for (const KeyFileProblem& problem : keys.problems) {
    if (problem.text.empty()) fail("a problem without a text");
  }
  if (key_table(keys.choice).size() != bindings().size()) fail("an action is gone from the table of keys");
  if (const auto chord = chord_of(text); read(chord)) static_cast<void>(chord.value() == Chord());
  static_cast<void>(with_mouse(text, MousePreset::Tracy));
}

void check_views(const std::string& text) {
  if (const auto state = parse_shown_state(text); read(state)) {
    const std::string once = to_json(state.value());
    const auto again = parse_shown_state(once);
    if (!again.ok()) fail("a view cannot be read again", again.error().text() + "\n" + once);
    if (const std::string twice = to_json(again.value()); twice != once)
      fail("a view does not come back", first_difference(once, twice));
  }
  static const std::string path = std::filesystem::temp_directory_path() / fmt::format("fuzz_view_{}.tvview", getpid());
  std::ofstream(path, std::ios::binary) << text;
  if (const auto view = read_view_file(path); read(view)) find_sources(view.value().sources, path, {});
  std::filesystem::remove(path);
}

void check_state(const std::string& text) {
  if (const auto session = session_from(text); read(session)) {
    const auto again = session_from(session_text(session.value()));
    if (!again.ok() || !(again.value() == session.value())) fail("a session does not come back");
    if (!session.value().views.empty() && session.value().current >= session.value().views.size())
      fail("the current view does not exist");
  }
  if (const auto place = window_place_from(text); read(place)) {
    if (!(window_place_from(window_place_text(place.value())).value() == place.value()))
      fail("a place does not come back");
    const std::vector<ScreenPart> screens = {{0, 0, 1920, 1080}, {-1280, 0, 1280, 1024}};
    if (const auto moved = place_on_screens(place.value(), screens);
        moved && (moved->width > 1920 || moved->height > 1080))
      fail("a window larger than its screen");
  }
  if (auto recent = recent_from(text); read(recent)) {
    const auto again = recent_from(recent_text(recent.value()));
    if (!again.ok() || !(again.value() == recent.value())) fail("the recent files do not come back");
    recent_folders(recent.value());
    add_recent(recent.value(), {{"/a"}});
  }
  if (const auto commands = recent_commands_from(text); read(commands)) {
    if (recent_commands_from(recent_commands_text(commands.value())).value() != commands.value())
      fail("commands do not come back");
  }
  if (const auto tables = tables_from(text); read(tables)) {
    const std::string once = tables_text(tables.value());
    const auto again = tables_from(once);
    if (!again.ok() || tables_text(again.value()) != once) fail("tables do not come back", once);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('{')) {
    check_views(text);
    check_state(text);
  } else {
    check_settings(text);
    check_keys(text);
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string changed =
      text.starts_with('{') ? JsonMutator(text, most, seed).change() : changed_anyhow(text, most);
  return put_input(changed, data, most);
}
