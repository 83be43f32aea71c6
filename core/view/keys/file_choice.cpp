#include "core/view/keys/file_choice.h"

#include <algorithm>
#include <array>

#include "core/base/text/ascii.h"
#include "core/base/text/wildcard.h"

namespace tv {
namespace {

constexpr std::string_view kTraceFiles[] = {"*.json", "*.json.gz", "*.json.zst", "*.jsonl", "*.jsonl.gz", "*.log",
                                        "*.txt", "*.gz", "*.zst", "*.zip", "*.tar", "*.tgz", "*.sqlite", "*.nsys-rep",
                                        "*.pftrace", "*.perfetto-trace", "*.tvx", "*.tvview", "workerlog.*"};
constexpr std::string_view kViewFiles[] = {"*.tvview"};

constexpr std::array<FileWords, static_cast<std::size_t>(FilePurpose::kCount)> kFileWords = {{
    {"Open traces and logs", "Open", false, false, {"Traces and logs", kTraceFiles}, {}},
    {"Open a folder of traces and logs", "Open", false, true, {"Traces and logs", kTraceFiles}, {}},
    {"Where are the files of this view?", "Look in this folder", false, true, {"Traces and logs", kTraceFiles}, {}},
    {"Save the view", "Save", true, false, {"Views (.tvview)", kViewFiles}, ".tvview"},
}};

}  // namespace

const FileWords& words_of(FilePurpose purpose) { return kFileWords[static_cast<std::size_t>(purpose)]; }

std::string with_ending(FilePurpose purpose, std::string path) {
  const std::string_view ending = words_of(purpose).ending;
  if (!path.ends_with(ending)) path += ending;
  return path;
}

bool matches_kind(const FileKind& kind, std::string_view name) {
  return std::any_of(kind.patterns.begin(), kind.patterns.end(),
                     [small = lower_case(name)](std::string_view pattern) { return matches_wildcard(pattern, small); });
}

}  // namespace tv
