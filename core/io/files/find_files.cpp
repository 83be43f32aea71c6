#include "core/io/files/find_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_set>

#include "core/base/names/natural_less.h"
#include "core/io/files/given_path.h"
#include "core/io/streams/plain_file.h"
#include "core/io/written/new_file.h"

namespace tv {
namespace fs = std::filesystem;
namespace {

bool hidden(std::string_view name) { return (name.starts_with('.') && name != "." && name != "..") || is_part_name(name); }

bool hidden_in_archive(std::string_view name) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('/'), name.size());
    if (hidden(name.substr(0, end))) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

// Empty if the file cannot be read.
std::string begin_of_file(const std::string& path) {
  auto file = PlainFile::open(path);
  if (!file) return {};
  std::string begin(kReportMark.size() + 256, '\0');
  auto n = file->read_at(0, begin);
  begin.resize(n ? *n : 0);
  return begin;
}

// Whether the file begins like the page of a report (app/verbs/report_files.cpp).
bool is_report_page(const std::string& path) { return begin_of_file(path).find(kReportMark) != std::string::npos; }

// Whether the file's first text in quotes is a key with which a report's figures begin (app/verbs/run_report.cpp).
bool begins_like_figures(const std::string& path) {
  constexpr std::array<std::string_view, 4> kFirstKeys = {"traceview", "cdf_per_step", "log", "gpus"};
  const std::string begin = begin_of_file(path);
  const std::size_t quote = begin.find('"');
  if (quote == std::string::npos) return false;
  const std::string_view rest = std::string_view(begin).substr(quote + 1);
  return std::ranges::find(kFirstKeys, rest.substr(0, rest.find('"'))) != kFirstKeys.end();
}

// Whether a file in a report's folder is part of the report. Other files there belong to the run. The name alone does not
// decide, because a trace can be called "gpu.json".
bool is_part_of_report(const fs::path& path) {
  constexpr std::array<std::string_view, 4> kPictures = {".html", ".svg", ".png", ".csv"};
  constexpr std::array<std::string_view, 3> kFigures = {"report.json", "training.json", "gpu.json"};
  const std::string name = path.filename().string();
  if (std::ranges::any_of(kPictures, [&](std::string_view ending) { return name.ends_with(ending); })) return true;
  if (name == "timing_summary.txt") return true;
  return std::ranges::find(kFigures, name) != kFigures.end() && begins_like_figures(path.string());
}

class Finder {
 public:
  Finder(const IsWanted& wanted, const FilesByPath* known) : wanted_(wanted), known_(known) {}

  void find(std::string path) {
    const auto first = static_cast<std::ptrdiff_t>(out_.files.size());
    std::error_code code;
    if (fs::is_directory(fs::status(path, code))) {
      while (path.size() > 1 && path.ends_with('/')) path.pop_back();
      walk(path);
      add_known(path + "/");
      if (std::ssize(out_.files) == first && is_report_page(path + "/index.html")) {
        out_.problems.push_back({"it is a report that traceview wrote",
                                 path,
                                 {},
                                 "open its index.html in a browser, or the run's own files here"});
      }
    } else {
      add_file(path, is_archive_name(path) || looks_like_archive(path));
    }
    std::sort(out_.files.begin() + first, out_.files.end(), natural_less);
  }
  FoundFiles& found() { return out_; }

 private:
  void note_state(const std::string& path) {
    const auto known = known_ ? known_->find(path) : FilesByPath::const_iterator();
    const auto state = known_ && known != known_->end() ? known->second : state_of(path);
    if (state && !state->folder) out_.states.insert_or_assign(path, *state);
  }

  void add_file(const std::string& path, bool is_archive) {
    note_state(path);
    is_archive ? add_archive(path) : out_.files.push_back(path);
  }

  void add_known(const std::string& below) {
    if (!known_) return;
    for (auto file = known_->lower_bound(below); file != known_->end() && file->first.starts_with(below); ++file) {
      if (!out_.states.contains(file->first)) add_file(file->first, is_archive_name(file->first));
    }
  }

