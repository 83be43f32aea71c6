#include "core/read/nsys/nvtx_payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace tv {
namespace {

template <class T>
std::optional<std::string> value_at(std::string_view bytes, std::size_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return fmt::format("{}", value);
}

// Types that NCCL uses; nvToolsExtPayload.h defines more.
std::optional<std::string> value_of(const NvtxField& field, std::string_view bytes) {
  constexpr std::int64_t kInt = 5, kUint64 = 18, kSize = 22;
  switch (field.type) {
    case kInt: return value_at<std::int32_t>(bytes, field.offset);
    case kUint64:
    case kSize: return value_at<std::uint64_t>(bytes, field.offset);
    default: return std::nullopt;
  }
}

bool has(const std::vector<NvtxField>& layout, std::string_view name) {
  return std::ranges::find(layout, name, &NvtxField::name) != layout.end();
}

// NCCL's calls with a peer, and those about a communicator, have layouts of the same length.
bool fits(const std::vector<NvtxField>& layout, std::string_view event) {
  const bool with_peer = event.find("Send") != event.npos || event.find("Recv") != event.npos;
  return (with_peer && has(layout, "Peer rank")) || (event.find("Comm") != event.npos && has(layout, "Rank"));
}

}  // namespace

void NvtxLayouts::read(SqliteFile& file, const std::vector<SqliteTable>& tables) {
  const auto schemas = std::ranges::find(tables, "NVTX_PAYLOAD_SCHEMAS", &SqliteTable::name);
  const auto entries = std::ranges::find(tables, "NVTX_PAYLOAD_SCHEMA_ENTRIES", &SqliteTable::name);
  if (schemas == tables.end() || entries == tables.end()) return;
  auto schema = file.select(sqlite_select(*schemas, {"domainId", "schemaId", "payloadSize"}));
  while (schema && schema->next()) {
    const auto number = static_cast<std::uint64_t>(schema->integer_or(1, 0));
    schemas_[{schema->integer_or(0, 0), number}].length = static_cast<std::size_t>(schema->integer_or(2, 0));
  }
  std::map<std::pair<std::int64_t, std::uint64_t>, std::map<std::int64_t, NvtxField>> fields;
  auto entry = file.select(sqlite_select(*entries, {"domainId", "schemaId", "idx", "name", "type", "offset"}));
  while (entry && entry->next()) {
    fields[{entry->integer_or(0, 0), static_cast<std::uint64_t>(entry->integer_or(1, 0))}][entry->integer_or(2, 0)] = {
        std::string(entry->text(3)), entry->integer_or(4, 0), static_cast<std::size_t>(entry->integer_or(5, 0))};
  }
  for (const auto& [number, by_index] : fields) {
    for (const auto& [index, field] : by_index) schemas_[number].layout.push_back(field);
  }
}

const NvtxLayouts::Layout* NvtxLayouts::layout_by_number(std::int64_t domain, std::string_view& bytes) const {
  constexpr std::size_t kHeaderWords = 4;
  for (std::size_t at = 0; at < kHeaderWords * sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    if (bytes.size() < at + sizeof(std::uint64_t)) return nullptr;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    const auto schema = schemas_.find({domain, word});
    if (schema == schemas_.end() || schema->second.length == 0) continue;
    if (bytes.size() - at - sizeof word < schema->second.length) return nullptr;
    bytes.remove_prefix(bytes.size() - schema->second.length);
    return &schema->second.layout;
  }
  return nullptr;
}

const NvtxLayouts::Layout* NvtxLayouts::layout_by_length(std::int64_t domain, std::string_view event, std::string_view bytes) const {
  std::set<Layout> possible;
  const Layout* out = nullptr;
  for (const auto& [number, schema] : schemas_) {
    if (number.first == domain && schema.length == bytes.size()) possible.insert(schema.layout);
  }
  for (const auto& [number, schema] : schemas_) {
    if (!possible.contains(schema.layout) || (possible.size() > 1 && !fits(schema.layout, event))) continue;
    if (out && *out != schema.layout) return nullptr;
    out = &schema.layout;
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> NvtxLayouts::fields(std::int64_t domain, std::string_view event,
                                                                     std::string_view bytes) const {
  std::vector<std::pair<std::string, std::string>> out;
  const Layout* layout = layout_by_number(domain, bytes);
  if (!layout) layout = layout_by_length(domain, event, bytes);
  if (!layout) return out;
  for (const NvtxField& field : *layout) {
    if (const auto value = value_of(field, bytes)) out.emplace_back(field.name, *value);
  }
  return out;
}

}  // namespace tv
