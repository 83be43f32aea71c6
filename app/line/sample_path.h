// Where the sample run is that comes with the program.
#pragma once

#include <string>

namespace tv {

/// Beside the program as it is installed (../share/traceview/samples), else in the sources it was built from. Empty: nowhere.
std::string sample_path();

}  // namespace tv
