#include "app/view_files.h"

#include <cstdio>

#include "app/line/load_options.h"
#include "app/terminal/say.h"
#include "core/session/persistence/view_file.h"
#include "core/view/panels/shown_state.h"

namespace tv {

Result<void> resolve_view_files(Options& options) {
  if (options.verb == Verb::Window || options.verb == Verb::Screenshot || options.verb == Verb::Script) return {};
  std::vector<std::string> paths;
  for (const std::string& path : options.paths) {
    if (!is_view_file(path)) {
      paths.push_back(path);
      continue;
    }
    auto file = read_view_file(path);
    if (!file) return file.error();
    auto state = parse_shown_state(file->state);
    if (!state) return Error{state.error().message, path, {}, state.error().remedy};
    const FoundSources found = find_sources(file->sources, path, {});
    for (const ViewSource& missing : found.missing)
      say(stderr, "traceview: {}: not found: {}\n", path, missing.path());
    for (const std::string& changed : found.changed)
      say(stderr, "traceview: {}: not the same as when the view was saved: {}\n", path, changed);
    if (found.paths.empty()) return Error{"nothing that this view names is there", path, {}, "put it beside its files"};
    paths.insert(paths.end(), found.paths.begin(), found.paths.end());
    if (!options.view_state.empty()) continue;
    options.view_state = to_json(state.value());
    const ReadSettings read = given_or_saved(load_options(options), state->read);
    options.closed = read.closed;
    options.choice = read.choice;
    options.clocks = read.clocks;
    options.recorded_clocks = read.place_by == PlaceBy::Recorded;
    options.align = read.align;
  }
  options.paths = std::move(paths);
  return {};
}

}  // namespace tv
