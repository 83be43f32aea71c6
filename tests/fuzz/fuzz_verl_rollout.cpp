#include "tests/fuzz/json_mutator.h"
#include "tests/fuzz/reader_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  tv::test::check_reader("verl_rollout", "fuzz/step_1/worker_0.jsonl", text);
  return 0;
}

TV_MUTATE_JSON
