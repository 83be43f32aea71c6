#include <doctest/doctest.h>

#include <filesystem>
#include <random>

#include "core/session/persistence/settings.h"

namespace tv {
namespace {

Settings random_settings(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  Settings s;
  s.theme = static_cast<ThemeChoice>(below(3));
  s.text_size = static_cast<float>(60 + below(240)) / 100;
  s.times = static_cast<TimeFormat>(below(static_cast<std::uint64_t>(TimeFormat::kCount)));
  s.reduced_motion = below(2) == 1;
  s.names_width = static_cast<float>(60 + below(640));
  s.reopen = static_cast<ReopenChoice>(below(3));
  s.memory_limit = below(3) == 0 ? 0 : (1 + below(1000)) << (10 * below(4));
  constexpr std::string_view kPieces[] = {"/opt/", "nsys", " ", "\"", "\\", "#", "'", "ü", "日本", "\t", "= 3", "[x]"};
  for (std::uint64_t n = below(5); n > 0; --n) s.nsys += kPieces[below(std::size(kPieces))];
  s.cache = below(2) == 1;
  return s;
}

SettingsRead read_back(const std::string& text) {
  auto read = read_settings(text);
  REQUIRE_MESSAGE(read.ok(), text);
  return read.value();
}

}  // namespace

TEST_CASE("settings: random settings come back from their file after each of several edits") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed ", seed);
    std::mt19937_64 random(seed);
    std::string text;
    Settings now;
    for (int change = 0; change < 4; ++change) {
      const Settings next = random_settings(random);
      const auto edited = edited_settings(text, now, next);
      INFO(text);
      REQUIRE_MESSAGE(edited.ok(), edited.error().text());
      text = edited.value();
      now = next;
      const SettingsRead back = read_back(text);
      CHECK(back.complaints.empty());
      CHECK(back.settings == now);
    }
  }
}

TEST_CASE("settings: each has a key, a comment in the file and a variable of its own") {
  const std::string text = edited_settings("", {}, {}).value();
  for (const SettingLine& line : setting_lines({})) {
    CHECK(text.find("# " + std::string(line.comment) + "\n" + std::string(line.key) + " = " + line.value + "\n") !=
          std::string::npos);
    CHECK(setting_variable(line.key).starts_with("TRACEVIEW_"));
  }
  CHECK(setting_variable("text_size") == "TRACEVIEW_TEXT_SIZE");
}

TEST_CASE("settings: an edit keeps what a person wrote, and adds new keys outside of tables") {
  const std::string mine =
      "# über mich: ü # x\n"
      "theme   =  'dark'   # I like it — dark\r\n"
      "text_size=1.5\n"
      "unheard_of = [1, 2]\n"
      "\n"
      "[tool]   # not ours\n"
      "theme = \"mine\"\n";
  const Settings before = read_back(mine).settings;
  CHECK(before.theme == ThemeChoice::Dark);
  CHECK(before.text_size == 1.5f);
  Settings now = before;
  now.theme = ThemeChoice::Light;
  now.reduced_motion = true;
  const std::string text = edited_settings(mine, before, now).value();
  CHECK(text.find("theme   =  \"light\"   # I like it — dark\r\n") != std::string::npos);
  CHECK(text.find("text_size=1.5\nunheard_of = [1, 2]\n\n[tool]   # not ours\ntheme = \"mine\"\n") != std::string::npos);
  CHECK(text.starts_with("# Whether zooming"));  // above the comment, which has no blank line below it
  CHECK(read_back(text).settings == now);
  // Below a head comment if there is one; a UTF-8 byte order mark stays at the very beginning.
  CHECK(edited_settings("\xEF\xBB\xBF# head\n\nnsys = \"x\"\n", before, now).value().starts_with("\xEF\xBB\xBF# head\n\n# "));
}

TEST_CASE("settings: errors are reported with their line and a suggestion, and the other settings apply") {
  const SettingsRead read = read_back(
      "text_size = 2\n"
      "thme = \"light\"\n"
      "theme = \"drak\"\n"
      "names_width = 5000\n"
      "cache = \"maybe\"\n"
      "reopen = [\"offer\"]\n"
      "memory_limit = \"4 gigabytes\"\n"
      "[window]\nx = 3\n");
  CHECK(read.settings.text_size == 2);
  Settings expected;
  expected.text_size = 2;
  CHECK(read.settings == expected);
  REQUIRE(read.complaints.size() == 7);
  CHECK(read.complaints[0] == "line 2: \"thme\" is not a setting; did you mean \"theme\"?");
  CHECK(read.complaints[1] ==
        "line 3: theme = drak: \"drak\" is not one of \"system\", \"dark\", \"light\"; did you mean \"dark\"?");
  CHECK(read.complaints[2] == "line 4: names_width = 5000: \"5000\" is not a number from 60 to 700");
  CHECK(read.complaints[4] == "line 6: \"reopen\" is a list or a table, not a single value");
  CHECK(read.complaints[6] == "line 8: \"window\" is not a setting");
  CHECK(read_back("memory_limit = \"4G\"").settings.memory_limit == 4ULL << 30);
  CHECK(read_back("memory_limit = 4096").settings.memory_limit == 4096);
}

TEST_CASE("settings: a truncated file or random bytes are read in part or refused, without harm") {
  Settings settings;
  settings.theme = ThemeChoice::Light;
  settings.nsys = "/opt/nsys \"x\"";
  const std::string whole = edited_settings("", {}, settings).value();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto read = read_settings(std::string_view(whole).substr(0, length));
    if (!read) CHECK(read.error().message.starts_with("line "));
  }
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = round % 2 ? whole : std::string(random() % 60, 'x');
    for (std::size_t n = 0; n < 1 + bytes.size() / 40 && !bytes.empty(); ++n) bytes[random() % bytes.size()] = static_cast<char>(random());
    const auto read = read_settings(bytes);
    const auto edited = edited_settings(bytes, {}, settings);
    if (edited) CHECK(read_settings(edited.value()).ok());
  }
}

}  // namespace tv
