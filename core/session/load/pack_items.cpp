#include "core/session/load/pack_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/names/natural_less.h"
#include "core/base/text/path_parts.h"
#include "core/base/text/printable.h"
#include "core/base/text/string_table.h"
#include "core/base/text/utf8.h"
#include "core/io/files/open_stream.h"
#include "core/read/chrome/chrome_process.h"
#include "core/read/file_facts.h"
#include "core/read/paddle/paddle_device.h"
#include "core/session/files/given_sources.h"

namespace tv {
namespace {

constexpr std::string_view kTraceEvents = "chrome_json";

// Finds the given folder that contains a path.
class GivenFolders {
 public:
  void add(std::string_view path) {
    if (path.ends_with('/')) path.remove_suffix(1);
    places_.try_emplace(std::string(path), places_.size());
  }
  // The folder that contains the path; if there are several, the one that was added first.
  std::optional<std::string_view> around(std::string_view path) const {
    auto first = places_.end();
    for_each_folder_of(path, [&](std::string_view folder) {
      const auto known = places_.find(folder);
      if (known != places_.end() && (first == places_.end() || known->second < first->second)) first = known;
    });
    return first == places_.end() ? std::nullopt : std::optional<std::string_view>(first->first);
  }

 private:
  std::map<std::string, std::size_t, std::less<>> places_;
};

// The path relative to the given folder that contains it, else its last part.
std::string from_given(const std::string& path, const GivenFolders& given) {
  const auto folder = given.around(path);
  return folder ? path.substr(folder->size() + 1) : std::string(last_part(path));
}

// Keeps only characters that a terminal shows unchanged (printable.h): users type the names that they see in the list.
std::string as_file_name(std::string_view text) {
  constexpr std::string_view kShellCharacters = "/\\\"'`$&|;<>()*?[]{}~#!=%:,\x7f";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    const std::string_view letter = text.substr(i, std::max<std::size_t>(length, 1));
    const char c = letter.front();
    const bool plain = length > 0 && !(c >= 0 && c <= ' ') && kShellCharacters.find(c) == kShellCharacters.npos && printable(letter) == letter;
    out += plain ? letter : "_";
    i += letter.size();
  }
  if (out.starts_with('-') || out.starts_with('.')) out.front() = '_';
  return out;
}

// A file name may have 255 bytes, and new_file.h appends a suffix while a file is being written.
constexpr std::size_t kLongestItem = 180;

std::string with_hash(std::string_view name, std::string_view item) {
  return fmt::format("{}-{:08x}", utf8_prefix(name, kLongestItem - 9), StringTable::hash_of(item));
}

// Names by item. A hash is added to names that are too long or would be equal, as for "a b/rank_0" and "a_b/rank_0".
std::map<std::string, std::string> names_of(const std::map<std::string, std::vector<std::string>>& items) {
  std::map<std::string, std::size_t> alike;
  for (const auto& [item, paths] : items) ++alike[as_file_name(item)];
  std::map<std::string, std::string> names;
  std::set<std::string> taken;
  for (const auto& [item, paths] : items) {
    std::string name = as_file_name(item);
    if (alike[name] > 1 || name.size() > kLongestItem) name = with_hash(name, item);
    while (!taken.insert(name).second) name += '_';
    names[item] = std::move(name);
  }
  return names;
}

// Keys of the runs whose Paddle records are present. Profiles that Paddle's tool made from these records are left out.
std::set<std::string, std::less<>> runs_with_records(const std::vector<SourceInfo>& sources) {
  std::set<std::string, std::less<>> runs;
  for (const SourceInfo& source : sources) {
    if (source.state == SourceState::Rejected || !is_paddle_record(source.path)) continue;
    if (const auto known = recognise(source.path); known && known.value().reader) runs.insert(paddle_device(source.path).run_key);
  }
  return runs;
}

std::string item_of(const std::string& path, const GivenFolders& given) {
  const auto known = recognise(path);
  const Reader* const reader = known ? known.value().reader : nullptr;
  if (!reader || !reader->read) return {};
  if (reader->is_log) return "logs";
  const std::string relative = from_given(path, given);
  const std::string folder(folder_of(relative));
  const std::optional<std::int64_t> rank = rank_of(path, known.value().head);
  const std::string stem = facts_of(path).stem;
  const std::string_view worker = reader->id == kTraceEvents ? worker_of_stem(stem) : std::string_view(stem);
  const std::string name = rank ? fmt::format("rank_{}", *rank) : std::string(worker);
  return folder.empty() ? name : folder + "/" + name;
}

}  // namespace

std::vector<PackItem> pack_items(const std::vector<std::string>& paths) {
  const GivenSources found = given_sources(paths, {});
  const auto with_records = runs_with_records(found.sources);
  std::map<std::string, std::vector<std::string>> items;
  std::set<std::pair<std::string, std::string>> in_items;
  GivenFolders given, archives;
  for (const std::string& path : paths) given.add(path);
  for (const auto& archive : found.archives) archives.add(archive->path());
  for (const SourceInfo& source : found.sources) {
    if (source.state == SourceState::Rejected) continue;
    if (const auto run = run_of_paddle_profile(source.path); run && with_records.contains(*run)) continue;
    const auto archive = archives.around(source.path);
    const std::string path(archive.value_or(source.path));
    const std::string item = archive ? from_given(path, given) : item_of(path, given);
    if (!item.empty() && in_items.emplace(item, path).second) items[item].push_back(path);
  }
  std::vector<PackItem> out;
  const std::map<std::string, std::string> names = names_of(items);
  for (auto& [item, files] : items) out.push_back({names.at(item), std::move(files)});
  std::ranges::sort(out, natural_less, &PackItem::name);
  return out;
}

std::string made_from(const PackItem& item, std::string_view how) {
  std::string out(how);
  for (const std::string& path : item.paths) {
    const auto identity = identity_of(path);
    if (!identity) return {};
    out += fmt::format("\n{} {} {}", identity.value().size, identity.value().modified_ns, last_part(path));
  }
  return out;
}

}  // namespace tv
