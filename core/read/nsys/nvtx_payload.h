// Decodes the bytes that a program attached to an NVTX range: NCCL passes communicator, message size and peer that way. The
// layouts are in the export (NVTX_PAYLOAD_SCHEMAS, _ENTRIES). There are two forms. One of the first words is the layout's number,
// and the last bytes are the payload; or all bytes are the payload, and its length and the event's name determine the layout.
// Only in exports with --include-blobs. Source: Nsight Systems. No sample has such bytes, so both forms are from descriptions.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/tables/sqlite_file.h"

namespace tv {

struct NvtxField {
  std::string name;
  std::int64_t type = 0;
  std::size_t offset = 0;
  auto operator<=>(const NvtxField&) const = default;
};

class NvtxLayouts {
 public:
  void read(SqliteFile& file, const std::vector<SqliteTable>& tables);

  /// Names and values; empty if no layout explains the bytes, or if several do.
  std::vector<std::pair<std::string, std::string>> fields(std::int64_t domain, std::string_view event, std::string_view bytes) const;

 private:
  using Layout = std::vector<NvtxField>;
  const Layout* numbered(std::int64_t domain, std::string_view& bytes) const;
  const Layout* fitting(std::int64_t domain, std::string_view event, std::string_view bytes) const;

  struct Schema {
    std::size_t length = 0;
    Layout layout;
  };
  std::map<std::pair<std::int64_t, std::uint64_t>, Schema> schemas_;  ///< by domain and number
};

}  // namespace tv
