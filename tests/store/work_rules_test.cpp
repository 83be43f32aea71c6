#include "core/store/rules/work_rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <string>

using namespace tv;

namespace {

std::string family_of_kernel(std::string_view kernel) {
  const auto fit = CommunicationRules().communication(kernel);
  return fit ? fit->family : std::string();
}

}  // namespace

TEST_CASE("work_rules: a kernel's own name has no return type, template arguments or parameters") {
  CHECK(own_kernel_name("void deep_ep::internode::dispatch<false, 8>(int)") == "deep_ep::internode::dispatch");
  CHECK(own_kernel_name("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)") ==
        "nccldevkernel_allreduce_sum_f32_ring_ll");
  CHECK(own_kernel_name("void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 8>(c10::BFloat16*)") ==
        "::multimem_all_reduce_kernel");
  CHECK(own_kernel_name("void a::b<c<d>, (e)1>::f<g>(h)") == "a::b::f");
  CHECK(own_kernel_name("") == "");
  CHECK(own_kernel_name("void ") == "");
  CHECK(own_kernel_name("a<b") == "a");
}

TEST_CASE("work_rules: communication kernels of each library are recognised") {
  struct Case {
    const char *kernel, *family;
  };
  const Case cases[] = {
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "NCCL"},
      {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)", "NCCL"},
      {"ncclSymDevKernel_AllReduce_RSxLD_AGxST_sum_bf16(ncclSymDevArgs)", "NCCL"},
      {"NCCL_something", "NCCL"},
      {"rcclGenericKernel<1, false>", "RCCL"},
      {"RCCL_AllReduce", "RCCL"},
      {"mscclKernel_Sum_half_LL(ncclDevComm*, mscclAlgo*)", "MSCCL"},
      {"mscclpp::allreduce8", "MSCCL"},
      {"void sglang::MscclContextAllReduce1nodeLLKernel<__half>()", "MSCCL"},
      {"hcom_allReduce__428_0_1", "HCCL"},
      {"hcom_send__428_0_1", "HCCL"},
      {"HcomAllReduce", "HCCL"},
      {"allreduceAicpuKernel", "HCCL"},
      {"MatmulAllReduceAddRmsNormAicpu", "HCCL"},
      {"hccl::allreduce", "HCCL"},
      {"void deep_ep::intranode::combine<__nv_bfloat16, 8, 768>(int)", "DeepEP"},
      {"void deep_ep::internode_ll::dispatch<true, false, 7168>(void*)", "DeepEP"},
      {"void dpsk::ep::internode::dispatch<false, 8>(int)", "DeepEP"},
      {"void dpsk::ep::internode::cached_notify<8>(int)", "DeepEP"},
      {"_ZN7deep_ep9intranode15notify_dispatchILi8EEEvPKi", "DeepEP"},
      {"void mori::moe::EpDispatchIntraNodeKernel<hip_bfloat16>(args)", "MORI"},
      {"EpCombineInterNodeV1Kernel_bf16", "MORI"},
      {"void tensorrt_llm::kernels::moe_alltoall::moeA2ADispatchKernel<8>(int)", "MoE all-to-all"},
      {"nvshmemi_transfer_rma_kernel", "NVSHMEM"},
      {"void nvshmemi_barrier_all<0>()", "NVSHMEM"},
      {"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*)", "custom all-reduce"},
      {"void aiter::reduce_scatter_cross_device_store<__half, 8>()", "custom all-reduce"},
      {"void quickreduce::allreduce_prototype_twoshot<AllReduceTwoshot<__half>, __half>()", "custom all-reduce"},
      {"void trtllm_allreduce_fusion_kernel_oneshot_lamport<8>", "custom all-reduce"},
      {"one_shot_all_reduce_kernel", "one-shot all-reduce"},
      {"two_shot_all_reduce_kernel", "two-shot all-reduce"},
      {"void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 8>(c10::BFloat16*)", "symmetric memory"},
      {"multimem_one_shot_all_reduce_kernel", "symmetric memory"},
      {"kuserbuffers_pushrecv(int, int, int*)", "userbuffers"},
      {"oneccl_allreduce_pcie", "oneCCL"},
      {"_ZTSN4sycl3_V16detailallgatherv_small", "all-gather"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.kernel));
    CHECK(family_of_kernel(c.kernel) == c.family);
  }
}

