#include "core/view/words/short_name.h"

#include <doctest/doctest.h>

#include <set>

#include "core/base/text/string_table.h"

using namespace tv;

namespace {

using Forms = NameForms;

Forms kernel(std::string_view name) { return name_forms("kernel", name); }
Forms python(std::string_view name) { return name_forms("python_function", name); }

// A matrix product of CUTLASS 3 for Hopper: 949 bytes with 64 references to earlier parts.
constexpr std::string_view kCutlass =
    "_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalIN4cute5tupleIJiiiiEEENS1_10collective13CollectiveMmaINS1_34M"
    "ainloopSm90TmaGmmaWarpSpecializedILi4ENS5_IJNS4_1CILi2EEENSA_ILi1EEESC_EEENS1_35KernelTmaWarpSpecializedCooperativeEEE"
    "NS5_IJNSA_ILi128EEENSA_ILi256EEENSA_ILi64EEEEEENS_10bfloat16_tENS5_IJlSC_lEEESK_SL_NS4_8TiledMMAIJNS4_8MMA_AtomIJNS4_4"
    "SM904GMMA28MMA_64x256x16_F32BF16BF16_SSILNSP_5MajorE1ELSR_0ELNSP_7ScaleInE1ELSS_1EEEEEENS4_6LayoutISD_NS5_IJSC_NSA_ILi"
    "0EEESW_EEEEEEEENS4_13SM90_TMA_LOADENS4_14ComposedLayoutINS4_7SwizzleILi3ELi4ELi3EEENS4_18smem_ptr_flag_bitsILi16EEENSV"
    "_INS5_IJNSA_ILi8EEESI_EEENS5_IJSI_SC_EEEEEEEvNS4_8identityENS4_23SM90_TMA_LOAD_MULTICASTES1A_vS1B_EENS_8epilogue10coll"
    "ective18CollectiveEpilogueINS1E_22Sm90TmaWarpSpecializedILi4ELi2ELi16ELb1ELb0EEEJSJ_SK_SL_NS1E_6fusion15FusionCallback"
    "sIJNS1J_17LinearCombinationISK_fSK_fEESJ_EEES10_S1A_NS4_14SM90_TMA_STOREES1A_EEENS2_19PersistentSchedulerEvEEEEvNT_6Pa"
    "ramsE";

// Each template has the one before as both of its arguments: 366 bytes for 32.
std::string doubled(int times) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "_Z1fI1PIiiE";
  for (int i = 1; i <= times; ++i) {
    const char digit = kDigits[static_cast<std::size_t>(i)];
    name += std::string("S0_IS") + digit + "_S" + digit + "_E";
  }
  return name + "Evv";
}

}  // namespace

TEST_CASE("short_name: a prefix that repeats the category is left out") {
  CHECK(name_forms("backward", "backward_3") == Forms{"backward_3", "3", "3"});
  CHECK(name_forms("backward_w1", "backward_w1_12")[2] == "12");
  CHECK(name_forms("backward", "backward3")[2] == "backward3");
  CHECK(name_forms("backward", "backward_")[2] == "backward_");
  CHECK(name_forms("backward", "backward")[2] == "backward");
  CHECK(name_forms("turn", "turn_end")[2] == "turn_end");
  CHECK(name_forms("", "_3")[2] == "_3");
  CHECK(name_forms("kernel", "gemm")[2] == "gemm");
}

