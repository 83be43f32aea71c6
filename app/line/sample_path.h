// Location of the bundled sample run.
#pragma once

#include <string>

namespace tv {

/// Next to the installed program (../share/traceview/samples), else in the source tree it was built from. Empty: not found.
std::string sample_path();

}  // namespace tv