TEST_CASE("work_rules: kernels that only look like communication count as compute") {
  const char* const kernels[] = {
      "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float>>>(float)",
      "void at::native::vectorized_elementwise_kernel<4, tools::all_reduce_functor<float>>(int, all_reduce_functor)",
      "void at::native::_scatter_gather_elementwise_kernel<128, 8>()",
      "void cutlass::device_kernel<ncclLike_gemm>(int)",
      "triton_poi_fused_all_reduce_wait_tensor_0",
      "void cublasLt::splitKreduce_kernel<32, 16, int, float>()",
      "void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 20>(cudnnTensorStruct)",
      "gemm_all_reduce_kernel",  // fused: the GEMM computes all the time
      "void flux::ag_gemm_all_gather_gemm<8>()",
      "aclnnMatmulAllReduce_MatmulAllReduce_MatmulAllReduce",
      "void deep_ep::layout::get_dispatch_layout<256, 32, 8>(int*)",
      "void softmax_warpAllReduce<float>()",
      "broadcast_kernel",
      "void moe::dispatch_tokens<8>()",  // dispatch and combine are words of local kernels, too
      "combine_experts",
      "gemm",
      "",
  };
  for (const char* kernel : kernels) {
    CAPTURE(std::string(kernel));
    CHECK(family_of_kernel(kernel) == "");
    CHECK(device_work("kernel", kernel, {}) == DeviceWork::Compute);
  }
  CHECK(communication_rule("gemm_all_reduce_kernel")->kind == CommunicationKind::Fused);
}

TEST_CASE("work_rules: every communication rule has a source, is lower case and can match") {
  for (const CommunicationRule& rule : communication_rules()) {
    CAPTURE(std::string(rule.pattern));
    CHECK(!rule.source.empty());
    CHECK(!rule.family.empty());
    CHECK(std::ranges::none_of(rule.pattern, [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }));
    std::string sample;
    for (const char c : rule.pattern) sample += c == '*' ? 'q' : c;
    CHECK(communication_rule(sample) == &rule);
  }
}

TEST_CASE("work_rules: the user's patterns are tried first, with and without stars, and a minus excludes") {
  const CommunicationRules own("My_Exchange, *halo*swap* |-multimem_*");
  CHECK(own.communication("void app::my_exchange_v2<8>()")->family == "own pattern");
  CHECK(own.communication("void app::my_exchange_v2<8>()")->pattern == "my_exchange");
  CHECK(own.communication("void halo_then_swap()").has_value());
  CHECK(!own.communication("multimem_all_reduce_kernel"));
  CHECK(own.communication("ncclDevKernel_AllReduce")->family == "NCCL");
  CHECK(!own.communication("gemm"));
  for (const char* const both : {"my_exchange|-layout", "-layout|my_exchange"}) {
    CHECK(CommunicationRules(both).communication("my_exchange"));
    CHECK(!CommunicationRules(both).communication("my_exchange_layout"));
  }
  CHECK(own.has_user_patterns());
  CHECK(!CommunicationRules(" | ,- ").has_user_patterns());
  CHECK(CommunicationRules("a|b") == CommunicationRules("A , B"));
}

