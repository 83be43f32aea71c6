#include "core/read/library_versions.h"

#include <archive.h>
#include <fmt/format.h>
#include <isa-l.h>
#include <simdjson.h>
#include <sqlite3.h>
#include <xxhash.h>
#include <zstd.h>

#include <nlohmann/json.hpp>
#include <protozero/version.hpp>

#include "core/base/text/toml_library.h"

namespace tv {
namespace {

// libarchive writes 3006002 for 3.6.2, xxHash 801 for 0.8.1.
std::string dotted(unsigned number, unsigned base) {
  return fmt::format("{}.{}.{}", number / base / base, number / base % base, number % base);
}

// The instruction set that On-Demand was compiled for; simdjson's own function returns that of the shared library.
#define TV_TEXT_OF(word) #word
#define TV_TEXT_OF_MACRO(macro) TV_TEXT_OF(macro)
constexpr const char* kOnDemandFor = TV_TEXT_OF_MACRO(SIMDJSON_BUILTIN_IMPLEMENTATION);

std::string dotted_json_version() {
  return fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace

LibraryVersions core_library_versions() {
  return {
      {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"simdjson", fmt::format("{}.{}.{} ({})", +simdjson::SIMDJSON_VERSION_MAJOR, +simdjson::SIMDJSON_VERSION_MINOR,
                               +simdjson::SIMDJSON_VERSION_REVISION, kOnDemandFor)},
      {"ISA-L", fmt::format("{}.{}.{}", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)},
      {"zstd", ZSTD_versionString()},
      {"libarchive", dotted(static_cast<unsigned>(archive_version_number()), 1000)},
      {"SQLite", sqlite3_libversion()},
      {"xxHash", dotted(XXH_versionNumber(), 100)},
      {"toml++", fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
      {"protozero", PROTOZERO_VERSION_STRING},
      {"nlohmann/json", dotted_json_version()},
  };
}

}  // namespace tv
