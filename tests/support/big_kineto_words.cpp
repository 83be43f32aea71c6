#include "tests/support/big_kineto_words.h"

// One draw per statement, here and in the other writers: C++ does not specify in which order arguments are evaluated.

namespace tv::test {
namespace {

struct OpSketch {
  std::string_view name;
  std::vector<std::string_view> inner;
  std::string_view backward;
  std::vector<std::string_view> backward_inner;
  KernelFamily family;
  bool has_weight = false;
};

const std::vector<OpSketch>& op_sketches() {
  using enum KernelFamily;
  static const std::vector<OpSketch> sketches = {
      {"aten::linear", {"aten::t", "aten::transpose", "aten::as_strided", "aten::addmm"}, "AddmmBackward0",
       {"aten::mm", "aten::mm"}, Gemm, true},
      {"aten::matmul", {"aten::expand", "aten::reshape", "aten::bmm"}, "BmmBackward0",
       {"aten::bmm", "aten::bmm"}, Gemm},
      {"aten::rms_norm", {"aten::pow", "aten::mean", "aten::rsqrt", "aten::mul"}, "FusedRmsNormBackward0",
       {"aten::_fused_rms_norm_backward"}, Reduce, true},
      {"aten::mul", {"aten::mul"}, "MulBackward0", {"aten::mul"}, Elementwise},
      {"aten::add", {"aten::add"}, "AddBackward0", {"aten::sum"}, Elementwise},
      {"aten::silu", {"aten::silu"}, "SiluBackward0", {"aten::silu_backward"}, Elementwise},
      {"aten::cat", {"aten::narrow", "aten::cat"}, "CatBackward0", {"aten::slice"}, Elementwise},
      {"aten::scaled_dot_product_attention",
       {"aten::transpose", "aten::empty_like", "aten::_flash_attention_forward"}, "FlashAttentionBackward0",
       {"aten::_flash_attention_backward"}, Attention},
      {"aten::dropout", {"aten::empty_like", "aten::native_dropout"}, "NativeDropoutBackward0",
       {"aten::native_dropout_backward"}, Elementwise},
      {"aten::to", {"aten::_to_copy", "aten::empty_strided", "aten::copy_"}, "ToCopyBackward0", {"aten::copy_"},
       Elementwise},
  };
  return sketches;
}

struct ModuleSketch {
  std::string_view name, file;
  int line;
  std::vector<std::size_t> ops;  // indices into op_sketches()
  bool all_reduce = false;
};

const std::vector<ModuleSketch>& module_sketches() {
  static const std::vector<ModuleSketch> sketches = {
      {"InputNorm", "norm", 41, {2, 9}},
      {"QueryKeyValue", "projection", 118, {0, 9}},
      {"Rotary", "rotary", 67, {3, 3, 6}},
      {"CoreAttention", "attention", 302, {7, 1}},
      {"AttentionOutput", "projection", 176, {0, 8, 4}, true},
      {"ForwardNorm", "norm", 41, {2}},
      {"GateUp", "feed_forward", 88, {0, 5, 3}},
      {"Down", "feed_forward", 131, {0, 8, 4}, true},
  };
  return sketches;
}

constexpr std::string_view kFolders[] = {"train/loop",   "train/schedule", "model/blocks",  "model/layers",
                                         "data/loading", "data/packing",   "runtime/hooks", "runtime/streams",
                                         "optim/fused",  "parallel/comm",  "parallel/mesh", "util/tracking"};
constexpr std::string_view kVerbs[] = {"get", "set", "check", "apply", "make", "wrap", "find", "pack", "cast", "view",
                                       "push", "pop", "hook", "call", "bind", "scale", "mask", "split", "merge", "log"};
constexpr std::string_view kNouns[] = {"weight", "state", "shape",  "dtype",  "handle", "buffer", "group",  "stream",
                                       "config", "batch", "tensor", "module", "grad",   "mask",   "device", "context"};
constexpr std::string_view kTypes[] = {"float", "bfloat16", "half", "int", "long", "bool"};
constexpr std::string_view kFunctors[] = {"MulFunctor", "AddFunctor",   "SiluFunctor", "CastFunctor",
                                          "FillFunctor", "WhereFunctor", "ScaleFunctor", "ClampFunctor"};

}  // namespace

KinetoWords::KinetoWords(Tally& tally, Random random) {
  add_ops(tally);
  add_modules(tally);
  add_functions(tally, random);
  add_kernels(tally, random);
  add_shapes(random);
}

void KinetoWords::add_ops(Tally& tally) {
  for (const OpSketch& sketch : op_sketches()) {
    OpWords op;
    op.name = tally.name(sketch.name);
    for (const std::string_view inner : sketch.inner) op.inner.push_back(tally.name(inner));
    op.evaluate = tally.name(fmt::format("autograd::engine::evaluate_function: {}", sketch.backward));
    op.backward = tally.name(sketch.backward);
    for (const std::string_view inner : sketch.backward_inner) op.backward_inner.push_back(tally.name(inner));
    op.family = sketch.family;
    op.has_weight = sketch.has_weight;
    ops.push_back(std::move(op));
  }
}

void KinetoWords::add_modules(Tally& tally) {
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    layers.push_back(tally.name(fmt::format("nn.Module: DecoderLayer_{}", layer)));
  }
  layer_forward = tally.name("model/blocks/decoder.py(214): forward");
  for (const ModuleSketch& sketch : module_sketches()) {
    ModuleWords module;
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      module.of_layer.push_back(tally.name(fmt::format("nn.Module: {}_{}", sketch.name, layer)));
    }
    module.forward = tally.name(fmt::format("model/layers/{}.py({}): forward", sketch.file, sketch.line));
    module.ops = sketch.ops;
    module.all_reduce = sketch.all_reduce;
    modules.push_back(std::move(module));
  }
}

