// Derives the options of a load from those of the command line.
#pragma once

#include "app/line/options.h"
#include "core/session/load/load_job.h"

namespace tv {

LoadOptions load_options(const Options& options);

}  // namespace tv
