#include "app/line/load_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/process.h"
#include "core/io/files/open_stream.h"
#include "core/io/written/user_folders.h"
#include "tv_version.h"

namespace tv {
namespace {

// Identifies this build, so that a rebuilt program does not use what an earlier build cached. Version and commit do not change
// with every build, but the program file does.
std::string this_program() {
  std::string program = fmt::format("traceview {} {}", TV_VERSION, TV_GIT_HASH);
  if (const auto file = identity_of(program_link())) {
    program += fmt::format(" {} {}", file.value().size, file.value().modified_ns);
  }
  return program;
}

}  // namespace

LoadOptions load_options(const Options& options) {
  LoadOptions load;
  load.chunk_bytes = options.chunk_bytes;
  load.choice = options.choice;
  load.closed = options.closed;
  load.follow = options.follow && (options.verb == Verb::Window || options.verb == Verb::Script);
  // These verbs read packed traces completely, so the traces are checked first. Other verbs may read only a part.
  constexpr std::array kReadAll = {Verb::Stats, Verb::Dump, Verb::Find, Verb::Export, Verb::Pack, Verb::Report};
  load.check_packed = options.strict || std::ranges::find(kReadAll, options.verb) != kReadAll.end();
  load.clocks = options.clocks;
  if (options.recorded_clocks) load.place_by = PlaceBy::Recorded;
  load.align = options.align;
  load.align_given = options.align_given;
  load.align_by_barriers = options.align_by_barriers;
  load.memory_limit = options.memory_limit;
  load.tools = {options.nsys, exports_folder(cache_folder())};
  if (options.cache) {
    load.cache.folder = cache_folder();
    load.cache.program = this_program();
  }
  return load;
}

}  // namespace tv
