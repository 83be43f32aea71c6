#include "core/session/desk/desktop_theme.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include "core/io/system/child_process.h"

namespace tv {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);  // for each program
constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kPortalSettings = "org.freedesktop.portal.Settings";

// The first line that the command prints. Empty: it failed, or took longer than kPatience.
std::string first_line_of(const std::vector<std::string>& command, std::stop_token stop) {
  std::vector<std::string> whole = command;
  whole.front() = find_program(command.front());
  if (whole.front().empty()) return {};
  std::stop_source give_up;
  const std::stop_callback when_stopped(stop, [&] { give_up.request_stop(); });
  std::mutex mutex;
  std::condition_variable_any changed;
  std::jthread clock([&](std::stop_token ended) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, ended, kPatience, [] { return false; });
    if (!ended.stop_requested()) give_up.request_stop();
  });
  std::string first;
  const auto end = run_child(whole, [&](std::string_view line) { if (first.empty()) first = line; }, give_up.get_token());
  return end && end.value().code == 0 && !end.value().stopped ? first : std::string();
}

bool has_session_bus() {
  const char* const address = std::getenv("DBUS_SESSION_BUS_ADDRESS");
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  std::error_code ignored;
  // Without an address or a bus socket, gdbus would start its own bus.
  return (address && *address) || (runtime && std::filesystem::exists(std::string(runtime) + "/bus", ignored));
}

}  // namespace

std::optional<ThemeKind> theme_of_portal(std::string_view printed) {
  const std::size_t digit = printed.find_last_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  const std::size_t begin = printed.find_last_not_of("0123456789", digit) + 1;
  const std::string_view number = printed.substr(begin, digit + 1 - begin);
  if (number == "1") return ThemeKind::Dark;
  return number == "2" ? std::optional(ThemeKind::Light) : std::nullopt;
}

std::optional<ThemeKind> theme_of_gtk(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return name.ends_with(":dark") || name.ends_with("-dark") || name.ends_with("-Dark") ? ThemeKind::Dark : ThemeKind::Light;
}

std::optional<ThemeKind> theme_of_gsettings(std::string_view printed) {
  if (printed.find("prefer-dark") != std::string_view::npos) return ThemeKind::Dark;
  return printed.find("prefer-light") != std::string_view::npos ? std::optional(ThemeKind::Light) : std::nullopt;
}

std::optional<ThemeKind> desktop_theme(const AskProgram& ask, std::string_view gtk_theme, bool has_bus) {
  constexpr const char* kSpace = "org.freedesktop.appearance";
  constexpr const char* kKey = "color-scheme";
  if (has_bus) {
    std::string answer = ask({"gdbus", "call", "--session", "--timeout", "1", "--dest", kPortal, "--object-path", kPortalPath,
                              "--method", std::string(kPortalSettings) + ".Read", kSpace, kKey});
    if (answer.empty())
      answer = ask({"busctl", "--user", "--timeout=1", "call", kPortal, kPortalPath, kPortalSettings, "Read", "ss", kSpace, kKey});
    if (const auto theme = theme_of_portal(answer)) return theme;
  }
  if (const auto theme = theme_of_gtk(gtk_theme)) return theme;
  return has_bus ? theme_of_gsettings(ask({"gsettings", "get", "org.gnome.desktop.interface", kKey})) : std::nullopt;
}

std::optional<ThemeKind> ask_desktop_theme(std::stop_token stop) {
  const char* const gtk = std::getenv("GTK_THEME");
  return desktop_theme([&](const std::vector<std::string>& command) { return first_line_of(command, stop); }, gtk ? gtk : "",
                       has_session_bus());
}

}  // namespace tv
