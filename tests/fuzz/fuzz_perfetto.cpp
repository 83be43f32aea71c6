// A Perfetto trace that is damaged anywhere: reading must end, keep the invariants, give the same for any size of
// chunks, and what was found must be found again.
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
  if (expected != found) fail("chunks can be seen", first_difference(expected, found));
  std::ofstream(file.path, std::ios::binary) << bytes;
  auto records = reader.open_table(file.path);
  // Opened by its content, it may be taken for an archive.
  const auto begins = [&](std::string_view magic) { return bytes.starts_with(magic); };
  if (!records.ok() && (begins("PK") || begins("\x1f\x8b") || begins("\x28\xb5\x2f\xfd"))) return 0;
  if (!records.ok()) fail("what was read can be opened again");
  for (std::size_t i = 0; i < std::min<std::size_t>(trace->slices.size(), 50); ++i) {
    const auto tree = (*records)->at(trace->slices.ref[i].offset());
    if (!tree.ok()) return 0;  // the same
    if (tree.value().nodes.empty()) fail("a decoded record without a root");
  }
  return 0;
}
