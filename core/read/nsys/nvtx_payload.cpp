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

// Decodes the types that NCCL uses. nvToolsExtPayload.h defines more.
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

// Decides between layouts of equal length: NCCL has such for calls with a peer and for calls about a communicator.
bool fits(const std::vector<NvtxField>& layout, bool with_peer, bool of_communicator) {
  return (with_peer && has(layout, "Peer rank")) || (of_communicator && has(layout, "Rank"));
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
  decide_by_length();
}

// Decides once for all events, since a damaged file may have a layout for each.
void NvtxLayouts::decide_by_length() {
  std::map<std::pair<std::int64_t, std::size_t>, std::set<Layout>> possible;
  for (const auto& [number, schema] : schemas_) possible[{number.first, schema.length}].insert(schema.layout);
  for (const auto& of_length : possible) {
    const auto [domain, length] = of_length.first;
    const std::set<Layout>& layouts = of_length.second;
    for (const bool with_peer : {false, true}) {
      for (const bool of_communicator : {false, true}) {
        const auto is_candidate = [&](const Layout& layout) {
          return layouts.size() == 1 || fits(layout, with_peer, of_communicator);
        };
        if (std::ranges::count_if(layouts, is_candidate) != 1) continue;
        by_length_[{domain, length, with_peer, of_communicator}] = *std::ranges::find_if(layouts, is_candidate);
      }
    }
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
  const bool with_peer = event.find("Send") != event.npos || event.find("Recv") != event.npos;
  const auto found = by_length_.find({domain, bytes.size(), with_peer, event.find("Comm") != event.npos});
  return found == by_length_.end() ? nullptr : &found->second;
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
