// Finds the sample run that comes with the program.
#pragma once

#include <string>

namespace tv {

/// Looks next to the installed program (../share/traceview/samples), then in the source tree that the program was built from.
/// Empty: not found.
std::string sample_path();

}  // namespace tv
