#include "app/remember.h"

#include <fmt/format.h>

#include "app/headless.h"
#include "app/load_options.h"
#include "app/sample_path.h"

namespace tv {
namespace {

RememberedFolders folders_for(const Options& options) {
  if (options.safe_mode) return {};
  if (!options.settings_folder.empty()) return {options.settings_folder, options.settings_folder + "/state"};
  const bool at_work = options.verb == Verb::Window || options.verb == Verb::Settings;
  return at_work ? user_remembered_folders() : RememberedFolders{};
}

}  // namespace

std::unique_ptr<Remembered> remembered_by(const Options& options, std::function<void()> wake) {
  auto remembered = std::make_unique<Remembered>(folders_for(options), ViewTexts{}, std::move(wake));
  if (options.verb == Verb::Window || options.verb == Verb::Settings) remembered->take_environment();
  if (options.light) remembered->set("theme", "light");
  if (options.memory_limit > 0) remembered->set("memory_limit", std::to_string(options.memory_limit));
  if (!options.nsys.empty()) remembered->set("nsys", options.nsys);
  if (!options.cache) remembered->set("cache", "false");
  remembered->set_sample(sample_path());
  return remembered;
}

LoadOptions load_options(const Options& options, const Settings& settings) {
  Options meant = options;
  meant.memory_limit = settings.memory_limit;
  meant.nsys = settings.nsys;
  meant.cache = settings.cache;
  return load_options(meant);
}

int run_settings(const Options& options) {
  const auto remembered = remembered_by(options, {});
  const std::string path = remembered->settings_path();
  fmt::print("# {}\n", path.empty() ? "no settings file: what the program has by itself" : path);
  for (const SettingLine& line : setting_lines(*remembered->settings())) {
    fmt::print("\n# {}\n# variable {}\n{} = {}\n", line.comment, setting_variable(line.key), line.key, line.value);
  }
  const std::string notice = remembered->take_notice();
  if (notice.empty()) return exit_code::kOk;
  fmt::print(stderr, "traceview: {}\n", notice);
  return exit_code::kFailed;
}

std::vector<Workspace*> views_of(Desk& desk) {
  std::vector<Workspace*> views;
  for (std::size_t i = 0; i < desk.size(); ++i) views.push_back(&desk.at(i));
  return views;
}

void apply_remembered(Remembered& remembered, Desk& desk, const Command& asked) {
  if (!std::holds_alternative<command::ReopenSession>(asked) || !remembered.last_session())
    return remembered.apply(asked, desk.current());
  const SavedSession session = *remembered.last_session();
  for (std::size_t v = 0; v < session.views.size(); ++v) {
    if (v > 0 || desk.current().anything_open()) desk.apply(command::NewTab{});
    remembered.reopen(desk.current(), session.views[v]);
  }
  const std::size_t behind = session.views.size() - 1 - std::min(session.current, session.views.size() - 1);
  desk.apply(command::GoToTab{desk.id(desk.current_index() - behind)});
}

}  // namespace tv
