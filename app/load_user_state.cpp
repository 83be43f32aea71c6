#include "app/load_user_state.h"

#include "app/line/load_options.h"
#include "app/line/sample_path.h"
#include "app/terminal/say.h"
#include "app/verbs/headless.h"
#include "core/session/desk/view_state.h"

namespace tv {
namespace {

UserStateFolders folders_for(const Options& options) {
  if (options.safe_mode) return {};
  if (!options.settings_folder.empty()) return {options.settings_folder, options.settings_folder + "/state"};
  const bool uses_own_folders = options.verb == Verb::Window || options.verb == Verb::Settings;
  return uses_own_folders ? user_remembered_folders() : UserStateFolders{};
}

// Restoring a view also restores its load options, unless the command line gives some.
ReadAs read_as(const Options& options) {
  const bool given = !options.clocks.empty() || options.align_by_barriers || options.recorded_clocks || options.align_given ||
                     !options.choice.everything();
  return given ? ReadAs::Keep : ReadAs::ReadAgain;
}

}  // namespace

std::unique_ptr<UserState> load_user_state(const Options& options, std::function<void()> wake) {
  const ViewTexts texts{[](const Workspace& workspace) { return view_state_json(workspace); },
                        [read = read_as(options)](Workspace& workspace, const std::string& text) {
                          return apply_view_state(workspace, text, read);
                        }};
  auto user_state = std::make_unique<UserState>(folders_for(options), texts, std::move(wake));
  if (options.verb == Verb::Window || options.verb == Verb::Settings) user_state->take_environment();
  if (options.light) user_state->set("theme", "light");
  if (options.memory_limit > 0) user_state->set("memory_limit", std::to_string(options.memory_limit));
  if (!options.nsys.empty()) user_state->set("nsys", options.nsys);
  if (!options.cache) user_state->set("cache", "false");
  user_state->set_sample(sample_path());
  return user_state;
}

std::vector<Workspace*> views_of(Desk& desk) {
  std::vector<Workspace*> views;
  for (std::size_t i = 0; i < desk.size(); ++i) views.push_back(&desk.at(i));
  return views;
}

void apply_user_state(UserState& user_state, Desk& desk, const Command& command) {
  const auto& last = user_state.last_session();
  if (!command.is<command::ReopenSession>() || !last) return user_state.apply(command, desk.current());
  std::uint64_t shown = desk.current_id();
  const SavedSession session = *last;
  for (std::size_t i = 0; i < session.views.size(); ++i) {
    if (desk.current().session().anything_open()) desk.apply(command::NewTab{});
    user_state.reopen(desk.current(), session.views[i]);
    if (i == session.current) shown = desk.current_id();
  }
  desk.apply(command::GoToTab{shown});
}

LoadOptions load_options(const Options& options, const Settings& settings) {
  Options with_settings = options;
  with_settings.memory_limit = settings.memory_limit;
  with_settings.nsys = settings.nsys;
  with_settings.cache = settings.cache;
  return load_options(with_settings);
}

int run_settings(const Options& options) {
  const auto user_state = load_user_state(options, {});
  const std::string path = user_state->settings_path();
  say("# {}\n", path.empty() ? "no settings file: built-in values" : path);
  for (const SettingLine& line : setting_lines(*user_state->settings())) {
    say("\n# {}\n# variable {}\n{} = {}\n", line.comment, setting_variable(line.key), line.key, line.value);
  }
  const std::string notice = user_state->take_notice();
  if (notice.empty()) return exit_code::kOk;
  say(stderr, "traceview: {}\n", notice);
  return exit_code::kFailed;
}

}  // namespace tv