TEST_CASE("short_name: kernels are shortened to their function and telling template arguments") {
  CHECK(kernel("void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<c10::BFloat16, "
               "c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&)::{lambda(int)#1}>"
               "(int, at::native::gpu_kernel_impl_nocast<int>)") ==
        Forms{"elementwise_kernel<128, 4, gpu_kernel_impl_nocast<BinaryFunctor<BFloat16, BFloat16, BFloat16, MulFunctor<float>>>"
              "(TensorIteratorBase&)::{lambda(int)#1}>",
              "elementwise_kernel<MulFunctor<float>>", "MulFunctor"});
  CHECK(kernel("void at::native::vectorized_elementwise_kernel<4, at::native::sigmoid_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::"
               "operator()() const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int, "
               "std::array<char*, 2ul>)")[1] == "vectorized_elementwise_kernel<sigmoid_kernel_cuda(BFloat16)>");
  CHECK(kernel("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float)") ==
        Forms{"vectorized_layer_norm_kernel<BFloat16, float>", "vectorized_layer_norm_kernel<BFloat16, float>", "vectorized_layer_norm_kernel"});
  CHECK(kernel("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>(cutlass_80::Params)")[2] ==
        "s16816gemm_relu_bf16_64x64_64x6_tn_align8");
  CHECK(kernel("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_execute_kernel__5x_cublas")[1] ==
        "gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_execute_kernel__5x_cublas");
  CHECK(kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)") ==
        Forms{"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "AllReduce_Sum_f32_RING_LL", "AllReduce_Sum_f32_RING_LL"});
  CHECK(kernel("std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type "
               "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, long)")[0] == "fused_add_rms_norm_kernel<BFloat16, 8>");
  CHECK(kernel("void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)")[2] == "multimem_all_reduce_kernel");
  CHECK(kernel("_ZN5aiter9add_quantIfLi16EEEvPT_i")[2] == "add_quant");
  CHECK(kernel("_Znonsense")[0] == "_Znonsense");
  CHECK(kernel("a(b") == Forms{"a", "a", "a"});
  CHECK(kernel("<<<") == Forms{"<<<", "<<<", "<<<"});
}

TEST_CASE("short_name: a mangled name that stands for gigabytes stays mangled, a long one of CUTLASS does not") {
  CHECK(kernel(doubled(3))[2] == "f");
  for (const int times : {20, 32}) CHECK(kernel(doubled(times)) == Forms{doubled(times), doubled(times), doubled(times)});
  const Forms forms = kernel(kCutlass);
  CHECK(forms[0].starts_with("device_kernel<GemmUniversal<tuple<int, int, int, int>, CollectiveMma<"));
  CHECK(forms[0].size() > 1000);
  CHECK(forms[1].starts_with("device_kernel<GemmUniversal"));
  CHECK(forms[2] == "GemmUniversal");
  CHECK(kernel(std::string(kCutlass) + " [clone .kd]") == forms);
}

TEST_CASE("short_name: templates may be nested a hundred thousand deep") {
  constexpr std::size_t kDepth = 100'000;
  std::string name = "void f<";
  for (std::size_t i = 0; i < kDepth; ++i) name += "a<";
  name += "MulFunctor<float>" + std::string(kDepth, '>') + ">(int)";
  CHECK(kernel(name)[1] == "f<MulFunctor<float>>");
  CHECK(kernel(name)[2] == "f");
}

TEST_CASE("short_name: only the first list of arguments counts, and its innermost functor most") {
  CHECK(kernel("f<ab, cd<efg>>")[1] == "f<ab>");
  CHECK(kernel("f<x, 12, int, cd<efg>, hi>")[1] == "f<cd<efg>>");
  CHECK(kernel("f<ab, AddFunctor<cd<MulFunctor<float>, EndFunctor>>, LastFunctor>")[1] == "f<MulFunctor<float>>");
  CHECK(kernel("f<int>::g<ab>")[1] == "f<int>::g<ab>");
  CHECK(kernel("f<int, (anonymous)<MulFunctor>>")[1] == "f<MulFunctor>");
  CHECK(kernel("f<int, g<float>::h<MulFunctor>>")[2] == "f");
  // Brackets that are never closed: only arguments that end count.
  CHECK(kernel("f<int, ab, MulFunctor<cd")[1] == "f<ab>");
  CHECK(kernel("f<MulFunctor<cd")[1] == kernel("f<MulFunctor<cd")[0]);
}

TEST_CASE("short_name: Python frames are shortened to their function") {
  CHECK(python("/sgl/python/managers/scheduler.py(307): event_loop") ==
        Forms{"event_loop (/sgl/python/managers/scheduler.py:307)", "event_loop (scheduler.py:307)", "event_loop"});
  CHECK(python("train.py(10): <module>") == Forms{"<module> (train.py:10)", "<module> (train.py:10)", "<module>"});
  CHECK(python("<built-in method data_ptr of Tensor object at 0x7ed7>") ==
        Forms{"data_ptr (built-in method of Tensor object at 0x7ed7)", "data_ptr (built-in)", "data_ptr"});
  CHECK(python("<built-in function linear>") == Forms{"linear (built-in function)", "linear (built-in)", "linear"});
  CHECK(python("nn.Module: Linear_0")[2] == "Linear_0");
  CHECK(python("strange)(: name")[0] == "strange)(: name");
}

TEST_CASE("short_name: other names lose their scope, and numbered names all but the number") {
  CHECK(name_forms("cpu_op", "aten::add_") == Forms{"aten::add_", "add_", "add_"});
  CHECK(name_forms("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0")[1] == "AddmmBackward0");
  CHECK(name_forms("user_annotation", "step[EXTEND bs=15 (toks)]")[2] == "step[EXTEND bs=15 (toks)]");
  CHECK(name_forms("x", "two\nlines")[0] == "two lines");
  CHECK(name_forms("x", "")[0] == "");
  // Numbered names differ only in the number.
  CHECK(name_forms("step", "iteration 12") == Forms{"iteration 12", "iteration 12", "12"});
  CHECK(name_forms("user_annotation", "ProfilerStep#5")[2] == "5");
  CHECK(name_forms("x", "f(2) 3")[2] == "f(2) 3");
  CHECK(name_forms("x", "conv2")[2] == "conv2");
  CHECK(name_forms("x", "# 12")[2] == "# 12");
}

TEST_CASE("short_name: the longest form that fits is used") {
  const Forms forms = name_forms("python_function", "path/file.py(12): go");
  const auto within = [&](std::size_t n) { return form_that_fits(forms, [&](std::string_view form) { return form.size() <= n; }); };
  CHECK(within(40) == "go (path/file.py:12)");
  CHECK(within(15) == "go (file.py:12)");
  CHECK(within(5) == "go");
  CHECK(within(1) == "go");  // the shortest form, still too long
}

TEST_CASE("short_name: forms of a label are made once") {
  LabelTable labels;
  const LabelId a = labels.intern("cpu_op", "aten::a"), b = labels.intern("cpu_op", "aten::b");
  ShortNames names;
  const NameForms& first = names.of(labels, b);
  CHECK(first[1] == "b");
  CHECK(names.of(labels, a)[1] == "a");
  CHECK(&names.of(labels, b) == &first);
}

TEST_CASE("short_name: names that differ stay different when they are cut") {
  const std::string tail(40, 'z'), head(40, 'a');
  const std::vector<std::string> names = {"short",
                                          head + "one" + tail,
                                          head + "two" + tail,
                                          head + "1" + head + tail,
                                          "gemm_" + head,
                                          "gemm_" + head};
  const std::vector<std::string> cut = distinct_cuts(names, 30);
  CHECK(cut[0] == "short");
  CHECK(cut[1].find("one") != std::string::npos);
  CHECK(cut[2].find("two") != std::string::npos);
  CHECK(cut[4] == cut[5]);
  CHECK(std::set<std::string>(cut.begin(), cut.end()).size() == 5);
  for (const std::string& text : {cut[1], cut[2], cut[4]}) CHECK(text.size() <= 30 + 2 * std::string("…").size());
  CHECK(distinct_cuts({"ééééééééé…", "ééééééééè…"}, 6) != distinct_cuts({"ééééééééé…", "ééééééééé…"}, 6));
  // The first bytes that differ may be in the middle of a letter.
  const std::vector<std::string> letters = distinct_cuts({"abc\u4e00\u4e00xyzdef", "abc\u4e00\u4e01xyzdef"}, 4);
  CHECK(letters == std::vector<std::string>{"a…\u4e00…", "a…\u4e01…"});
  // The first two names differ behind the end of a third one that is cut alike.
  const std::string begin(20, 'a'), end(20, 'z'), middle(60, 'm');
  const std::vector<std::string> longer = {begin + middle + "1" + end, begin + middle + "2" + end, begin + "m" + end};
  const std::vector<std::string> apart = distinct_cuts(longer, 12);
  CHECK(std::set<std::string>(apart.begin(), apart.end()).size() == 3);
}
