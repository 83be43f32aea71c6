// Decodes the payload that a program attached to an NVTX range: NCCL passes communicator, message size and peer that way. The
// export lists the layouts (NVTX_PAYLOAD_SCHEMAS, NVTX_PAYLOAD_SCHEMA_ENTRIES). The stored bytes have one of two forms:
//
//   - One of the first words is the number of the layout, and the last bytes are the payload.
//   - All bytes are the payload. Its length, or else the event's name, determines the layout.
//
// Only exports made with --include-blobs have these bytes. No sample has them, so both forms follow descriptions.
// Source: Nsight Systems.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
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

  /// Names and values of the payload's fields. Empty if no layout fits the bytes, or if several different ones do.
  std::vector<std::pair<std::string, std::string>> fields(std::int64_t domain, std::string_view event, std::string_view bytes) const;

 private:
  using Layout = std::vector<NvtxField>;
  /// Reduces `bytes` to the payload if it finds the layout.
  const Layout* layout_by_number(std::int64_t domain, std::string_view& bytes) const;
  const Layout* layout_by_length(std::int64_t domain, std::string_view event, std::string_view bytes) const;
  void decide_by_length();

  struct Schema {
    std::size_t length = 0;  ///< of the payload, in bytes
    Layout layout;
  };
  std::map<std::pair<std::int64_t, std::uint64_t>, Schema> schemas_;  ///< by domain and number
  /// By domain, length of the payload, and whether the event's name tells of a peer and of a communicator: the only layout that fits.
  std::map<std::tuple<std::int64_t, std::size_t, bool, bool>, Layout> by_length_;
};

}  // namespace tv
