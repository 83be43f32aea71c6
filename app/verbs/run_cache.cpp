// traceview cache: shows the size of the index cache, or empties it.
#include <nlohmann/json.hpp>

#include "app/terminal/say.h"
#include "app/verbs/headless.h"
#include "core/base/text/count_text.h"
#include "core/io/written/user_folders.h"
#include "core/session/held/index_cache.h"

namespace tv {

int run_cache(const Options& options) {
  const std::string folder = cache_folder();
  if (folder.empty()) {
    say(stderr, "traceview: there is no cache: neither XDG_CACHE_HOME nor HOME is set\n");
    return exit_code::kFailed;
  }
  const std::vector<CacheEntry> entries = cache_entries(folder);
  std::uint64_t bytes = 0;
  for (const CacheEntry& entry : entries) bytes += entry.bytes;
  if (options.clear) {
    if (const auto cleared = clear_cache(folder); !cleared) {
      say(stderr, "traceview: {}\n", cleared.error().text());
      return exit_code::kFailed;
    }
  }
  if (options.json) {
    const nlohmann::ordered_json out = {
        {"folder", folder}, {"entries", entries.size()}, {"bytes", bytes}, {"cleared", options.clear}};
    say("{}\n", out.dump(1));
  } else {
    say("{}{}: {}, {:.1f} MB\n", options.clear ? "cleared " : "", folder, count_text(entries.size(), "file"),
        static_cast<double>(bytes) / 1e6);
  }
  return exit_code::kOk;
}

}  // namespace tv
