// The rules of CONTRIBUTING.md that a program can check: which folder may include which, and how source files look. The
// text of every #include is read; nothing is compiled.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/read/registry.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

struct SourceFile {
  std::string path;  // from the repository's root
  std::vector<std::string> lines;

  bool in(std::string_view folder) const { return path.starts_with(std::string(folder) + "/"); }
  bool header() const { return path.ends_with(".h"); }
};

struct Include {
  std::string what;
  bool system;  // in angle brackets
};

std::vector<SourceFile> source_files(std::initializer_list<const char*> folders) {
  std::vector<SourceFile> files;
  for (const char* folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_dir()) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".inc") continue;
      SourceFile file{fs::relative(entry.path(), source_dir()).string(), {}};
      std::istringstream text(read_file(entry.path().string()));
      for (std::string line; std::getline(text, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  for (const std::string& line : file.lines) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const std::size_t word = line.find("include", hash);
    if (word == std::string::npos) continue;
    const std::size_t open = line.find_first_of("<\"", word);
    if (open == std::string::npos) continue;
    const std::size_t close = line.find_first_of(">\"", open + 1);
    includes.push_back({line.substr(open + 1, close - open - 1), line[open] == '<'});
  }
  return includes;
}

// The layers of core, lowest first: each may include itself and those before it.
constexpr std::array<std::string_view, 10> kLayers = {"core/base",  "core/io",       "core/store", "core/read",    "core/index",
                                                      "core/query", "core/analysis", "core/view",  "core/session", "core/export"};

// The rooms of a layer, lowest first, with the same rule. "" is the layer's own folder.
struct Layer {
  std::string_view name;
  std::vector<std::string_view> rooms;
};
const std::vector<Layer>& rooms_of_layers() {
  static const std::vector<Layer> layers = {
      {"core/base", {"", "memory", "text", "names", "threads"}},
      {"core/io", {"written", "streams", "archives", "system", "files", "tables"}},
      {"core/store", {"rules", "logs", "draft", "collectives", "clock", "columns", "trace", "segments"}},
      {"core/read", {"json", "", "unread", "chrome", "megatron", "nsys", "paddle", "verl", "perfetto"}},
      {"core/index", {""}},
      {"core/query", {"bounded", "", "search"}},
      {"core/analysis",
       {"scope", "statistics", "rollout", "requests", "gpu", "owners", "collectives", "training", "clocks", "filter", "scripts", "run",
        "findings"}},
      {"core/view",
       {"words", "chart", "color", "charts", "picture", "lanes", "navigation", "timeline", "details", "table", "lists", "panels", "keys",
        "manual", "menus"}},
      {"core/session", {"persistence", "packed", "follow", "held", "files", "load", "records", "search", "state", "workspace", "desk"}},
      {"core/export", {"parts", "formats", ""}}};
  return layers;
}
constexpr std::size_t kMostFilesOfRoom = 30;

// The place of a path's room in that list; nothing if it is not there, or the path is not in the layer.
std::optional<std::size_t> room_of(const Layer& layer, std::string_view path) {
  if (!path.starts_with(std::string(layer.name) + "/")) return std::nullopt;
  path.remove_prefix(layer.name.size() + 1);
  const std::size_t slash = path.find('/');
  const auto found = std::ranges::find(layer.rooms, slash == path.npos ? std::string_view() : path.substr(0, slash));
  if (found == layer.rooms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - layer.rooms.begin());
}

// Why a file must not include another one of its layer; empty when it may.
std::string objection_of_rooms(std::string_view from, std::string_view to) {
  for (const Layer& layer : rooms_of_layers()) {
    if (!from.starts_with(std::string(layer.name) + "/")) continue;
    const auto room = room_of(layer, from);
    if (!room) return "no room of its layer: add it to rooms_of_layers";
    if (const auto other = room_of(layer, to); other && *other > *room) return "a higher room of its layer";
  }
  return {};
}

int layer_of(std::string_view path) {
  for (std::size_t i = 0; i < kLayers.size(); ++i) {
    if (path.starts_with(std::string(kLayers[i]) + "/")) return static_cast<int>(i);
  }
  return -1;
}

