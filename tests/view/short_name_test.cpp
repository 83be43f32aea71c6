#include "core/view/words/short_name.h"

#include <doctest/doctest.h>

#include <set>

#include "core/base/text/string_table.h"

using namespace tv;

namespace {

using Forms = NameForms;

Forms kernel(std::string_view name) { return name_forms("kernel", name); }
Forms python(std::string_view name) { return name_forms("python_function", name); }

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
}
