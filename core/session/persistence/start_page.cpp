#include "core/session/persistence/start_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "core/base/local_time.h"
#include "core/base/text/path_parts.h"

namespace tv {
namespace {

bool same_day(const std::tm& a, const std::tm& b) { return a.tm_yday == b.tm_yday && a.tm_year == b.tm_year; }

std::string folder_text(const std::string& path, std::string_view home) {
  std::string_view whole = path;
  while (whole.size() > 1 && whole.back() == '/') whole.remove_suffix(1);
  const std::string folder(folder_of(whole));
  const bool at_home = home.size() > 1 && folder.starts_with(home) && (folder.size() == home.size() || folder[home.size()] == '/');
  return at_home ? "~" + folder.substr(home.size()) : folder.empty() ? "/" : folder;
}

}  // namespace

std::vector<KeyLine> first_keys() {
  const auto keys = [](Action action) { return text(binding(action).chord); };
  return {
      {keys(Action::ZoomIn) + " " + keys(Action::ZoomOut) + " " + keys(Action::PanLeft) + " " + keys(Action::PanRight),
       "zoom in and out at the mouse, go left and right"},
      {keys(Action::FitAll) + ", " + keys(Action::FitSelection), "show everything, show what is selected"},
      {keys(Action::OpenSearch), "search names of slices"},
      {keys(Action::NextStep) + ", " + keys(Action::NextSlowest), "the next step, the next slowest"},
      {keys(Action::ToggleHelp), "all keys"},
  };
}

std::string paths_title(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  std::string_view first = paths.front();
  while (first.size() > 1 && first.back() == '/') first.remove_suffix(1);
  const std::string name(first.size() > 1 ? last_part(first) : first);
  return paths.size() == 1 ? name : fmt::format("{} and {} more", name, paths.size() - 1);
}

std::string when_text(std::int64_t then_s, std::int64_t now_s) {
  if (then_s <= 0) return {};
  const std::tm then = local_time(then_s).value_or(std::tm{}), now = local_time(now_s).value_or(std::tm{});
  char day[32];
  std::strftime(day, sizeof(day), "%Y-%m-%d", &then);
  const std::string clock = fmt::format("{:02}:{:02}", then.tm_hour, then.tm_min);
  if (same_day(then, now)) return "today " + clock;
  std::tm yesterday = now;
  yesterday.tm_mday -= 1;
  yesterday.tm_hour = 12;
  std::mktime(&yesterday);
  return same_day(then, yesterday) ? "yesterday " + clock : day;
}

std::string file_size_text(std::uint64_t bytes) {
  if (bytes == 0) return {};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return value < 9.95 ? fmt::format("{:.1f} {}", value, kUnits[unit]) : fmt::format("{:.0f} {}", value, kUnits[unit]);
}

StartPage::Session session_offer(const SavedSession& session, bool crashed, std::int64_t now_s) {
  StartPage::Session out;
  out.crashed = crashed;
  out.title = "Reopen the last session";
  if (session.views.empty()) return out;
  out.detail = paths_title(session.views[std::min(session.current, session.views.size() - 1)].paths);
  if (session.views.size() > 1) out.detail += fmt::format(", {} tabs", session.views.size());
  if (const std::string when = when_text(session.saved_s, now_s); !when.empty()) out.detail += ", " + when;
  return out;
}

std::vector<StartPage::Entry> recent_entries(const std::vector<RecentFile>& recent, const std::vector<bool>& missing,
                                             std::string_view home, std::int64_t now_s) {
  std::vector<StartPage::Entry> out;
  for (std::size_t i = 0; i < recent.size(); ++i) {
    const RecentFile& file = recent[i];
    StartPage::Entry entry{paths_title(file.paths), folder_text(file.paths.front(), home), {}, i < missing.size() && missing[i], file};
    for (const std::string& fact : {std::string(entry.missing ? "not there now" : ""), file_size_text(file.bytes),
                                    when_text(file.opened_s, now_s)}) {
      if (!fact.empty()) entry.facts += (entry.facts.empty() ? "" : ", ") + fact;
    }
    out.push_back(std::move(entry));
  }
  std::stable_partition(out.begin(), out.end(), [](const StartPage::Entry& entry) { return entry.file.pinned; });
  return out;
}

}  // namespace tv
