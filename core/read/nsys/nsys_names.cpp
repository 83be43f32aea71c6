#include "core/read/nsys/nsys_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, 14> kCopyKinds = {"",     "HtoD", "DtoH", "HtoA",     "AtoH",     "AtoA",    "AtoD",
                                                         "DtoA", "DtoD", "HtoH", "PtoP", "UVM HtoD", "UVM DtoH", "UVM DtoD"};
constexpr std::array<std::string_view, 8> kMemoryKinds = {"Pageable", "Pinned",        "Device",         "Array",
                                                          "Managed",  "Device Static", "Managed Static", "Unknown"};
constexpr std::array<std::string_view, 5> kSyncKinds = {"", "Event Synchronize", "Stream Wait Event", "Stream Synchronize",
                                                        "Context Synchronize"};

template <std::size_t kCount>
std::string_view entry(const std::array<std::string_view, kCount>& names, std::int64_t number) {
  return number >= 0 && number < static_cast<std::int64_t>(kCount) ? names[static_cast<std::size_t>(number)]
                                                                   : std::string_view();
}

std::string named(std::string_view known, std::string_view what, std::int64_t number) {
  return known.empty() ? fmt::format("{} {}", what, number) : std::string(known);
}

}  // namespace

std::string_view copy_kind_name(std::int64_t kind) { return entry(kCopyKinds, kind); }
std::string_view memory_kind_name(std::int64_t kind) { return entry(kMemoryKinds, kind); }
std::string_view sync_kind_name(std::int64_t kind) { return entry(kSyncKinds, kind); }

std::string memcpy_name(std::int64_t copy_kind, std::int64_t from, std::int64_t to) {
  const std::string kind = named(copy_kind_name(copy_kind), "kind", copy_kind);
  if (from < 0 || to < 0) return fmt::format("Memcpy {}", kind);
  return fmt::format("Memcpy {} ({} -> {})", kind, named(memory_kind_name(from), "memory", from),
                     named(memory_kind_name(to), "memory", to));
}

std::string memset_name(std::int64_t memory_kind) {
  if (memory_kind < 0) return "Memset";
  return fmt::format("Memset ({})", named(memory_kind_name(memory_kind), "memory", memory_kind));
}

std::string_view without_api_version(std::string_view name) {
  std::size_t digits = name.size();
  while (digits > 0 && is_digit(name[digits - 1])) --digits;
  const bool versioned = digits < name.size() && digits > 2 && name.substr(digits - 2, 2) == "_v";
  return versioned ? name.substr(0, digits - 2) : name;
}

std::string_view api_category(std::string_view name) {
  const bool driver = name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
  return driver ? "cuda_driver" : "cuda_runtime";
}

std::string_view without_call_number(std::string_view nvtx_text) {
  const std::size_t at = std::min(nvtx_text.find(", seq = "), nvtx_text.find(", op_id = "));
  return nvtx_text.substr(0, at);
}

}  // namespace tv
