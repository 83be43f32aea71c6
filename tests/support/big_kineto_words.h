// The words of write_kineto: names of modules, functions, operators and kernels, a few thousand in all, and the texts
// of operator shapes. All made up from a seed; only what PyTorch itself calls its operators and fields is the real
// thing.
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
  Ns typical = 0;    ///< duration
  std::string args;  ///< from "registers per thread" to the occupancy
};

/// An operator of the forward pass with what its call leads to, there and in the backward pass.
struct OpWords {
  NameId name{};
  std::vector<NameId> inner;  ///< called by it, the last one launches
  NameId evaluate{}, backward{};
  std::vector<NameId> backward_inner;  ///< each launches
  KernelFamily family{};
  bool has_weight = false;  ///< its gradient is accumulated
};

/// A module of a decoder layer: what it is called in each layer, its forward function, its operators.
struct ModuleWords {
  std::vector<NameId> of_layer;
  NameId forward{};
  std::vector<std::size_t> ops;  ///< indices into KinetoWords::ops
  bool all_reduce = false;       ///< ends with one over the tensor-parallel group
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
  std::vector<NameId> layers;  ///< the modules that hold them
  NameId layer_forward{};
  std::vector<NameId> functions;  ///< small Python functions, the first ones called most
  std::array<std::vector<KernelWords>, static_cast<std::size_t>(KernelFamily::kCount)> kernels;
  std::vector<std::string> shapes;  ///< "Concrete Inputs" to "Input Dims", each with a comma after it

 private:
  void add_ops(Tally& tally);
  void add_modules(Tally& tally);
  void add_functions(Tally& tally, Random& random);
  void add_kernels(Tally& tally, Random& random);
  void add_shapes(Random& random);
};

}  // namespace tv::test
