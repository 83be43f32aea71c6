#include "app/key_settings.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/terminal/say.h"
#include "core/io/written/new_file.h"
#include "core/io/written/user_folders.h"
#include "core/view/keys/key_file.h"
#include "core/view/menus/command_list.h"

namespace tv {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargestKeyFile = 1 << 20;

// The user's file as it was last read or written; a global, because there is only one table of keys.
std::optional<std::string>& known_key_file() {
  static std::optional<std::string> text;
  return text;
}

std::optional<std::string> key_file_text(const std::string& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return std::nullopt;  // reading a folder throws
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  for (std::istreambuf_iterator<char> at(file), end; at != end && text.size() < kLargestKeyFile; ++at) text += *at;
  return text;
}

Result<void> write_key_file(const std::string& path, const std::string& text) {
  if (path.empty()) return Error{"there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set", {}, {}, {}};
  std::error_code code;
  const fs::path folder = fs::path(path).parent_path();
  if (fs::create_directories(folder, code)) fs::permissions(folder, fs::perms::owner_all, code);
  auto file = NewFile::create(path);
  if (!file) return file.error();
  if (Result<void> written = file.value().append(text); !written) return written;
  known_key_file() = text;
  return file.value().commit();
}

}  // namespace

std::string key_file_path() {
  const std::string folder = config_folder();
  return folder.empty() ? folder : (fs::path(folder) / kKeyFileName).string();
}

std::string use_key_file(const std::string& given) {
  const std::string path = given.empty() ? key_file_path() : given;
  const auto text = path.empty() ? std::nullopt : key_file_text(path);
  if (given.empty()) known_key_file() = text;
  if (!text) return given.empty() ? std::string() : fmt::format("{}: cannot be read\n", path);
  const KeyFile file = read_key_file(*text);
  use_keys(file.choice);
  std::string said;
  for (const KeyFileProblem& each : file.problems) said += fmt::format("{}:{}: {}\n", path, each.line, each.text);
  return said;
}

std::optional<std::string> use_changed_key_file() {
  const std::string path = key_file_path();
  const auto text = path.empty() ? std::nullopt : key_file_text(path);
  if (text == known_key_file()) return std::nullopt;
  if (!text) use_keys({});
  return use_key_file();
}

Result<std::string> key_file_to_edit() {
  const std::string path = key_file_path();
  std::error_code code;
  if (!path.empty() && fs::exists(path, code)) return path;
  if (const auto written = write_key_file(path, new_key_file(mouse_habit().preset)); !written) return written.error();
  return path;
}

Result<void> keep_mouse_in_file(MousePreset preset) {
  const std::string path = key_file_path();
  return write_key_file(path, with_mouse(path.empty() ? "" : key_file_text(path).value_or(new_key_file(preset)), preset));
}

int run_keys(const Options& options) {
  const std::string wrong = use_key_file(options.keys_path);
  say(stderr, "{}", wrong);
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
  if (options.json) {
    nlohmann::ordered_json out = {{"file", key_file_path()}, {"mouse", name(mouse_habit().preset)}};
    for (const Binding& row : bindings()) {
      out["keys"].push_back({{"id", row.id}, {"keys", {text(row.chord), text(row.second)}}, {"title", row.title}, {"group", row.group}});
    }
    for (const Gesture& row : gestures()) out["gestures"].push_back({{"gesture", row.gesture}, {"title", row.title}});
    for (const ListedCommand& each : command_list({})) {
      out["commands"].push_back({{"id", each.id}, {"title", each.title}, {"menu", name(each.menu)}, {"keys", each.keys}});
    }
    say("{}\n", out.dump(1));
    return wrong.empty() ? exit_code::kOk : exit_code::kFailed;
  }
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
  say("\nTo change them: {}\n", key_file_path());
  return wrong.empty() ? exit_code::kOk : exit_code::kFailed;
}

}  // namespace tv
