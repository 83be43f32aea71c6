// A Perfetto trace that is damaged anywhere: reading must end, keep the invariants and give the same trace for any size of chunks,
// and the records must open again.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/fuzz/reader_fuzz.h"

using namespace tv;
using namespace tv::test;

namespace {

struct PerfettoFile {
  std::string path =
      std::filesystem::temp_directory_path() / ("fuzz_perfetto_" + std::to_string(getpid()) + ".pftrace");
  ~PerfettoFile() { std::filesystem::remove(path); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const PerfettoFile file;
  static ThreadPool two(2);
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Reader& reader = *find_reader("perfetto");
  const auto trace = read_text(reader, file.path, bytes, 1 << 20, two);
  if (const std::string violation = check_invariants(*trace); !violation.empty())
    fail("an invariant does not hold", violation);
  const std::string expected = everything(*trace), found = everything(*read_text(reader, file.path, bytes, 64, two));
  if (expected != found) fail("the trace depends on the chunks", first_difference(expected, found));
  std::ofstream(file.path, std::ios::binary) << bytes;
  auto records = reader.open_table(file.path);
  // open_table() opens the file by its content, and may take it for an archive.
  const auto begins = [&](std::string_view magic) { return bytes.starts_with(magic); };
  if (!records.ok() && (begins("PK") || begins("\x1f\x8b") || begins("\x28\xb5\x2f\xfd"))) return 0;
  if (!records.ok()) fail("what was read cannot be opened again");
  for (std::size_t i = 0; i < std::min<std::size_t>(trace->slices.size(), 50); ++i) {
    const auto tree = (*records)->at(trace->slices.ref[i].offset());
    if (!tree.ok()) return 0;  // for the same reason
    if (tree.value().nodes.empty()) fail("a decoded record without a root");
  }
  return 0;
}
