#include "core/session/desk/file_browser.h"

#include <algorithm>
#include <utility>

#include "core/base/names/natural_less.h"
#include "core/base/text/ascii.h"
#include "core/base/text/path_parts.h"
#include "core/base/text/utf8.h"
#include "core/base/text/wildcard.h"

namespace tv {
namespace {

constexpr double kTypeAhead_s = 1.0;

struct NamedKind {
  std::string_view pattern, kind;
};

// The first match wins. The kind shown here is guessed from the name; opening a file recognises its format by content.
constexpr NamedKind kKinds[] = {
    {"*.tvview", "View"},
    {"*.tvx", "Packed trace"},
    {"*.nsys-rep", "Nsight Systems report"},
    {"*.qdrep", "Nsight Systems report"},
    {"*.sqlite", "Nsight Systems, SQLite"},
    {"*.perfetto-trace", "Perfetto trace"},
    {"*.pftrace", "Perfetto trace"},
    {"worker_*.jsonl", "Rollout log"},
    {"*.jsonl", "Log (JSON lines)"},
    {"*.jsonl.*", "Log (JSON lines), compressed"},
    {"*.json", "Trace (JSON)"},
    {"*.json.gz", "Trace (JSON, gzip)"},
    {"*.json.zst", "Trace (JSON, zstd)"},
    {"workerlog.*", "Log"},
    {"*.log", "Log"},
    {"*.txt", "Text"},
    {"*.zip", "Archive"},
    {"*.tar", "Archive"},
    {"*.tar.*", "Archive"},
    {"*.tgz", "Archive"},
    {"*.gz", "Compressed"},
    {"*.zst", "Compressed"},
};

bool is_hidden(std::string_view name) { return name.starts_with('.'); }

}  // namespace

std::string_view kind_by_name(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const NamedKind& each : kKinds) {
    if (matches_wildcard(each.pattern, lower)) return each.kind;
  }
  return {};
}

std::vector<std::string> path_completions(std::string_view typed, const FolderListing& listing) {
  const std::string_view begun = last_part(typed);
  const std::string folder(typed.substr(0, typed.size() - begun.size()));
  std::vector<std::string> out;
  for (const FolderEntry& entry : listing.entries) {
    if (!entry.name.starts_with(begun) || (is_hidden(entry.name) && !is_hidden(begun))) continue;
    out.push_back(folder + entry.name + (entry.folder ? "/" : ""));
  }
  std::ranges::sort(out, [](const std::string& a, const std::string& b) { return natural_less(a, b); });
  return out;
}

std::string common_beginning(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  std::string out = texts.front();
  for (const std::string& text : texts) {
    const auto [end, ignored] = std::ranges::mismatch(out, text);
    out.erase(end, out.end());
  }
  return std::string(utf8_prefix(texts.front(), out.size()));
}

void FileBrowser::go(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  if (folder.empty()) folder = "/";
  folder_ = std::move(folder);
  left_folder_.clear();
  listing_ = {};
  line_ = anchor_ = 0;
  typed_.clear();
  arrange();
}

void FileBrowser::go_up() {
  if (folder_ == "/") return;
  std::string from(last_part(folder_));
  go(std::string(folder_of(folder_)));
  left_folder_ = std::move(from);
}

void FileBrowser::show(FolderListing listing) {
  const std::string on = line_ < size() ? entry(line_).name : std::exchange(left_folder_, {});
  listing_ = std::move(listing);
  arrange();
  keep_line_on(on);
}

void FileBrowser::keep_line_on(const std::string& name) {
  line_ = 0;
  for (std::size_t i = 0; i < size() && !name.empty(); ++i) {
    if (entry(i).name == name) line_ = i;
  }
  anchor_ = line_;
}

