#include "app/remember.h"

#include "app/line/load_options.h"
#include "app/line/sample_path.h"
#include "app/terminal/say.h"
#include "app/verbs/headless.h"
#include "core/session/desk/view_state.h"

namespace tv {
namespace {

RememberedFolders folders_for(const Options& options) {
  if (options.safe_mode) return {};
  if (!options.settings_folder.empty()) return {options.settings_folder, options.settings_folder + "/state"};
  const bool at_work = options.verb == Verb::Window || options.verb == Verb::Settings;
  return at_work ? user_remembered_folders() : RememberedFolders{};
}

// The load options are restored with the view, unless the command line overrides them.
ReadAs read_as(const Options& options) {
  const bool asked = !options.clocks.empty() || options.align_by_barriers || options.recorded_clocks || !options.choice.everything();
  return asked ? ReadAs::Keep : ReadAs::ReadAgain;
}

}  // namespace

std::unique_ptr<Remembered> remembered_by(const Options& options, std::function<void()> wake) {
  const ViewTexts texts{[](const Workspace& workspace) { return view_state_json(workspace); },
                        [read = read_as(options)](Workspace& workspace, const std::string& text) {
                          return apply_view_state(workspace, text, read);
                        }};
  auto remembered = std::make_unique<Remembered>(folders_for(options), texts, std::move(wake));
  if (options.verb == Verb::Window || options.verb == Verb::Settings) remembered->take_environment();
  if (options.light) remembered->set("theme", "light");
  if (options.memory_limit > 0) remembered->set("memory_limit", std::to_string(options.memory_limit));
  if (!options.nsys.empty()) remembered->set("nsys", options.nsys);
  if (!options.cache) remembered->set("cache", "false");
  remembered->set_sample(sample_path());
  return remembered;
}

std::vector<Workspace*> views_of(Desk& desk) {
  std::vector<Workspace*> views;
  for (std::size_t i = 0; i < desk.size(); ++i) views.push_back(&desk.at(i));
  return views;
}

void apply_remembered(Remembered& remembered, Desk& desk, const Command& command) {
  const auto& last = remembered.last_session();
  if (!command.is<command::ReopenSession>() || !last) return remembered.apply(command, desk.current());
  std::uint64_t shown = desk.current_id();
  const SavedSession session = *last;
  for (std::size_t i = 0; i < session.views.size(); ++i) {
    if (desk.current().anything_open()) desk.apply(command::NewTab{});
    remembered.reopen(desk.current(), session.views[i]);
    if (i == session.current) shown = desk.current_id();
  }
  desk.apply(command::GoToTab{shown});
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
  say("# {}\n", path.empty() ? "no settings file: built-in values" : path);
  for (const SettingLine& line : setting_lines(*remembered->settings())) {
    say("\n# {}\n# variable {}\n{} = {}\n", line.comment, setting_variable(line.key), line.key, line.value);
  }
  const std::string notice = remembered->take_notice();
  if (notice.empty()) return exit_code::kOk;
  say(stderr, "traceview: {}\n", notice);
  return exit_code::kFailed;
}

}  // namespace tv