  // Does not enter folders that are symbolic links.
  void walk(const fs::path& folder) {
    std::error_code code;
    std::vector<fs::path> folders;
    const bool report = is_report_page((folder / "index.html").string());
    fs::directory_iterator at(folder, code);
    for (; !code && at != fs::directory_iterator(); at.increment(code)) {
      const fs::path& path = at->path();
      const std::string text = path.string();
      std::error_code unknown;
      if (hidden(path.filename().string())) continue;
      // The entry usually knows its type, which saves a system call.
      if (at->is_directory(unknown)) {
        if (!at->is_symlink(unknown)) folders.push_back(path);
      } else if (at->is_regular_file(unknown)) {
        if (report && is_part_of_report(path)) {
          note_state(text);
        } else if (!text.ends_with(kViewEnding)) {
          add_file(text, is_archive_name(text));
        }
      } else {
        add_special_file(text);
      }
    }
    if (code) out_.problems.push_back({"cannot list the folder: " + code.message(), folder.string(), {}, "check its permissions", true});
    for (const fs::path& inner : folders) walk(inner);
  }

  void add_special_file(const std::string& path) {
    std::error_code unknown;
    const fs::file_status status = fs::status(path, unknown);
    if (fs::is_fifo(status)) {
      out_.problems.push_back({"it is a named pipe, which is read only if its own path is given", path, {}, {}});
      if (const auto state = state_of(path); state && state->pipe) out_.states.insert_or_assign(path, *state);
    } else if (unknown && status.type() != fs::file_type::not_found) {
      out_.problems.push_back({"cannot look at it: " + unknown.message(), path, {}, {}, true});
    }
  }

  void add_archive(const std::string& path) {
    auto archive = open_archive(path, wanted_);
    if (!archive) {
      out_.problems.push_back(archive.error());
      return;
    }
    if (!*archive || ((*archive)->is_zip() && (*archive)->members().size() <= 1)) {
      out_.files.push_back(path);  // opening it will report what it is, or what is wrong with it
      return;
    }
    for (const ArchiveMember& member : (*archive)->members()) {
      if (!hidden_in_archive(member.name) && !member.name.ends_with(kViewEnding)) out_.files.push_back(path + "/" + member.name);
    }
    if (const std::string& damage = (*archive)->damage(); !damage.empty()) {
      out_.damaged.push_back({damage + "; only the files found in it are shown", path, {}, "copy it again"});
    }
    out_.archives.push_back(std::move(*archive));
  }

  const IsWanted& wanted_;
  const FilesByPath* const known_;
  FoundFiles out_;
};

std::string working_folder() {
  std::error_code unknown;
  return fs::current_path(unknown).string() + "/";
}

std::string whole_path(const std::string& path, const std::string& here) {
  std::string whole = path.starts_with('/') ? path : here + path;
  const bool plain = whole.find("./") == whole.npos && whole.find("//") == whole.npos;
  const bool goes_up = whole.find("/../") != whole.npos;  // after a symbolic link, ".." leads elsewhere
  return plain || goes_up ? whole : fs::path(whole).lexically_normal().string();
}

}  // namespace

FoundFiles find_files(const std::vector<std::string>& paths, const IsWanted& wanted, const FilesByPath* known) {
  Finder finder(wanted, known);
  FoundFiles& out = finder.found();
  // Shell wildcards sort by bytes, "r10" before "r2": undoes that.
  std::vector<std::string> in_order = paths;
  if (std::ranges::is_sorted(paths)) std::ranges::stable_sort(in_order, natural_less);
  for (const std::string& given : in_order) {
    const auto path = given_path(given);
    if (path) {
      finder.find(path.value());
    } else {
      out.problems.push_back(path.error());
    }
  }
  // A file named twice (a folder and a file in it, "run" and "./run", two of one name in an archive) is opened once.
  std::unordered_set<std::string> seen;
  const std::string here = working_folder();
  std::erase_if(out.files, [&](const std::string& file) { return !seen.insert(whole_path(file, here)).second; });
  return std::move(out);
}

}  // namespace tv
