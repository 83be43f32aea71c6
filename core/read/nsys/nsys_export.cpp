#include "core/read/nsys/nsys_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>

#include "core/base/process.h"
#include "core/base/text/ascii.h"
#include "core/io/files/open_stream.h"
#include "core/io/streams/plain_file.h"
#include "core/io/system/child_process.h"
#include "core/io/written/private_folder.h"
#include "core/io/written/unfinished.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tv {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLastLines = 4;
constexpr const char* kBlobs = "--include-blobs";  // the data that NCCL attaches to its calls; nsys before 2023 lacks the option
constexpr int kAtOnce = 4;  // nsys takes several GB of memory for a report of 1 GB

// Limits how many exports run at a time, for folders with a hundred reports.
class Turn {
 public:
  explicit Turn(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    has_ = free_.wait(lock, stop, [] { return running_ < kAtOnce; });
    if (has_) ++running_;
  }
  ~Turn() {
    if (!has_) return;
    const std::lock_guard lock(mutex_);
    --running_;
    free_.notify_one();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static inline std::mutex mutex_;
  static inline std::condition_variable_any free_;
  static inline int running_ = 0;
  bool has_ = false;
};

// The files of an unfinished export. Removes those that were not renamed.
class Part {
 public:
  explicit Part(std::string path) : path_(std::move(path)) {
    for (std::size_t e = 0; e < kEndings.size(); ++e) unfinished_[e].begin(path_ + kEndings[e]);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    std::error_code none;
    for (const char* const ending : kEndings) fs::remove(path_ + ending, none);
  }
  const std::string& path() const { return path_; }

