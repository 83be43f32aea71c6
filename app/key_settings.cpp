#include "app/key_settings.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/terminal/say.h"
#include "core/io/written/new_file.h"
#include "core/io/written/user_file.h"
#include "core/io/written/user_folders.h"
#include "core/view/keys/key_file.h"
#include "core/view/menus/command_list.h"

namespace tv {
namespace fs = std::filesystem;
namespace {

// The content of a key file, or the reason why it cannot be read. Both are empty if there is no such file.
struct FoundKeyFile {
  std::optional<std::string> text;
  std::string problem;
  bool operator==(const FoundKeyFile&) const = default;
};

// The user's key file as this program last read or wrote it. It is global because the table of keys is global.
FoundKeyFile& known_key_file() {
  static FoundKeyFile known;
  return known;
}

FoundKeyFile find_key_file(const std::string& path) {
  if (path.empty()) return {};
  auto text = read_user_file(path);
  return text ? FoundKeyFile{std::move(*text), {}} : FoundKeyFile{{}, text.error().text()};
}

// Replaces a file that contained `before`. If known_key_file() is not `before`, the user has edited the file in the meantime; then
// known_key_file() stays as it is, so that use_changed_key_file() reads the edit.
Result<void> write_key_file(const std::string& path, const FoundKeyFile& before, const std::string& text) {
  if (path.empty()) return Error{"there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set", {}, {}, "set one of them"};
  if (!before.problem.empty()) return Error{before.problem, {}, {}, "repair the file or remove it"};
  std::error_code code;
  const fs::path folder = fs::path(path).parent_path();
  if (fs::create_directories(folder, code)) fs::permissions(folder, fs::perms::owner_all, code);
  if (Result<void> written = write_whole(NewFile::create(path), text); !written) return written;
  if (known_key_file() == before) known_key_file() = {text, {}};
  return {};
}

void print_keys_as_json(const std::string& file) {
  nlohmann::ordered_json out = {{"file", file}, {"mouse", name(mouse_habit().preset)}};
  for (const Binding& row : bindings()) {
    out["keys"].push_back({{"id", row.id}, {"keys", {text(row.chord), text(row.second)}}, {"title", row.title}, {"group", row.group}});
  }
  for (const Gesture& row : gestures()) out["gestures"].push_back({{"gesture", row.gesture}, {"title", row.title}});
  for (const ListedCommand& each : command_list({})) {
    out["commands"].push_back({{"id", each.id}, {"title", each.title}, {"menu", name(each.menu)}, {"keys", each.keys}});
  }
  say("{}\n", out.dump(1));
}

void print_keys(const std::string& file) {
  std::size_t id_width = 0, keys_width = 0;
  for (const Binding& row : bindings()) {
    id_width = std::max(id_width, row.id.size());
    keys_width = std::max(keys_width, keys_text(row).size());
  }
  std::string_view group;
  for (const Binding& row : bindings()) {
    if (row.group != group) say("{}{}\n", group.empty() ? "" : "\n", row.group);
    group = row.group;
    say("  {:<{}}  {:<{}}  {}\n", keys_text(row), keys_width, row.id, id_width, row.title);
  }
  say("\n{}\n", meaning(mouse_habit().preset));
  for (const Gesture& row : gestures()) say("  {}: {}\n", row.gesture, row.title);
  if (!file.empty()) say("\nTo change them, edit {}\n", file);
}

}  // namespace

std::string key_file_path() {
  const std::string folder = config_folder();
  return folder.empty() ? folder : (fs::path(folder) / kKeyFileName).string();
}

std::string use_key_file(const std::string& given) {
  const std::string path = given.empty() ? key_file_path() : given;
  const FoundKeyFile found = find_key_file(path);
  if (given.empty()) known_key_file() = found;
  if (!found.problem.empty()) return found.problem + "\n";
  if (!found.text) return given.empty() ? std::string() : fmt::format("{}: no such file\n", path);
  const KeyFile file = read_key_file(*found.text);
  use_keys(file.choice);
  std::string problems;
  for (const KeyFileProblem& each : file.problems) problems += fmt::format("{}:{}: {}\n", path, each.line, each.text);
  return problems;
}

std::optional<std::string> use_changed_key_file() {
  const FoundKeyFile found = find_key_file(key_file_path());
  if (found == known_key_file()) return std::nullopt;
  if (found == FoundKeyFile()) use_keys({});
  return use_key_file();
}

Result<std::string> key_file_to_edit() {
  const std::string path = key_file_path();
  const FoundKeyFile before = find_key_file(path);
  if (before.text) return path;
  if (const auto written = write_key_file(path, before, new_key_file(mouse_habit().preset)); !written) return written.error();
  return path;
}

Result<void> save_mouse_preset(MousePreset preset) {
  const std::string path = key_file_path();
  const FoundKeyFile before = find_key_file(path);
  return write_key_file(path, before, with_mouse(before.text ? *before.text : new_key_file(preset), preset));
}

int run_keys(const Options& options) {
  const std::string problems = use_key_file(options.keys_path);
  say(stderr, "{}", problems);
  if (!options.mouse.empty()) {
    const auto preset = mouse_preset(options.mouse);
    if (!preset) return exit_code::kUsage;  // CLI11 has checked it
    KeyChoice choice = keys_in_use();
    choice.mouse = *preset;
    use_keys(choice);
  }
  if (options.key_file) {
    say("{}", new_key_file(mouse_habit().preset));
    return exit_code::kOk;
  }
  const std::string file = options.keys_path.empty() ? key_file_path() : options.keys_path;
  if (options.json) {
    print_keys_as_json(file);
  } else {
    print_keys(file);
  }
  return problems.empty() ? exit_code::kOk : exit_code::kFailed;
}

}  // namespace tv
