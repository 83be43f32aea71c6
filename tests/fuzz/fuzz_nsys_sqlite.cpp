// An export of Nsight Systems, damaged anywhere: reading must end and keep the invariants, and the records must open again. A
// damaged page tree may give other rows on another path, so the result may depend on the size of the pieces.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/fuzz/reader_fuzz.h"
#include "tests/fuzz/sqlite_mutator.h"

using namespace tv;
using namespace tv::test;

namespace {

struct DatabaseFile {
  std::string path = std::filesystem::temp_directory_path() / ("fuzz_nsys_" + std::to_string(getpid()) + ".sqlite");
  ~DatabaseFile() { std::filesystem::remove(path); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const DatabaseFile file;
  static ThreadPool two(2);
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::ofstream(file.path, std::ios::binary) << bytes;
  const Reader& reader = *find_reader("nsys_sqlite");
  for (const std::size_t chunk_bytes : {1 << 20, 256}) {
    SourceInfo info;
    info.path = file.path;
    info.bytes = size;
    SourceDraft draft(std::move(info));
    MemoryStream stream(bytes);
    ReadProgress progress;
    ReadContext context{file.path, bytes, stream, draft, two, progress, {}, chunk_bytes};
    if (!reader.read(context).ok()) continue;
    const auto trace = build_trace({draft.view()}, two);
    if (const std::string violation = check_invariants(*trace); !violation.empty()) fail("an invariant does not hold", violation);
    auto records = reader.open_table(file.path);
    if (!records.ok()) fail("what was read cannot be opened again");
    for (std::size_t i = 0; i < std::min<std::size_t>(trace->slices.size(), 20); ++i) {
      const auto tree = (*records)->at(trace->slices.ref[i].offset());
      if (tree.ok() && tree.value().nodes.empty()) fail("a decoded record without a root");
    }
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return put_input(SqliteMutator(std::string(reinterpret_cast<const char*>(data), size), most, seed).change(), data, most);
}
