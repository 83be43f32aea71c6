// Whatever begins as a record becomes JSON that parses, and needs no second repair.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/read/json/json_args.h"
#include "core/read/json/json_repair.h"
#include "core/read/json/json_scan.h"
#include "tests/fuzz/json_mutator.h"

namespace {

std::size_t nodes(const tv::Result<tv::ArgTree>& tree) { return tree.ok() ? tree.value().nodes.size() : 0; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string record(reinterpret_cast<const char*>(data), size);
  const std::size_t length = tv::json_value_length(record);
  if (length != std::string_view::npos && length > size) std::abort();
  const tv::RepairedRecord repaired = tv::repair_json(record);
  const auto tree = tv::decode_json_record(record);
  if (!record.starts_with('{') || size > 3000) return 0;  // a longer one may nest too deeply, which is refused
  if (!tree.ok() || nodes(tv::decode_json_record(repaired.json)) == 0) {
    std::fprintf(stderr, "does not parse: %s\n", repaired.json.c_str());
    std::abort();
  }
  const std::string again = tv::repair_json(repaired.json).json;
  if (nodes(tv::decode_json_record(again)) != nodes(tv::decode_json_record(repaired.json))) {
    std::fprintf(stderr, "another repair changes it:\n%s\n%s\n", repaired.json.c_str(), again.c_str());
    std::abort();
  }
  return 0;
}

TV_MUTATE_JSON
