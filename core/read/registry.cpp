#include "core/read/registry.h"

#include <vector>

// One line per format that can be read: the name of an `extern const Reader`, defined in a subfolder.
#define TV_READERS(X) \
  X(kChromeJson)      \
  X(kVerlFileLogger)  \
  X(kVerlRollout)     \
  X(kVerlConsole)     \
  X(kMegatronLog)     \
  X(kPaddleLog)       \
  X(kNsysSqlite)      \
  X(kNsysReport)      \
  X(kPerfetto)

namespace tv {

#define X(reader) extern const Reader reader;
TV_READERS(X)
#undef X
std::span<const Reader> unread_formats();  // not included, because a later room defines it

namespace {

// Formats that can be read come first, so that they win ties.
const std::vector<const Reader*>& known_readers() {
  static const std::vector<const Reader*> known = [] {
    std::vector<const Reader*> readers = {
#define X(reader) &reader,
        TV_READERS(X)
#undef X
    };
    for (const Reader& reader : unread_formats()) readers.push_back(&reader);
    return readers;
  }();
  return known;
}

constexpr int kCertain = 95;  // no further probes are needed

}  // namespace

std::span<const Reader* const> all_readers() { return known_readers(); }

const Reader* choose_reader(const Probe& probe) {
  const Reader* best = nullptr;
  int best_score = 0;
  for (const Reader* reader : known_readers()) {
    if (best_score >= kCertain) break;
    if (const int score = reader->probe(probe); score > best_score) {
      best = reader;
      best_score = score;
    }
  }
  return best;
}

const Reader* find_reader(std::string_view id) {
  for (const Reader* reader : known_readers()) {
    if (reader->id == id) return reader;
  }
  return nullptr;
}

}  // namespace tv
