#include "core/session/persistence/view_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "core/base/text/parse_json.h"
#include "core/base/text/path_parts.h"
#include "core/io/files/open_stream.h"
#include "core/io/streams/plain_file.h"
#include "core/io/written/new_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tv {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

std::optional<std::uint64_t> head_of(const std::string& path, std::uint64_t bytes) {
  auto file = PlainFile::open(path);
  if (!file) return std::nullopt;
  std::string head(static_cast<std::size_t>(std::min(bytes, kKnownHead)), '\0');
  auto got = file->read_at(0, {head.data(), head.size()});
  if (!got || *got != head.size()) return std::nullopt;
  return XXH3_64bits(head.data(), head.size());
}

// Whether the path can be opened as a trace: not a device, and not another view.
bool can_be_source(const fs::path& path, bool folder) {
  std::error_code code;
  if (is_view_file(path.string())) return false;
  return folder ? fs::is_directory(path, code) : fs::is_regular_file(path, code);
}

bool is_unchanged(const ViewSource& source, const std::string& path) {
  return source.folder || head_of(path, source.size) == source.head;
}

ViewSource described(const std::string& path, const fs::path& folder) {
  ViewSource out;
  std::error_code code;
  const fs::path whole = fs::absolute(path, code).lexically_normal();
  out.absolute = whole.string();
  while (out.absolute.size() > 1 && out.absolute.back() == '/') out.absolute.pop_back();
  out.relative = fs::path(out.absolute).lexically_relative(folder).string();
  out.folder = fs::is_directory(whole, code);
  if (out.folder) return out;
  if (auto identity = identity_of(out.absolute)) out.size = identity->size;
  out.head = head_of(out.absolute, out.size).value_or(0);
  return out;
}

fs::path folder_of_view(const std::string& view_file) {
  std::error_code code;
  return fs::absolute(view_file, code).lexically_normal().parent_path();
}

std::string text_at(const nlohmann::json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

}  // namespace

bool is_view_file(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path.ends_with(kViewEnding);
}

Result<ViewFile> read_view_file(const std::string& path) {
  auto file = PlainFile::open(path);
  if (!file) return file.error();
  if (file->size() > kLargestView) return Error{"too large for a view file", path, {}, {}};
  ViewFile out;
  out.state.resize(static_cast<std::size_t>(file->size()));
  auto got = file->read_at(0, {out.state.data(), out.state.size()});
  if (!got) return got.error();
  out.state.resize(*got);
  const nlohmann::json json = parse_json(out.state);
  if (!json.is_object()) return Error{"this is not a view file: its text is not JSON", path, {}, {}};
  const auto sources = json.find("sources");
  if (sources == json.end() || !sources->is_array()) return Error{"this is not a view file: it names no sources", path, {}, {}};
  for (const auto& each : *sources) {
    if (!each.is_object()) return Error{"this is not a view file: a source is not an object", path, {}, {}};
    ViewSource source;
    source.relative = text_at(each, "relative");
    source.absolute = text_at(each, "absolute");
    if (source.relative.empty() && source.absolute.empty()) continue;
    if (const auto at = each.find("folder"); at != each.end() && at->is_boolean()) source.folder = at->get<bool>();
    if (const auto at = each.find("size"); at != each.end() && at->is_number_unsigned()) source.size = at->get<std::uint64_t>();
    const std::string head = text_at(each, "head");
    std::from_chars(head.data(), head.data() + head.size(), source.head, 16);
    out.sources.push_back(std::move(source));
  }
  return out;
}

Result<void> write_view_file(const std::string& path, const std::vector<std::string>& sources, std::string_view state) {
  OrderedJson out = OrderedJson::parse(state, nullptr, false);
  if (!out.is_object()) return Error{"there is no view to save", path, {}, {}};
  OrderedJson list = OrderedJson::array();
  for (const std::string& each : sources) {
    const ViewSource source = described(each, folder_of_view(path));
    OrderedJson entry = {{"relative", source.relative}, {"absolute", source.absolute}};
    if (source.folder) entry["folder"] = true;
    if (!source.folder) entry["size"] = source.size;
    if (!source.folder) entry["head"] = fmt::format("{:016x}", source.head);
    list.push_back(std::move(entry));
  }
  out["sources"] = std::move(list);
  if (auto free = check_not_input(path, sources); !free) return free;
  return write_whole(NewFile::create(path), out.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n");
}

FoundSources find_sources(const std::vector<ViewSource>& sources, const std::string& view_file, const std::vector<std::string>& others) {
  FoundSources out;
  const fs::path view_folder = folder_of_view(view_file);
  for (const ViewSource& source : sources) {
    std::vector<fs::path> candidates;
    const std::string name(last_part(source.path()));
    if (!source.relative.empty()) candidates.push_back((view_folder / source.relative).lexically_normal());
    if (fs::path(source.absolute).is_absolute()) candidates.emplace_back(source.absolute);
    if (!name.empty()) candidates.push_back(view_folder / name);
    for (const std::string& other : others) {
      if (!name.empty() && !other.empty()) candidates.push_back(fs::path(other) / name);
      if (last_part(other) == name && source.folder) candidates.emplace_back(other);
    }
    std::string found;
    bool same = false;
    for (const fs::path& candidate : candidates) {
      if (same || !can_be_source(candidate, source.folder)) continue;
      same = is_unchanged(source, candidate.string());
      if (same || found.empty()) found = candidate.string();
    }
    if (found.empty()) {
      out.missing.push_back(source);
      continue;
    }
    if (!same) out.changed.push_back(found);
    out.paths.push_back(found);
  }
  return out;
}

std::string default_view_file(const std::string& source) {
  std::error_code code;
  std::string path = fs::absolute(source, code).lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const bool folder = fs::is_directory(path, code);
  for (const std::string_view ending : {".gz", ".zst", ".xz", ".json", ".jsonl", ".tvx", ".sqlite", ".log", ".txt", ".zip", ".tar",
                                        ".nsys-rep", ".pftrace", ".trace", ".pt"}) {
    if (!folder && path.ends_with(ending) && last_part(path).size() > ending.size()) path.resize(path.size() - ending.size());
  }
  return path + std::string(kViewEnding);
}

}  // namespace tv
