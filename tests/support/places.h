// Where tests find their inputs: the checkout, and the large traces that not every machine has. The paths are compiled into one
// file only, so that the objects of all other tests are the same in every checkout, for ccache.
#pragma once

#include <string>
#include <vector>

namespace tv::test {

/// The root of the checkout.
std::string source_dir();
/// The paths of all fixtures, sorted; without goldens and the programs that make them.
std::vector<std::string> fixture_files();
/// The folder of large traces; it need not exist.
std::string shared_dir();

}  // namespace tv::test
