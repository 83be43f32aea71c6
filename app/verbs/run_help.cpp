// traceview help [TOPIC]: prints a page of the manual, the options of a verb, or a list of topics.
#include <fmt/format.h>

#include <algorithm>

#include "app/terminal/terminal.h"
#include "app/verbs/headless.h"
#include "core/base/text/nearest_word.h"
#include "core/view/manual/manual.h"
#include "core/view/manual/manual_text.h"

namespace tv {

int run_help(const Options& options) {
  const auto pages = manual_pages();
  const ManualPage* const page = find_manual_page(options.text);
  if (page) {
    const std::size_t width = std::clamp<std::size_t>(terminal_width(), 20, kWidestManual);
    fmt::print("{}", manual_as_text(*page, width, terminal_styles()));
    return exit_code::kOk;
  }
  if (std::ranges::find(options.verbs, options.text) != options.verbs.end()) {
    const char* const asked[] = {"traceview", options.text.c_str(), "--help"};
    fmt::print("{}", parse_options(3, asked).message);
    return exit_code::kOk;
  }
  std::vector<std::string> topics = options.verbs;
  std::size_t widest = 0;
  for (const ManualPage& each : pages) {
    topics.push_back(each.topic);
    widest = std::max(widest, each.topic.size());
  }
  if (!options.text.empty()) {
    const std::string meant = nearest_word(options.text, topics);
    fmt::print(stderr, "traceview: the manual has no page \"{}\"{}\n", options.text,
               meant.empty() ? "; \"traceview help\" lists them" : "; did you mean \"" + meant + "\"?");
    return exit_code::kUsage;
  }
  fmt::print("traceview help TOPIC\n\n");
  for (const ManualPage& each : pages) fmt::print("  {:<{}}  {}\n", each.topic, widest, each.title);
  fmt::print("\nA verb is a topic too: traceview help stats. In the window: menu Help, Manual.\n");
  return exit_code::kOk;
}

}  // namespace tv
