#include "core/read/nvtx_payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace tv {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kMostBytesShown = 64;

struct Entry {
  std::string name;
  std::int64_t type = 0;
  std::size_t offset = 0;
  auto operator<=>(const Entry&) const = default;
};
using Layout = std::vector<Entry>;

template <class T>
std::optional<std::string> value_at(std::string_view bytes, std::size_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return fmt::format("{}", value);
}

// Types as NCCL uses them; nvToolsExtPayload.h numbers more.
std::optional<std::string> value_of(const Entry& entry, std::string_view bytes) {
  constexpr std::int64_t kInt = 5, kUint64 = 18, kSize = 22;
  switch (entry.type) {
    case kInt: return value_at<std::int32_t>(bytes, entry.offset);
    case kUint64:
    case kSize: return value_at<std::uint64_t>(bytes, entry.offset);
    default: return std::nullopt;
  }
}

// The layouts of a domain for that many bytes; the same one is often there several times.
std::set<Layout> layouts(SqliteFile& file, std::int64_t domain, std::size_t bytes) {
  std::map<std::int64_t, std::map<std::int64_t, Entry>> entries;
  auto rows = file.select(fmt::format("SELECT e.schemaId, e.idx, e.name, e.type, e.\"offset\" FROM NVTX_PAYLOAD_SCHEMA_ENTRIES e JOIN "
                                      "NVTX_PAYLOAD_SCHEMAS s ON s.domainId = e.domainId AND s.schemaId = e.schemaId "
                                      "WHERE s.domainId = {} AND s.payloadSize = {}",
                                      domain, bytes));
  while (rows && rows->next()) {
    entries[rows->integer_or(0, 0)][rows->integer_or(1, 0)] = {std::string(rows->text(2)), rows->integer_or(3, 0),
                                                               static_cast<std::size_t>(rows->integer_or(4, 0))};
  }
  std::set<Layout> out;
  for (const auto& [schema, of_schema] : entries) {
    Layout layout;
    for (const auto& [index, entry] : of_schema) layout.push_back(entry);
    out.insert(std::move(layout));
  }
  return out;
}

bool has(const Layout& layout, std::string_view name) { return std::ranges::find(layout, name, &Entry::name) != layout.end(); }

const Layout* fitting(const std::set<Layout>& layouts, std::string_view event) {
  if (layouts.size() == 1) return &*layouts.begin();
  const bool to_peer = event.find("Send") != event.npos || event.find("Recv") != event.npos;
  const bool of_communicator = event.find("Comm") != event.npos;
  const Layout* out = nullptr;
  for (const Layout& layout : layouts) {
    if ((to_peer && has(layout, "Peer rank")) || (of_communicator && has(layout, "Rank"))) {
      if (out) return nullptr;
      out = &layout;
    }
  }
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> nvtx_payload(SqliteFile& file, const std::vector<SqliteTable>& tables,
                                                              SqliteRows& row, int column) {
  const std::string bytes(row.blob(column));
  std::string event;
  std::int64_t domain = 0;
  for (int c = 0; c < row.columns(); ++c) {
    if (row.column_name(c) == "text") event = row.text(c);
    if (row.column_name(c) == "domainId") domain = row.integer_or(c, 0);
    if (row.column_name(c) == "textId" && !row.is_null(c)) {
      auto text = file.select(fmt::format("SELECT value FROM StringIds WHERE id = {}", row.integer_or(c, -1)));
      if (text && text->next()) event = text->text(0);
    }
  }
  Fields out;
  const bool described = std::ranges::find(tables, "NVTX_PAYLOAD_SCHEMA_ENTRIES", &SqliteTable::name) != tables.end();
  const std::set<Layout> possible = described ? layouts(file, domain, bytes.size()) : std::set<Layout>();
  if (const Layout* const layout = fitting(possible, event)) {
    for (const Entry& entry : *layout) {
      if (const auto value = value_of(entry, bytes)) out.emplace_back(entry.name, *value);
    }
  }
  if (!out.empty()) return out;
  std::string shown;
  for (const char c : bytes.substr(0, kMostBytesShown)) shown += fmt::format("{:02x} ", static_cast<unsigned char>(c));
  if (bytes.size() > kMostBytesShown) shown += fmt::format("... {} bytes", bytes.size());
  out.emplace_back(std::string(row.column_name(column)), shown);
  return out;
}

}  // namespace tv
