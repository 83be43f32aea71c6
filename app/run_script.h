#pragma once

#include "app/options.h"

namespace tv {

int run_script(const Options& options);

}  // namespace tv
