#include "tests/support/places.h"

namespace tv::test {

std::string source_dir() { return TV_SOURCE_DIR; }
std::string shared_dir() { return TV_SHARED_DIR; }

}  // namespace tv::test