bool any_of(std::string_view path, std::initializer_list<std::string_view> folders) {
  return std::any_of(folders.begin(), folders.end(), [&](std::string_view folder) { return path.starts_with(folder); });
}

bool is_gl(std::string_view what) {
  return any_of(what, {"GL/", "GLES", "EGL/", "KHR/"}) || what.find("gl_api.h") != std::string_view::npos;
}
bool is_window(std::string_view what) { return any_of(what, {"GLFW/"}); }
bool is_imgui(std::string_view what) { return what.find("imgui") != std::string_view::npos; }

// Headers of one system: code that uses them is in a file named for it, such as "plain_file_posix.cpp", with a header that is the
// same on all systems. A port rewrites only those files.
bool is_of_one_system(std::string_view what) {
  constexpr std::array<std::string_view, 25> kPosix = {
      "unistd.h", "fcntl.h",   "dirent.h", "dlfcn.h", "poll.h",    "pwd.h",       "pthread.h", "sched.h",
      "signal.h", "spawn.h",   "termios.h", "glob.h", "ftw.h",     "execinfo.h",  "netdb.h",   "strings.h",
      "utime.h",  "windows.h", "io.h",     "link.h",  "langinfo.h", "grp.h",      "syslog.h",  "ucontext.h",
      "malloc.h"};
  return any_of(what, {"sys/", "linux/", "netinet/", "arpa/", "mach/", "X11/", "wayland-"}) ||
         std::find(kPosix.begin(), kPosix.end(), what) != kPosix.end();
}
// Calls, macros, paths and libraries of one system.
bool has_sign_of_one_system(std::string_view line) {
  constexpr std::array<std::string_view, 14> kSigns = {"setenv(", "localtime_r(", "gmtime_r(", "mallopt(", "malloc_trim(",
                                                       "getpid(", "SIGPIPE",      "\"/proc/",  "\"/sys/",  "\"/dev/",
                                                       ".so.",    "__linux__",    "__GLIBC__", "__APPLE__"};
  const std::size_t first = line.find_first_not_of(' ');
  if (first == line.npos || line.substr(first).starts_with("//")) return false;
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return line.find(sign) != line.npos; });
}
bool is_for_one_system(std::string_view path) {
  return std::ranges::any_of(std::array{"_posix.cpp", "_linux.cpp"}, [&](const char* end) { return path.ends_with(end); });
}

// Why a file must not include something; empty when it may.
std::string objection(const SourceFile& file, const Include& include) {
  const std::string_view what = include.what;
  if (file.in("core")) {
    if (any_of(what, {"ui/", "app/", "tests/"})) return "core knows nothing of what is above it";
    if (is_imgui(what) || is_gl(what) || is_window(what)) return "core has no window";
    if (what == "iostream") return "core never prints";
    const int from = layer_of(file.path), to = layer_of(what);
    if (from < 0) return "no layer of core: add it to kLayers";
    if (to > from) return "a higher layer of core";
    if (std::string why = objection_of_rooms(file.path, what); !why.empty()) return why;
    if (any_of(file.path, {"core/index/", "core/query/", "core/analysis/", "core/view/"}) &&
        any_of(what, {"core/read/", "core/io/"})) {
      return "files and formats end at the store";
    }
  }
  if (file.in("ui")) {
    if (any_of(what, {"app/", "tests/"})) return "ui knows nothing of what is above it";
    if (any_of(what, {"core/read/", "core/io/"})) return "ui knows no file formats";
    if (file.in("ui/gl") && is_imgui(what)) return "the renderer knows no ImGui";
    if ((file.in("ui/panels") || file.in("ui/widgets")) && is_gl(what)) return "only ui/gl speaks GL";
  }
  if (file.in("app") && any_of(what, {"tests/"})) return "the program is built without tests";
  if (include.system && is_of_one_system(what) && !is_for_one_system(file.path)) return "only for files named _posix or _linux";
  return {};
}

}  // namespace