 private:
  static constexpr std::array kEndings = {"", "-journal", "-wal", "-shm"};
  std::string path_;
  std::array<Unfinished, kEndings.size()> unfinished_;
};

bool is_database(const std::string& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  auto file = PlainFile::open(path);
  std::array<char, kMagic.size()> head{};
  return file && file->read_at(0, head) && std::string_view(head.data(), head.size()) == kMagic;
}

std::string stem_of(const std::string& path) {
  return path.substr(0, path.size() - fs::path(path).extension().string().size());
}

// The path of an export that the user made and that is not older than the report; empty if there is none.
std::string users_database(const std::string& report, const FileIdentity& identity) {
  const std::string path = stem_of(report) + ".sqlite";
  auto found = identity_of(path);
  return found && found->modified_ns >= identity.modified_ns && is_database(path) ? path : std::string();
}

std::string key_of(const std::string& report, const FileIdentity& identity) {
  std::error_code code;
  const fs::path whole = fs::absolute(report, code);
  const std::string text = fmt::format("{} {} {}", identity.size, identity.modified_ns, whole.string());
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string export_command(const std::string& report) {
  const std::string name = fs::path(report).filename().string();
  return fmt::format("run `nsys export --type sqlite -o {0}.sqlite {1}` where nsys is, then open {0}.sqlite",
                     fs::path(stem_of(name)).string(), name);
}

// Finds {2024, 5, 1} in "NVIDIA Nsight Systems version 2024.5.1.113-245134619542v0", for comparing versions.
std::vector<int> numbers_in(std::string_view text) {
  std::size_t at = text.find("20");
  std::vector<int> out;
  while (at < text.size() && out.size() < 3) {
    int number = 0;
    const auto [next, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error != std::errc()) break;
    out.push_back(number);
    at = static_cast<std::size_t>(next - text.data()) + 1;
    if (next == text.data() + text.size() || *next != '.') break;
  }
  return out;
}

// Explains a failure if nsys is older than the report, which nsys does not always say itself.
std::string hint_of_version(const std::string& nsys, std::string_view report_version, std::stop_token stop) {
  std::string version;
  const auto line = [&](std::string_view text) {
    if (version.empty() && text.find("version") != std::string_view::npos) version = text.substr(text.find("version"));
  };
  if (!run_child({nsys, "--version"}, line, stop)) return {};
  const std::vector<int> ours = numbers_in(version), theirs = numbers_in(report_version);
  if (ours.empty() || theirs.empty() || ours >= theirs) return {};
  return fmt::format("; this nsys is {}, the report was made by {}: use that version or a newer one",
                     fmt::join(ours, "."), report_version);
}

}  // namespace

std::string nsys_report_version(std::string_view head) {
  if (!head.starts_with(kNsysMagic)) return {};
  head.remove_prefix(std::min(head.size(), kNsysMagic.size() + 1));
  std::string version(head.substr(0, head.find_first_of("-\n")));
  // Reports from before 2023 have the version of the format here: "1.".
  if (version.size() > 40 || !version.starts_with("20")) return {};
  std::ranges::replace(version, '@', '.');
  return version;
}

int percent_in(std::string_view line) {
  const std::size_t sign = line.rfind('%');
  if (sign == std::string_view::npos) return -1;
  std::size_t end = sign;
  while (end > 0 && line[end - 1] == ' ') --end;
  std::size_t begin = end;
  // For "12.5%", from_chars stops at the point and gives 12.
  while (begin > 0 && (is_digit(line[begin - 1]) || line[begin - 1] == '.')) --begin;
  int percent = -1;
  std::from_chars(line.data() + begin, line.data() + end, percent);
  return percent <= 100 ? percent : -1;
}

Result<std::string> export_nsys_report(const std::string& report, std::string_view version, const ReadTools& tools,
                                       const std::function<void(int percent)>& progress, std::stop_token stop) {
  auto identity = identity_of(report);
  if (!identity) return identity.error();
  if (std::string database = users_database(report, *identity); !database.empty()) return database;
  const auto failed = [&](std::string why) {
    const std::string of_version = version.empty() ? std::string() : fmt::format(" of version {}", version);
    return Error{fmt::format("an Nsight Systems report{}: {}", of_version, why), {}, {}, export_command(report)};
  };
  if (tools.exports.empty()) return failed("there is no folder for its export, because neither XDG_CACHE_HOME nor HOME is set");
  const std::string key = tools.exports + "/" + key_of(report, *identity);
  const std::string whole = key + ".sqlite";
  if (is_database(whole)) {
    std::error_code none;
    fs::last_write_time(whole, fs::file_time_type::clock::now(), none);  // the modification time records the last use
    return whole;
  }
  const std::string nsys = find_program(tools.nsys.empty() ? "nsys" : tools.nsys);
  if (nsys.empty() && !tools.nsys.empty()) return failed(fmt::format("there is no program {}", tools.nsys));
  if (nsys.empty()) return failed("only nsys can read it, and nsys is not on the PATH: give its path with --nsys");
  if (auto made = make_private_folder(tools.exports); !made) {
    return failed(fmt::format("its export needs the folder {}: {}", tools.exports, made.error().message));
  }

  const Turn turn(stop);
  static std::atomic<unsigned> count = 0;
  const Part part(fmt::format("{}.{}-{}{}", key, process_id(), count++, kPartOfExport));
  std::deque<std::string> last;
  const auto line = [&](std::string_view text) {
    const int percent = percent_in(text);
    if (percent >= 0) return progress(percent);
    if (last.size() == kLastLines) last.pop_front();
    last.emplace_back(text);
  };
  // The report's path is absolute, so that nsys never takes it for an option.
  std::error_code code;
  const std::string absolute_report = fs::absolute(report, code).string();
  std::vector<std::string> command = {nsys,      "export",          "--type", "sqlite",   "--force-overwrite", "true",
                                      kBlobs,    "true",            "-o",     part.path(), absolute_report};
  auto end = run_child(command, line, stop);
  const auto about_blobs = [](const std::string& text) { return text.find(kBlobs + 2) != std::string::npos; };
  if (end && end->code != 0 && std::ranges::any_of(last, about_blobs)) {
    command = {nsys, "export", "--type", "sqlite", "--force-overwrite", "true", "-o", part.path(), absolute_report};
    last.clear();
    end = run_child(command, line, stop);
  }
  if (stop.stop_requested()) return Error{"cancelled", {}, {}, {}};
  if (!end) return failed(fmt::format("{} cannot be run: {}", nsys, end.error().message));
  if (end->code != 0 || !is_database(part.path())) {
    std::string how = fmt::format("ended with {}", end->code);
    if (end->code == 0) how = "made no database";
    if (end->code < 0) how = fmt::format("was ended by signal {}", -end->code);
    return failed(fmt::format("nsys export {}{}{}{}", how, last.empty() ? "" : ": ", fmt::join(last, " | "),
                              hint_of_version(nsys, version, stop)));
  }
  fs::rename(part.path(), whole, code);
  if (code) return failed(fmt::format("its export cannot be renamed to {}: {}", whole, code.message()));
  return whole;
}

}  // namespace tv
