// The user's key file on disk: when the program writes into it, the user's own entries are neither lost nor overlooked.
#include "app/key_settings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/io/written/user_file.h"
#include "core/view/keys/key_file.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// A folder of settings for one test; after it, the keys and the folder are as they were.
class KeyFolder {
 public:
  KeyFolder() {
    if (const char* const before = std::getenv(kVariable)) before_ = before;
    setenv(kVariable, folder_.path().c_str(), 1);
    use_key_file();
  }
  ~KeyFolder() {
    if (before_) setenv(kVariable, before_->c_str(), 1);
    else unsetenv(kVariable);
    use_keys({});
  }

  std::string write(std::string_view text) const { return folder_.write(kKeyFileName, text); }
  std::string text() const { return read_file(key_file_path()); }

 private:
  static constexpr const char* kVariable = "TRACEVIEW_CONFIG_DIR";
  TempDir folder_;
  std::optional<std::string> before_;
};

bool is_assigned(std::string_view keys) {
  const Chord chord = chord_of(keys).value();
  return std::ranges::any_of(keys_in_use().changes, [&](const KeyChange& change) { return change.chord == chord; });
}

}  // namespace

TEST_CASE("key_settings: a file that is too long is reported, and neither truncated nor replaced") {
  const KeyFolder keys;
  const std::string text = "mouse = \"tracy\"\n" + std::string(kLongestUserFile, '#');
  keys.write(text);
  CHECK(use_key_file().starts_with(key_file_path() + ": is too long"));
  const auto kept = save_mouse_preset(MousePreset::Chrome);
  REQUIRE(!kept.ok());
  CHECK(kept.error().text().find(key_file_path()) != std::string::npos);
  CHECK(!key_file_to_edit().ok());
  CHECK(keys.text() == text);
}

TEST_CASE("key_settings: a file of more than a megabyte is read and written to its end") {
  const KeyFolder keys;
  const std::string before = std::string(2 << 20, '#') + "\n", after = "\n[keys]\nview.fit_all = \"Ctrl+J\"\n";
  keys.write("mouse = \"tracy\"\n" + before + after);
  CHECK(use_key_file().empty());
  CHECK(is_assigned("Ctrl+J"));
  CHECK(save_mouse_preset(MousePreset::Chrome).ok());
  CHECK(keys.text() == "mouse = \"chrome\"\n" + before + after);
}

TEST_CASE("key_settings: a file that cannot be read is reported and not replaced, and the old keys stay in use") {
  const KeyFolder keys;
  const std::string path = keys.write("[keys]\nview.fit_all = \"Ctrl+J\"\n");
  CHECK(use_key_file().empty());
  std::filesystem::remove(path);
  std::filesystem::create_symlink(path, path);  // not even root can read it
  CHECK(use_changed_key_file().value_or("").starts_with(path + ": cannot be read"));
  CHECK(is_assigned("Ctrl+J"));
  CHECK(!use_changed_key_file());
  CHECK(!save_mouse_preset(MousePreset::Chrome).ok());
  CHECK(std::filesystem::is_symlink(path));
}

TEST_CASE("key_settings: the user's latest edits still count after the program writes the mouse preset") {
  const KeyFolder keys;
  keys.write("mouse = \"tracy\"\n");
  CHECK(use_key_file().empty());
  keys.write("mouse = \"tracy\"\n[keys]\nview.fit_all = \"Ctrl+J\"\n");
  CHECK(save_mouse_preset(MousePreset::Chrome).ok());
  CHECK(keys.text() == "mouse = \"chrome\"\n[keys]\nview.fit_all = \"Ctrl+J\"\n");
  CHECK(use_changed_key_file() == std::string());
  CHECK(is_assigned("Ctrl+J"));
  CHECK(keys_in_use().mouse == MousePreset::Chrome);
  // The program's own write is not a change to report.
  CHECK(save_mouse_preset(MousePreset::Perfetto).ok());
  CHECK(!use_changed_key_file());
  // After the user removes the file, none of its keys are left.
  std::filesystem::remove(key_file_path());
  CHECK(key_file_to_edit().ok());
  CHECK(use_changed_key_file() == std::string());
  CHECK(!is_assigned("Ctrl+J"));
}
