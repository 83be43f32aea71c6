// The verbs that need no window. Data goes to stdout, messages go to stderr. The numbers come from the same models as the window's.
#pragma once

#include "app/line/options.h"

namespace tv {

int run_diagnose();  ///< prints version and environment
int run_info(const Options& options);
int run_report(const Options& options);
int run_stats(const Options& options);
int run_dump(const Options& options);
int run_export(const Options& options);
int run_find(const Options& options);
int run_pack(const Options& options);
int run_cache(const Options& options);
int run_settings(const Options& options);
int run_help(const Options& options);

}  // namespace tv