TEST_CASE("layers: every include points down") {
  std::string offending;
  std::size_t checked = 0;
  for (const SourceFile& file : source_files({"core", "ui", "app"})) {
    for (const Include& include : includes_of(file)) {
      ++checked;
      const std::string why = objection(file, include);
      if (!why.empty()) offending += "  " + file.path + " includes " + include.what + ": " + why + "\n";
    }
  }
  CHECK_MESSAGE(offending.empty(), "\n", offending);
  CHECK(checked > 500);  // the includes were found at all
}

TEST_CASE("layers: code for one system is in files named for it; DECISIONS.md counts them and names the exceptions") {
  const std::string decisions = read_file((fs::path(source_dir()) / "core/DECISIONS.md").string());
  const std::size_t section = decisions.find("\n## Other systems\n");
  REQUIRE(section != std::string::npos);
  const auto is_told = [&](const std::string& text) { return decisions.find(text, section) != std::string::npos; };
  std::string offending;
  std::size_t named = 0;
  for (const SourceFile& file : source_files({"core", "ui", "app"})) {
    const std::vector<Include> includes = includes_of(file);
    const auto is_of_system = [](const Include& each) { return each.system && is_of_one_system(each.what); };
    const bool needs = std::ranges::any_of(file.lines, has_sign_of_one_system) || std::ranges::any_of(includes, is_of_system);
    if (is_for_one_system(file.path)) {
      ++named;
      if (!needs) offending += "  " + file.path + ": nothing in it is of one system\n";
    } else if (needs && !is_told('`' + fs::path(file.path).filename().string() + '`')) {
      offending += "  " + file.path + ": of one system, and not named for it\n";
    }
  }
  CHECK_MESSAGE(offending.empty(), "\n", offending);
  CHECK_MESSAGE(is_told(" " + std::to_string(named) + " files named for it"), "there are ", named);
}

TEST_CASE("layers: the rules themselves notice what they are for") {
  const auto refused = [](const char* path, const char* what, bool system = false) {
    return !objection({path, {}}, {what, system}).empty();
  };
  CHECK(refused("core/base/a.h", "core/io/streams/plain_file.h"));
  CHECK(refused("core/store/draft/a.h", "core/read/reader.h"));
  CHECK(!refused("core/read/a.h", "core/store/trace/trace.h"));
  CHECK(refused("core/index/a.h", "core/io/streams/byte_stream.h"));
  CHECK(refused("core/view/words/a.h", "core/read/registry.h"));
  CHECK(!refused("core/session/load/a.h", "core/read/registry.h"));
  CHECK(refused("core/session/load/a.h", "core/export/formats/export_chrome.h"));
  CHECK(!refused("core/export/a.h", "core/session/packed/source_text.h"));
  CHECK(refused("core/view/words/a.h", "imgui.h"));
  CHECK(refused("core/base/a.cpp", "iostream"));
  CHECK(refused("core/view/words/a.h", "ui/widgets/text/text.h"));
  CHECK(refused("core/new_folder/a.h", "core/base/time.h"));
  CHECK(refused("ui/panels/a.cpp", "core/read/registry.h"));
  CHECK(refused("ui/panels/a.cpp", "ui/gl/gl_api.h"));
  CHECK(!refused("ui/panels/a.cpp", "ui/gl/placement.h"));
  CHECK(refused("ui/gl/a.cpp", "imgui.h"));
  CHECK(refused("ui/widgets/a.cpp", "GL/glcorearb.h"));
  CHECK(refused("ui/a.cpp", "app/line/options.h"));
  CHECK(!refused("app/a.cpp", "core/read/registry.h"));
  CHECK(refused("core/store/logs/a.h", "core/store/trace/trace.h"));
  CHECK(!refused("core/store/trace/a.h", "core/store/logs/rollout_log.h"));
  CHECK(refused("core/read/json/a.h", "core/read/registry.h"));
  CHECK(refused("core/view/new_room/a.h", "core/base/time.h"));
  CHECK(refused("core/io/a.cpp", "unistd.h", true));
  CHECK(refused("core/io/a.h", "sys/stat.h", true));
  CHECK(!refused("core/io/written/a_posix.cpp", "sys/stat.h", true));
  CHECK(!refused("core/io/files/a_linux.cpp", "sys/inotify.h", true));
  CHECK(!refused("core/io/files/a.cpp", "filesystem", true));
  CHECK(has_sign_of_one_system("  return \"/proc/self/exe\";"));
  CHECK(has_sign_of_one_system("#ifdef __APPLE__"));
  CHECK_FALSE(has_sign_of_one_system("  // glibc's localtime_r() locks"));
}

