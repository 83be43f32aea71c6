#pragma once

#include "app/options.h"

namespace tv {

int run_screenshot(const Options& options);

}  // namespace tv
