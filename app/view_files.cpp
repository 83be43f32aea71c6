#include "app/view_files.h"

#include <cstdio>

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
      say(stderr, "traceview: {}: not found: {}\n", path,
          missing.absolute.empty() ? missing.relative : missing.absolute);
    for (const std::string& changed : found.changed)
      say(stderr, "traceview: {}: not the same as when the view was saved: {}\n", path, changed);
    if (found.paths.empty()) return Error{"nothing that this view names is there", path, {}, "put it beside its files"};
    paths.insert(paths.end(), found.paths.begin(), found.paths.end());
    if (!options.view_state.empty()) continue;
    options.view_state = to_json(state.value());
    options.closed = state->read.closed;
    if (options.choice.everything()) options.choice = state->read.choice;
    if (options.clocks.empty() && !options.align_by_barriers) options.clocks = state->read.clocks;
    if (state->read.place_by == PlaceBy::Recorded) options.recorded_clocks = true;
    if (!options.align_given) options.align = state->read.align;
  }
  options.paths = std::move(paths);
  return {};
}

}  // namespace tv
