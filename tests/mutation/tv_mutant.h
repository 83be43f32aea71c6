// For tests/mutation/mutate.py alone, which includes it in every file of its own copy of the program. Each mutant is a place that
// asks `tv_mutant(n)`, which is true in the run that TV_MUTANT=n chooses. TV_MUTANT_REACHED=FILE notes which mutants were asked.
// Asking costs one read of a byte.
#pragma once
#ifdef __cplusplus
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

struct TvMutants {
  static constexpr int kMost = 4096;
  unsigned char asks[kMost] = {};  // mutants for which ask() is called: the chosen one, and those to note
  int chosen = -1;
  int reached = -1;

  TvMutants() {
    if (const char* number = std::getenv("TV_MUTANT")) chosen = std::atoi(number);
    if (const char* file = std::getenv("TV_MUTANT_REACHED")) {
      reached = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
    if (chosen >= 0 && chosen < kMost) asks[chosen] = 1;
    if (reached < 0) return;
    for (unsigned char& one : asks) one = 1;
  }

  bool ask(int n) {
    if (reached >= 0) {
      __atomic_store_n(&asks[n], static_cast<unsigned char>(n == chosen), __ATOMIC_RELAXED);
      char text[16];
      int length = 0;
      for (int rest = n; length == 0 || rest > 0; rest /= 10) text[15 - ++length] = static_cast<char>('0' + rest % 10);
      text[15] = '\n';
      if (::write(reached, text + 15 - length, static_cast<unsigned>(length + 1)) < 0) reached = -1;
    }
    return n == chosen;
  }
};

inline TvMutants tv_mutants;

constexpr bool tv_mutant(int n) {
  if (__builtin_is_constant_evaluated()) return false;
  return __builtin_expect(__atomic_load_n(&tv_mutants.asks[n], __ATOMIC_RELAXED) != 0, 0) && tv_mutants.ask(n);
}
#endif
