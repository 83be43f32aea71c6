// The vocabulary of write_kineto: a few thousand names of modules, functions, operators and kernels, and texts of
// operator shapes. Operators and fields have the names that PyTorch gives them; the rest is invented. Functions,
// kernels and shapes depend on a seed.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/big_output.h"
#include "tests/support/gen_trace.h"

namespace tv::test {

enum class KernelFamily : std::uint8_t { Gemm, Elementwise, Reduce, Attention, Optimizer, kCount };

struct KernelWords {
  NameId name{};
  Ns typical = 0;    ///< typical duration
  std::string args;  ///< its fields from "registers per thread" to the occupancy
};

/// An operator of the forward pass, and the operators that it calls there and in the backward pass.
struct OpWords {
  NameId name{};
  std::vector<NameId> inner;  ///< operators it calls; the last launches a kernel
  NameId evaluate{}, backward{};
  std::vector<NameId> backward_inner;  ///< each launches a kernel
  KernelFamily family{};
  bool has_weight = false;  ///< the backward pass accumulates its gradient
};

/// A module of a decoder layer: its name in each layer, its forward function, its operators.
struct ModuleWords {
  std::vector<NameId> of_layer;
  NameId forward{};
  std::vector<std::size_t> ops;  ///< indices into KinetoWords::ops
  bool all_reduce = false;       ///< ends with an all-reduce in the tensor-parallel group
};

struct KinetoWords {
  static constexpr std::size_t kLayers = 32;

  KinetoWords(Tally& tally, Random random);

  const KernelWords& kernel(KernelFamily family, std::size_t site) const {
    const std::vector<KernelWords>& some = kernels[static_cast<std::size_t>(family)];
    return some[site % some.size()];
  }

  std::vector<OpWords> ops;
  std::vector<ModuleWords> modules;
  std::vector<NameId> layers;  ///< the decoder layers that hold the modules
  NameId layer_forward{};
  std::vector<NameId> functions;  ///< small Python functions; the first ones are called most
  std::array<std::vector<KernelWords>, static_cast<std::size_t>(KernelFamily::kCount)> kernels;
  std::vector<std::string> shapes;  ///< the fields "Concrete Inputs" to "Input Dims", a comma after each

 private:
  void add_ops(Tally& tally);
  void add_modules(Tally& tally);
  void add_functions(Tally& tally, Random& random);
  void add_kernels(Tally& tally, Random& random);
  void add_shapes(Random& random);
};

}  // namespace tv::test
