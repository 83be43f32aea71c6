// The bound on a demangled name is never below its true length, whatever parts the name refers to.
#include "core/view/words/mangled_length.h"

#include <cxxabi.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

double true_length(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return text ? static_cast<double>(std::string_view(text.get()).size()) : 0;
}

constexpr double kSmall = 1 << 20;

}  // namespace

TEST_CASE("mangled_length: the bound of a kernel's name is at least its length and below a mebibyte") {
  for (const char* const name : {
           "_Z4gemmIfEvPT_iPKfRS0_OS1_",
           "_ZN5aiter9add_quantIfLi16EEEvPT_i",
           "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_13BinaryFunctorIfffNS0_15binary_internal10MulFunctorIfEEEESt5arrayIPc"
           "Lm3EEEEviT0_T1_",
           "_ZN2at6native27unrolled_elementwise_kernelIZZZNS0_19sigmoid_kernel_cudaERNS_18TensorIteratorBaseEENKUlvE0_clEvENKUlvE_clE"
           "vEUlfE_St5arrayIPcLm2EELi4E23TrivialOffsetCalculatorILi1EjES8_NS0_6memory15LoadWithoutCastENS9_16StoreWithoutCastEEEviT_T0_"
           "T2_T3_T4_T5_",
           "_ZN4vllm24fused_add_rms_norm_kernelIN3c108BFloat16ELi8EEENSt9enable_ifIXaagtT0_Li0Esr12_typeConvertIT_EE6existsEvE4typeE"
           "PS4_iS6_PKS4_fii",
           "_Z1fIJfiPFvDv4_fA8_jM1aKcEDF16_EEvDpT_",
           "_ZN12_GLOBAL__N_11gC1EvB5cxx11",
       }) {
    CAPTURE(name);
    CHECK(demangled_length(name) >= true_length(name));
    CHECK(demangled_length(name) < kSmall);
  }
}

TEST_CASE("mangled_length: each reference to a part that has references itself increases the bound, which is never too low") {
  // Through types, through names, and through template parameters.
  for (const std::string& step : {std::string("S0_IS#_S#_E"), std::string("N1bIS#_S#_E1cE")}) {
    std::string name = "_Z1fI1PIiiE";
    double before = 0;
    for (int i = 1; i <= 9; ++i) {
      std::string one = step;
      for (std::size_t at = one.find('#'); at != one.npos; at = one.find('#')) one[at] = static_cast<char>('0' + i);
      name += one;
      const double bound = demangled_length(name + "Evv");
      CAPTURE(name);
      CHECK(bound >= true_length(name + "Evv"));
      CHECK(bound > before);
      before = bound;
    }
  }
  CHECK(demangled_length("_Z1fI1aEvT_T_T_T_") > demangled_length("_Z1fI1aEvT_"));
}

TEST_CASE("mangled_length: a name that is too long, or full of references and not understood, has no bound") {
  CHECK(demangled_length("_ZTV1a") < kSmall);
  std::string name = "_ZTIN1aI1bE1cE";
  for (int i = 0; i < 20; ++i) name += "S_S0_";
  CHECK(std::isinf(demangled_length(name)));
  CHECK(std::isinf(demangled_length("_Z1f" + std::string(1'000'000, 'P') + "i")));
  CHECK(demangled_length("_Z") < kSmall);
  CHECK(demangled_length("_Znonsense") < kSmall);
}

TEST_CASE("mangled_length: randomly changed names are never longer than their bound") {
  constexpr const char* kParts[] = {"S_", "S0_", "S1_", "S2_", "S3_", "S4_", "S5_", "T_",  "T0_", "DpT_", "1aI",  "E",   "I",   "N",
                                    "P",  "RK",  "J",   "Z",   "i",   "Ut_", "UlvE_", "Li3E", "X",   "sp",  "RT_", "A3_", "M1a", "FvT_E"};
  constexpr const char* kNames[] = {"_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpIfNS0_14func_wrapper_tIfEEjfLi4EEEEEvT1_",
                                    "_Z1fI1PIiiES0_IS1_S1_ES0_IS2_S2_ES0_IS3_S3_EEvT_T0_DpRKT1_",
                                    "_ZZN1aIfE1bIJifEEEvDpT_ENKUlT_E_clIiEEDaS3_"};
  for (const std::uint64_t seed : seeds(200)) {
    CAPTURE(seed);
    Random random(seed);
    for (int round = 0; round < 20; ++round) {
      std::string name = random.one_of(kNames);
      for (std::int64_t changes = random.in(1, 5); changes > 0; --changes) {
        const auto at = static_cast<std::size_t>(random.in(2, static_cast<std::int64_t>(name.size())));
        if (random.chance(0.3)) {
          name.erase(at, static_cast<std::size_t>(random.in(1, 6)));
        } else if (random.chance(0.3)) {
          name.insert(at, name.substr(std::min(at, name.size() / 2), static_cast<std::size_t>(random.in(1, 30))));
        } else {
          name.insert(at, random.one_of(kParts));
        }
      }
      const double bound = demangled_length(name);
      CAPTURE(name);
      if (bound < kSmall) CHECK(bound >= true_length(name));
    }
  }
}
