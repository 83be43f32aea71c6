// Ends the program with a message if the processor is too old for it. The file is linked into the program directly, because the
// linker drops parts of a library that nothing refers to. It is compiled without -march, so it runs on every x86-64.
#if defined(TV_LEVEL_haswell) || defined(TV_LEVEL_westmere)
#include <unistd.h>

namespace {

// Runs before other static constructors, which may be compiled for newer processors: a missing instruction would end the program
// with SIGILL, without an explanation.
[[gnu::constructor(101)]] void check_processor() {
  __builtin_cpu_init();
#ifdef TV_LEVEL_haswell
  const bool enough = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
  static const char kText[] =
      "traceview: this program needs AVX2, which this machine's processor lacks. Build it here, or with "
      "cmake -D TV_NATIVE=OFF for all processors since 2010.\n";
#else
  const bool enough = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt") &&
                      __builtin_cpu_supports("pclmul");
  static const char kText[] =
      "traceview: this program needs SSE4.2, POPCNT and PCLMUL (x86-64-v2, since 2010), which this machine's processor lacks.\n";
#endif
  if (enough) return;
  static_cast<void>(!::write(STDERR_FILENO, kText, sizeof(kText) - 1));
  ::_exit(1);
}

}  // namespace
#endif