void KinetoWords::add_functions(Tally& tally, Random& random) {
  constexpr std::size_t kFunctions = 2'400;
  while (functions.size() < kFunctions) {
    const std::string_view verb = random.one_of(kVerbs);
    const std::string_view noun = random.one_of(kNouns);
    const std::string_view folder = random.one_of(kFolders);
    const std::string_view file = random.one_of(kNouns);
    const std::int64_t line = random.in(10, 1'900);
    const std::uint64_t address = random.next() >> 24;
    const bool built_in = random.in(0, 9) == 0;
    functions.push_back(tally.name(
        built_in ? fmt::format("<built-in method {}_{} of Storage object at 0x7f{:010x}>", verb, noun, address)
                 : fmt::format("{}_{}.py({}): {}_{}", folder, file, line, verb, noun)));
  }
}

void KinetoWords::add_kernels(Tally& tally, Random& random) {
  constexpr int kPerFamily[] = {48, 64, 24, 6, 4};
  constexpr Ns kTypical[] = {38'000, 6'500, 9'000, 62'000, 45'000};
  for (std::size_t family = 0; family < kernels.size(); ++family) {
    for (int i = 0; i < kPerFamily[family]; ++i) {
      std::string name;
      const std::string_view type = random.one_of(kTypes);
      const std::string_view functor = random.one_of(kFunctors);
      const std::int64_t tile = std::int64_t{32} << random.in(0, 3);
      const std::int64_t vector = std::int64_t{1} << random.in(0, 3);
      const std::int64_t stages = random.in(2, 5);
      switch (static_cast<KernelFamily>(family)) {
        case KernelFamily::Gemm:
          name = fmt::format("sm_gemm_bf16_f32_tile{}x{}x{}_stages{}_{}_kernel", tile, 2 * tile, 64, stages,
                             i % 2 ? "tn" : "nn");
          break;
        case KernelFamily::Elementwise:
          name = fmt::format("void vectorized_elementwise_kernel<{}, {}<{}>, std::array<char*, {}ul> >(int, {}<{}>, "
                             "std::array<char*, {}ul>)",
                             vector, functor, type, i % 4 + 1, functor, type, i % 4 + 1);
          break;
        case KernelFamily::Reduce:
          name = fmt::format("void reduce_kernel<512, {}, ReduceOp<{}, MeanOps<{}, float, float>, unsigned int, {}> >"
                             "(ReduceOp<{}, MeanOps<{}, float, float>, unsigned int, {}>)",
                             vector, type, type, i % 4 + 1, type, type, i % 4 + 1);
          break;
        case KernelFamily::Attention:
          name = fmt::format("void flash_{}_kernel<Kernel_traits<128, {}, {}, 8, cutlass::bfloat16_t> >(Flash_params)",
                             i % 2 ? "bwd" : "fwd", tile, 2 * tile);
          break;
        default:
          name = fmt::format("void multi_tensor_apply_kernel<TensorListMetadata<{}>, FusedAdam<{}, {}> >(...)",
                             i % 4 + 1, type, i % 4 + 1);
      }
      KernelWords kernel;
      kernel.name = tally.name(name);
      kernel.typical = kTypical[family] * random.in(25, 300) / 100;
      const std::int64_t blocks = random.in(1, 2'000);
      const std::int64_t columns = random.in(1, 8);
      const std::int64_t threads = 64 * random.in(1, 8);
      const std::int64_t registers = random.in(16, 255);
      const std::int64_t shared = 1'024 * random.in(0, 200);
      const std::int64_t occupancy = random.in(0, 100);
      kernel.args = fmt::format(
          "\"registers per thread\": {},      \"shared memory\": {},      \"blocks per SM\": {}.{:06},      "
          "\"warps per SM\": {}.{:06},      \"grid\": [{}, {}, 1],      \"block\": [{}, 1, 1],      "
          "\"est. achieved occupancy %\": {}",
          registers, shared, blocks / 132, blocks % 132 * 7'575, blocks * threads / 4'224,
          blocks * threads % 4'224 * 236, blocks, columns, threads, occupancy);
      kernels[family].push_back(std::move(kernel));
    }
  }
}

void KinetoWords::add_shapes(Random& random) {
  constexpr std::size_t kShapes = 400;
  while (shapes.size() < kShapes) {
    const std::int64_t inputs = random.in(3, 9);
    std::string values, types, strides, dims;
    for (std::int64_t i = 0; i < inputs; ++i) {
      const std::string_view comma = i > 0 ? ", " : "";
      const bool tensor = i == 0 || random.in(0, 2) > 0;
      const std::int64_t batch = random.in(1, 8);
      const std::int64_t rows = std::int64_t{1} << random.in(0, 13);
      const std::int64_t columns = 128 * random.in(1, 64);
      values += fmt::format("{}\"{}\"", comma, tensor ? "" : random.in(0, 1) ? "False" : "-1");
      types += fmt::format("{}\"{}\"", comma, tensor ? "c10::BFloat16" : "Scalar");
      strides += tensor ? fmt::format("{}[{}, {}, 1]", comma, rows * columns, columns) : fmt::format("{}[]", comma);
      dims += tensor ? fmt::format("{}[{}, {}, {}]", comma, batch, rows, columns) : fmt::format("{}[]", comma);
    }
    shapes.push_back(
        fmt::format("\"Concrete Inputs\": [{}], \"Input type\": [{}], \"Input Strides\": [{}], \"Input Dims\": [{}], ",
                    values, types, strides, dims));
  }
}

}  // namespace tv::test