void FileBrowser::arrange() {
  const std::string on = line_ < order_.size() && order_[line_] < listing_.entries.size() ? entry(line_).name : std::string();
  order_.clear();
  left_out_ = 0;
  std::vector<std::string_view> kinds;
  for (std::size_t i = 0; i < listing_.entries.size(); ++i) {
    const FolderEntry& each = listing_.entries[i];
    if (column_ == FileColumn::Kind) kinds.push_back(kind_by_name(each.name));
    const bool fits = (hidden_ || !is_hidden(each.name)) && (each.folder || !kind_ || matches_kind(*kind_, each.name));
    if (fits) order_.push_back(static_cast<std::uint32_t>(i));
    left_out_ += fits ? 0 : 1;
  }
  const auto less = [&](std::uint32_t i, std::uint32_t j) {
    const std::uint32_t first = descending_ ? j : i, second = descending_ ? i : j;
    const FolderEntry &a = listing_.entries[first], &b = listing_.entries[second];
    if (a.folder != b.folder) return listing_.entries[i].folder;
    if (column_ == FileColumn::Size && a.bytes != b.bytes) return a.bytes < b.bytes;
    if (column_ == FileColumn::Modified && a.modified_s != b.modified_s) return a.modified_s < b.modified_s;
    if (column_ == FileColumn::Kind) {
      if (const int order = kinds[first].compare(kinds[second]); order != 0) return order < 0;
    }
    if (column_ != FileColumn::Name) return natural_less(listing_.entries[i].name, listing_.entries[j].name);
    return natural_less(a.name, b.name);
  };
  std::ranges::stable_sort(order_, less);
  chosen_.assign(order_.size(), false);
  keep_line_on(on);
}

void FileBrowser::set_kind(const FileKind* kind) {
  if (std::exchange(kind_, kind) != kind) arrange();
}

void FileBrowser::set_hidden(bool shown) {
  if (std::exchange(hidden_, shown) != shown) arrange();
}

void FileBrowser::sort_by(FileColumn column) {
  // Users look for large and new files first.
  descending_ = column == column_ ? !descending_ : column == FileColumn::Size || column == FileColumn::Modified;
  column_ = column;
  arrange();
}

std::string FileBrowser::path(std::size_t line) const { return (folder_ == "/" ? "" : folder_) + "/" + entry(line).name; }

void FileBrowser::move(std::ptrdiff_t lines, bool extend) {
  if (size() == 0) return;
  const auto to = static_cast<std::ptrdiff_t>(line_) + lines;
  move_to(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, static_cast<std::ptrdiff_t>(size()) - 1)), extend);
}

void FileBrowser::move_to(std::size_t line, bool extend) {
  if (line >= size()) return;
  line_ = line;
  choose_nothing();
  if (!extend) {
    anchor_ = line;
    return;
  }
  for (std::size_t i = std::min(anchor_, line); i <= std::max(anchor_, line); ++i) chosen_[i] = true;
}

void FileBrowser::toggle(std::size_t line) {
  if (line >= size()) return;
  chosen_[line] = !chosen_[line];
  line_ = anchor_ = line;
}

void FileBrowser::choose_all() { std::fill(chosen_.begin(), chosen_.end(), true); }
void FileBrowser::choose_nothing() { std::fill(chosen_.begin(), chosen_.end(), false); }

std::vector<std::string> FileBrowser::chosen_paths(bool with_folders) const {
  std::vector<std::string> out;
  const bool some = std::ranges::find(chosen_, true) != chosen_.end();
  for (std::size_t i = 0; i < size(); ++i) {
    if ((some ? chosen_[i] : i == line_) && (with_folders || !entry(i).folder)) out.push_back(path(i));
  }
  return out;
}

void FileBrowser::type(std::string_view letters, double now_s) {
  if (letters.empty() || size() == 0) return;
  const bool goes_on = now_s - typed_at_s_ < kTypeAhead_s;
  typed_at_s_ = now_s;
  const bool again = goes_on && typed_ == letters;  // the same letter again: go to the next match
  if (!goes_on) typed_.clear();
  if (!again) typed_ += letters;
  const std::string wanted = lower_case(typed_);
  const std::size_t first = again || typed_ == letters ? line_ + 1 : line_;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::size_t at = (first + i) % size();
    if (!lower_case(entry(at).name).starts_with(wanted)) continue;
    move_to(at);
    return;
  }
}

}  // namespace tv
