#include "core/session/load/pack_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "core/base/text/natural_less.h"
#include "core/base/text/path_parts.h"
#include "core/read/chrome/chrome_process.h"
#include "core/read/file_facts.h"
#include "core/read/paddle/paddle_device.h"
#include "core/session/load/given_sources.h"

namespace tv {
namespace {

constexpr std::string_view kTraceEvents = "chrome_json";

// The way to it from the folder that was given.
std::string from_given(const std::string& path, const std::vector<std::string>& given) {
  for (const std::string& root : given) {
    const std::string folder = root.ends_with('/') ? root : root + "/";
    if (path.starts_with(folder)) return path.substr(folder.size());
  }
  return std::string(last_part(path));
}

std::string as_file_name(std::string text) {
  constexpr std::string_view kOfShells = "/\\\"'`$&|;<>()*?[]{}~#!=%:,\x7f";
  std::ranges::replace_if(
      text, [&](char c) { return (c >= 0 && c <= ' ') || kOfShells.find(c) != kOfShells.npos; }, '_');
  if (text.starts_with('-') || text.starts_with('.')) text.front() = '_';
  return text;
}

std::string item_of(const std::string& path, const std::vector<std::string>& given) {
  const auto known = recognise(path);
  const Reader* const reader = known ? known.value().reader : nullptr;
  if (!reader || !reader->read) return {};
  // What Paddle's tool made of logs is left out beside them.
  if (reader->is_log || run_of_paddle_profile(path)) return "logs";
  const std::string way = from_given(path, given);
  const std::string folder(folder_of(way));
  const std::optional<std::int64_t> rank = rank_of(path, known.value().head);
  const std::string stem = facts_of(path).stem;
  const std::string_view worker = reader->id == kTraceEvents ? worker_of_stem(stem) : std::string_view(stem);
  const std::string name = rank ? fmt::format("rank_{}", *rank) : std::string(worker);
  return as_file_name(folder.empty() ? name : folder + "/" + name);
}

}  // namespace

std::vector<PackItem> pack_items(const std::vector<std::string>& paths) {
  const GivenSources found = given_sources(paths, {});
  std::map<std::string, std::vector<std::string>> items;
  const auto archive_of = [&](const std::string& path) -> std::string {
    for (const auto& archive : found.archives) {
      if (path.starts_with(archive->path() + "/")) return archive->path();
    }
    return {};
  };
  for (const SourceInfo& source : found.sources) {
    if (source.state == SourceState::Rejected) continue;
    const std::string archive = archive_of(source.path);
    const std::string name = archive.empty() ? item_of(source.path, paths) : as_file_name(from_given(archive, paths));
    std::vector<std::string>& of_item = items[name];
    const std::string& path = archive.empty() ? source.path : archive;
    if (std::ranges::find(of_item, path) == of_item.end()) of_item.push_back(path);
  }
  std::vector<PackItem> out;
  for (auto& [name, files] : items) {
    if (!name.empty()) out.push_back({name, std::move(files)});
  }
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
