#include "core/read/registry.h"

// One line per format: the name of an `extern const Reader` defined in a file of this folder.
#define TV_READERS(X)  \
  X(kChromeJson)       \
  X(kVerlFileLogger)   \
  X(kVerlRollout)      \
  X(kVerlConsole)      \
  X(kMegatronLog)      \
  X(kPaddleLog)        \
  X(kNsysSqlite)       \
  X(kNsysReport)       \
  X(kNsysStream)       \
  X(kPerfetto)         \
  X(kParquet)          \
  X(kArrow)            \
  X(kHdf5)             \
  X(kRocprof)          \
  X(kSpeedscope)       \
  X(kCpuProfile)       \
  X(kExecutionTrace)   \
  X(kXplane)           \
  X(kMemorySnapshot)

namespace tv {

#define X(reader) extern const Reader reader;
TV_READERS(X)
#undef X

namespace {
constexpr const Reader* kReaders[] = {
#define X(reader) &reader,
    TV_READERS(X)
#undef X
};

constexpr int kCertain = 95;  // nobody else needs to look
}  // namespace

std::span<const Reader* const> all_readers() { return kReaders; }

const Reader* choose_reader(const Probe& probe) {
  const Reader* best = nullptr;
  int best_score = 0;
  for (const Reader* reader : kReaders) {
    if (best_score >= kCertain) break;
    if (const int score = reader->probe(probe); score > best_score) {
      best = reader;
      best_score = score;
    }
  }
  return best;
}

const Reader* find_reader(std::string_view id) {
  for (const Reader* reader : kReaders) {
    if (reader->id == id) return reader;
  }
  return nullptr;
}

}  // namespace tv
