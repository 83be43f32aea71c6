#include "app/run_screenshot.h"
namespace tv { int run_screenshot(const Options&) { return 1; } }
