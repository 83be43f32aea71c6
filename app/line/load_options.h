// What the command line says about loading.
#pragma once

#include "app/options.h"
#include "core/session/load_job.h"

namespace tv {

LoadOptions load_options(const Options& options);

}  // namespace tv