TEST_CASE("work_rules: categories and tasks of each vendor are classified") {
  const CommunicationRules rules;
  CHECK(device_work("kernel", "gemm", rules) == DeviceWork::Compute);
  CHECK(device_work("Kernel", "gemm", rules) == DeviceWork::Compute);
  CHECK(device_work("gpu_memcpy", "Memcpy HtoD", rules) == DeviceWork::Memory);
  CHECK(device_work("mlu_memset", "Memset", rules) == DeviceWork::Memory);
  CHECK(device_work("cpu_op", "nccl:all_reduce", rules) == DeviceWork::None);
  CHECK(device_work("python_function", "allreduce", rules) == DeviceWork::None);
  CHECK(device_work("cuda_sync", "Stream Sync", rules) == DeviceWork::None);
  CHECK(device_work("mtia_ccp_events", "pe_exe", rules) == DeviceWork::Compute);
  CHECK(device_work("mtia_ccp_events", "dma_request", rules) == DeviceWork::Memory);
  CHECK(device_work("mtia_ccp_events", "event_wait", rules) == DeviceWork::None);
  CHECK(device_work("mtia_ccp_events", "hccl::allgather", rules) == DeviceWork::Communication);
  for (const char* api :
       {"cuda_runtime", "hip_runtime", "mtia_runtime", "xpu_runtime", "xpu_driver", "privateuse1_runtime", "Runtime"}) {
    CAPTURE(std::string(api));
    CHECK(category_kind(api) == CategoryKind::Api);
    CHECK(device_work(api, "nccl", rules) == DeviceWork::None);
  }
  CHECK(device_work("cuda_graph", "CUDA graph 3", rules) == DeviceWork::Graph);
  CHECK(device_work("cuda_graph_event", "cudaGraphInstantiate", rules, true) == DeviceWork::None);
  CHECK(device_work("kernel_dispatch", "Cijk_Ailk_Bljk", rules) == DeviceWork::Compute);
  CHECK(device_work("memory_copy", "MEMORY_COPY_HOST_TO_DEVICE", rules) == DeviceWork::Memory);
  CHECK(category_kind("hip_api") == CategoryKind::Api);
  CHECK(category_kind("hsa_core_api") == CategoryKind::Api);
  CHECK(category_kind("marker_api") == CategoryKind::Ranges);
  CHECK(device_work("gpu_op", "gemm_kernel", rules) == DeviceWork::Compute);
  CHECK(category_kind("gpu_user_annotation") == CategoryKind::Projected);
  CHECK(category_kind("user_annotation") == CategoryKind::Ranges);
  // Ascend: without a category, and only on a device's lanes.
  CHECK(device_work("", "aclnnMatmul_MatMulV2_MatMulV2", rules) == DeviceWork::None);
  CHECK(device_work("", "aclnnMatmul_MatMulV2_MatMulV2", rules, true) == DeviceWork::Compute);
  CHECK(device_work("", "EVENT_WAIT", rules, true) == DeviceWork::None);
  CHECK(device_work("", "Notify_Wait", rules, true) == DeviceWork::None);
  CHECK(device_work("", "MEMCPY_ASYNC", rules, true) == DeviceWork::Memory);
  CHECK(device_work("", "hcom_allReduce__428_0_1", rules, true) == DeviceWork::Communication);
}

TEST_CASE("work_rules: on a device's lane an unknown category counts as work, one that is known to be none does not") {
  const CommunicationRules rules;
  CHECK(device_work("somebody's kernels", "gemm", rules, true) == DeviceWork::Compute);
  CHECK(device_work("somebody's kernels", "ncclDevKernel_AllReduce", rules, true) == DeviceWork::Communication);
  CHECK(device_work("somebody's kernels", "gemm", rules) == DeviceWork::None);
  for (const char* category : {"cuda_sync", "cuda_event", "hip_event", "hpu_op", "cpu_op", "overhead", "cuda_runtime"}) {
    CAPTURE(std::string(category));
    CHECK(device_work(category, "gemm", rules, true) == DeviceWork::None);
  }
  // XLA's operators, if there are no streams.
  CHECK(device_work("", "fusion.12", rules, true) == DeviceWork::Compute);
  CHECK(device_work("", "all-reduce-start.1", rules, true) == DeviceWork::Communication);
  CHECK(device_work("", "collective-permute-done", rules, true) == DeviceWork::Communication);
  CHECK(device_work("", "copy-start.3", rules, true) == DeviceWork::Memory);
  CHECK(device_work("", "copy.3", rules, true) == DeviceWork::Compute);
  CHECK(device_work("", "while.5", rules, true) == DeviceWork::None);
  CHECK(device_work("", "CopyHostToDevice", rules, true) == DeviceWork::Memory);
}