TEST_CASE("layers: a quoted include is a file of ours, by its full path") {
  // Includes without a folder: libraries without one, and generated files.
  constexpr std::array<std::string_view, 6> kElsewhere = {"imgui.h", "imgui_internal.h", "embedded_shaders.h", "embedded_icon.h",
                                                          "embedded_manual.h", "tv_version.h"};
  std::string missing;
  for (const SourceFile& file : source_files({"core", "ui", "app"})) {
    for (const Include& include : includes_of(file)) {
      if (include.system) continue;
      if (std::find(kElsewhere.begin(), kElsewhere.end(), include.what) != kElsewhere.end()) continue;
      if (!fs::exists(fs::path(source_dir()) / include.what)) {
        missing += "  " + file.path + " includes " + include.what + "\n";
      }
    }
  }
  CHECK_MESSAGE(missing.empty(), "\n", missing);
}

TEST_CASE("layers: headers say what they are for, then #pragma once") {
  std::string offending;
  for (const SourceFile& file : source_files({"core", "ui", "app", "tests"})) {
    if (!file.header()) continue;
    std::size_t first = 0;
    while (first < file.lines.size() && file.lines[first].starts_with("//")) ++first;
    if (first == 0) offending += "  " + file.path + ": no comment at the top\n";
    if (first == file.lines.size() || file.lines[first] != "#pragma once") {
      offending += "  " + file.path + ": no #pragma once after it\n";
    }
  }
  CHECK_MESSAGE(offending.empty(), "\n", offending);
}

TEST_CASE("layers: no file is longer than 500 lines") {
  std::string offending;
  for (const SourceFile& file : source_files({"core", "ui", "app", "tests"})) {
    if (file.lines.size() > 500) offending += "  " + file.path + ": " + std::to_string(file.lines.size()) + " lines\n";
  }
  CHECK_MESSAGE(offending.empty(), "\n", offending);
}

TEST_CASE("layers: no room has more files than one can look through") {
  std::map<std::string, std::size_t> files;
  for (const SourceFile& file : source_files({"core", "ui", "app"})) ++files[fs::path(file.path).parent_path().string()];
  std::string offending;
  for (const auto& [room, count] : files) {
    if (count > kMostFilesOfRoom) offending += "  " + room + ": " + std::to_string(count) + "\n";
  }
  CHECK_MESSAGE(offending.empty(), "\n", offending);
}

TEST_CASE("layers: every format in core/read is registered, and every reader has a fixture folder") {
  std::string readers;
  for (const Reader* reader : all_readers()) {
    CAPTURE(reader->id);
    const bool needs_nsys = reader->id == "nsys_report";  // its fixtures are those of nsys_sqlite (nsys_report_test.cpp)
    if (reader->read && !needs_nsys) CHECK(fs::is_directory(fs::path(source_dir()) / "tests/fixtures" / reader->id));
    readers += "\"" + std::string(reader->id) + "\" ";
  }
  // A Reader that is defined and not in the table would never be asked.
  for (const SourceFile& file : source_files({"core/read"})) {
    for (const std::string& line : file.lines) {
      const std::size_t at = line.find("extern const Reader k");
      if (at == std::string::npos || line.find('{') == std::string::npos) continue;
      const std::size_t open = line.find('"'), close = line.find('"', open + 1);
      REQUIRE(close != std::string::npos);
      CAPTURE(file.path);
      CHECK(readers.find(line.substr(open, close - open + 1)) != std::string::npos);
    }
  }
}