TEST_CASE("work_rules: device names of each profiler and the kinds of their lanes are recognised") {
  const auto text = [](std::string_view name) {
    const NamedDevice device = named_device(name);
    return std::string(device.word) + "|" + std::string(device.number);
  };
  CHECK(text("GPU 0 NVIDIA H100 80GB HBM3") == "GPU|0");
  CHECK(text("GPU0") == "GPU|0");
  CHECK(text("6 GPU0") == "GPU|0");
  CHECK(text("GPU:3") == "GPU|3");
  CHECK(text("/device:GPU:0") == "GPU|0");
  CHECK(text("/device:TPU:3 SparseCore 1") == "TPU|3");
  CHECK(text("/host:node7/device:GPU:12") == "GPU|12");
  CHECK(text("/device:CPU:0") == "|");
  CHECK(text("/host:CPU") == "|");
  CHECK(text("GPU agent 4") == "GPU|agent 4");
  CHECK(text("MUSA 1") == "MUSA|1");
  CHECK(text("GPU Process") == "GPU|");
  CHECK(text("GPUs") == "|");
  CHECK(text("GPU3D") == "|");
  CHECK(text("6 python") == "|");
  CHECK(text("") == "|");
  // Without a label, the name of a process counts only with a number.
  CHECK(device_process("GPU2", "", "2").kind == ProcessKind::Device);
  CHECK(device_process("/device:GPU:1", "", "2").kind == ProcessKind::Device);
  CHECK(device_process("GPU Process", "", "2").kind == ProcessKind::Host);
  CHECK(device_process("GPU 0", "CPU", "2").kind == ProcessKind::Host);
  CHECK(device_lane("Stream #16(Compute)") == DeviceLane::Stream);
  CHECK(device_lane("stream 7") == DeviceLane::Stream);
  CHECK(device_lane("XLA Ops") == DeviceLane::Operators);
  for (const char* name : {"XLA Modules", "Steps", "Framework Name Scope", "TensorFlow Ops", "Source code", "XLA TraceMe"}) {
    CAPTURE(std::string(name));
    CHECK(device_lane(name) == DeviceLane::Repeats);
  }
  CHECK(device_lane("queue 3") == DeviceLane::Unknown);
}

TEST_CASE("work_rules: processes are classified as devices, parts of devices, derived or host") {
  CHECK(device_word("GPU 0 NVIDIA H100 80GB HBM3") == "GPU");
  CHECK(device_word("MTIA 17") == "MTIA");
  CHECK(device_word("NPU") == "NPU");
  CHECK(device_word("GPUs") == "");
  CHECK(device_word("python") == "");
  CHECK(device_process("python", "GPU 3", "3").kind == ProcessKind::Device);
  CHECK(device_process("python", "CPU", "1234").kind == ProcessKind::Host);
  CHECK(device_process("MTIA 17", "MTIA 17", "17").kind == ProcessKind::Device);
  const DeviceProcess npu = device_process("Ascend Hardware", "NPU", std::to_string(4711 * 1024 + 13 * 32 + 5));
  CHECK(npu.kind == ProcessKind::Part);
  CHECK(npu.device == "NPU 5");
  CHECK(device_process("Communication", "NPU", std::to_string(4711 * 1024 + 14 * 32 + 5)).device == "NPU 5");
  CHECK(device_process("Ascend Hardware", "NPU 3", "99").device == "NPU 3");
  CHECK(device_process("Ascend Hardware", "", "2").device == "NPU");
  CHECK(device_process("Overlap Analysis", "NPU", "4823461").kind == ProcessKind::Derived);
  CHECK(device_process("CANN", "CPU", "4823455").kind == ProcessKind::Host);
  CHECK(device_process("HBM", "NPU", "4823455").kind == ProcessKind::Host);
  CHECK(device_process("Communication", "", "12").kind == ProcessKind::Host);  // of any other program
}

TEST_CASE("work_rules: communication of CPU threads is named by its library") {
  CHECK(cpu_communication("user_annotation", "gloo:all_reduce") == "gloo");
  CHECK(cpu_communication("user_annotation", "nccl:broadcast") == "NCCL");
  CHECK(cpu_communication("cpu_op", "c10d::allreduce_") == "c10d");
  CHECK(cpu_communication("cpu_op", "record_param_comms") == "c10d");
  CHECK(cpu_communication("cpu_op", "aten::add") == "");
  CHECK(cpu_communication("python_function", "torch/cuda/nccl.py(12): version") == "");
}
